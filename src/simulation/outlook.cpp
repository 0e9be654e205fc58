#include "simulation/outlook.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>

#include "shapes/primitives.h"
#include "simulation/simulation.h"

namespace fondue {

namespace {

/// Wall time of a trial, and the number of particles above which it uses a coarser copy of the scene.
constexpr double trial_seconds = 0.3, most_in_trial = 20000;
/// Steps of a trial, if they do not take longer than this: two exchanges of mass (world/exchange.cpp) are among them.
constexpr std::uint64_t trial_steps = 17;
constexpr double most_trial_seconds = 1.5;

/// What an emitter makes until the end.
double emitted(const WorldSetup& world, const EmitterSetup& emitter, double duration) {
  constexpr int samples = 1000;
  const double spacing = world.objects[emitter.object].spacing;
  const ShapePtr& shape = emitter.sheet ? world.objects[*emitter.sheet].shape : emitter.shape;
  const Vec3 box = shape ? shape->bounds().size() : Vec3::Zero();
  const double across = world.dimension == 3 ? static_cast<double>(box.y()) : 1;
  const double disc = world.dimension == 3 ? std::numbers::pi * emitter.radius * emitter.radius : 2 * emitter.radius;
  // No surface within a box is much larger than that of the box.
  const Vec3 finite = box.allFinite() ? box : Vec3(Vec3::Zero());
  const double around = world.dimension == 3
                            ? 2.0 * (finite.x() * finite.y() + finite.y() * finite.z() + finite.z() * finite.x())
                            : 2.0 * (finite.x() + finite.y());
  const double area = emitter.kind == EmitterKind::disc      ? disc
                      : emitter.kind == EmitterKind::surface ? around
                                                             : static_cast<double>(box.x()) * across;
  double volume = 0;
  for (int k = 0; k != samples; ++k) {
    const double time = (k + 0.5) / samples * duration;
    const double rate = emitter.rate.at(time) * (emitter.rate_per_area ? area : 1.0);
    if (emitter.on.at(time) > 0.5f) volume += (rate >= 0 ? rate : area * emitter.speed.at(time)) * duration / samples;
  }
  return std::min(volume / std::pow(spacing, world.dimension), static_cast<double>(emitter.most));
}

/// The same scene with a block of what its emitters make in the place of everything else.
Scene block_of_emitted(Scene scene, const std::vector<double>& counts) {
  WorldSetup& world = scene.world;
  float left = 0;
  for (ObjectSetup& object : world.objects) object.shape = nullptr;
  for (std::size_t e = 0; e != world.emitters.size(); ++e) {
    ObjectSetup& object = world.objects[world.emitters[e].object];
    const double count = std::min(0.5 * counts[e], most_in_trial / static_cast<double>(counts.size()));
    const auto side = static_cast<float>(std::pow(std::max(count, 27.0), 1.0 / world.dimension)) * object.spacing;
    object.shape = make_box(Vec3(left, 0, 0), Vec3(left + side, side, side));
    for (const InitialValues::Entry& entry : world.emitters[e].initial.entries())
      object.initial.set(*entry.column, entry.value.at(0));
    left += side + 4 * object.spacing;
  }
  world.colliders.clear();
  world.joints.clear();
  world.emitters.clear();
  world.sinks.clear();
  world.pins.clear();
  world.domain.reset();
  scene.probes.clear();
  return scene;
}

Scene coarser(Scene scene, float factor) {
  scene.world.spacing *= factor;
  for (ObjectSetup& object : scene.world.objects) object.spacing *= factor;
  for (ColliderSetup& collider : scene.world.colliders) collider.spacing *= factor;
  return scene;
}

/// Of matter, openings and solids that end somewhere.
Vec3 size_of(const WorldSetup& world) {
  Box extent = extent_of(world);
  for (const ColliderSetup& collider : world.colliders) {
    if (!collider.container.empty() || collider.rigid) continue;
    const Box box = collider.shape->bounds();
    const Pose pose = pose_at(collider.motion, 0);
    if (box.finite())
      for (int corner = 0; corner != 8; ++corner)
        extent.add(pose.to_world(Vec3(corner & 1 ? box.max.x() : box.min.x(), corner & 2 ? box.max.y() : box.min.y(),
                                      corner & 4 ? box.max.z() : box.min.z())));
  }
  return extent.empty() ? Vec3(Vec3::Zero()) : extent.size();
}

/// Seconds per particle and step, and the length of a step [s].
struct Pace {
  double cost, step;
};

/// The first step is left out: its memory is new. Steps grow while sound slows down: the longest is nearest to those of
/// the run.
Pace measured(const Scene& scene) {
  using Clock = std::chrono::steady_clock;
  Simulation simulation(scene);
  simulation.step();
  const auto begin = Clock::now();
  double elapsed = 0, particle_steps = 0, step = simulation.world().last_step();
  const auto goes_on = [&] {
    return elapsed < (simulation.steps() < trial_steps ? most_trial_seconds : trial_seconds);
  };
  while (goes_on() && simulation.time() < scene.duration) {
    simulation.step();
    step = std::max(step, simulation.world().last_step());
    particle_steps += std::max<double>(simulation.particles().size(), 1);
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return {elapsed / std::max(particle_steps, 1.0), step};
}

}  // namespace

Outlook outlook_of(const Scene& scene) {
  Outlook outlook;
  outlook.size = size_of(scene.world);
  outlook.particles = particles_at_start(scene.world);
  std::vector<double> counts;
  for (const EmitterSetup& emitter : scene.world.emitters)
    counts.push_back(emitted(scene.world, emitter, scene.duration));
  outlook.emitted = std::accumulate(counts.begin(), counts.end(), 0.0);
  outlook.bytes = (outlook.particles + outlook.emitted) * bytes_per_particle;
  const double factor =
      std::max(1.0, std::pow(outlook.particles / most_in_trial, 1.0 / static_cast<double>(scene.world.dimension)));
  try {
    Pace pace = measured(factor > 1 ? coarser(scene, static_cast<float>(factor)) : scene);
    // The first steps say little about what matter costs that is not there yet.
    if (outlook.emitted > 10 * outlook.particles) pace.cost = measured(block_of_emitted(scene, counts)).cost;
    const double mean_particles = std::max(outlook.particles + 0.5 * outlook.emitted, 1.0);
    outlook.seconds = mean_particles * pace.cost * scene.duration / (pace.step / factor);
  } catch (const InputError&) {
    // What is thin has no particles in a coarser copy, and a block by itself may lack what its behaviours need.
    if (!(factor > 1) && !(outlook.emitted > 10 * outlook.particles)) throw;
  }
  return outlook;
}

std::string readable_time(double seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 100) return fmt::format("about {:.2g} s", seconds);
  if (seconds < 6000) return fmt::format("about {:.2g} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("about {:.2g} h", seconds / 3600);
  return fmt::format("about {:.2g} days", seconds / 86400);
}

}  // namespace fondue
