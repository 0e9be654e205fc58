#include "scene/reading.h"

#include <set>

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

}  // namespace fondue
