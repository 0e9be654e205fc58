#pragma once
// On which side of a closed mesh a point lies. Pseudo-normals tell it from the nearest point of the mesh, winding
// numbers from all triangles at ten times the cost; the first need a mesh that does not intersect itself.
//
// Where only parts of a mesh intersect, only those parts need winding numbers: between a point and the point p of the
// mesh nearest to it there is no triangle, so both have the winding number of the place beside p. Along a triangle that
// no other one crosses that number does not change, so one sample on each side tells whether the inside is behind it.
// Pseudo-normals are trusted where the nearest triangle passes this test, and at its edges and corners where all that
// touch it do.

#include <optional>
#include <vector>

#include "shapes/mesh_queries.h"
#include "shapes/pseudo_normals.h"
#include "shapes/winding.h"

namespace fondue {

class MeshSide {
 public:
  /// Keeps references to both.
  MeshSide(const TriangleMesh& mesh, const MeshQueries& queries);

  bool inside(const Vec3& x, const MeshQueries::Closest& closest) const {
    return trusted(closest) ? normals_->inside(x, closest.point, closest.triangle) : winding_.at(x) > 0.5f;
  }
  bool inside(const Vec3& x) const { return normals_ ? inside(x, queries_.closest(x)) : winding_.at(x) > 0.5f; }
  /// Share of the triangles beside which pseudo-normals are trusted, also at edges and corners.
  double trusted_share() const;

 private:
  enum class Trust : std::uint8_t { everywhere, within_face, nowhere };
  bool trusted(const MeshQueries::Closest& closest) const {
    if (!normals_ || trust_.empty()) return normals_.has_value();
    const Trust trust = trust_[closest.triangle];
    return trust == Trust::everywhere ||
           (trust == Trust::within_face && normals_->within_face(closest.point, closest.triangle));
  }
  /// Pseudo-normals and winding number agree at a point.
  bool agree_at(const Vec3& x) const;
  /// They agree on both sides of a triangle.
  bool agree_beside(std::size_t triangle) const;
  bool agree_at_random_points() const;
  void find_trust();

  const TriangleMesh& mesh_;
  const MeshQueries& queries_;
  WindingNumber winding_;
  std::optional<PseudoNormals> normals_;
  /// By triangle: where pseudo-normals are right; empty: everywhere.
  std::vector<Trust> trust_;
};

}  // namespace fondue
