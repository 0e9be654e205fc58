#pragma once
// Matter on sheets: no particle passes a sheet (particles/sheets.h), at any speed, from either side, however far the
// sheet is stretched. The paths of all particles near it are compared with its moving triangles, beginning where the
// last comparison left them:
//
//   crossing    a path that passes a triangle (shapes/moving_triangle.h) ends on the side that it comes from;
//   proximity   what is closer than its radius is set off at that distance.
//
// This is done at the end of a step, and within it as often as something moves by a fourth of a spacing. What may come
// nearer to a triangle than its radius until the next comparison is a contact: in every substep (world/substeps.h)
// contact_impulses.h gives it a velocity that brings it as near as that and not nearer. So a comparison finds little to
// do, and what lies on a sheet has no velocity that is not there. Nothing has to be remembered about sides: that of a
// triangle is the one where the path begins.
//
// Radius is 0.9 spacings for fluids, so that the layers on both sides of a sheet lie 1.8 spacings apart and feel next
// to nothing of each other at the default support, and half a spacing for solid matter.
//
// Sheets touch each other and themselves: their particles are points too, with a radius of 0.6 spacings. Where two
// edges of unstretched sheets would pass each other, one of their ends is within half the length of its edge of the
// other sheet, so edges need no contact of their own; only the longer diagonals of two sheets could. Triangles that a
// particle is bonded to, or that its neighbours belong to, do not count. Such points are set back only if they have
// passed a triangle; else they part with at most 4 radii per second, which strains nothing.
//
// Viscous fluids are held by a film (contact_impulses.h), which also reaches what is not pressed: up to 1.35 spacings,
// so that it is the first row and no other. There is none where the nearest point is on a rim seen from the side.
//
// A particle is compared with triangles that it can reach: those within its radius and what both may move in the step,
// twice what their velocities say. If something moves farther than that, the step is taken again with more room. For
// each pair of point and triangle a bound of their distance when the step began is kept; the distance is measured only
// if they may have moved against each other by so much that it matters.

#include <atomic>
#include <span>
#include <vector>

#include "behaviours/substep_formula.h"
#include "behaviours/surface_grip.h"
#include "bodies/bodies.h"
#include "world/contact_impulses.h"
#include "world/sheet_triangles.h"

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
    /// Its viscosity times the area that it stands for [N s]; zero: no film.
    float film = 0;
  };
  /// How far a film reaches, in radii.
  static constexpr double film_reach = 1.5;
  using Pair = SheetTriangles::Pair;
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
  void begin(std::vector<Corners> triangles, double room);
  /// How far the corners of triangles may move.
  double room() const { return room_; }
  /// Adds a particle that may reach triangles: those of these pairs that are nearer than its reach, until finish().
  void add(const Point& point, std::span<const Pair> pairs, float reach);
  /// All points are added; they are treated in the order of their ids. `carried`: by place, columns::contact_force.
  /// The length of substeps, and how far away the next comparison is.
  void finish(const Places& places, std::vector<Vec3> carried, double substep, double seconds);

  /// Forces have changed velocities: what touches presses, before everything moves for a time `drift`. `touches`: what
  /// touches bodies, which begins with what is carried.
  void press(const Places& places, std::span<BodyTouch> touches, double drift);
  /// Calls take(place, impulse) for what is held and was pressed.
  template <class Take>
  void each_held(Take&& take) const {
    impulses_.each_held(take);
  }
  /// Keeps everything on its side after it has moved; false if something has moved farther than it may.
  bool keep_apart(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby);
  /// Finds what may touch in the next seconds, until the next comparison.
  void find_contacts(const Places& places, double seconds);
  /// How many have passed a triangle in this step all the same.
  Index leaks() const { return leaks_; }
  /// The step is over. By place: the force at contacts in the last substep.
  std::span<const Vec3> forces();
  /// After forces(), by place: what presses it together, (|sum of f| + sum of |f|)/2 of the forces f at its contacts:
  /// f between two layers that press with f each, as well as where only one does.
  std::span<const float> pressing() const { return pressing_; }

 private:
  /// A triangle that is near enough.
  struct Candidate {
    double distance;
    Index triangle;
    Vec3d weights, normal;
  };
  /// What a point meets on its way.
  struct Seen {
    /// The first triangle that its path passes.
    bool passed = false;
    double time = 2;
    Candidate crossing;
    /// The nearest of all, if it is near enough.
    bool touched = false;
    Candidate nearest;
  };
  Candidate measured(Index point, const Vec3d& x, Index triangle) const;
  double moved_against(Index point, const Vec3d& x, Index triangle, const std::vector<Vec3d>& since) const;
  void look(Index point, const Vec3d& x, Seen& seen);
  void cross(Index point, const Vec3d& end, Index triangle, Seen& seen) const;
  void keep_off(Index point, const Bodies& bodies, const Bodies::Nearby& nearby, double corners_moved);
  void meet_sheets(const Places& places, double& corners_moved);
  bool meet_matter(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby, double corners_moved);
  void approach(const Places& places, Index point, double seconds, double fastest, std::vector<Candidate>& near,
                std::vector<SheetContact>& contacts);
  void add_film(const Point& point, const Candidate& found, SheetContact& contact) const;
  Vec3 take_over(Index place, const Vec3& normal, float friction, float pull = 0);
  Vec3 take_over_film(Index place, const Vec3& normal);
  Vec3d point_of(Index triangle, const Vec3d& weights, const std::vector<Vec3d>& at) const;
  Vec3d normal_of(Index triangle) const;

  std::vector<Corners> triangles_;
  std::vector<Index> corner_places_;
  double room_ = 0;
  struct Added {
    Point point;
    std::span<const Pair> pairs;
    float reach;
  };
  std::vector<Added> added_;
  /// Those of sheets first.
  std::vector<Point> points_;
  Index of_sheets_ = 0;
  /// Triangles within reach of each point, with bounds of when the step began.
  std::vector<Index> begins_;
  std::vector<Pair> pairs_;
  /// By place: at the start of the step, after the last comparison, and now.
  std::vector<Vec3d> start_, from_, to_;
  /// By point: how far it has moved so far, with the farthest of all corners, and the least of the bounds of its pairs.
  std::vector<double> way_, clear_;
  ContactImpulses impulses_;
  /// By place: forces of the last substep that contacts have not begun with yet.
  std::vector<Vec3> carried_;
  std::vector<float> pressing_;
  double substep_ = 0;
  std::atomic<Index> leaks_ = 0;
};

}  // namespace fondue
