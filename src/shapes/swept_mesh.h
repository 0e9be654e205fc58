#pragma once
// Triangles whose corners move on straight lines during one interval, and points that must not pass them (after Provot
// 1997 and Bridson 2002). A point on a straight path is in the plane of a triangle at the roots of a cubic; the first
// root at which it is within the triangle is a contact. Times run from 0 to 1.

#include <memory>
#include <optional>

#include "shapes/triangle_mesh.h"

struct RTCDeviceTy;
struct RTCSceneTy;

namespace fondue {

class SweptMesh {
 public:
  /// The same triangles at both ends of the interval; one-sided ones stop only what comes from their front.
  SweptMesh(TriangleMesh from, TriangleMesh to, bool one_sided);
  ~SweptMesh();
  SweptMesh(const SweptMesh&) = delete;
  SweptMesh& operator=(const SweptMesh&) = delete;

  struct Contact {
    double time;
    Index triangle;
    /// Of the triangle's corners.
    Vec3d weights;
    /// The point comes from the front (1) or the back (-1).
    double side;
  };
  struct Times {
    double begin = 0, end = 1;
  };
  /// On a straight path within these times.
  std::optional<Contact> first_contact(const Vec3& start, const Vec3& end, Times times) const;

  /// Where a point may go that wanted to go from start to end.
  struct Deflected {
    Vec3 end;
    /// Of the first triangle it met, on the point's side; and how far that goes in all where it was met.
    Vec3 normal, carried;
  };
  /// Along the triangles it meets, a margin off; of the motion along the first this part is kept. Nothing if its path
  /// is free.
  std::optional<Deflected> deflect(const Vec3& start, const Vec3& end, float margin, float kept) const;

 private:
  struct Corners {
    Vec3d a, b, c;
    Vec3d normal() const;
    Vec3d at(const Vec3d& weights) const { return weights[0] * a + weights[1] * b + weights[2] * c; }
  };
  Corners corners(Index triangle, double time) const;
  /// Calls visit(triangle) for all that may come within the radius of x at some time.
  template <class Visit>
  void each_near(const Vec3& x, float radius, Visit&& visit) const;
  /// Looks for an end to which the path is free, beyond the planes of all triangles it meets on the way there. Nothing
  /// if it finds none, as when a triangle turns so much that a straight path beside it crosses it.
  std::optional<Vec3> slide(const Vec3& start, const Vec3& end, Times times, float margin, float kept,
                            std::optional<Deflected>& first) const;
  /// The same, in shorter and shorter times until there is one.
  Vec3 settle(const Vec3& start, const Vec3& end, Times times, float margin, float kept,
              std::optional<Deflected>& first) const;
  /// The nearest triangle that a point beside it at the end would touch.
  struct Touch {
    Vec3d point, normal;
  };
  std::optional<Touch> touch(const Vec3& start, const Vec3& end, Times times, float distance) const;

  TriangleMesh from_, to_;
  bool one_sided_;
  /// Boxes that embrace triangles from begin to end.
  std::vector<Box> boxes_;
  RTCDeviceTy* device_;
  RTCSceneTy* scene_;
};

}  // namespace fondue
