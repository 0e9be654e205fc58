#include "world/matter_checks.h"

#include <fmt/format.h>

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

/// Some behaviours are for sheets only, others not for sheets.
void check_thinness(const ObjectSetup& object, Index number, const ReportMistake& report) {
  for (const Track& track : object.tracks) {
    const BehaviourInfo* info = find_behaviour(track.behaviour);
    if (!info || info->of_sheets == object.sheet()) continue;
    if (info->of_sheets)
      report(number, fmt::format("has '{}', which is for sheets; give it a 'thickness'", info->name));
    else if (info->rest_density || info->least_layers > 1)
      report(number, fmt::format("is a sheet, which cannot have '{}'; remove that or its 'thickness'", info->name));
  }
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
