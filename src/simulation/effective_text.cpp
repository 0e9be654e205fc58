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

constexpr std::string_view material_key = "\nmaterial = ", materials_key = "\nmaterials = ";

/// What follows a key in a section, as it is written there; empty if it is not there.
std::string value_of(const std::string& section, std::string_view key) {
  const std::size_t at = section.find(key);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + key.size();
  return section.substr(begin, section.find('\n', begin) - begin);
}

bool names_material(const std::string& section) {
  return !value_of(section, material_key).empty() || !value_of(section, materials_key).empty();
}

/// Where the object is written: its own section, or that of the emitter that makes it.
Tables::iterator section_of(Tables& tables, Index object) {
  for (const char* header : {sections::objects().header, sections::emitters().header})
    for (auto section = tables.begin(); section != tables.end(); ++section)
      if (section->starts_with(header) && names_material(*section) && object-- == 0) return section;
  throw InputError("the effective scene does not have all objects");
}

std::string track_tables(const std::vector<Track>& tracks, const std::string& material) {
  TrackSet set;
  for (const RegisteredBehaviour& registered : behaviour_registry()) {
    BehaviourTracks behaviour{registered.info, {}, {}, {}};
    for (const Track& track : tracks)
      if (track.behaviour == registered.info->name) {
        behaviour.tracks.push_back(track.values);
        behaviour.tracks.back().set(keys::weight, track.weight);
      }
    if (!behaviour.tracks.empty()) set.push_back(std::move(behaviour));
  }
  return toml_tables(set, "materials." + material);
}

/// The look of an object that had a list of materials, for the one that takes their place.
std::string look_lines(const LookSetup& look) {
  namespace k = keys::look;
  Values values;
  if (look.sequence.empty()) {
    values.set(k::look, Keyable<float>(static_cast<float>(look.look)));
  } else {
    std::vector<float> looks;
    for (const Look one : look.sequence) looks.push_back(static_cast<float>(one));
    values.set(k::look, Keyable<float>(look.place.curve().with(looks), look.place.over()));
  }
  values.set(k::skin, Keyable<float>(static_cast<float>(look.skin)));
  if (look.colour) values.set(k::colour, Keyable<Vec3>(*look.colour));
  if (look.clarity) values.set(k::clarity, Keyable<float>(*look.clarity));
  values.set(k::grains_per_particle, Keyable<float>(static_cast<float>(look.grains_per_particle)));
  return fmt::format("\n{}", fmt::join(toml_entries(k::all, values), "\n"));
}

}  // namespace

std::string effective_with_tracks(const Scene& scene, Index object) {
  if (scene.effective.empty()) return {};
  const ObjectSetup& changed = scene.world.objects[object];
  const std::string name = changed.name + ", changed while running", key = toml_key(name);
  Tables tables = split(scene.effective);

  // The object takes its own material and says nothing else about its behaviours.
  auto section = section_of(tables, object);
  const bool listed = value_of(*section, material_key).empty();
  const std::string_view its_key = listed ? materials_key : material_key;
  const std::string before = value_of(*section, its_key);
  section->erase(section->find(its_key), its_key.size() + before.size());
  // A material is written after the name, a list further below.
  const std::size_t after_name = section->find('\n', section->find("\nname = ") + 1);
  section->insert(after_name, fmt::format("{}{}", material_key, toml_string(name)));
  const auto own = std::find_if(section + 1, tables.end(), [](const std::string& table) {
    return !table.starts_with("[objects.") && !table.starts_with("[[objects.");
  });
  tables.erase(section + 1, own);

  // The material keeps its look. One that an earlier change made is replaced.
  std::string look = listed ? look_lines(scene.looks[object]) : "";
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
