#pragma once
// A deforming mesh: the same triangles at equidistant key times, with vertices interpolated linearly, constant before
// the first and after the last, or repeated. As a shape it is the mesh at the begin of its motion; colliders and
// controls follow the motion.

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "shapes/mesh.h"

namespace fondue {

/// How the keys of a sequence follow each other.
struct Playback {
  /// After the last key the first one follows again; both should be the same mesh.
  bool repeat = false;
  /// From the last key to the first.
  bool backwards = false;
};

class MeshSequence {
 public:
  /// Vertices at every key, the first at time `begin`, `per_second` keys per second. InputError unless all keys have
  /// the same number of vertices.
  MeshSequence(std::vector<std::array<Index, 3>> triangles, std::vector<std::vector<Vec3>> keys, double per_second,
               double begin, MeshInside inside, Playback playback = {});

  /// Where a time lies among the keys: between `before` and the key after it, by `part`; and how fast it goes on
  /// through the keys [1/s], negative if it goes back.
  struct Place {
    std::size_t before;
    double part, rate;
  };
  Place place_at(double time) const;
  const std::vector<std::vector<Vec3>>& keys() const { return keys_; }
  const std::vector<std::array<Index, 3>>& triangles() const { return triangles_; }

  TriangleMesh mesh(double time) const;
  /// The mesh at a time as a shape; the most recent one is cached.
  ShapePtr shape(double time) const;
  /// Speed of the fastest vertex [m/s].
  float fastest() const;
  bool one_sided() const { return inside_ == MeshInside::one_sided; }
  /// A copy with all vertices transformed.
  std::shared_ptr<const MeshSequence> transformed(const std::function<Vec3(const Vec3&)>& move) const;

 private:
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<std::vector<Vec3>> keys_;
  double per_second_, begin_;
  MeshInside inside_;
  Playback playback_;
  mutable std::mutex mutex_;
  mutable ShapePtr last_;
  mutable double last_time_ = 0;
};

/// Shape at the first key, with its sequence; the name is used in messages about mesh defects.
ShapePtr make_mesh_sequence(std::shared_ptr<const MeshSequence> sequence, const std::string& name = "mesh");

/// From numbered files: the name contains one %d or, with leading zeros, %04d. All numbers from the lowest to the
/// highest must exist. InputError names a file that is missing or has different triangles.
ShapePtr make_mesh_sequence(const std::string& files, double per_second, double begin, MeshInside inside,
                            Playback playback = {});

/// Points that go with a deforming mesh: weights of its vertices at the begin of its motion (mean value coordinates, Ju
/// et al. 2005), so what moves, turns, grows or shears the mesh as a whole does the same to them exactly.
class CarriedPoints {
 public:
  CarriedPoints(const MeshSequence& sequence, std::span<const Vec3> points);
  /// Where they are at a time, and how fast they move [m/s].
  void at(double time, std::vector<Vec3>& positions, std::vector<Vec3>& velocities) const;

 private:
  const MeshSequence& sequence_;
  /// By key and point.
  std::vector<std::vector<Vec3>> keys_;
};

/// A point attached to a mesh: barycentric weights on a triangle and a height along its normal.
struct MeshAnchor {
  Index triangle;
  Vec3 weights;
  float height;
};
struct AnchoredPoint {
  Vec3 position, normal;
};
MeshAnchor anchor_at(const TriangleMesh& mesh, Index triangle, const Vec3& x);
AnchoredPoint at_anchor(const TriangleMesh& mesh, const MeshAnchor& anchor);

}  // namespace fondue
