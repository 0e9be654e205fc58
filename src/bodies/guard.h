#pragma once
// The last guard: a continuous collision of every particle's path with the bodies, in the frame of each, so that
// nothing passes a wall at any speed, however thin it is. A particle stops a tenth of the body's spacing before the
// surface and goes on along it.

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bodies/body.h"
#include "particles/column.h"
#include "shapes/swept_mesh.h"

namespace fondue {

/// A body that a particle met: how much it has changed the particle's velocity, and where.
struct Impact {
  Index body;
  Vec3 change, at;
};
using Impacts = std::vector<Impact>;

/// A body that a particle is in contact with: normal and velocity of its surface.
struct Touch {
  Index body;
  Vec3 normal, velocity;
};

inline bool overlap(const Box& a, const Box& b) {
  return (a.min.array() <= b.max.array()).all() && (b.min.array() <= a.max.array()).all();
}

class CollisionGuard {
 public:
  CollisionGuard(const std::vector<Body>& bodies, int dimension);

  /// How the bodies move during one step.
  struct Interval {
    std::vector<Pose> from, to;
    double seconds;
    /// By body: it rests where its shape was made, so that no transformation is needed.
    std::vector<std::uint8_t> in_place;
    /// Triangles of mesh sequences on their way; null for rigid bodies.
    std::vector<std::unique_ptr<SweptMesh>> swept;
    /// By body: how far its surface moves by its surface velocity, in its own frame [m].
    std::vector<Vec3> carry;
    /// By body: the fraction of the tangential speed that its surface takes.
    std::vector<float> roughness;
    /// By body: a box that it does not leave, with its margin; infinite for containers and mesh sequences.
    std::vector<Box> reach;
    /// By body: how far its origin moves [m], and by which angle it turns.
    std::vector<float> shift, turn;
    /// How far a surface moves at most [m].
    float farthest = 0;
    /// It pays to look which bodies are near before particles are moved.
    bool worth_selecting = false;
  };
  Interval interval(double from, double to) const;

  /// The bodies that some particles may meet during an interval. Must not outlive the interval.
  struct Nearby {
    const Interval& interval;
    std::vector<Index> near, far;
    /// How far the particles move at most in the frame of a far body by the motion of that body [m].
    float far_motion = 0;
  };
  Nearby all(const Interval& interval) const;
  /// What stays in this box all the time comes upon no body. To be grown by how far it keeps from surfaces.
  bool free_of_bodies(const Interval& interval, const Box& box) const;
  /// Of those nearby, the ones that something in this box may come upon first.
  void find_close(const Nearby& nearby, const Box& box, std::vector<Index>& close) const {
    close.clear();
    for (const Index c : nearby.near)
      if (!is_apart(nearby.interval, c, box.min, box.max, 0)) close.push_back(c);
  }
  /// Of particles that start in this box and come no farther than that.
  Nearby nearby(const Interval& interval, const Box& starts, float path) const;

  /// Stops or deflects a particle that on its way from start to x during the interval comes upon a body: a tenth of the
  /// body's spacing before its surface, or at a distance of the particle's own if that is larger.
  void guard(const Nearby& nearby, const Vec3& start, Vec3& x, Vec3& v, float distance = 0,
             Impacts* impacts = nullptr) const {
    if (is_clear(nearby.interval, nearby.near, start, x, distance)) return;
    meet_nearby(nearby, start, x, v, distance, impacts);
  }
  /// The same for a particle whose path lies in the box that these bodies are close to (find_close).
  void guard(const Nearby& nearby, std::span<const Index> close, const Vec3& start, Vec3& x, Vec3& v,
             Impacts* impacts) const {
    if (is_clear(nearby.interval, close, start, x, 0)) return;
    meet_nearby(nearby, start, x, v, 0, impacts);
  }
  /// The same for a particle that has this clearance: while it moves less than that in the frame of every rigid body,
  /// no shape is asked for its distance. Gives the clearance at x, which is that of a particle without a distance of
  /// its own.
  void guard_with_clearance(const Nearby& nearby, const Vec3& start, Vec3& x, Vec3& v, float& clearance,
                            float distance = 0, Impacts* impacts = nullptr) const;
  /// Contact of a particle that is to be at x at the end of the interval: where that is closer to a body than the
  /// distance, the velocity towards it is taken out, and nothing else. For matter that moves in very short steps: it
  /// does not sink however slowly it moves, and is not strained by being set on the surface. A motion across a whole
  /// surface is left to guard(), and so are mesh sequences. With friction (Coulomb's coefficient) part of the velocity
  /// along the surface is taken out too. True if the velocity has changed. Adds the bodies within the distance to
  /// `touches`.
  bool stop(const Nearby& nearby, const Vec3& x, Vec3& v, float distance, Impacts* impacts = nullptr,
            float friction = 0, std::vector<Touch>* touches = nullptr) const;
  /// Some shape takes longer to ask for its distance than a clearance takes to remember.
  bool worth_remembering() const { return worth_remembering_; }

