#include "scene/doubts.h"

#include <fmt/format.h>

#include <algorithm>

#include "behaviours/behaviour.h"
#include "world/sleep.h"
#include "world/world.h"

namespace fondue {

namespace {

/// A scene wider than this is probably in centimetres or millimetres [m].
constexpr float large = 20;

/// Whether a behaviour of the object reads or writes a column, or a curve runs over it.
bool uses(const ObjectSetup& object, std::string_view column) {
  const auto runs_over_it = [&](const auto& named) { return named.second.over() == column; };
  return std::ranges::any_of(object.tracks, [&](const Track& track) {
    const BehaviourInfo* info = find_behaviour(track.behaviour);
    return (info && (std::ranges::count(info->reads, column) || std::ranges::count(info->writes, column))) ||
           track.weight.over() == column || std::ranges::any_of(track.values.numbers(), runs_over_it) ||
           std::ranges::any_of(track.values.vectors(), runs_over_it);
  });
}

/// Name of the behaviour that declares initial values of a column.
std::string_view giver_of(std::string_view column) {
  for (const RegisteredBehaviour& registered : behaviour_registry())
    for (const InitialValue& initial : registered.info->initial_values)
      if (column == initial.column->name) return registered.info->name;
  return {};
}

}  // namespace

void add_doubts(const WorldSetup& world, const DoubtfulPlaces& places, Reading& reading) {
  for (const auto& [name, place] : places.unused_materials)
    reading.note(place, fmt::format("material '{}' is used by no object and no emitter", name));

  bool any_heat = false;
  for (std::size_t o = 0; o != world.objects.size(); ++o) {
    const ObjectSetup& object = world.objects[o];
    any_heat |= uses(object, "temperature");
    for (const InitialValues::Entry& entry : object.initial.entries())
      if (const std::string_view column = entry.column->name; !uses(object, column))
        reading.note(places.objects[o],
                     fmt::format("object '{}' has a {}, but nothing it does depends on it; its material needs '{}', or "
                                 "a curve over \"{}\"",
                                 object.name, column, giver_of(column), column));
    if (world.individual_steps && comes_to_rest(object, world.regions))
      reading.note(
          places.objects[o],
          fmt::format("object '{}' could sleep when it has come to rest, but not with 'time > individual_steps'; "
                      "one step for all is usually faster for it",
                      object.name));
  }
  for (const ColliderSetup& collider : world.colliders)
    if (collider.temperature && !any_heat)
      reading.note(places.scene,
                   fmt::format("collider '{}' has a temperature, but no matter has 'heat'", collider.name));

  for (const RegionSetup& region : world.regions) {
    const BehaviourInfo* info = find_behaviour(region.behaviour);
    const auto has = [&](const ObjectSetup& object) {
      return std::ranges::any_of(object.tracks, [&](const Track& track) { return track.behaviour == info->name; });
    };
    if (std::ranges::none_of(world.objects, has))
      reading.note(places.scene, fmt::format("{} '{}' has no effect: no matter has '{}'", info->regions.one,
                                             region.name, info->name));
  }

  for (const EmitterSetup& emitter : world.emitters) {
    const float spacing = world.objects[emitter.object].spacing, width = 2 * emitter.radius;
    if (emitter.kind == EmitterKind::disc && width < spacing)
      reading.note(
          places.scene,
          fmt::format("the opening of emitter '{}' is {:.3g} m wide, less than the spacing of {:.3g} m: single "
                      "particles leave it one after the other; a jet needs a spacing of {:.2g} m or less",
                      emitter.name, width, spacing, width / 4));
  }

  const Box extent = extent_of(world);
  if (extent.empty() || !extent.finite()) return;
  if (const float size = extent.size().head(world.dimension).maxCoeff(); size > large)
    reading.note(places.scene,
                 fmt::format("the scene is {:.3g} m long; if these are centimetres, write \"{:.3g} cm\" or "
                             "{:.3g}: plain numbers are in metres",
                             size, size, 0.01f * size));
}

}  // namespace fondue
