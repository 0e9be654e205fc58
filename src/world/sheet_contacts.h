#pragma once
// Matter on sheets: no particle passes a sheet (particles/sheets.h), at any speed, from either side, however far the
// sheet is stretched. In every substep of the sheet (world/substeps.h) the paths of all particles near it are compared
// with its moving triangles, beginning where the last comparison left them:
//
//   crossing    a path that passes a triangle (shapes/moving_triangle.h) ends on the side that it comes from;
//   proximity   what is closer than its radius is set off at that distance.
//
// Radius is 0.9 spacings for fluids, so that the layers on both sides of a sheet lie 1.8 spacings apart and feel next
// to nothing of each other at the default support, and half a spacing for solid matter. What is near a triangle is a
// contact: before everything moves again contact_impulses.h gives it a velocity that does not bring it nearer. Nothing
// has to be remembered about sides: that of a triangle is the one where the path begins.
//
// Sheets touch each other and themselves: their particles are points too, with a radius of 0.6 spacings. Where two
// edges of unstretched sheets would pass each other, one of their ends is within half the length of its edge of the
// other sheet, so edges need no contact of their own; only the longer diagonals of two sheets could. Triangles that a
// particle is bonded to, or that its neighbours belong to, do not count. Such points are set back only if they have
// passed a triangle; else they part with at most 4 radii per second, which strains nothing.
//
// A particle is compared with triangles that it can reach: those within its radius and what both may move in the step,
// twice what their velocities say. If something moves farther than that, the step is taken again with more room. For
// each pair of point and triangle a bound of the distance is kept, and neither is looked at until both may have moved
// by that.

#include <span>
#include <vector>

#include "behaviours/substep_formula.h"
#include "bodies/bodies.h"
#include "shapes/triangle_cells.h"
#include "world/contact_impulses.h"

namespace fondue {

class SheetContacts {
 public:
  /// What may touch a sheet in a step. Places are those of substeps.
  struct Point {
    Index place, id;
    double radius;
    /// How far it may move in the step.
    double room;
    float friction;
    /// It belongs to a sheet.
    bool of_sheet;
  };
  /// A triangle that a point may reach.
  struct Pair {
    Index triangle;
    /// The distance is at least this less the way of the point so far.
    double bound;
  };
  /// What moves, by place.
  struct Places {
    std::span<SubstepRecord> records;
    ContactImpulses::Places moving;
  };
  struct Corners {
    std::array<Index, 3> place;
    float friction;
  };

  /// A step begins: triangles by places, how far their corners may move.
  void begin(std::vector<Corners> triangles, double room, const Places& places);
  /// How far the corners of triangles may move.
  double room() const { return room_; }
  /// The triangles that a particle at x may reach in this step, but for those that are not wanted(corner places).
  template <class Wanted>
  void reach(const Vec3& x, double radius, double room, Wanted&& wanted, std::vector<Pair>& pairs) const {
    pairs.clear();
    cells_.each(Box{x, x}.grown(static_cast<float>(radius + room)), [&](Index t) {
      if (!wanted(triangles_[t].place)) return;
      const double d = distance(x.cast<double>(), t, start_);
      if (d < radius + room + room_) pairs.push_back({t, d});
    });
  }
  /// Adds a particle that may reach triangles.
  void add(const Point& point, std::span<const Pair> pairs);
  /// All points are added; they are treated in the order of their ids.
  void finish(const Places& places);

  /// Forces have changed velocities: what touches presses, before everything moves for some seconds. `touches`: what
  /// touches bodies. Impulses on what is held are given to take(place, impulse), those of bodies to
  /// push(touch, impulse).
  template <class Take, class Push>
  void press(const Places& places, std::span<const SheetContact> touches, double seconds, Take&& take, Push&& push) {
    solve(places, touches, seconds);
    for (const SheetContact& contact : pressing_) {
      if (contact.impulse.isZero(0)) continue;
      if (contact.on_body()) {
        push(contact, contact.impulse);
        continue;
      }
      if (!(places.moving.mobility[contact.point] > 0)) take(contact.point, contact.impulse);
      for (int c = 0; c != 3; ++c)
        if (const Index p = contact.corner[static_cast<std::size_t>(c)]; !(places.moving.mobility[p] > 0))
          take(p, -contact.weights[c] * contact.impulse);
    }
  }
  /// Keeps everything on its side after it has moved, and finds what touches; false if something has moved farther than
  /// it may.
  bool keep_apart(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby);

 private:
  /// What a point meets on its way.
  struct Seen {
    /// The first triangle that its path passes.
    bool passed = false;
    double time = 2, least = 0;
    SheetContact crossing;
    /// The nearest of those that push in different directions.
    std::vector<SheetContact> near;
  };
  double distance(const Vec3d& x, Index triangle, const std::vector<Vec3d>& at) const;
  void look(Index point, const Vec3d& x, double moved, Seen& seen);
  void cross(Index point, const Vec3d& end, Index triangle, Seen& seen) const;
  void keep_off(Index point, const Bodies& bodies, const Bodies::Nearby& nearby, double corners_moved, Seen& seen);
  void meet_sheets(const Places& places, double& corners_moved);
  bool meet_matter(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby, double corners_moved);
  void remember(Index point, Seen& seen);
  void solve(const Places& places, std::span<const SheetContact> touches, double seconds);
  Vec3d corner_point(const SheetContact& contact, const std::vector<Vec3d>& at) const;
  Vec3d normal_of(Index triangle) const;

  std::vector<Corners> triangles_;
  std::vector<Index> corner_places_;
  TriangleCells cells_;
  double room_ = 0;
  /// Those of sheets first.
  std::vector<Point> points_;
  Index of_sheets_ = 0;
  /// Triangles within reach of each point.
  std::vector<Index> begins_;
  std::vector<Pair> pairs_;
  /// By place: at the start of the step, after the last comparison, and now.
  std::vector<Vec3d> start_, from_, to_;
  /// By point: its way so far with that of the sheets, and the least of the bounds of its pairs.
  std::vector<double> way_, clear_;
  /// By point: what touches it.
  std::vector<std::vector<SheetContact>> contacts_;
  std::vector<SheetContact> pressing_;
  ContactImpulses impulses_;
  bool fresh_ = true;
};

}  // namespace fondue
