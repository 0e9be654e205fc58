#pragma once
// Continuous collision detection between points and triangles whose corners move linearly during one interval (after
// Provot 1997 and Bridson 2002). A point on a straight path is in the plane of a triangle at the roots of a cubic; the
// first root at which it is within the triangle is a contact. Times run from 0 to 1.

#include <memory>
#include <optional>

#include "shapes/triangle_mesh.h"

struct RTCDeviceTy;
struct RTCSceneTy;

namespace fondue {

class SweptMesh {
 public:
  /// The same triangles at both ends of the interval; one-sided ones stop only points that come from their front.
  SweptMesh(TriangleMesh from, TriangleMesh to, bool one_sided);
  ~SweptMesh();
  SweptMesh(const SweptMesh&) = delete;
  SweptMesh& operator=(const SweptMesh&) = delete;

  struct Contact {
    double time;
    Index triangle;
    /// Barycentric weights of the triangle's corners.
    Vec3d weights;
    /// Side from which the point comes: front (1) or back (-1).
    double side;
  };
  struct Times {
    double begin = 0, end = 1;
  };
  /// First contact on a straight path within these times.
  std::optional<Contact> first_contact(const Vec3& start, const Vec3& end, Times times) const;

  /// The admissible end of a path that meets the mesh.
  struct Deflected {
    Vec3 end;
    /// Normal of the first triangle it met, on the point's side, and the displacement of that triangle at the contact
    /// over the whole interval.
    Vec3 normal, carried;
  };
  /// Slides along the triangles it meets, at the distance `margin`; the fraction `kept` of the motion tangential to the
  /// first one is kept. Nothing if the path is free.
  std::optional<Deflected> deflect(const Vec3& start, const Vec3& end, float margin, float kept) const;

 private:
  struct Corners {
    Vec3d a, b, c;
    Vec3d normal() const;
    Vec3d at(const Vec3d& weights) const { return weights[0] * a + weights[1] * b + weights[2] * c; }
  };
  Corners corners(Index triangle, double time) const;
  /// Calls visit(triangle) for all triangles that may come within the radius of x at some time.
  template <class Visit>
  void each_near(const Vec3& x, float radius, Visit&& visit) const;
  /// Looks for an end to which the path is free, in front of the planes of all triangles that it meets. Nothing if
  /// there is none, for example when a triangle rotates so much that a straight path beside it crosses it.
  std::optional<Vec3> slide(const Vec3& start, const Vec3& end, Times times, float margin, float kept,
                            std::optional<Deflected>& first) const;
  /// Slides in one step, or else in two halves of the interval, recursively.
  Vec3 slide_in_substeps(const Vec3& start, const Vec3& end, Times times, float margin, float kept,
                         std::optional<Deflected>& first) const;
  /// The closest triangle within the distance at the end of the path.
  struct Touch {
    Vec3d point, normal;
  };
  std::optional<Touch> touch(const Vec3& start, const Vec3& end, Times times, float distance) const;

  TriangleMesh from_, to_;
  bool one_sided_;
  /// Bounding boxes of the triangles over the whole interval.
  std::vector<Box> boxes_;
  RTCDeviceTy* device_;
  RTCSceneTy* scene_;
};

}  // namespace fondue
