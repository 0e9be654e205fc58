#pragma once
// Emitters make particles, sinks and the open domain take them away. Without a domain, so does the distance: a few
// particles that are very far from everything in the scene, openings, solids and most of the matter, are strays that
// fell off its edge. They would never come back and only make the search for neighbours larger.
//
// A disc or a surface emits sheets, one spacing apart at the emission speed, so that a jet is as dense as the fluid it
// becomes; a box emits at random free places (rain). The rate, in volume per second, thins this out. Nothing is emitted
// where a particle or a collider is in the way. The sheets of a disc are not flat: each of its places is ahead of the
// others by a part of a spacing of its own. A jet that falls is drawn out, and flat sheets would become separate discs.
//
// What leaves a disc or a surface moves at the speed of emission, and by nothing else, until it is one support away,
// unless a collider is near that would stop it there.
// The sheets behind a free particle are then complete and in their places, as those in a pipe would be. (If they moved
// freely from the start, nothing would hold the last sheet against the pressure in front of it; the next one would come
// too close, and the energy of that compression would blow the jet apart.) The opening of a disc may move, as that of a
// jug, by keyframes or with a body that it is fixed to: what is in it moves with it and keeps this velocity when it
// leaves. A surface may be that of a body: what leaves it has the velocity of the body there, and the speed of emission
// along the outward normal. The body feels no recoil. A surface may also be the front side of a sheet of matter, such
// as cloth: what leaves it has the velocity of the sheet there and moves freely at once.

#include <map>
#include <string>
#include <vector>

#include "bodies/bodies.h"
#include "particles/particles.h"
#include "world/setup.h"

namespace fondue {

namespace columns {
inline constexpr Column<Index> opening{
    "opening", "1", "0, or one more than the index of the emitter in whose opening it still is", 0, true};
inline constexpr Column<float> way_to_go{"way_to_go", "m", "how far it still is to the end of the opening", 0, true};
}  // namespace columns

class Emitters {
 public:
  /// Extent: of the scene (extent_of).
  Emitters(const WorldSetup& setup, const Box& extent, float stray_distance, const ProgressReport& report = {});
  void require(Particles& particles) const;

  /// Gives particles in openings the present speed of emission and the velocity of the opening, and lets go of those
  /// that a step between two times takes out of them.
  void guide(Particles& particles, const Bodies& colliders, double from, double to);

  /// Emits what is due between two times; returns how many particles were made.
  Index emit(Particles& particles, const Bodies& colliders, double from, double to);
  /// What the last emit() threw off a rigid body: a particle, and how fast relative to the surface.
  struct Recoil {
    Index body, particle;
    Vec3 velocity;
  };
  const std::vector<Recoil>& recoils() const { return recoils_; }
  /// Marks particles in sinks, beyond the domain (positions are wrapped already) and far from everything; returns how
  /// many. `matter` is the box around all.
  Index mark_leaving(const Particles& particles, const Box& matter, const Bodies& colliders, double time,
                     std::vector<std::uint8_t>& marked);
  /// How many particles have been far from everything, and how far that is [m].
  std::uint64_t strays() const { return strays_; }
  float stray_distance() const { return stray_distance_; }

  /// What emission continues from, by the emitter's name.
  void save(std::map<std::string, std::vector<double>>& state) const;
  void restore(const std::map<std::string, std::vector<double>>& state);

 private:
  struct Place {
    Vec3 position, direction;
    /// Of the sheet of matter that it is on [m/s].
    Vec3 velocity = Vec3::Zero();
  };
  struct Emitter {
    EmitterSetup setup;
    float spacing, volume, support;
    /// Unit sheet: a disc's in its own frame, a surface's in that of its body, or of the scene.
    std::vector<Place> sheet;
    /// How far each place of the sheet lags behind, in spacings, from 0 up to 1; empty: the sheet is flat.
    std::vector<float> lags;
    /// Area it emits through [m^(d-1)].
    float area;
    /// Way the last sheet has gone [m], less than a spacing; volume still owed [m^d], particles made.
    double travelled = 0, owed = 0, made = 0;
    /// Of a disc that moves: its velocity in the last step [m/s].
    Vec3 velocity = Vec3::Zero();
  };
  static bool guides(const Emitter& emitter) { return emitter.setup.kind != EmitterKind::box; }
  /// The middle of the opening of a disc and the direction of its jet at a time.
  static Place opening_at(const EmitterSetup& setup, const Bodies& colliders, double time);
  static Vec3 opening_velocity(const EmitterSetup& setup, const Bodies& colliders, double from, double to);
  /// During a step, of what has left a place on a body's surface: it moves with the body, and away from it.
  static Vec3 carried_velocity(const EmitterSetup& setup, const Bodies& colliders, const Vec3& x, float speed,
                               double from, double to);
  std::vector<Place> places_due(Emitter& emitter, const Particles& particles, const Bodies& colliders, double from,
                                double to) const;
  /// All places of the sheet, at the opening.
  std::vector<Place> sheet_at(const Emitter& emitter, const Particles& particles, const Bodies& colliders,
                              double time) const;
  /// Where the sheet came through the opening while the emitter travelled from one way to another [m], and how far it
  /// has gone since.
  std::vector<Place> passed(const Emitter& emitter, const Particles& particles, const Bodies& colliders, double time,
                            double from_way, double to_way) const;
  /// As many of the places as are owed, chosen evenly. Part: of all places that the rate fills.
  std::vector<Place> thinned(const Emitter& emitter, const std::vector<Place>& places, double part) const;

  std::vector<Emitter> emitters_;
  std::vector<Recoil> recoils_;
  std::vector<SinkSetup> sinks_;
  void mark_strays(std::span<const Vec3> x, const Bodies& colliders, double time, std::vector<std::uint8_t>& marked);

  std::optional<Box> domain_;
  /// Where nothing is a stray.
  Box near_;
  float stray_distance_ = infinity;
  std::uint64_t strays_ = 0;
  std::array<bool, 3> periodic_;
  int dimension_;
  unsigned seed_;
};

}  // namespace fondue
