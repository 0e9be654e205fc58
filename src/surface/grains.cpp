#include "surface/grains.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.h"
#include "core/parallel.h"
#include "core/random.h"

namespace fondue {
namespace {

// Each random quantity has its own seed.
constexpr std::uint64_t for_positions = 0, for_radii = 1, for_tints = 2;

std::uint64_t seed_of(const GrainSettings& settings, std::uint64_t kind) { return 3 * settings.seed + kind; }

/// Point `which` of a low-discrepancy sequence in [-1/2, 1/2)^d: multiples of g^-1, g^-2, g^-3 with
/// g^(d+1) = g + 1.
Vec3 sequence_point(int which, int dimension, const Vec3& shift) {
  constexpr double plastic[2] = {1.3247179572447460, 1.2207440846057596};
  const double step = 1 / plastic[dimension == 3 ? 1 : 0];
  Vec3 point = Vec3::Zero();
  double multiple = 1;
  for (int a = 0; a < dimension; ++a) {
    multiple *= step;
    const double along = shift[a] + (which + 1) * multiple;
    point[a] = static_cast<float>(along - std::floor(along) - 0.5);
  }
  return point;
}

float mean_radius(const GrainSettings& settings, float spacing) {
  if (settings.radius > 0) return settings.radius;
  const double share = double(settings.packing) / settings.per_particle;
  const double ball =
      settings.dimension == 3 ? std::cbrt(share * 3 / (4 * std::numbers::pi)) : std::sqrt(share / std::numbers::pi);
  return static_cast<float>(spacing * ball);
}

}  // namespace

void GrainSettings::check() const {
  const auto need = [](bool right, const char* what) {
    if (!right) throw InputError(fmt::format("grains need {}", what));
  };
  need(per_particle > 0, "at least one per particle");
  need(dimension == 2 || dimension == 3, "two or three dimensions");
  need(support_ratio > 0, "particles with a support above zero");
  need(radius >= 0 && std::isfinite(radius), "a radius that is not negative");
  need(packing > 0 && packing <= 1, "a packing between 0 and 1");
  need(radius_variation >= 0 && radius_variation < 1, "a radius variation of at least 0 and below 1");
}

Grain fixed_grain(const SandParticles& particles, std::size_t p, int which, const GrainSettings& settings) {
  const Index id = particles.ids[p];
  const float spacing = particles.supports[p] / settings.support_ratio;
  const Vec3 shift = random_point(seed_of(settings, for_positions), id);
  const std::uint64_t number = std::uint64_t(id) * std::uint64_t(settings.per_particle) + std::uint64_t(which);
  const auto around_zero = [&](std::uint64_t kind) { return 2 * random_unit(seed_of(settings, kind), number) - 1; };
  return {.position = particles.positions[p] + spacing * sequence_point(which, settings.dimension, shift),
          .velocity = particles.velocities[p],
          .radius = mean_radius(settings, spacing) * (1 + settings.radius_variation * around_zero(for_radii)),
          .tint = around_zero(for_tints),
          .id = static_cast<Index>(number),
          .opacity = 1};
}

std::vector<Grain> fixed_grains(const SandParticles& particles, const GrainSettings& settings) {
  settings.check();
  const std::size_t count = particles.positions.size();
  if (particles.velocities.size() != count || particles.supports.size() != count || particles.ids.size() != count)
    throw InputError(fmt::format("{} particles of sand were given with {} velocities, {} supports and {} ids", count,
                                 particles.velocities.size(), particles.supports.size(), particles.ids.size()));
  const auto each = static_cast<std::size_t>(settings.per_particle);
  constexpr Index largest = std::numeric_limits<Index>::max();
  if (count > 0 && std::ranges::max(particles.ids) >= largest / each)
    throw InputError(fmt::format("particle {} with {} grains per particle: ids of grains cannot exceed {}",
                                 std::ranges::max(particles.ids), each, largest));
  std::vector<Grain> grains(count * each);
  parallel_for(count, [&](std::size_t p) {
    for (std::size_t which = 0; which < each; ++which)
      grains[p * each + which] = fixed_grain(particles, p, static_cast<int>(which), settings);
  });
  return grains;
}

Geometry grain_points(std::span<const Grain> grains) {
  Geometry points;
  points.attributes = {{"radius", "m", 1, {}}, {"tint", "", 1, {}}, {"opacity", "", 1, {}}, {"velocity", "m/s", 3, {}}};
  for (const Grain& grain : grains) {
    points.mesh.vertices.push_back(grain.position);
    points.ids.push_back(grain.id);
    points.attributes[0].values.push_back(grain.radius);
    points.attributes[1].values.push_back(grain.tint);
    points.attributes[2].values.push_back(grain.opacity);
    for (int a = 0; a < 3; ++a) points.attributes[3].values.push_back(grain.velocity[a]);
  }
  return points;
}

}  // namespace fondue
