#pragma once
// A mesh that changes its shape: the same triangles at moments of equal distance in time, vertices on straight lines in
// between, held before the first and after the last. As a shape it is that of its first moment; colliders follow it.

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "shapes/mesh.h"

namespace fondue {

class MeshSequence {
 public:
  /// Vertices of every moment, the first at the time `begin`. InputError unless all have as many.
  MeshSequence(std::vector<std::array<Index, 3>> triangles, std::vector<std::vector<Vec3>> moments, double per_second,
               double begin, MeshInside inside);

  TriangleMesh mesh(double time) const;
  /// The mesh at a time as a shape; the last one asked for is kept.
  ShapePtr shape(double time) const;
  /// Fastest vertex [m/s].
  float fastest() const;
  bool one_sided() const { return inside_ == MeshInside::one_sided; }
  /// The same with all vertices moved.
  std::shared_ptr<const MeshSequence> moved(const std::function<Vec3(const Vec3&)>& move) const;

 private:
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<std::vector<Vec3>> moments_;
  double per_second_, begin_;
  MeshInside inside_;
  mutable std::mutex mutex_;
  mutable ShapePtr last_;
  mutable double last_time_ = 0;
};

/// Shape of the first moment, with its sequence; the name is for messages about faults.
ShapePtr make_mesh_sequence(std::shared_ptr<const MeshSequence> sequence, const std::string& name = "mesh");

/// From numbered files: the name holds one %d or, with leading zeros, %04d. All numbers from the lowest to the highest
/// there is must exist. InputError says which file is missing or differs in its triangles.
ShapePtr make_mesh_sequence(const std::string& files, double per_second, double begin, MeshInside inside);

/// A point that goes with a mesh: over a point of a triangle, at a height along its normal.
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
