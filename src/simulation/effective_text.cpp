#include "simulation/effective_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scene/sections.h"
#include "scene/toml_text.h"
#include "scene/tracks.h"

namespace fondue {

namespace {

/// The text of one table, from its header to its last line.
using Tables = std::vector<std::string>;

Tables split(const std::string& text) {
  Tables tables;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t next = std::min(text.find("\n[", begin), text.size());
    tables.push_back(text.substr(begin, next - begin));
    while (tables.back().ends_with('\n')) tables.back().pop_back();
    begin = next + 1;
  }
  return tables;
}

constexpr std::string_view material_key = "\nmaterial = ";

/// The value of `material = ...` in a section, as it is written there; empty if there is none.
std::string material_of(const std::string& section) {
  const std::size_t at = section.find(material_key);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + material_key.size();
  return section.substr(begin, section.find('\n', begin) - begin);
}

/// Where the object is written: its own section, or that of the emitter that makes it.
Tables::iterator section_of(Tables& tables, Index object) {
  for (const char* header : {sections::objects().header, sections::emitters().header})
    for (auto section = tables.begin(); section != tables.end(); ++section)
      if (section->starts_with(header) && !material_of(*section).empty() && object-- == 0) return section;
  throw InputError("the effective scene does not have all objects");
}

std::string track_tables(const std::vector<Track>& tracks, const std::string& material) {
  TrackSet set;
  for (const RegisteredBehaviour& registered : behaviour_registry()) {
    BehaviourTracks behaviour{registered.info, {}, {}};
    for (const Track& track : tracks)
      if (track.behaviour == registered.info->name) {
        behaviour.tracks.push_back(track.values);
        behaviour.tracks.back().set(keys::weight, track.weight);
      }
    if (!behaviour.tracks.empty()) set.push_back(std::move(behaviour));
  }
  return toml_tables(set, "materials." + material);
}

}  // namespace

std::string effective_with_tracks(const Scene& scene, Index object) {
  if (scene.effective.empty()) return {};
  const ObjectSetup& changed = scene.world.objects[object];
  const std::string name = changed.name + ", changed while running", key = toml_key(name);
  Tables tables = split(scene.effective);

  // The object takes its own material and says nothing else about its behaviours.
  auto section = section_of(tables, object);
  const std::string before = material_of(*section);
  section->replace(section->find(material_key) + material_key.size(), before.size(), toml_string(name));
  const auto own = std::find_if(section + 1, tables.end(), [](const std::string& table) {
    return !table.starts_with("[objects.") && !table.starts_with("[[objects.");
  });
  tables.erase(section + 1, own);

  // The material keeps its look. One that an earlier change made is replaced.
  std::string look;
  std::erase_if(tables, [&](const std::string& table) {
    for (const std::string& old_key : {before, before.substr(1, before.size() - 2)})
      if (const std::string header = fmt::format("[materials.{}]", old_key); table.starts_with(header))
        look = table.substr(header.size());
    return table.starts_with(fmt::format("[materials.{}]", key)) ||
           table.starts_with(fmt::format("[materials.{}.", key)) ||
           table.starts_with(fmt::format("[[materials.{}.", key));
  });
  std::string material = fmt::format("[materials.{}]{}\n{}", key, look, track_tables(changed.tracks, key));
  while (material.ends_with('\n')) material.pop_back();
  const auto matter = std::find_if(tables.begin(), tables.end(), [](const std::string& table) {
    return table.starts_with(sections::objects().header) || table.starts_with(sections::emitters().header);
  });
  tables.insert(matter, material);
  return fmt::format("{}\n", fmt::join(tables, "\n\n"));
}

}  // namespace fondue
