#pragma once
// Vectors and boxes. Two-dimensional scenes use the same three-dimensional code in the plane z = 0: forces have no z
// component by symmetry, and only kernel constants, volumes and lattices depend on the dimension.

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace fondue {

using Vec3 = Eigen::Vector3f;
using Vec3d = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3f;
/// A symmetric tensor: xx, yy, zz, xy, xz, yz.
using Vec6 = Eigen::Matrix<float, 6, 1>;
using Index = std::uint32_t;

inline constexpr float infinity = std::numeric_limits<float>::infinity();

/// Length of a value with any number of components; of a Vec3 the same bits as its norm().
inline float length(std::span<const float> components) {
  float squares = 0;
  for (std::size_t k = components.size(); k-- != 0;) squares += components[k] * components[k];
  return std::sqrt(squares);
}

/// Axis-aligned box; empty until something is added, infinite sides allowed.
struct Box {
  Vec3 min = Vec3::Constant(infinity);
  Vec3 max = Vec3::Constant(-infinity);

  bool empty() const { return (min.array() > max.array()).any(); }
  bool finite() const { return min.allFinite() && max.allFinite(); }
  bool contains(const Vec3& x) const { return (x.array() >= min.array()).all() && (x.array() <= max.array()).all(); }
  Vec3 size() const { return max - min; }
  Vec3 centre() const { return 0.5f * (min + max); }
  void add(const Vec3& x) {
    min = min.cwiseMin(x);
    max = max.cwiseMax(x);
  }
  void add(const Box& box) {
    min = min.cwiseMin(box.min);
    max = max.cwiseMax(box.max);
  }
  Box grown(float by) const { return {min - Vec3::Constant(by), max + Vec3::Constant(by)}; }
};

}  // namespace fondue
