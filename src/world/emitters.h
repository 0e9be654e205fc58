#pragma once
// Emitters make particles, sinks and the open domain take them away.
//
// A disc or a surface emits sheets, one spacing apart at the emission speed, so that a jet is as dense as the fluid it
// becomes; a box emits at random free places (rain). The rate, in volume per second, thins this out. Nothing is emitted
// where a particle or a collider is in the way.

#include <map>
#include <string>
#include <vector>

#include "bodies/bodies.h"
#include "particles/particles.h"
#include "world/setup.h"

namespace fondue {

class Emitters {
 public:
  Emitters(const WorldSetup& setup, const ProgressReport& report = {});

  /// Emits what is due between two times; returns how many particles were made.
  Index emit(Particles& particles, const Bodies& colliders, double from, double to);
  /// Marks particles in sinks and beyond the domain (positions are wrapped already); returns how many.
  Index mark_leaving(const Particles& particles, double time, std::vector<std::uint8_t>& marked) const;

  /// What emission continues from, by the emitter's name.
  void save(std::map<std::string, std::vector<double>>& state) const;
  void restore(const std::map<std::string, std::vector<double>>& state);

 private:
  struct Place {
    Vec3 position, direction;
  };
  struct Emitter {
    EmitterSetup setup;
    float spacing, volume, support;
    /// Unit sheet: a disc's in its own frame, a surface's in the scene's.
    std::vector<Place> sheet;
    /// Area it emits through [m^(d-1)].
    float area;
    /// Way the last sheet has gone [m], volume still owed [m^d], particles made.
    double travelled = 0, owed = 0, made = 0;
  };
  std::vector<Place> places_due(Emitter& emitter, double from, double to) const;
  std::vector<Place> sheet_at(const Emitter& emitter, double time, float ahead) const;

  std::vector<Emitter> emitters_;
  std::vector<SinkSetup> sinks_;
  std::optional<Box> domain_;
  std::array<bool, 3> periodic_;
  int dimension_;
  unsigned seed_;
};

}  // namespace fondue
