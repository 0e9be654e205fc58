#include "surface/mud.h"

#include <algorithm>

#include "surface/reconstruction.h"

namespace fondue {

namespace {

float smoothstep(float from, float to, float x) {
  const float s = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return s * s * (3 - 2 * s);
}

/// What has less than this part of a surface has none: alone it would not reach its level.
constexpr float least_share = 0.25f;

}  // namespace

float share_of_mud(float saturation) { return smoothstep(0.5f, 0.8f, saturation); }
float share_of_grains(float saturation) { return 1 - smoothstep(0.7f, 0.95f, saturation); }

void sink_into_mud(Geometry& grains) {
  const auto named = [&](std::string_view name) {
    return std::ranges::find(grains.attributes, name, &Geometry::Attribute::name);
  };
  const auto radius = named("radius"), saturation = named("saturation");
  if (radius == grains.attributes.end() || saturation == grains.attributes.end()) return;
  for (std::size_t g = 0; g != radius->values.size(); ++g) radius->values[g] *= share_of_grains(saturation->values[g]);
}

Geometry mud_surface(const SurfaceParticles& particles, std::span<const float> saturation, const SurfaceSetup& setup,
                     std::span<const Geometry::Attribute> quantities) {
  SurfaceParticles wet;
  wet.dimension = particles.dimension;
  std::vector<Geometry::Attribute> own;
  for (const Geometry::Attribute& all : quantities) own.push_back({all.name, all.unit, all.components, {}});
  for (std::size_t i = 0; i != particles.size(); ++i) {
    const float share = share_of_mud(saturation[i]);
    if (share < least_share) continue;
    wet.position.push_back(particles.position[i]);
    wet.support.push_back(particles.support[i]);
    wet.volume.push_back(share * particles.volume[i]);
    for (std::size_t q = 0; q != own.size(); ++q) {
      const auto n = static_cast<std::ptrdiff_t>(own[q].components), at = n * static_cast<std::ptrdiff_t>(i);
      own[q].values.insert(own[q].values.end(), quantities[q].values.begin() + at,
                           quantities[q].values.begin() + at + n);
    }
  }
  return wet.size() == 0 ? Geometry{} : reconstruct(wet, setup, own);
}

}  // namespace fondue
