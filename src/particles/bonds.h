#pragma once
// Bonds: symmetric reference neighbourhoods of elastic bodies, shells and cloth, stored beside the columns of the
// particles. The store permutes and prunes them with the particles; new particles have none.
//
// A bond between i and j is kept in both directions, as an entry j in the list of i and an entry i in the list of j.
// Lists follow each other in the order of the particles:
//
//   for (Index b = begins()[i]; b != begins()[i + 1]; ++b)
//     j = neighbours()[b];            // and i = neighbours()[reverses()[b]]
//
// Each direction has its own values in the bond columns; that X_ij = -X_ji is the business of whoever writes them. A
// list is sorted by the permanent ids of the neighbours, so that sums over it do not depend on the order of storage.

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "particles/column_set.h"

namespace fondue {

/// One quantity of every directed bond, declared like the column of a particle. All are part of the state.
template <class T>
struct BondColumn {
  const char* name;
  const char* unit;
  const char* help;
  /// What a new bond starts with (every component).
  float initial = 0;
};

class BondSet {
 public:
  using Pair = std::array<Index, 2>;

  /// Number of directed bonds: twice the number of bonds.
  Index size() const { return columns_.rows(); }
  Index particles() const { return static_cast<Index>(begins_.size() - 1); }
  /// First directed bond of every particle, and size() at the end.
  std::span<const Index> begins() const { return begins_; }
  /// The other particle of every directed bond.
  std::span<const Index> neighbours() const { return neighbours_; }
  /// The same bond in the other direction.
  std::span<const Index> reverses() const { return reverses_; }

  /// The values of a column; an error if nobody has asked for it with require(), or with another type. Spans are valid
  /// until bonds are added or removed, or particles created, removed or reordered.
  template <class T>
  std::span<T> operator[](const BondColumn<T>& column) {
    return {values(column), size()};
  }
  template <class T>
  std::span<const T> operator[](const BondColumn<T>& column) const {
    return {values(column), size()};
  }
  bool has(std::string_view name) const { return columns_.has(name); }
  /// Another number whenever bonds or particles were added, removed or reordered, or someone said that values of columns
  /// have changed.
  std::uint64_t revision() const { return revision_; }
  void values_changed() { ++revision_; }
  template <class T>
  std::span<T> require(const BondColumn<T>& column) {
    const ColumnInfo info =
        info_of(Column<T>{column.name, column.unit, column.help, column.initial, true, MergeRule::keep});
    return {static_cast<T*>(require(info)), size()};
  }
  void* require(const ColumnInfo& column) { return columns_.require(column); }
  std::vector<ColumnView> columns() const { return columns_.views(); }
  std::size_t bytes() const;

  /// Adds bonds between pairs of particles, with the ids of all particles (columns::id). Returns for each pair the bond
  /// from its first particle to its second. SimulationError for a pair given twice or bonded already, for a particle
  /// bonded to itself or not there; nothing is added then.
  std::vector<Index> add(std::span<const Pair> pairs, std::span<const Index> ids);
  /// Removes the bonds of which either direction is marked non-zero.
  void remove(std::span<const std::uint8_t> marked);
  /// Replaces all bonds by saved lists. SimulationError if they are not symmetric lists sorted by id.
  void restore(std::vector<Index> begins, std::vector<Index> neighbours, std::span<const Index> ids);

 private:
  friend class Particles;
  void append_particles(Index count);
  /// New particle i is old particle order[i]; those not named are gone, and their bonds with them.
  void select_particles(std::span<const Index> order) { select(order, {}); }

  template <class T>
  T* values(const BondColumn<T>& column) const {
    return static_cast<T*>(columns_.data(column.name, ValueShape<T>::scalar, ValueShape<T>::components));
  }
  void select(std::span<const Index> order, std::span<const std::uint8_t> marked);
  void find_reverses(std::span<const Index> ids);
  Index find(Index from, Index to, std::span<const Index> ids) const;

  std::vector<Index> begins_{0}, neighbours_, reverses_;
  std::uint64_t revision_ = 0;
  ColumnSet columns_{"bond"};
};

}  // namespace fondue
