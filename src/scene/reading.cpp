#include "scene/reading.h"

#include "behaviours/behaviour.h"

namespace fondue {

std::vector<std::string> known_columns() {
  std::set<std::string> names;
  for (const std::string_view name : every_particles_columns()) names.emplace(name);
  for (const RegisteredBehaviour& behaviour : behaviour_registry()) {
    names.insert(behaviour.info->reads.begin(), behaviour.info->reads.end());
    names.insert(behaviour.info->writes.begin(), behaviour.info->writes.end());
  }
  return {names.begin(), names.end()};
}

std::set<std::string, std::less<>> columns_of(const WorldSetup& world) {
  std::set<std::string, std::less<>> names;
  for (const std::string_view name : every_particles_columns()) names.emplace(name);
  for (const ObjectSetup& object : world.objects) {
    for (const InitialValues::Entry& entry : object.initial.entries()) names.insert(entry.column->name);
    for (const Track& track : object.tracks)
      if (const BehaviourInfo* info = find_behaviour(track.behaviour)) {
        names.insert(info->reads.begin(), info->reads.end());
        names.insert(info->writes.begin(), info->writes.end());
      }
  }
  return names;
}

}  // namespace fondue
