#include "scene/reading.h"

#include "behaviours/behaviour.h"
#include "behaviours/heat.h"

namespace fondue {

std::vector<std::string> every_particles_columns() {
  return {columns::position.name, columns::velocity.name, columns::acceleration.name, columns::id.name,
          columns::object.name,   columns::volume.name,   columns::support.name,      columns::mass.name};
}

std::vector<std::string> known_columns() {
  std::set<std::string> names = {columns::temperature.name};
  for (std::string& name : every_particles_columns()) names.insert(std::move(name));
  for (const RegisteredBehaviour& behaviour : behaviour_registry()) {
    names.insert(behaviour.info->reads.begin(), behaviour.info->reads.end());
    names.insert(behaviour.info->writes.begin(), behaviour.info->writes.end());
  }
  return {names.begin(), names.end()};
}

std::set<std::string, std::less<>> columns_of(const WorldSetup& world) {
  std::set<std::string, std::less<>> names;
  for (std::string& name : every_particles_columns()) names.insert(std::move(name));
  for (const ObjectSetup& object : world.objects)
    for (const Track& track : object.tracks)
      for (const RegisteredBehaviour& behaviour : behaviour_registry())
        if (track.behaviour == behaviour.info->name) {
          names.insert(behaviour.info->reads.begin(), behaviour.info->reads.end());
          names.insert(behaviour.info->writes.begin(), behaviour.info->writes.end());
        }
  return names;
}

}  // namespace fondue
