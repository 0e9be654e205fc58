#pragma once
// The triangles of all sheets (particles/sheets.h), kept up to date, and which of them are near which particles.
//
// Triangles are sorted into cells by the centres of spheres around them. Particles that follow each other in the store
// lie close together, so those of a group look for triangles together; of these each particle asks the spheres first,
// and measures distances only where a triangle may be the nearest.

#include <vector>

#include "particles/sheets.h"

namespace fondue {

class SheetTriangles {
 public:
  /// How close matter comes to a sheet (sheet_contacts.h), in spacings.
  static constexpr float radius_of_fluids = 0.9f, radius_of_solids = 0.5f, radius_of_sheets = 0.6f;
  /// Gaps are known up to this many spacings of a particle, and triangles up to so many beyond its radius.
  static constexpr float known = 1.9f, room = 0.8f;

  /// A triangle near a particle, and what their distance is at least.
  struct Pair {
    Index triangle;
    float bound;
  };
  struct Near {
    /// By particle: distance from the nearest sheet that it is not part of, infinite if that is farther than known.
    std::vector<float> gap;
    /// Particles that may touch triangles, by index, and where their pairs begin. Those of a sheet have no pairs with
    /// triangles around them.
    std::vector<Index> particle, begins;
    std::vector<Pair> pairs;
    /// Of the bonds between particles of sheets.
    std::uint64_t revision = 0;
  };

  /// False if there are none.
  bool follow(const Particles& particles);
  std::span<const SheetTriangle> all() const { return triangles_; }
  /// Looks at where triangles are now.
  Near near(const Particles& particles, float support_ratio);
  /// Whether no sheet has been torn and nothing been created or sorted since near().
  bool up_to_date(const Near& near) const { return near.gap.size() == particles_ && near.revision == revision_; }
  /// All triangles whose distance from particle i may be below reach [m], as of the last near().
  void find(const Particles& particles, Index i, float reach, std::vector<Pair>& pairs) const;

 private:
  /// Spheres around triangles, by component: centre, radius, and the triangle.
  struct Spheres {
    std::vector<float> x, y, z, r;
    std::vector<Index> triangle;
    void clear();
    void add(const Spheres& other, Index k);
  };
  class Finder;
  void sort_into_cells(const Particles& particles);
  /// Spheres that come as close to a box as that.
  void gather(const Box& box, float reach, Spheres& found) const;

  std::vector<SheetTriangle> triangles_;
  std::uint64_t revision_ = 0;
  Index particles_ = 0;
  Spheres spheres_;
  std::vector<Index> begins_;
  Box bounds_;
  float size_ = 1, largest_ = 0;
  int count_[3] = {1, 1, 1};
};

}  // namespace fondue
