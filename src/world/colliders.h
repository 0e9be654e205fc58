#pragma once
// Colliders: rigid shapes, still or moved by keyframes, and mesh sequences, which change their shape as well. They act
// on fluid twice. Boundary particles half a spacing
// below the surface complete the density sum and push back by pressure (Akinci 2012):
//
//   V_b = gamma / sum_k W_bk,   gamma such that a fluid lattice resting on a flat wall measures exactly its rest
//   density,
//
// so one layer stands for all the missing ones and uneven sampling does no harm; its viscous pull and the heat it
// conducts are scaled in the same way. Those of a mesh sequence go with its triangles. The last guard is a continuous
// collision of every particle's path with the shapes, in the frame of each, so that nothing passes a wall at any speed,
// however thin it is.

#include <Eigen/Geometry>
#include <vector>

#include "behaviours/behaviour.h"
#include "shapes/mesh_sequence.h"
#include "shapes/swept_mesh.h"
#include "world/setup.h"

namespace fondue {

/// Position and orientation at one time.
struct Pose {
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vec3d position = Vec3d::Zero();

  Vec3 to_world(const Vec3& local) const { return (rotation * local.cast<double>() + position).cast<float>(); }
  Vec3 to_local(const Vec3& x) const { return (rotation.conjugate() * (x.cast<double>() - position)).cast<float>(); }
};
Pose pose_at(const Motion& motion, double time);

class Colliders {
 public:
  /// Region: where boundary particles are needed on shapes without end.
  Colliders(const WorldSetup& setup, const Box& region);

  /// Moves boundary particles to where they are at a time; false if they have not moved since the last call.
  bool move_to(double time);
  const Walls& walls() const { return walls_; }

  /// Stops or deflects a particle that on its way from start (at time from) to x (at time to) comes upon a collider.
  struct Interval {
    std::vector<Pose> from, to;
    double seconds;
    /// Colliders that rest where they were made, for which no transformation is needed.
    std::vector<std::uint8_t> in_place;
    /// Triangles of mesh sequences on their way; null for rigid colliders.
    std::vector<std::unique_ptr<SweptMesh>> swept;
  };
  Interval interval(double from, double to) const;
  void guard(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v) const;
  /// The same for a particle that is known to have a free way of this length in the frame of every rigid collider;
  /// while it has, no shape is asked. Gives the free way at x.
  void guard(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v, float& free_way) const;
  /// Some shape takes longer to ask than to remember.
  bool worth_remembering() const { return worth_remembering_; }

  /// Distance to the nearest solid now, negative inside one.
  float distance(const Vec3& x, double time) const;
  const std::vector<ColliderSetup>& setups() const { return setups_; }

 private:
  /// Where a path cannot meet a collider, in its frame: within a container, or beyond one side of a box around a solid.
  struct Clear {
    Box box;
    bool inside;
    bool holds(const Vec3& start, const Vec3& end) const;
  };
  static Clear clear_of(const Shape& shape, float margin);
  bool deflect(std::size_t c, const Interval& interval, const Vec3& start, Vec3& x, Vec3& v) const;
  /// What a path in the frame of a collider comes to: where it ends, the normal of the surface it met, and where that
  /// was at both ends of the interval.
  struct Contact {
    Vec3 end, normal, surface_from, surface_to;
  };
  std::optional<Contact> meet(std::size_t c, const Vec3& start, const Vec3& end) const;
  void bind_to_triangles();

  std::vector<ColliderSetup> setups_;
  /// By collider: its mesh sequence, or null; whether it rests.
  std::vector<std::shared_ptr<const MeshSequence>> sequences_;
  std::vector<std::uint8_t> still_;
  int dimension_;
  float margin_;
  std::vector<Clear> clear_;
  bool all_still_ = true;
  Walls walls_;
  /// Boundary particles in the frame of their collider; those of a sequence by where they lie at its triangles.
  std::vector<Vec3> local_position_, local_normal_;
  std::vector<MeshAnchor> anchors_;
  bool moved_ = false;
  bool worth_remembering_ = false;
};

namespace columns {
inline constexpr Column<float> free_way{"free_way", "m", "way that is known to be free of solids"};
}

}  // namespace fondue
