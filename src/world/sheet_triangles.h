#pragma once
// The triangles of all sheets (particles/sheets.h), kept up to date, and which of them are near which particles.
//
// Triangles are sorted into cells by the centres of spheres around them. Particles that follow each other in the store
// lie close together, so those of a group look for triangles together; each lists those whose spheres come near it, or
// how far away the nearest is. A list serves until the particle and the sheets may have moved by what it reaches too
// far: some steps for what is near a sheet, many for the rest. What comes of it is found anew in every step from
// the spheres of now, so it does not depend on when lists were made, and distances are measured only where a triangle
// may be the nearest.
//
// This serves the density of fluids, and contact, which needs all triangles that a particle can reach until the end of
// the next step. How far that is is told by velocities and the length of a step, with some more; what turns out to go
// farther looks again.

#include <vector>

#include "particles/sheets.h"

namespace fondue {

class SheetTriangles {
 public:
  /// How close matter comes to a sheet (sheet_contacts.h), in spacings.
  static constexpr float radius_of_fluids = 0.9f, radius_of_solids = 0.5f, radius_of_sheets = 0.6f;
  /// Gaps are known up to this many spacings of a particle; triangles up to so many beyond its radius at least, where
  /// it is of a fluid.
  static constexpr float known = 1.9f, room = 0.8f;
  /// How far something may move in a step beyond twice its velocity, in spacings.
  static constexpr float spare_room = 0.1f;

  /// A triangle near a particle, and what their distance is at least.
  struct Pair {
    Index triangle;
    float bound;
  };
  struct Near {
    /// By particle that looked: distance from the nearest sheet that it is not part of, infinite if that is farther
    /// than known and than `reach`; and up to which distance all triangles are among its pairs.
    std::vector<float> gap, reach;
    /// Those that may touch triangles, in the order of gap, and where their pairs begin. Those of a sheet have no pairs
    /// with triangles around them.
    std::vector<Index> particle, begins;
    std::vector<Pair> pairs;
    /// Of the bonds between particles of sheets.
    std::uint64_t revision = 0;
  };

  /// False if there are none.
  bool follow(const Particles& particles);
  std::span<const SheetTriangle> all() const { return triangles_; }
  /// All particles look at where triangles are now. `reach`: by particle, how far it looks at least [m].
  Near near(const Particles& particles, float support_ratio, std::span<const float> reach);
  /// These particles look once more.
  Near near_again(const Particles& particles, float support_ratio, std::span<const float> reach,
                  std::span<const Index> which) const;
  /// By particle: how far it should look before a step of so many seconds, unless something speeds up.
  static std::vector<float> expected_reach(const Particles& particles, float support_ratio, float seconds);
  /// Whether no sheet has been torn and nothing been created or sorted since near().
  bool up_to_date(const Near& near) const { return near.gap.size() == particles_ && near.revision == revision_; }

 private:
  using Sphere = Eigen::Vector4f;
  /// What a particle has seen, and from where: its list is complete up to `reach`, and nothing is nearer than `least`.
  struct Looked {
    Vec3 x = Vec3::Zero();
    float reach = -1, least = 0;
    double way = 0;
    Index begin = 0, count = 0;
  };
  class Finder;
  void follow_motion(const Particles& particles);
  void sort_into_cells();
  /// How far triangles may be from where they were sorted.
  float since_sorted() const { return static_cast<float>((1 + 1e-6) * (way_ - way_when_sorted_)); }
  /// Triangles that come as close to a box as `near`, and some more. Returns how close others come, or that they come
  /// no closer than `wide`.
  float gather(const Box& box, float near, float wide, Finder& finder) const;
  /// Up to which distance pairs of a particle are complete, and up to which it has to know triangles.
  static float reach_of(bool of_sheet, float spacing, float reach);
  static float needed(bool of_sheet, float spacing, float reach);
  void look_anew(const Particles& particles, float support_ratio, std::span<const float> reach,
                 std::span<const Index> which, Finder& finder, std::size_t block);
  struct Rows;
  void take(const Particles& particles, float spacing, Index i, std::size_t at, std::span<const Index> listed,
            Finder& finder, Near& result, Rows& own) const;
  float moved_since(const Looked& own, const Vec3& x, float spacing) const;
  Near joined(std::span<const Rows> rows, Near result) const;

  std::vector<SheetTriangle> triangles_;
  std::uint64_t revision_ = 0;
  Index particles_ = 0;
  /// Around triangles, now.
  std::vector<Sphere> spheres_;
  /// Triangles by cells, with their spheres of when they were sorted.
  std::vector<Index> begins_, sorted_;
  std::vector<Sphere> sorted_spheres_;
  Box bounds_;
  float size_ = 1, largest_ = 0;
  int count_[3] = {1, 1, 1};
  /// Particles of sheets, where they were at last, and how far the fastest of all have moved so far.
  std::vector<Index> corners_;
  std::vector<Vec3> last_;
  double way_ = 0, way_when_sorted_ = 0;
  /// By particle; and the lists of blocks of particles, in the order of triangles.
  std::vector<Looked> looked_;
  std::vector<std::vector<Index>> lists_;
};

}  // namespace fondue
