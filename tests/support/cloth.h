#pragma once
// Sheets of cloth for tests.

#include <Eigen/Geometry>
#include <numbers>

#include "behaviours/cloth.h"
#include "particles/sheets.h"
#include "shapes/layer.h"
#include "support/bodies.h"

namespace fondue::testing_support {

struct Weave {
  double stretch = 5000, shear = 0.2, bending = 1e-4, damping = 0.1, friction = 0.3;
};

inline Track cloth(const Weave& weave = {}) {
  return track("cloth", {{Cloth::stretch, weave.stretch},
                         {Cloth::shear, weave.shear},
                         {Cloth::bending, weave.bending},
                         {Cloth::damping, weave.damping},
                         {Cloth::friction, weave.friction}});
}

/// A sheet with 0.2 kg/m^2 unless its density is changed.
inline ObjectSetup sheet(const std::string& name, ShapePtr shape, float spacing, std::vector<Track> tracks) {
  ObjectSetup result = object(name, std::move(shape), spacing, std::move(tracks));
  result.thickness = 4e-4f;
  result.density = 500;
  return result;
}

/// A rectangle around the origin in the plane z = 0, of cloth, with nothing else.
inline WorldSetup flat_cloth(float width, float length, float spacing, const Weave& weave = {}) {
  WorldSetup setup = world_setup(3, spacing);
  setup.objects.push_back(sheet("cloth", make_rectangle(Vec3::Zero(), width, length), spacing, {cloth(weave)}));
  return setup;
}

/// A motion from nothing to somewhere, for pins.
inline Keyable<Vec3> moved(const Vec3& by, double seconds) {
  return {Curve<Vec3>({0, seconds}, {Vec3::Zero(), by}, Interpolation::smooth), "time"};
}

/// How often closed sheets wind around a point: 1 inside, 0 outside.
inline double winding(const World& world, const Vec3& point) {
  const auto x = world.particles()[columns::position];
  double sum = 0;
  for (const SheetTriangle& t : sheets::triangles(world.particles())) {
    const Vec3d a = (x[t[0]] - point).cast<double>(), b = (x[t[1]] - point).cast<double>(),
                c = (x[t[2]] - point).cast<double>();
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

/// How many triangles of sheets lie straight above a point.
inline int sheets_above(const World& world, std::span<const SheetTriangle> triangles, const Vec3& point) {
  const auto x = world.particles()[columns::position];
  int count = 0;
  for (const SheetTriangle& t : triangles) {
    const Vec3 a = x[t[0]] - point, b = x[t[1]] - point, c = x[t[2]] - point;
    const auto side = [](const Vec3& p, const Vec3& q) { return p.x() * q.y() - p.y() * q.x(); };
    const float ab = side(a, b), bc = side(b, c), ca = side(c, a), sum = ab + bc + ca;
    if (!((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0)) || sum == 0) continue;
    count += (a.z() * bc + b.z() * ca + c.z() * ab) / sum > 0;
  }
  return count;
}

}  // namespace fondue::testing_support
