#include "behaviours/pore_material.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "behaviours/porous.h"
#include "behaviours/sand.h"

namespace fondue {

namespace {

/// A fluid that flows by itself: it keeps its volume by a pressure and is not porous.
bool is_free_fluid(const MatterOutline::Object& object) {
  bool fluid = false;
  for (const Track& track : object.tracks) {
    const BehaviourInfo* info = find_behaviour(track.behaviour);
    fluid |= info && info->rest_density;
    if (info == &Porous::description) return false;
  }
  return fluid;
}

/// The object whose fluid a porous one takes, or none.
Index fluid_of(const MatterOutline& matter, const Values& values) {
  const std::string name = values.text(Porous::fluid);
  for (Index o = 0; o != matter.objects.size(); ++o)
    if (is_free_fluid(matter.objects[o]) && (name.empty() || name == matter.objects[o].name)) return o;
  return PoreSite::none;
}

}  // namespace

float rest_density_of(const MatterOutline::Object& object) {
  for (const Track& track : object.tracks)
    if (const BehaviourInfo* info = find_behaviour(track.behaviour); info && info->rest_density)
      return track.values.number(*info->rest_density).at(0);
  return 0;
}

std::vector<PoreMaterial> pore_materials(const Properties& properties, const MatterOutline& matter) {
  std::vector<PoreMaterial> result(properties.objects());
  for (Index o = 0; o != properties.objects(); ++o) {
    if (properties.tracks(o).empty()) continue;
    const Values& values = properties.tracks(o).front().values;
    const auto number = [&](const Parameter& parameter) { return static_cast<double>(values.constant(parameter)); };
    PoreMaterial& own = result[o];
    own.fluid = fluid_of(matter, values);
    own.fluid_density = own.fluid == PoreSite::none ? number(Porous::fluid_density)
                                                    : static_cast<double>(rest_density_of(matter.objects[own.fluid]));
    own.porosity = number(Porous::porosity);
    own.alpha = number(Porous::capillary_exponent);
    own.beta = number(Porous::flow_exponent);
    own.viscosity = number(Porous::viscosity);
    own.pressure_constant = number(Porous::pore_pressure_constant);
  }
  return result;
}

void check_pores(const MatterOutline& matter, const ReportMistake& report) {
  std::vector<std::string> fluids;
  for (const MatterOutline::Object& object : matter.objects)
    if (is_free_fluid(object)) fluids.push_back(object.name);
  for (Index o = 0; o != matter.objects.size(); ++o) {
    const MatterOutline::Object& object = matter.objects[o];
    const Track* own = nullptr;
    bool body = false;
    for (const Track& track : object.tracks) {
      const BehaviourInfo* info = find_behaviour(track.behaviour);
      if (info == &Porous::description) own = &track;
      // Solid matter has bonds, or meets other bodies by contact.
      body |= info && (info->substep_bonds || info->brings || info == &Sand::description);
    }
    if (!own) {
      if (object.has(columns::saturation.name))
        report(o, "has a saturation, but no pores; add 'porous' to its material, or remove 'saturation'");
      continue;
    }
    if (!body)
      report(o,
             "has 'porous', which needs a body that has the pores; add 'elastic', 'cloth' or 'sand' to its material");
    const std::string name = own->values.text(Porous::fluid);
    if (!name.empty() && std::ranges::find(fluids, name) == fluids.end())
      report(o,
             fmt::format("takes up '{}', which is no fluid of the scene; {}", name,
                         fluids.empty() ? "there is none" : fmt::format("there is '{}'", fmt::join(fluids, "', '"))));
    if (name.empty() && fluids.size() > 1)
      report(o,
             fmt::format("has 'porous', and the scene has several fluids; say which it takes up: porous = {{ fluid = "
                         "\"{}\" }}",
                         fluids.front()));
  }
}

}  // namespace fondue
