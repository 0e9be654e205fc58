#include "simulation/outlook.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "simulation/simulation.h"

namespace fondue {

namespace {

/// Wall time of a trial, and the number of particles above which it uses a coarser copy of the scene.
constexpr double trial_seconds = 0.3, most_in_trial = 20000;

/// What emitters make at their fastest, switched on all the time.
double emitted(const WorldSetup& world, double duration) {
  double count = 0;
  for (const EmitterSetup& emitter : world.emitters) {
    const double spacing = world.objects[emitter.object].spacing;
    const double speed = std::ranges::max(emitter.speed.values()), rate = std::ranges::max(emitter.rate.values());
    const Vec3 box = emitter.shape ? emitter.shape->bounds().size() : Vec3::Zero();
    const double across = world.dimension == 3 ? static_cast<double>(box.y()) : 1;
    const double disc = world.dimension == 3 ? std::numbers::pi * emitter.radius * emitter.radius : 2 * emitter.radius;
    const double area = emitter.kind == EmitterKind::disc ? disc : static_cast<double>(box.x()) * across;
    const double volume = (rate >= 0 ? rate : area * speed) * duration;
    count += std::min(volume / std::pow(spacing, world.dimension), static_cast<double>(emitter.most));
  }
  return count;
}

Scene coarser(Scene scene, float factor) {
  scene.world.spacing *= factor;
  for (ObjectSetup& object : scene.world.objects) object.spacing *= factor;
  for (ColliderSetup& collider : scene.world.colliders) collider.spacing *= factor;
  return scene;
}

/// Seconds per particle and step, and the length of a step [s].
struct Pace {
  double cost, step;
};

Pace measured(const Scene& scene) {
  using Clock = std::chrono::steady_clock;
  Simulation simulation(scene);
  const auto begin = Clock::now();
  double elapsed = 0, particle_steps = 0;
  while (elapsed < trial_seconds && simulation.time() < scene.duration) {
    simulation.step();
    particle_steps += std::max<double>(simulation.particles().size(), 1);
    elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return {elapsed / particle_steps, simulation.time() / static_cast<double>(simulation.steps())};
}

}  // namespace

Outlook outlook_of(const Scene& scene) {
  Outlook outlook;
  const Box extent = extent_of(scene.world);
  if (!extent.empty()) outlook.size = extent.size();
  outlook.particles = particles_at_start(scene.world);
  outlook.emitted = emitted(scene.world, scene.duration);
  outlook.bytes = (outlook.particles + outlook.emitted) * bytes_per_particle;
  // The first steps say little about matter that is not there yet.
  if (outlook.emitted > 10 * outlook.particles) return outlook;
  const double factor =
      std::max(1.0, std::pow(outlook.particles / most_in_trial, 1.0 / static_cast<double>(scene.world.dimension)));
  try {
    const Pace pace = measured(factor > 1 ? coarser(scene, static_cast<float>(factor)) : scene);
    const double mean_particles = std::max(outlook.particles + 0.5 * outlook.emitted, 1.0);
    outlook.seconds = mean_particles * pace.cost * scene.duration / (pace.step / factor);
  } catch (const InputError&) {
    // What is thin has no particles in a coarser copy.
    if (!(factor > 1)) throw;
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
