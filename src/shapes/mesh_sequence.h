#pragma once
// A deforming mesh: the same triangles at equidistant key times, with vertices interpolated linearly, constant before
// the first and after the last. As a shape it is the mesh at its first key; colliders follow the motion.

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "shapes/mesh.h"

namespace fondue {

class MeshSequence {
 public:
  /// Vertices at every key, the first at time `begin`, `per_second` keys per second. InputError unless all keys have
  /// the same number of vertices.
  MeshSequence(std::vector<std::array<Index, 3>> triangles, std::vector<std::vector<Vec3>> keys, double per_second,
               double begin, MeshInside inside);

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
  mutable std::mutex mutex_;
  mutable ShapePtr last_;
  mutable double last_time_ = 0;
};

/// Shape at the first key, with its sequence; the name is used in messages about mesh defects.
ShapePtr make_mesh_sequence(std::shared_ptr<const MeshSequence> sequence, const std::string& name = "mesh");

/// From numbered files: the name contains one %d or, with leading zeros, %04d. All numbers from the lowest to the
/// highest must exist. InputError names a file that is missing or has different triangles.
ShapePtr make_mesh_sequence(const std::string& files, double per_second, double begin, MeshInside inside);

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
