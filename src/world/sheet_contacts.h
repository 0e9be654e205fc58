#pragma once
// Matter on sheets: no particle passes a sheet (particles/sheets.h), at any speed, from either side, however far the
// sheet is stretched. In every substep of the sheet (world/substeps.h) the paths of all particles near it are compared
// with its moving triangles, beginning where the last comparison left them:
//
//   crossing    a path that passes a triangle (shapes/moving_triangle.h) ends on the side that it comes from;
//   proximity   what is closer than its radius is set off at that distance.
//
// Radius is 0.9 spacings for fluids, so that the layers on both sides of a sheet lie 1.8 spacings apart and feel next
// to nothing of each other at the default support, and half a spacing for solid matter. Then the velocity of approach
// is taken out by an impulse that is shared by the corners with the weights of the point of contact,
//
//   J = -m v_n,   1/m = 1/m_p + sum_c w_c^2/m_c,   v_p += J n/m_p,   v_c -= w_c J n/m_c,
//
// with Coulomb friction up to sqrt(mu_sheet mu_matter) J. It is inelastic, so no mass is too light for it, and momentum
// is exact. The triangle's side is that of the start of the path: nothing has to be remembered about sides.
//
// A particle is compared with triangles that it can reach: those within its radius and what both may move in the step,
// twice what their velocities say. If something moves farther than that, the step is taken again with more room.

#include <span>
#include <vector>

#include "behaviours/substep_formula.h"
#include "bodies/bodies.h"
#include "particles/sheets.h"
#include "shapes/triangle_cells.h"

namespace fondue {

/// The triangles of all sheets, kept up to date.
class SheetTriangles {
 public:
  /// False if there are none.
  bool follow(const Particles& particles);
  std::span<const SheetTriangle> all() const { return triangles_; }
  /// By particle: distance from the nearest sheet that it is not part of, up to `reach` of its spacings.
  std::vector<float> gaps(const Particles& particles, float support_ratio, float reach) const;

 private:
  std::vector<SheetTriangle> triangles_;
  std::uint64_t revision_ = 0;
  Index particles_ = 0;
};

class SheetContacts {
 public:
  /// Matter that may touch a sheet in a step. Places are those of substeps.
  struct Point {
    Index place, id;
    double radius;
    /// How far it may move in the step.
    double room;
    float friction;
  };
  /// What moves, by place.
  struct Places {
    std::span<SubstepRecord> records;
    std::span<float> v[3];
    /// Zero for what is held.
    std::span<const float> mobility;
  };
  struct Corners {
    std::array<Index, 3> place;
    float friction;
  };

  /// A step begins: triangles by places, how far their corners may move.
  void begin(std::vector<Corners> triangles, double room, const Places& places);
  /// Whether a particle at x may reach a triangle in this step; if so, the triangles that it may reach.
  bool within_reach(const Vec3& x, double radius, double room, std::vector<Index>& triangles) const;
  /// Adds such a particle.
  void add(const Point& point, std::span<const Index> triangles);
  /// All points are added; they are treated in the order of their ids.
  void finish(const Places& places);

  /// Forces have changed velocities: what touches a sheet presses on it, before both move. Without this a light sheet
  /// would be thrown up by its tension and caught again in every substep, and what lies on it would have a velocity,
  /// about F h/m_c downward, without sinking.
  template <class Take>
  void press(const Places& places, Take&& take) {
    for (const Hit& hit : exchange(places)) take(hit.place, hit.impulse);
  }
  /// Keeps everything on its side after it has moved; false if something has moved farther than it may. Impulses on
  /// what is held are given to take(place, impulse).
  template <class Take>
  bool resolve(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby, Take&& take) {
    if (!keep_apart(places, bodies, nearby)) return false;
    press(places, take);
    return true;
  }
  /// Paths that were not free on any side in the last step, which ended where the sheet carried them.
  Index unresolved() const { return unresolved_; }

 private:
  /// A point on a triangle, which pushes it along the normal.
  struct Contact {
    Index point, triangle;
    Vec3d weights, normal;
  };
  struct Hit {
    Index place;
    Vec3d impulse;
  };
  bool keep_apart(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby);
  void keep_off(Index point, const Bodies& bodies, const Bodies::Nearby& nearby, double corners_moved,
                std::vector<Contact>& contacts);
  std::optional<Contact> crossing(Index point, const Vec3d& end) const;
  std::optional<Contact> nearest(Index point, const Vec3d& x, double& distance) const;
  Vec3d corner_point(const Contact& contact, const std::vector<Vec3d>& at) const;
  Vec3d normal_of(Index triangle) const;
  const std::vector<Hit>& exchange(const Places& places);

  std::vector<Corners> triangles_;
  std::vector<Index> corner_places_;
  TriangleCells cells_;
  double room_ = 0;
  std::vector<Point> points_;
  /// Triangles within reach of each point.
  std::vector<Index> begins_, reached_;
  /// By place: at the start of the step, after the last comparison, and now.
  std::vector<Vec3d> start_, from_, to_;
  /// By point: no triangle is nearer than this.
  std::vector<double> clear_;
  std::vector<std::vector<Contact>> contacts_;
  std::vector<Hit> hits_;
  std::vector<std::uint8_t> stuck_;
  Index unresolved_ = 0;
};

}  // namespace fondue