 private:
  /// Where a path cannot meet a body, in its frame: within a container, or beyond one side of a box around a solid.
  struct Clear {
    Box box;
    bool inside;
    /// For a particle that keeps farther away by this much. Nearly every particle asks in every step.
    bool holds(const Vec3& start, const Vec3& end, float farther) const {
      bool all = true, any = false;
      for (int a = 0; a != 3; ++a) {
        const float least = std::min(start[a], end[a]), most = std::max(start[a], end[a]);
        if (inside)
          all &= (least > box.min[a] + farther) & (most < box.max[a] - farther);
        else
          any |= (most < box.min[a] - farther) | (least > box.max[a] + farther);
      }
      return inside ? all : any;
    }
  };
  static Clear clear_of(const Shape& shape, float margin);
  /// A path does not come upon a body, as far as boxes tell: in its frame if it rests where it was made, otherwise
  /// around all of its motion.
  bool is_apart(const Interval& interval, Index c, const Vec3& start, const Vec3& end, float distance) const {
    const float farther = 1.01f * (margin(c, distance) - margin_[c]);
    if (interval.in_place[c]) return !interval.swept[c] && clear_[c].holds(start, end, farther);
    return is_out_of_reach(interval, c, start, end, farther);
  }
  static bool is_out_of_reach(const Interval& interval, Index c, const Vec3& start, const Vec3& end, float farther) {
    // What a moving body pushes goes on with it.
    const Box path{start.cwiseMin(end), start.cwiseMax(end)};
    return !overlap(interval.reach[c], path.grown(farther + interval.farthest));
  }
  bool is_clear(const Interval& interval, std::span<const Index> bodies, const Vec3& start, const Vec3& end,
                float distance) const {
    for (const Index c : bodies)
      if (!is_apart(interval, c, start, end, distance)) return false;
    return true;
  }
  void meet_nearby(const Nearby& nearby, const Vec3& start, Vec3& x, Vec3& v, float distance, Impacts* impacts) const {
    // Copies, so that a particle that meets nothing stays in registers.
    const Vec3 from = start;
    Vec3 end = x, velocity = v;
    deflect_by_all(nearby, from, end, velocity, distance, impacts);
    x = end;
    v = velocity;
  }
  void deflect_by_all(const Nearby& nearby, const Vec3& start, Vec3& x, Vec3& v, float distance,
                      Impacts* impacts) const;
  bool deflect(std::size_t c, const Interval& interval, const Vec3& start, Vec3& x, Vec3& v, float distance,
               Impacts* impacts = nullptr) const;
  /// Changes the velocity of a particle at a surface with this normal and velocity; true if it was approaching.
  bool rebound(std::size_t c, float roughness, float friction, const Vec3& normal, const Vec3& wall_velocity,
               const Vec3& x, Vec3& v, Impacts* impacts) const;
  float margin(std::size_t c, float distance) const { return std::max(margin_[c], distance); }
  /// What a path in the frame of a body comes to: where it ends, the normal of the surface it met, and where that was
  /// at both ends of the interval.
  struct Contact {
    Vec3 end, normal, surface_from, surface_to;
  };
  std::optional<Contact> meet(std::size_t c, const Interval& interval, const Vec3& start, const Vec3& end,
                              float distance) const;

  const std::vector<Body>& bodies_;
  int dimension_;
  /// By body: how close to its surface particles may come, and where they cannot meet it.
  std::vector<float> margin_;
  std::vector<Clear> clear_;
  bool worth_remembering_ = false;
};

namespace columns {
inline constexpr Column<float> clearance{"clearance", "m", "path length that is known to meet no body"};
}

}  // namespace fondue
