#include "behaviours/thermal_state.h"

#include <cmath>

#include "behaviours/heat.h"

namespace fondue {

namespace {

/// H where melting begins and ends.
struct Melting {
  double begin, end;
  explicit Melting(const ThermalMaterial& m)
      : begin(static_cast<double>(m.heat_capacity) * m.melting_point), end(begin + m.latent_heat) {}
};

double temperature_at(double heat, const ThermalMaterial& m) {
  const Melting melting(m);
  if (heat <= melting.begin || !(m.latent_heat > 0)) return heat / m.heat_capacity;
  return heat < melting.end ? m.melting_point : (heat - m.latent_heat) / m.heat_capacity;
}

void set_heat(ThermalState& state, const ThermalMaterial& m, double heat) {
  const Melting melting(m);
  state.temperature = static_cast<float>(temperature_at(heat, m));
  state.melted = 0;
  if (m.latent_heat > 0)
    state.melted = static_cast<float>(std::clamp((heat - melting.begin) / m.latent_heat, 0.0, 1.0));
  state.remainder = 0;
  state.remainder = static_cast<float>(heat - heat_content(state, m));
}

}  // namespace

std::optional<ThermalMaterial> thermal_material(std::span<const Track> tracks) {
  for (const Track& track : tracks)
    if (track.behaviour == Heat::description.name)
      return ThermalMaterial{track.values.constant(Heat::heat_capacity), track.values.constant(Heat::latent_heat),
                             track.values.constant(Heat::melting_point)};
  return std::nullopt;
}

double heat_content(const ThermalState& state, const ThermalMaterial& m) {
  return static_cast<double>(m.heat_capacity) * state.temperature + static_cast<double>(m.latent_heat) * state.melted +
         state.remainder;
}

void absorb(ThermalState& state, const ThermalMaterial& material, double heat) {
  set_heat(state, material, heat_content(state, material) + heat);
}

void relax(ThermalState& state, const ThermalMaterial& m, double target, double share) {
  const Melting melting(m);
  const double c = m.heat_capacity, melting_point = m.melting_point;
  double heat = heat_content(state, m), left = share;
  const double start = temperature_at(heat, m);
  const bool melts = target > start;
  if (m.latent_heat > 0) {
    const double near = melts ? melting.begin : melting.end, far = melts ? melting.end : melting.begin;
    // Up to the melting point, if it lies on the way and is reached.
    const double lag = target - melting_point;
    const bool before = melts ? heat < near && lag > 0 : heat > near && lag < 0;
    if (before) {
      const double reached = std::log((target - start) / lag);
      if (reached < left) {
        left -= reached;
        heat = near;
      }
    }
    // Through the melting at a constant rate.
    const bool between = heat >= melting.begin && heat <= melting.end && heat != far && lag != 0;
    if (between) {
      const double done = (far - heat) / (c * lag);
      heat = done < left ? far : heat + c * lag * left;
      left = std::max(left - done, 0.0);
    }
  }
  const double now = temperature_at(heat, m);
  set_heat(state, m, heat + c * (target - now) * -std::expm1(-left));
}

}  // namespace fondue
