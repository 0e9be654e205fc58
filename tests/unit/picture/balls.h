#pragma once
// A sphere mesh to draw.

#include <cmath>
#include <numbers>
#include <string>

#include "shapes/geometry.h"

namespace fondue {

/// A sphere whose poles are single vertices; triangles face outward.
inline Geometry ball(const Vec3& centre, float radius) {
  constexpr Index around = 24, rings = 11;
  Geometry g;
  const auto add = [&](const Vec3& n) {
    g.mesh.vertices.push_back(centre + radius * n);
    g.normals.push_back(n);
  };
  add(Vec3(0, 0, -1));
  for (Index r = 1; r <= rings; ++r)
    for (Index a = 0; a != around; ++a) {
      const float polar = std::numbers::pi_v<float> * static_cast<float>(r) / (rings + 1),
                  angle = 2 * std::numbers::pi_v<float> * static_cast<float>(a) / around;
      add(Vec3(std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), -std::cos(polar)));
    }
  add(Vec3(0, 0, 1));
  const auto at = [&](Index r, Index a) {
    return r == 0 ? 0 : r > rings ? rings * around + 1 : 1 + (r - 1) * around + a % around;
  };
  for (Index r = 0; r <= rings; ++r)
    for (Index a = 0; a != around; ++a) {
      if (r > 0) g.mesh.triangles.push_back({at(r, a), at(r, a + 1), at(r + 1, a)});
      if (r < rings) g.mesh.triangles.push_back({at(r, a + 1), at(r + 1, a + 1), at(r + 1, a)});
    }
  return g;
}

inline void set(Geometry& g, const std::string& name, float value) {
  g.attributes.push_back({name, "", 1, std::vector<float>(g.mesh.vertices.size(), value)});
}

}  // namespace fondue
