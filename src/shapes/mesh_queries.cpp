#include "shapes/mesh_queries.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"

namespace fondue {
namespace {

/// First search radius, as a fraction of the mesh's extent, and its growth factor.
constexpr float first_radius = 0.01f, growth = 4;

struct Search {
  const TriangleMesh& mesh;
  const std::vector<Box>& boxes;
  Vec3 x;
  Vec3 point = Vec3::Zero();
  float squared = infinity;
  Index triangle = 0;
};

bool visit_triangle(RTCPointQueryFunctionArguments* arguments) {
  Search& search = *static_cast<Search*>(arguments->userPtr);
  const Index t = arguments->primID;
  // Most triangles of a leaf are farther than the best so far, which their box tells; with some room for rounding.
  const Box& box = search.boxes[t];
  const Vec3 beyond = (box.min - search.x).cwiseMax(search.x - box.max).cwiseMax(0.0f);
  if (beyond.squaredNorm() > 1.0001f * search.squared) return false;
  const TriangleMesh& mesh = search.mesh;
  const Vec3 point = closest_on_triangle(search.x, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
  const float squared = (point - search.x).squaredNorm();
  if (squared > search.squared || (squared == search.squared && t >= search.triangle)) return false;
  search.point = point, search.squared = squared, search.triangle = t;
  // Slightly larger than needed, so that all triangles at equal distance are visited and the first of them is taken.
  const float radius = 1.0001f * std::sqrt(squared);
  if (radius >= arguments->query->radius) return false;
  arguments->query->radius = radius;
  return true;
}

Vec3 closest_on_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const float squared = along.squaredNorm();
  return squared > 0 ? Vec3(a + along * std::clamp((x - a).dot(along) / squared, 0.0f, 1.0f)) : a;
}

}  // namespace

Vec3 closest_on_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const float squared = n.squaredNorm();
  Vec3 best = Vec3::Constant(infinity);
  bool within = squared > 0;
  // Outside an edge: the closest point is on one of the edges that face x.
  const auto look = [&](const Vec3& from, const Vec3& to) {
    if (squared > 0 && (to - from).cross(x - from).dot(n) >= 0) return;
    within = false;
    const Vec3 point = closest_on_segment(x, from, to);
    if ((point - x).squaredNorm() < (best - x).squaredNorm()) best = point;
  };
  look(a, b), look(b, c), look(c, a);
  return within ? Vec3(x - n * (n.dot(x - a) / squared)) : best;
}

MeshQueries::MeshQueries(const TriangleMesh& mesh) : mesh_(mesh), device_(rtcNewDevice(nullptr)) {
  if (!device_) throw Error(fmt::format("Embree cannot start (error {})", int(rtcGetDeviceError(nullptr))));
  scene_ = rtcNewScene(device_);
  rtcSetSceneFlags(scene_, static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION));
  RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
  const auto copy = [&](RTCBufferType type, RTCFormat format, const auto& values) {
    void* buffer = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof values[0], values.size());
    if (buffer && !values.empty()) std::memcpy(buffer, values.data(), values.size() * sizeof values[0]);
  };
  copy(RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, mesh.vertices);
  copy(RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, mesh.triangles);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene_, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene_);
  const RTCError error = rtcGetDeviceError(device_);
  if (error != RTC_ERROR_NONE) {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
    throw Error(
        fmt::format("Embree cannot build a mesh of {} triangles (error {})", mesh.triangles.size(), int(error)));
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Box& box = boxes_.emplace_back();
    for (int corner = 0; corner < 3; ++corner) box.add(mesh.corner(t, corner));
    bounds_.add(box);
  }
}

MeshQueries::~MeshQueries() {
  rtcReleaseScene(scene_);
  rtcReleaseDevice(device_);
}

