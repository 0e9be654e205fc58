#pragma once
// Sand that is drawn as grains turns to mud where it is wet (Lenaerts 2009, fig. 6.5): with the saturation S of its
// pores a surface rises among the grains, and the grains sink into it.
//
//   share of the surface   m = smoothstep(0.5, 0.8, S)     the volume with which a particle counts in its field
//   radius of a grain      times 1 - smoothstep(0.7, 0.95, S)
//
// So the mud begins inside, is level with the grains when it is half wet, and covers them when it is full. Darkening
// and gloss are those of the look (picture/look.h).

#include <span>

#include "surface/field.h"

namespace fondue {

float share_of_mud(float saturation);
float share_of_grains(float saturation);

/// Makes the grains smaller where their attribute `saturation` says so.
void sink_into_mud(Geometry& grains);

/// The surface of the mud among these particles, with quantities at its vertices; empty if they are dry.
Geometry mud_surface(const SurfaceParticles& particles, std::span<const float> saturation, const SurfaceSetup& setup,
                     std::span<const Geometry::Attribute> quantities);

}  // namespace fondue
