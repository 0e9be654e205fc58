#include "shapes/swept_mesh.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "shapes/mesh_queries.h"
#include "shapes/moving_triangle.h"

namespace fondue {

Vec3d SweptMesh::Corners::normal() const { return (b - a).cross(c - a).normalized(); }

SweptMesh::Corners SweptMesh::corners(Index t, double time) const {
  const auto corner = [&](int which) -> Vec3d {
    return (1 - time) * from_.corner(t, which).cast<double>() + time * to_.corner(t, which).cast<double>();
  };
  return {corner(0), corner(1), corner(2)};
}

SweptMesh::SweptMesh(TriangleMesh from, TriangleMesh to, bool one_sided)
    : from_(std::move(from)), to_(std::move(to)), one_sided_(one_sided), device_(rtcNewDevice(nullptr)) {
  if (!device_) throw Error(fmt::format("Embree cannot start (error {})", int(rtcGetDeviceError(nullptr))));
  boxes_.resize(from_.triangles.size());
  for (std::size_t t = 0; t != boxes_.size(); ++t)
    for (int corner = 0; corner != 3; ++corner) {
      boxes_[t].add(from_.corner(t, corner));
      boxes_[t].add(to_.corner(t, corner));
    }
  scene_ = rtcNewScene(device_);
  // Used for one step only.
  rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
  RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(boxes_.size()));
  rtcSetGeometryUserData(geometry, boxes_.data());
  const auto bounds = [](const RTCBoundsFunctionArguments* arguments) {
    const Box& box = static_cast<const Box*>(arguments->geometryUserPtr)[arguments->primID];
    RTCBounds& out = *arguments->bounds_o;
    out.lower_x = box.min.x(), out.lower_y = box.min.y(), out.lower_z = box.min.z();
    out.upper_x = box.max.x(), out.upper_y = box.max.y(), out.upper_z = box.max.z();
  };
  rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene_, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene_);
}

SweptMesh::~SweptMesh() {
  rtcReleaseScene(scene_);
  rtcReleaseDevice(device_);
}

template <class Visit>
void SweptMesh::each_near(const Vec3& x, float radius, Visit&& visit) const {
  const auto visit_triangle = [](RTCPointQueryFunctionArguments* arguments) {
    (*static_cast<std::remove_reference_t<Visit>*>(arguments->userPtr))(static_cast<Index>(arguments->primID));
    return false;
  };
  RTCPointQuery query{.x = x.x(), .y = x.y(), .z = x.z(), .time = 0, .radius = radius};
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  rtcPointQuery(scene_, &query, &context, visit_triangle, &visit);
}

std::optional<SweptMesh::Contact> SweptMesh::first_contact(const Vec3& start, const Vec3& end, Times times) const {
  if (!start.allFinite() || !end.allFinite()) return std::nullopt;
  const Vec3d p = start.cast<double>(), last = end.cast<double>();
  const Box path = [&] {
    Box box{start, start};
    box.add(end);
    return box;
  }();
  std::optional<Contact> first;
  auto visit = [&](Index t) {
    const Box& box = boxes_[t];
    if ((box.min.array() > path.max.array()).any() || (box.max.array() < path.min.array()).any()) return;
    const Corners begin = corners(t, times.begin), finish = corners(t, times.end);
    const MovingTriangle triangle{{begin.a, begin.b, begin.c}, {finish.a, finish.b, finish.c}};
    if (const auto crossing = triangle.first_crossing(p, last, one_sided_);
        crossing && !(first && first->time <= crossing->time))
      first = Contact{crossing->time, t, crossing->weights, crossing->side};
  };
  const Vec3 middle = 0.5f * (start + end);
  // Slightly beyond both ends, for rounding.
  const float radius = std::max((end - middle).norm(), (start - middle).norm());
  each_near(middle, 1.001f * radius + 1e-6f * middle.cwiseAbs().maxCoeff(), visit);
  return first;
}

