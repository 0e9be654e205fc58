#pragma once
// Geometries for the tests of exporters, with arbitrary bit patterns where a format preserves them.

#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "shapes/geometry.h"

namespace fondue::test {

/// A number of arbitrary bits, including NaNs and denormals.
inline float any_float(std::mt19937& random) { return std::bit_cast<float>(static_cast<std::uint32_t>(random())); }

inline Geometry::Attribute any_attribute(const std::string& name, int components, std::size_t points,
                                         std::mt19937& random) {
  Geometry::Attribute attribute{name, "m/s", components, {}};
  for (std::size_t i = 0; i != points * static_cast<std::size_t>(components); ++i)
    attribute.values.push_back(any_float(random));
  return attribute;
}

/// Points with velocity, another vector, a number and ids that need all 32 bits.
inline Geometry some_points(std::size_t count) {
  std::mt19937 random(5);
  std::normal_distribution<float> place(0, 3);
  Geometry geometry;
  for (std::size_t i = 0; i != count; ++i) {
    geometry.mesh.vertices.emplace_back(place(random), place(random), place(random));
    geometry.ids.push_back(static_cast<Index>(4294967295u - i));
  }
  geometry.attributes.push_back(any_attribute("velocity", 3, count, random));
  geometry.attributes.push_back(any_attribute("temperature", 1, count, random));
  geometry.attributes.push_back(any_attribute("drift", 3, count, random));
  return geometry;
}

/// An octahedron that faces outward, with normals and a temperature.
inline Geometry some_surface() {
  Geometry geometry;
  for (const float side : {1.0f, -1.0f})
    for (int a = 0; a != 3; ++a) geometry.mesh.vertices.push_back(side * Vec3::Unit(a));
  geometry.normals = geometry.mesh.vertices;
  for (Vec3& x : geometry.mesh.vertices) x = 0.1f * x + Vec3(1, 2, 1.0f / 3);
  geometry.mesh.triangles = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
  geometry.attributes.push_back({"temperature", "K", 1, {300, 310, 320, 330, 340, 350}});
  return geometry;
}

/// Whether two lists of numbers are bit-identical.
template <class A, class B>
bool same_bytes(const std::vector<A>& a, const std::vector<B>& b) {
  const std::size_t bytes = a.size() * sizeof(A);
  return bytes == b.size() * sizeof(B) && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}

}  // namespace fondue::test
