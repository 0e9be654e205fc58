#pragma once
// The sections of a scene file, each declared once. Their keys are in the files named *_keys.h.

#include <deque>
#include <string>
#include <vector>

#include "behaviours/behaviour.h"
#include "scene/matter_keys.h"
#include "scene/run_keys.h"
#include "scene/solid_keys.h"

namespace fondue {

namespace sections {
inline constexpr Section scene{"[scene]", "Name and resolution.", keys::scene::all};
inline constexpr Section time{"[time]", "Duration, frames and time steps.", keys::time::all};
inline constexpr Section domain{"[domain]", "The simulation domain: particles that leave it are deleted. Optional.",
                                keys::domain::all, keys::domain::parts};
inline constexpr Section materials{"[materials.NAME]",
                                   "A named set of behaviours: each key is a behaviour with a table of its parameters "
                                   "and a weight, or a list of such tables, which cross-fade by their weights.",
                                   keys::look::all,
                                   {},
                                   true};
inline constexpr Section colliders{"[[colliders]]", "Solids and containers, fixed or moving.", keys::collider::all,
                                   keys::collider::parts};
inline constexpr Section bodies{"[[bodies]]",
                                "Rigid bodies: solids whose motion is solved for, pushed by matter and by each other.",
                                keys::body::all, keys::body::parts};
inline constexpr Section joints{"[[joints]]", "Joints between rigid bodies, or of one with a collider or with space.",
                                keys::joint::all};
inline constexpr Section sinks{"[[sinks]]", "Regions in which particles are deleted.", keys::sink::all,
                               keys::sink::parts};
inline constexpr Section pins{
    "[[pins]]",
    "Hold particles while they are on: what was in them when they were switched on moves with them and nothing else.",
    keys::pin::all, keys::pin::parts};
inline constexpr Section probes{"[[probes]]", "Quantities written to a table over time.", keys::probe::all};
inline constexpr Section picture{"[picture]", "Pictures: colours, camera, surroundings.", keys::picture::all};
inline constexpr Section flames{"[[flames]]",
                                "Flames in finished pictures, which glow and light what is around them. They heat "
                                "nothing: that is done by [[hot_regions]].",
                                keys::flame::all};
inline constexpr Section surface{"[surface]", "Surface reconstruction.", keys::surface::all, keys::surface::parts};
inline constexpr Section output{"[output]", "What frames contain.", {}, keys::output::parts};

/// The regions of a behaviour (BehaviourInfo::regions).
struct Regions {
  const BehaviourInfo* behaviour;
  std::string header;
  std::vector<const Parameter*> parameters;
  /// What can be given in place of a shape: the name of an object ("object") or of a collider or rigid body ("body").
  /// The region's values then have its index as a number. Null: only a shape can.
  const Parameter* place;
  /// Of these.
  Section section;
};
/// One for each behaviour that has regions.
const std::deque<Regions>& regions();

/// The keys of all initial values that behaviours declare (BehaviourInfo::initial_values): of objects or of emitters.
std::vector<const Parameter*> initial_value_keys(const Parameter* InitialValue::*of);
/// Matter, with those keys.
const Section& objects();
const Section& emitters();

/// Every section of a scene file, in the order of the reference.
const std::vector<const Section*>& all();
}  // namespace sections

}  // namespace fondue