std::optional<SweptMesh::Touch> SweptMesh::touch(const Vec3& start, const Vec3& end, Times times,
                                                 float distance) const {
  std::optional<Touch> nearest;
  double least = distance;
  const Vec3d x = end.cast<double>();
  auto visit = [&](Index t) {
    const Corners begin = corners(t, times.begin), finish = corners(t, times.end);
    const Vec3d point =
        closest_on_triangle(end, finish.a.cast<float>(), finish.b.cast<float>(), finish.c.cast<float>()).cast<double>();
    const double away = (x - point).norm();
    if (!(away < least)) return;
    const double side = (start.cast<double>() - begin.a).dot((begin.b - begin.a).cross(begin.c - begin.a));
    if (one_sided_ && side < 0) return;
    least = away;
    // If it is so close that the direction is only rounding error, use the side it came from.
    const bool on_it = !(away > 1e-2 * distance);
    nearest = {point, on_it ? Vec3d(std::copysign(1.0, side) * finish.normal()) : Vec3d((x - point) / away)};
  };
  each_near(end, distance, visit);
  return nearest;
}

std::optional<SweptMesh::Deflected> SweptMesh::deflect(const Vec3& start, const Vec3& end, float margin,
                                                       float kept) const {
  std::optional<Deflected> first;
  const Vec3 found = slide_in_substeps(start, end, {0, 1}, margin, kept, first);
  if (first) first->end = found;
  return first;
}

Vec3 SweptMesh::slide_in_substeps(const Vec3& start, const Vec3& end, Times times, float margin, float kept,
                                  std::optional<Deflected>& first) const {
  if (const auto found = slide(start, end, times, margin, kept, first)) return *found;
  const double length = times.end - times.begin, middle = times.begin + 0.5 * length;
  // A point between two closing surfaces moves with the first one.
  if (length < 1e-3) return start + static_cast<float>(length) * first->carried;
  const Vec3 half = 0.5f * (end - start);
  const Vec3 there = slide_in_substeps(start, start + half, {times.begin, middle}, margin, kept, first);
  return slide_in_substeps(there, there + half, {middle, times.end}, margin, kept, first);
}

std::optional<Vec3> SweptMesh::slide(const Vec3& start, const Vec3& end, Times times, float margin, float kept,
                                     std::optional<Deflected>& first) const {
  /// The point must end in front of these planes.
  struct Plane {
    Vec3d point, normal;
    double distance;
  };
  std::vector<Plane> planes;
  Vec3 wanted = end, at = end;
  for (int round = 0; round != 8; ++round) {
    if (const auto contact = first_contact(start, at, times)) {
      const Vec3d point = corners(contact->triangle, times.end).at(contact->weights);
      const Vec3d normal = contact->side * corners(contact->triangle, times.end).normal();
      if (!first) {
        const Vec3d carried =
            corners(contact->triangle, 1).at(contact->weights) - corners(contact->triangle, 0).at(contact->weights);
        first = {at, normal.cast<float>(), carried.cast<float>()};
      }
      if (planes.empty()) {
        const Vec3d rest = end.cast<double>() - point;
        wanted = (point + rest.dot(normal) * normal + kept * (rest - rest.dot(normal) * normal)).cast<float>();
      }
      planes.push_back({point, normal, margin});
    } else if (const auto touched = touch(start, at, times, 0.25f * margin)) {
      planes.push_back({touched->point, touched->normal, 0.3 * margin});
      if (!first) first = {at, touched->normal.cast<float>(), Vec3::Zero()};
    } else {
      return at;
    }
    // In front of all planes, by projecting onto one after the other.
    Vec3d x = wanted.cast<double>();
    for (int sweep = 0; sweep != 12; ++sweep)
      for (const Plane& plane : planes) {
        const double missing = plane.distance - plane.normal.dot(x - plane.point);
        if (missing > 0) x += missing * plane.normal;
      }
    at = x.cast<float>();
  }
  return std::nullopt;
}

}  // namespace fondue
