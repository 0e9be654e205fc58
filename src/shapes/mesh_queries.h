#pragma once
// Closest points and ray intersections on triangles, with Embree. A point query visits all triangles within its radius,
// so the search starts with a small radius that grows; results do not depend on the order in which Embree visits
// triangles.

#include <functional>
#include <optional>
#include <vector>

#include "shapes/triangle_mesh.h"

struct RTCDeviceTy;
struct RTCSceneTy;

namespace fondue {

class MeshQueries {
 public:
  /// Keeps a reference to the mesh.
  explicit MeshQueries(const TriangleMesh& mesh);
  ~MeshQueries();
  MeshQueries(const MeshQueries&) = delete;
  MeshQueries& operator=(const MeshQueries&) = delete;

  struct Closest {
    Vec3 point;
    float distance;
    Index triangle;
  };
  Closest closest(const Vec3& x) const;
  /// Whether there may be a triangle within the radius; conservative, false only if there is none.
  bool any_within(const Vec3& x, float radius) const;

  struct Crossing {
    float fraction;
    Index triangle;
  };
  /// First triangle on the path, optionally counting only front faces; nothing if there is none.
  std::optional<Crossing> first_crossing(const Vec3& start, const Vec3& end, bool fronts_only = false) const;
  /// Calls visit(triangle) for all triangles on the path, in any order; for some more than once.
  void visit_crossings(const Vec3& start, const Vec3& end, const std::function<void(Index)>& visit) const;

  const Box& bounds() const { return bounds_; }

 private:
  const TriangleMesh& mesh_;
  std::vector<Box> boxes_;
  Box bounds_;
  RTCDeviceTy* device_;
  RTCSceneTy* scene_;
};

/// The point of a triangle nearest to x.
Vec3 closest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace fondue
