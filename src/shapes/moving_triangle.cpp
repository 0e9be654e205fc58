#include "shapes/moving_triangle.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace fondue {

namespace {

/// Relative enlargement of triangles, so that rounding leaves no gap between neighbours.
constexpr double overlap = 1e-6;

/// Signed volume of the tetrahedron of the point and the triangle over time: c[0] + c[1] t + c[2]
/// t^2 + c[3] t^3.
struct Cubic {
  double c[4];
  double at(double t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }

  /// Visits its roots in [0, 1] in order, each with the sign before it, until one is accepted. It is monotonic between
  /// the roots of the derivative, so bisection finds every root.
  template <class Take>
  void roots(Take&& take) const {
    double ends[4] = {0, 1, 1, 1};
    int count = 1;
    const double A = 3 * c[3], B = 2 * c[2], C = c[1], discriminant = B * B - 4 * A * C;
    if (A == 0) {
      if (B != 0) ends[count++] = -C / B;
    } else if (discriminant > 0) {
      const double q = -0.5 * (B + std::copysign(std::sqrt(discriminant), B));
      ends[count++] = q / A;
      if (q != 0) ends[count++] = C / q;
    }
    ends[count++] = 1;
    for (int k = 1; k != count; ++k) ends[k] = std::isfinite(ends[k]) ? std::clamp(ends[k], 0.0, 1.0) : 1;
    std::sort(ends, ends + count);
    for (int k = 1; k != count; ++k) {
      double low = ends[k - 1], high = ends[k];
      const double first = at(low), second = at(high);
      if (!(first * second <= 0) || first == second) continue;
      const double before = first != 0 ? first : -second;
      for (int round = 0; round != 64; ++round) {
        const double middle = 0.5 * (low + high);
        (at(middle) * before > 0 ? low : high) = middle;
      }
      if (take(low, before > 0 ? 1.0 : -1.0)) return;
    }
  }
};

/// Barycentric weights of the point of the triangle's plane closest to x; nothing if the triangle has no area.
std::optional<Vec3d> weights_at(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d n = (b - a).cross(c - a);
  const double squared = n.squaredNorm();
  if (!(squared > 0)) return std::nullopt;
  const double second = (x - a).cross(c - a).dot(n) / squared, third = (b - a).cross(x - a).dot(n) / squared;
  return Vec3d(1 - second - third, second, third);
}

}  // namespace

std::optional<MovingTriangle::Crossing> MovingTriangle::first_crossing(const Vec3d& start, const Vec3d& end,
                                                                       bool fronts_only) const {
  const Vec3d displacement = end - start;
  const Vec3d da = to[0] - from[0], db = to[1] - from[1], dc = to[2] - from[2];
  const Vec3d q = start - from[0], dq = displacement - da, u = from[1] - from[0], du = db - da, w = from[2] - from[0],
              dw = dc - da;
  const Vec3d n0 = u.cross(w), n1 = u.cross(dw) + du.cross(w), n2 = du.cross(dw);
  const Cubic volume{{q.dot(n0), q.dot(n1) + dq.dot(n0), q.dot(n2) + dq.dot(n1), dq.dot(n2)}};
  std::optional<Crossing> first;
  volume.roots([&](double time, double side) {
    if (fronts_only && side < 0) return false;
    const auto weights =
        weights_at(start + time * displacement, from[0] + time * da, from[1] + time * db, from[2] + time * dc);
    if (!weights || weights->minCoeff() < -overlap) return false;
    first = Crossing{time, *weights, side};
    return true;
  });
  return first;
}

/// By the region that x is in (Ericson 2005, 5.1.5).
Vec3d nearest_weights(const Vec3d& x, const std::array<Vec3d, 3>& corners) {
  const auto& [a, b, c] = corners;
  const Vec3d ab = b - a, ac = c - a, ax = x - a, bx = x - b, cx = x - c;
  const double d1 = ab.dot(ax), d2 = ac.dot(ax);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const double d3 = ab.dot(bx), d4 = ac.dot(bx);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const double d5 = ab.dot(cx), d6 = ac.dot(cx);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const double w = (d4 - d3) / (d4 - d3 + d5 - d6);
    return {0, 1 - w, w};
  }
  const double sum = va + vb + vc;
  return {va / sum, vb / sum, vc / sum};
}

}  // namespace fondue
