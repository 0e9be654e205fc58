#pragma once
// Generalized winding number of triangles (Jacobson et al. 2013): the sum of their signed solid angles over 4 pi, 1
// inside and 0 outside a closed mesh, in between near holes. Distant triangles are approximated together by one dipole
// (Barill et al. 2018, first order): sum A n . r / |r|^3 with r from the query to their area-weighted centre.
// Distant means beyond `far_ratio` times the radius of their bounding sphere; closer ones are exact (Van Oosterom &
// Strackee 1983).

#include <vector>

#include "shapes/triangle_mesh.h"

namespace fondue {

class WindingNumber {
 public:
  /// Keeps a copy of the corners, in tree order.
  explicit WindingNumber(const TriangleMesh& mesh);

  float at(const Vec3& x) const;

 private:
  struct Node {
    Vec3 centre;
    float radius;
    Vec3 area;
    /// Triangles of the node; an inner node has its first child next in the list, the second at `second`.
    Index begin, end, second;
  };
  Index build(const TriangleMesh& mesh, std::vector<Index>& order, Index begin, Index end);

  std::vector<Node> nodes_;
  std::vector<std::array<Vec3, 3>> triangles_;
};

}  // namespace fondue
