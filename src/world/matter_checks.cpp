#include "world/matter_checks.h"

#include <fmt/format.h>

#include <optional>
#include <set>

namespace fondue {

namespace {

/// Behaviours that read or write a column.
bool uses(const BehaviourInfo& info, std::string_view column) {
  return std::ranges::find(info.reads, column) != info.reads.end() ||
         std::ranges::find(info.writes, column) != info.writes.end();
}

/// The object's particles have this column.
bool has(const MatterOutline::Object& object, std::string_view column) {
  const auto everywhere = every_particles_columns();
  if (object.has(column) || std::ranges::find(everywhere, column) != everywhere.end()) return true;
  return std::ranges::any_of(object.tracks, [&](const Track& track) {
    const BehaviourInfo* info = find_behaviour(track.behaviour);
    return info && uses(*info, column);
  });
}

/// A curve over an attribute that the object does not have can have no effect.
void check_curves(const MatterOutline::Object& object, Index number, const ReportMistake& report) {
  for (const Track& track : object.tracks)
    for (const CurveOver& curve : curves_over_attributes(track)) {
      if (has(object, curve.over)) continue;
      std::string givers;
      for (const RegisteredBehaviour& registered : behaviour_registry())
        if (uses(*registered.info, curve.over))
          givers += fmt::format("{}'{}'", givers.empty() ? "" : " or ", registered.info->name);
      report(number, fmt::format("has a curve of '{} > {}' over '{}', but it has no {}; give it one, or add {}",
                                 track.behaviour, curve.parameter, curve.over, curve.over, givers));
    }
}

/// What has melted has no triangles any more that could hold it together again.
void check_return(const ObjectSetup& object, Index number, const ReportMistake& report) {
  std::set<double> keys;
  std::vector<const Keyable<float>*> sheet, fluid;
  for (const Track& track : object.tracks) {
    const BehaviourInfo* info = find_behaviour(track.behaviour);
    if (!info || (!info->of_sheets && !info->rest_density)) continue;
    if (track.weight.over_attribute()) return;
    (info->of_sheets ? sheet : fluid).push_back(&track.weight);
    keys.insert(track.weight.curve().keys().begin(), track.weight.curve().keys().end());
  }
  const auto any = [](const std::vector<const Keyable<float>*>& weights, double time) {
    return std::ranges::any_of(weights, [&](const Keyable<float>* weight) { return weight->at(time) > 0; });
  };
  std::optional<double> melted;
  for (const double time : keys) {
    if (!melted && !any(sheet, time) && any(fluid, time)) melted = time;
    if (melted && any(sheet, time)) {
      report(number, fmt::format("is a sheet that has melted at {} s and is to be one again by {} s: its triangles are "
                                 "gone by then; let another object take its place",
                                 *melted, time));
      return;
    }
  }
}

/// Some behaviours are for sheets only, others not for sheets.
void check_thinness(const ObjectSetup& object, Index number, const ReportMistake& report) {
  for (const Track& track : object.tracks) {
    const BehaviourInfo* info = find_behaviour(track.behaviour);
    if (!info || info->of_sheets == object.sheet()) continue;
    if (info->of_sheets)
      report(number, fmt::format("has '{}', which is for sheets; give it a 'thickness' and a shape that is a surface "
                                 "(other matter has no triangles between its particles, so it cannot turn into one)",
                                 info->name));
    else if (info->least_layers > 1)
      report(number, fmt::format("is a sheet, which cannot have '{}': one layer of particles is no body that keeps its "
                                 "shape; take 'shell', or remove its 'thickness'",
                                 info->name));
    else if (info->rest_density && track.weight.constant())
      report(number, fmt::format("is a sheet, which cannot have '{}' from the start: a sheet melts where the weight of "
                                 "its cloth or shell falls to 0 and that of '{}' rises; give both a weight that "
                                 "changes, or remove '{}' or its 'thickness'",
                                 info->name, info->name, info->name));
  }
  if (object.sheet()) check_return(object, number, report);
}

}  // namespace

MatterOutline outline_of(const WorldSetup& setup) {
  MatterOutline matter;
  matter.individual_steps = setup.individual_steps;
  for (const RegionSetup& region : setup.regions) matter.regions.push_back(region.behaviour);
  for (const ObjectSetup& object : setup.objects) {
    MatterOutline::Object& outline =
        matter.objects.emplace_back(MatterOutline::Object{object.name, object.tracks, object.spacing, {}});
    for (const InitialValues::Entry& entry : object.initial.entries()) outline.initial.push_back(entry.column->name);
  }
  return matter;
}

void check_matter_of(const WorldSetup& setup, const ReportMistake& report) {
  const MatterOutline matter = outline_of(setup);
  for (Index o = 0; o != matter.objects.size(); ++o) check_curves(matter.objects[o], o, report);
  for (Index o = 0; o != setup.objects.size(); ++o) check_thinness(setup.objects[o], o, report);
  for (const RegisteredBehaviour& registered : behaviour_registry())
    if (registered.info->check) registered.info->check(matter, report);
}

}  // namespace fondue
