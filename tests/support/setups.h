#pragma once
// Short ways to say the worlds that tests are about.

#include <initializer_list>
#include <string>

#include "behaviours/heat.h"
#include "shapes/combine.h"
#include "shapes/primitives.h"
#include "world/world.h"

namespace fondue::testing_support {

/// A number or a vector for one of a behaviour's parameters.
struct Given {
  const Parameter* parameter;
  Keyable<float> number = 0.0f;
  Keyable<Vec3> vector = Vec3(Vec3::Zero());
  Given(const Parameter& p, Keyable<float> value) : parameter(&p), number(std::move(value)) {}
  Given(const Parameter& p, double value) : parameter(&p), number(static_cast<float>(value)) {}
  Given(const Parameter& p, int value) : parameter(&p), number(static_cast<float>(value)) {}
  Given(const Parameter& p, const Vec3& value) : parameter(&p), vector(value) {}
  Given(const Parameter& p, Keyable<Vec3> value) : parameter(&p), vector(std::move(value)) {}
};

inline Track track(const std::string& behaviour, std::initializer_list<Given> values = {},
                   Keyable<float> weight = 1.0f) {
  Track result{behaviour, std::move(weight), {}};
  for (const Given& given : values) {
    if (given.parameter->kind == Parameter::Kind::vector)
      result.values.set(*given.parameter, given.vector);
    else
      result.values.set(*given.parameter, given.number);
  }
  return result;
}

inline ObjectSetup object(const std::string& name, ShapePtr shape, float spacing, std::vector<Track> tracks) {
  ObjectSetup result;
  result.name = name;
  result.shape = std::move(shape);
  result.spacing = spacing;
  result.tracks = std::move(tracks);
  return result;
}

/// The rectangle of a two-dimensional world.
inline ShapePtr rectangle(float x0, float y0, float x1, float y1) {
  return make_box(Vec3(x0, y0, -infinity), Vec3(x1, y1, infinity));
}

inline ColliderSetup solid(const std::string& name, ShapePtr shape, float slip = 0) {
  ColliderSetup result;
  result.name = name;
  result.shape = std::move(shape);
  result.slip = slip;
  return result;
}

inline ColliderSetup container(const std::string& name, const ShapePtr& inside, float slip = 0) {
  ColliderSetup result = solid(name, make_complement(inside), slip);
  result.container = inside->bounds();
  return result;
}

inline WorldSetup world_setup(int dimension, float spacing) {
  WorldSetup result;
  result.dimension = dimension;
  result.spacing = spacing;
  return result;
}

/// Rates of change of one particle, of the last evaluation.
struct Rates {
  Vec3 acceleration = Vec3::Zero(), drift = Vec3::Zero();
  /// Heat received per unit of mass [W/kg].
  float heat = 0;
};

/// Evaluates everything and gives the rates of all particles in the order of their ids, with forces that are taken in
/// substeps. Heat is what a very short step
/// brings.
inline std::vector<Rates> rates_of(World& world) {
  world.evaluate();
  Particles& particles = world.particles();
  std::vector<Rates> rates(particles.next_id());
  {
    const auto id = particles[columns::id];
    const auto a = particles[columns::acceleration];
    const auto drift = optional_column(particles, columns::drift);
    const std::vector<Vec3> in_substeps = world.substep_accelerations();
    for (Index i = 0; i != particles.size(); ++i) {
      rates[id[i]].acceleration = a[i] + in_substeps[i];
      if (!drift.empty()) rates[id[i]].drift = drift[i];
    }
  }
  if (!particles.has(columns::heat_remainder.name)) return rates;
  const auto heat = [&](Index i) {
    const auto material = thermal_material(world.setup().objects[particles[columns::object][i]].tracks);
    return material ? heat_content({particles[columns::temperature][i], particles[columns::melted][i],
                                    particles[columns::heat_remainder][i]},
                                   *material)
                    : 0.0;
  };
  constexpr double moment = 1e-7;
  std::vector<double> before(particles.next_id());
  for (Index i = 0; i != particles.size(); ++i) before[particles[columns::id][i]] = heat(i);
  world.step(world.time() + moment);
  for (Index i = 0; i != particles.size(); ++i) {
    const Index id = particles[columns::id][i];
    rates[id].heat = static_cast<float>((heat(i) - before[id]) / moment);
  }
  return rates;
}

inline void run_until(World& world, double time) {
  while (world.time() < time) world.step(time);
}

}  // namespace fondue::testing_support