MeshQueries::Closest MeshQueries::closest(const Vec3& x) const {
  Search search{.mesh = mesh_, .boxes = boxes_, .x = x};
  const float to_bounds = (bounds_.min - x).cwiseMax(x - bounds_.max).cwiseMax(0.0f).norm();
  float radius = 1.0001f * to_bounds + first_radius * bounds_.size().norm();
  while (std::isfinite(radius)) {
    RTCPointQuery query{.x = x.x(), .y = x.y(), .z = x.z(), .time = 0, .radius = radius};
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(scene_, &query, &context, visit_triangle, &search);
    // A triangle found beyond the radius need not be the closest.
    const float distance = std::sqrt(search.squared);
    if (distance <= radius) return {search.point, distance, search.triangle};
    radius = std::isfinite(distance) ? 1.0001f * distance : growth * radius;
  }
  return {x, std::numeric_limits<float>::quiet_NaN(), 0};
}

bool MeshQueries::any_within(const Vec3& x, float radius) const {
  bool any = false;
  RTCPointQuery query{.x = x.x(), .y = x.y(), .z = x.z(), .time = 0, .radius = radius};
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  const auto visit = [](RTCPointQueryFunctionArguments* arguments) {
    *static_cast<bool*>(arguments->userPtr) = true;
    // One is enough: end the query.
    arguments->query->radius = 0;
    return true;
  };
  rtcPointQuery(scene_, &query, &context, visit, &any);
  return any;
}

namespace {

RTCRayHit ray_along(const Vec3& start, const Vec3& direction) {
  RTCRayHit ray{};
  ray.ray.org_x = start.x(), ray.ray.org_y = start.y(), ray.ray.org_z = start.z();
  ray.ray.dir_x = direction.x(), ray.ray.dir_y = direction.y(), ray.ray.dir_z = direction.z();
  ray.ray.tfar = 1;
  ray.ray.mask = ~0u;
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  return ray;
}

struct FrontsOnly {
  RTCIntersectContext context;
  const TriangleMesh& mesh;
};

void refuse_backs(const RTCFilterFunctionNArguments* arguments) {
  const TriangleMesh& mesh = reinterpret_cast<const FrontsOnly*>(arguments->context)->mesh;
  const Index t = RTCHitN_primID(arguments->hit, arguments->N, 0);
  const Vec3 direction(RTCRayN_dir_x(arguments->ray, arguments->N, 0), RTCRayN_dir_y(arguments->ray, arguments->N, 0),
                       RTCRayN_dir_z(arguments->ray, arguments->N, 0));
  const Vec3 n = (mesh.corner(t, 1) - mesh.corner(t, 0)).cross(mesh.corner(t, 2) - mesh.corner(t, 0));
  if (n.dot(direction) >= 0) arguments->valid[0] = 0;
}

}  // namespace

std::optional<MeshQueries::Crossing> MeshQueries::first_crossing(const Vec3& start, const Vec3& end,
                                                                 bool fronts_only) const {
  const Vec3 direction = end - start;
  if (direction.isZero(0) || !direction.allFinite()) return std::nullopt;
  RTCRayHit ray = ray_along(start, direction);
  FrontsOnly use{{}, mesh_};
  rtcInitIntersectContext(&use.context);
  if (fronts_only) use.context.filter = refuse_backs;
  rtcIntersect1(scene_, &use.context, &ray);
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  return Crossing{ray.ray.tfar, ray.hit.primID};
}

void MeshQueries::visit_crossings(const Vec3& start, const Vec3& end, const std::function<void(Index)>& visit) const {
  const Vec3 direction = end - start;
  if (direction.isZero(0) || !direction.allFinite()) return;
  struct Visitor {
    RTCIntersectContext context;
    const std::function<void(Index)>& visit;
  };
  Visitor use{{}, visit};
  rtcInitIntersectContext(&use.context);
  // Refuses every hit, so that the ray goes on to the end.
  use.context.filter = [](const RTCFilterFunctionNArguments* arguments) {
    reinterpret_cast<const Visitor*>(arguments->context)->visit(RTCHitN_primID(arguments->hit, arguments->N, 0));
    arguments->valid[0] = 0;
  };
  RTCRayHit ray = ray_along(start, direction);
  rtcIntersect1(scene_, &use.context, &ray);
}

}  // namespace fondue
