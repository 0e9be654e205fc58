#pragma once
// The triangles of all sheets (particles/sheets.h), kept up to date, and which of them are near which particles.
//
// Triangles are sorted into cells by the centres of spheres around them. Particles that follow each other in the store
// lie close together, so those of a group look for triangles together, somewhat farther than they need to. What they
// find are candidates for some steps: until a particle of the group and the spheres may have come nearer to each other
// by that much. In each step a particle asks the spheres of its candidates, and measures distances only where a
// triangle may be the nearest. What it finds does not depend on when its group looked last.
//
// One search serves a step: for the density of fluids, and for contact, which needs all triangles that a particle can
// reach until the end of the step. That is found at the end of the step before, from velocities and the length of a
// step, with some more; what turns out to go farther is searched for again.

#include <array>
#include <vector>

#include "particles/sheets.h"

namespace fondue {

class SheetTriangles {
 public:
  /// How close matter comes to a sheet (sheet_contacts.h), in spacings.
  static constexpr float radius_of_fluids = 0.9f, radius_of_solids = 0.5f, radius_of_sheets = 0.6f;
  /// Gaps are known up to this many spacings of a particle, and triangles up to so many beyond its radius.
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
  /// All particles look at where triangles are now. `reach`: by particle, how far it looks at least [m]; `step`: how
  /// long it is until the next search, for the choice of candidates only.
  Near near(const Particles& particles, float support_ratio, std::span<const float> reach, double step = 0);
  /// These particles look once more, with all where it was then.
  Near near_again(const Particles& particles, float support_ratio, std::span<const float> reach,
                  std::span<const Index> which);
  /// By particle: how far it should look before a step of so many seconds, unless something speeds up.
  static std::vector<float> expected_reach(const Particles& particles, float support_ratio, float seconds);
  /// Whether no sheet has been torn and nothing been created or sorted since near().
  bool up_to_date(const Near& near) const { return near.gap.size() == particles_ && near.revision == revision_; }

 private:
  /// Spheres around triangles, by component: centre, radius, and the triangle.
  struct Spheres {
    std::vector<float> x, y, z, r;
    std::vector<Index> triangle;
    /// How many of them are there.
    std::size_t count = 0;
    void make_room(std::size_t size);
  };
  /// Particles that look together.
  static constexpr Index together = 16;
  /// Candidates of some particles, with bounds of when they looked: where each was, how far it looked, and how far
  /// spheres had come.
  struct Group {
    Index count = 0;
    double moved = 0;
    std::array<Vec3, together> start;
    std::array<float, together> reach;
    std::array<Index, together + 1> begins;
    std::vector<Pair> candidates;
  };
  class Finder;
  class Range;
  struct Found;
  void follow_spheres(const Particles& particles);
  void find_excluded(const Particles& particles);
  void sort_into_cells();
  /// Spheres that come as close to a box as that, in the order of triangles.
  void gather(const Box& box, float reach, Spheres& found) const;
  void look_ahead(const Range& range, std::span<const Vec3> x, std::span<const Vec3> v, Index begin, Index end,
                  double sheets_move, double step, Finder& finder, Spheres& spheres, Group& group) const;
  Near begun(std::size_t count) const;
  static void finish(std::span<const Found> found, Near& result);

  std::vector<SheetTriangle> triangles_;
  std::uint64_t revision_ = 0;
  Index particles_ = 0;
  /// Spheres by triangle, and how far they have come since the triangles are these, step by step.
  std::vector<Eigen::Vector4f> sphere_;
  double moved_ = 0;
  std::uint64_t kept_revision_ = 0;
  std::vector<Group> groups_;
  /// By particle: triangles with which it never makes a pair.
  std::vector<Index> excluded_begins_, excluded_;
  /// Spheres in cells, once they are sorted.
  bool in_cells_ = false;
  Spheres spheres_;
  std::vector<Index> begins_;
  Box bounds_;
  float size_ = 1, largest_ = 0;
  int count_[3] = {1, 1, 1};
};

}  // namespace fondue
