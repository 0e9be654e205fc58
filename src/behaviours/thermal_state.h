#pragma once
// The heat a particle holds, as temperature and melted share:
//
//   H = c T + L melted   [J/kg],   T = melting point while 0 < melted < 1
//
// Every change goes through H in double precision. What a float temperature or share cannot hold of it (a step may add
// a millionth of a kelvin to 300) is carried in a remainder, so heat is kept to round-off over a whole run.

#include <optional>
#include <span>

#include "timeline/track.h"

namespace fondue {

struct ThermalMaterial {
  /// [J/(kg K)], [J/kg] (0: does not melt), [K]
  float heat_capacity, latent_heat, melting_point;

  /// Of matter that starts at this temperature.
  float melted_at(float temperature) const { return latent_heat > 0 && temperature > melting_point ? 1.0f : 0.0f; }
};

/// Of an object with these tracks; none without `heat`.
std::optional<ThermalMaterial> thermal_material(std::span<const Track> tracks);

struct ThermalState {
  /// [K], share, [J/kg]
  float temperature, melted, remainder;
};

double heat_content(const ThermalState& state, const ThermalMaterial& material);
/// Receives this much heat [J/kg], or gives it; may cross the whole range of melting.
void absorb(ThermalState& state, const ThermalMaterial& material, double heat);
/// Receives heat c rate (target - T) for a time, integrated exactly, so it never passes the target; share is rate times
/// time.
void relax(ThermalState& state, const ThermalMaterial& material, double target, double share);

}  // namespace fondue
