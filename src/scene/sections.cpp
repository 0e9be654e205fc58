#include "scene/sections.h"

namespace fondue::sections {

namespace {

constexpr Part region_parts[] = {keys::common::shape};

std::deque<Regions> make_regions() {
  std::deque<Regions> result;
  for (const RegisteredBehaviour& registered : behaviour_registry()) {
    const RegionDeclaration& declared = registered.info->regions;
    if (!declared.section) continue;
    Regions& of = result.emplace_back(Regions{registered.info, "[[" + std::string(declared.section) + "]]", {}, {}});
    of.parameters = {&keys::common::name};
    of.parameters.insert(of.parameters.end(), declared.parameters.begin(), declared.parameters.end());
    for (const Parameter* common :
         {&keys::motion::position, &keys::motion::rotation, &keys::motion::pivot, &keys::common::on})
      of.parameters.push_back(common);
    of.section = {of.header.c_str(), declared.help, of.parameters, region_parts};
  }
  return result;
}

}  // namespace

const std::deque<Regions>& regions() {
  static const std::deque<Regions> result = make_regions();
  return result;
}

const std::vector<const Section*>& all() {
  static const std::vector<const Section*> result = [] {
    std::vector<const Section*> list = {&scene,     &time,   &domain, &materials, &objects,
                                        &colliders, &bodies, &joints, &emitters,  &sinks};
    for (const Regions& of : regions()) list.push_back(&of.section);
    for (const Section* section : {&pins, &probes, &picture, &surface, &output}) list.push_back(section);
    return list;
  }();
  return result;
}

}  // namespace fondue::sections
