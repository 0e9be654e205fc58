#pragma once
// The sections of a scene file, each declared once. Their keys are in the files named *_keys.h.

#include <array>

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
inline constexpr Section objects{"[[objects]]",
                                 "Matter that exists from the start. Behaviours given here override or extend those of "
                                 "its material, parameter by parameter.",
                                 keys::object::all, keys::object::parts, true};
inline constexpr Section colliders{"[[colliders]]", "Solids and containers, fixed or moving.", keys::collider::all,
                                   keys::collider::parts};
inline constexpr Section bodies{"[[bodies]]",
                                "Rigid bodies: solids whose motion is solved for, pushed by matter and by each other.",
                                keys::body::all, keys::body::parts};
inline constexpr Section joints{"[[joints]]", "Joints between rigid bodies, or of one with a collider or with space.",
                                keys::joint::all};
inline constexpr Section emitters{"[[emitters]]", "Sources of particles during the run.", keys::emitter::all,
                                  keys::emitter::parts};
inline constexpr Section sinks{"[[sinks]]", "Regions in which particles are deleted.", keys::sink::all,
                               keys::sink::parts};
inline constexpr Section hot_regions{
    "[[hot_regions]]",
    "Flames and cold air: regions in which matter with the behaviour heat approaches a given temperature.",
    keys::hot_region::all, keys::hot_region::parts};
inline constexpr Section weak_regions{
    "[[weak_regions]]",
    "Paint matter with the behaviour fracture weaker or stronger where it lies when it becomes brittle.",
    keys::weak_region::all, keys::weak_region::parts};
inline constexpr Section pore_regions{
    "[[pore_regions]]",
    "Give matter with the behaviour porous another permeability where it lies when it becomes porous.",
    keys::pore_region::all, keys::pore_region::parts};
inline constexpr Section pins{
    "[[pins]]",
    "Hold particles while they are on: what was in them when they were switched on moves with them and nothing else.",
    keys::pin::all, keys::pin::parts};
inline constexpr Section probes{"[[probes]]", "Quantities written to a table over time.", keys::probe::all};
inline constexpr Section picture{"[picture]", "The preview: colours and camera.", keys::picture::all};
inline constexpr Section surface{"[surface]", "Surface reconstruction.", keys::surface::all, keys::surface::parts};
inline constexpr Section output{"[output]", "What frames contain.", {}, keys::output::parts};

inline constexpr std::array all = {&scene,        &time,   &domain,   &materials, &objects,     &colliders,
                                   &bodies,       &joints, &emitters, &sinks,     &hot_regions, &weak_regions,
                                   &pore_regions, &pins,   &probes,   &picture,   &surface,     &output};
}  // namespace sections

}  // namespace fondue
