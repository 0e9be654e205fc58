#include "scene/reading.h"

#include "behaviours/behaviour.h"
#include "scene/scene.h"

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

std::vector<std::string> shown_columns(const std::vector<std::string>& names) {
  const std::vector<std::string> known = known_columns();
  std::vector<std::string> shown;
  for (const std::string& name : names)
    if (std::ranges::count(known, name) && !name.ends_with("_remainder")) shown.push_back(name);
  return shown;
}

std::map<std::string, std::string> column_units() {
  Particles particles;
  for (const RegisteredBehaviour& behaviour : behaviour_registry()) behaviour.make()->require(particles);
  std::map<std::string, std::string> units;
  for (const ColumnView& column : particles.columns()) units[column.name] = column.unit;
  return units;
}

void Reading::note(const Place& place, const std::string& what) {
  const std::string text = SceneMistake{*place.file, place.line, place.column, what}.text();
  if (std::ranges::find(notes, text) == notes.end()) notes.push_back(text);
}

std::string Reading::unit_of(const std::string& attribute) const {
  if (attribute == "x" || attribute == "y" || attribute == "z") return "m";
  const auto found = units.find(attribute);
  return found == units.end() ? "1" : found->second;
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
