#include "scene/sections.h"

namespace fondue::sections {

namespace {

constexpr Part region_parts[] = {keys::common::shape};
constexpr Part optional_shape{.name = "shape", .form = "a shape", .help = "where it is"};
constexpr Part optional_region_parts[] = {optional_shape};

std::deque<Regions> make_regions() {
  std::deque<Regions> result;
  for (const RegisteredBehaviour& registered : behaviour_registry()) {
    const RegionDeclaration& declared = registered.info->regions;
    if (!declared.section) continue;
    Regions& of =
        result.emplace_back(Regions{registered.info, "[[" + std::string(declared.section) + "]]", {}, nullptr, {}});
    of.parameters = {&keys::common::name};
    of.parameters.insert(of.parameters.end(), declared.parameters.begin(), declared.parameters.end());
    for (const Parameter* common :
         {&keys::motion::position, &keys::motion::rotation, &keys::motion::pivot, &keys::common::on})
      of.parameters.push_back(common);
    // Those that can be an object or a body instead need no shape.
    of.place = nullptr;
    for (const Parameter* parameter : declared.parameters)
      if (parameter->kind == Parameter::Kind::text) of.place = parameter;
    of.section = {of.header.c_str(), declared.help, of.parameters,
                  of.place ? std::span<const Part>(optional_region_parts) : region_parts};
  }
  return result;
}

/// A section with its own keys, those of initial values, and some more.
struct MatterSection {
  std::vector<const Parameter*> parameters;
  Section section;

  MatterSection(const Section& basis, const Parameter* InitialValue::*of, std::span<const Parameter* const> more = {})
      : parameters(basis.parameters.begin(), basis.parameters.end()), section(basis) {
    const std::vector<const Parameter*> initial = initial_value_keys(of);
    parameters.insert(parameters.end(), initial.begin(), initial.end());
    parameters.insert(parameters.end(), more.begin(), more.end());
    section.parameters = parameters;
  }
};

}  // namespace

std::vector<const Parameter*> initial_value_keys(const Parameter* InitialValue::*of) {
  std::vector<const Parameter*> keys;
  for (const RegisteredBehaviour& registered : behaviour_registry())
    for (const InitialValue& initial : registered.info->initial_values) keys.push_back(initial.*of);
  return keys;
}

const Section& objects() {
  static const MatterSection result(
      {"[[objects]]",
       "Matter that exists from the start. Behaviours given here override or extend those of its material, parameter "
       "by parameter.",
       keys::object::own, keys::object::parts, true},
      &InitialValue::of_objects, keys::look::all);
  return result.section;
}

const Section& emitters() {
  static const MatterSection result(
      {"[[emitters]]", "Sources of particles during the run.", keys::emitter::own, keys::emitter::parts},
      &InitialValue::of_emitters);
  return result.section;
}

const std::deque<Regions>& regions() {
  static const std::deque<Regions> result = make_regions();
  return result;
}

const std::vector<const Section*>& all() {
  static const std::vector<const Section*> result = [] {
    std::vector<const Section*> list = {&scene,     &time,   &domain, &materials,  &objects(),
                                        &colliders, &bodies, &joints, &emitters(), &sinks};
    for (const Regions& of : regions()) list.push_back(&of.section);
    for (const Section* section : {&pins, &probes, &picture, &flames, &surface, &output}) list.push_back(section);
    return list;
  }();
  return result;
}

}  // namespace fondue::sections
