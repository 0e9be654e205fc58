#pragma once
// Sheets: matter in one layer of particles, with the triangles between them. The triangles are kept in a set of bonds
// along their edges, so they follow the particles through sorting, deleting, saving and branching: the directed bond
// from i to j names the particle that makes a triangle with both on its left, seen from the front of the sheet. A
// triangle is there as long as its three bonds are.

#include <array>
#include <string>
#include <vector>

#include "particles/particles.h"

namespace fondue {

using SheetTriangle = std::array<Index, 3>;

namespace columns {
inline constexpr Column<float> thickness{
    "thickness", "m", "thickness of the sheet it belongs to; 0 if it belongs to none", 0, true, MergeRule::keep};
inline constexpr Column<std::array<float, 2>> texture{
    "texture", "m", "where it lies in its sheet, along the warp and the weft", 0, true, MergeRule::keep};
}  // namespace columns

namespace sheets {

inline const std::string bond_set = "sheet";
inline constexpr BondColumn<Index> left{"left", "1", "one more than the id of the third particle of the triangle"};

/// Makes sure that particles can be sheets.
void require(Particles& particles);
/// Adds triangles between particles, given by index and counter-clockwise seen from the front. SimulationError if more
/// than two meet in an edge, or two that face different ways.
void add(Particles& particles, std::span<const SheetTriangle> triangles);
/// All triangles by index, in an order that depends on ids only; none if nothing is a sheet.
std::vector<SheetTriangle> triangles(const Particles& particles);
/// Removes edges, given by the particles at their ends, and with them the triangles on both sides. Pairs that are no
/// edges are left alone.
void cut(Particles& particles, std::span<const BondSet::Pair> edges);
/// By particle: non-zero if it has triangles all around it, as it has inside a sheet.
std::vector<std::uint8_t> surrounded(const Particles& particles);
/// The particle with this id among those bonded to i in a set, or BondSet's no_row.
Index bonded(const Particles& particles, const BondSet& bonds, Index i, Index id);

}  // namespace sheets

}  // namespace fondue
