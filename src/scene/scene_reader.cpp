#include "scene/scene_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scene/geometry_checks.h"
#include "scene/toml_text.h"
#include "world/matter_checks.h"

namespace fondue {

SceneReader::SceneReader(const Node& root, const std::string& path, Reading& reading)
    : root_(root), empty_{root.place, Node::Table{}}, path_(path), reading_(reading) {}

Scene SceneReader::read() {
  TableReader known(root_, "the scene", false, reading_);
  for (const char* name : {"scene", "time", "domain", "materials", "objects", "colliders", "bodies", "joints",
                           "emitters", "sinks", "pins", "probes", "picture", "flames", "surface", "output"})
    known.key(name);
  for (const sections::Regions& of : sections::regions()) known.key(of.behaviour->regions.section);
  known.finish();

  read_scene();
  read_time();
  read_domain();
  read_materials();
  each("objects", "object", &SceneReader::read_object);
  each("colliders", "collider", &SceneReader::read_collider);
  each("bodies", "body", &SceneReader::read_body);
  each("joints", "joint", &SceneReader::read_joint);
  each("emitters", "emitter", &SceneReader::read_emitter);
  each("sinks", "sink", &SceneReader::read_sink);
  for (const sections::Regions& of : sections::regions())
    each(of.behaviour->regions.section, of.behaviour->regions.one,
         [&](const Node& node, const std::string& where) { read_region(node, where, of); });
  each("pins", "pin", &SceneReader::read_pin);
  each("probes", "probe", &SceneReader::read_probe);
  read_picture();
  each("flames", "flame", &SceneReader::read_flame);
  read_surface();
  read_output();
  check_whole();
  scene_.effective = effective_;
  scene_.notes = reading_.notes;
  return std::move(scene_);
}

const Node& SceneReader::table(const char* section) const {
  const Node* node = root_.find(section);
  return node ? *node : empty_;
}

void SceneReader::each(const char* section, const char* one,
                       const std::function<void(const Node&, const std::string&)>& reader) {
  const Node* list = root_.find(section);
  if (!list) return;
  if (!list->list()) {
    reading_.mistakes.add(list->place, fmt::format("'{0}' needs a list: begin each with [[{0}]]", section));
    return;
  }
  std::string several = section;
  std::ranges::replace(several, '_', ' ');
  std::set<std::string> names;
  int number = 0;
  for (const Node& node : *list->list()) {
    ++number;
    const Node* name = node.find("name");
    const bool named = name && name->text();
    const std::string where = named ? fmt::format("{} '{}'", one, *name->text()) : fmt::format("{} {}", one, number);
    if (named && !names.insert(*name->text()).second)
      reading_.mistakes.add(name->place,
                            fmt::format("there are two {} named '{}'; names must be unique", several, *name->text()));
    reader(node, where);
  }
}

std::optional<ReadShape> SceneReader::shape(const Node* node, const std::string& where) {
  return node ? read_shape(*node, where + " > shape", reading_) : std::nullopt;
}

SceneReader::ShapedTable SceneReader::read_shaped(const Node& node, const std::string& where, const Section& section,
                                                  const Part& part) {
  TableReader reader(node, where, plane(), reading_);
  Values values = reader.values(section.parameters);
  std::optional<ReadShape> read = shape(reader.part(part), where);
  reader.finish();
  write(section, values);
  if (read) write(part.name, read->toml);
  return {std::move(reader), std::move(values), std::move(read)};
}

void SceneReader::need_finite(const ReadShape& shape, const Node& node, const std::string& where) {
  const Box bounds = shape.shape->bounds();
  if (!bounds.size().head(reading_.dimension).allFinite())
    reading_.mistakes.add(node.place, fmt::format("the shape of {} has no end; it must have one to be filled", where));
}

std::vector<std::string> SceneReader::object_names() const {
  std::vector<std::string> names;
  for (const ObjectSetup& object : scene_.world.objects) names.push_back(object.name);
  return names;
}

std::vector<std::string> SceneReader::collider_names() const {
  std::vector<std::string> names;
  for (const ColliderSetup& collider : scene_.world.colliders)
    if (!collider.rigid) names.push_back(collider.name);
  return names;
}

std::vector<std::string> SceneReader::solid_names() const {
  std::vector<std::string> names;
  for (const ColliderSetup& collider : scene_.world.colliders) names.push_back(collider.name);
  return names;
}

void SceneReader::write(const Section& section, const Values& values) {
  effective_ += fmt::format("{}{}\n", effective_.empty() ? "" : "\n", section.header);
  for (const std::string& entry : toml_entries(section.parameters, values)) effective_ += entry + '\n';
}

/// What behaviours find wrong with their tracks.
void SceneReader::check_matter() {
  check_matter_of(scene_.world, [&](Index object, const std::string& what) {
    reading_.mistakes.add(material_places_[object],
                          fmt::format("object '{}' {}", scene_.world.objects[object].name, what));
  });
  const auto columns = columns_of(scene_.world);
  for (std::size_t o = 0; o != scene_.looks.size(); ++o)
    if (const Keyable<float>& place = scene_.looks[o].place; place.over_attribute() && !columns.contains(place.over()))
      reading_.mistakes.add(material_places_[o],
                            fmt::format("object '{}' has a look over '{}', which no behaviour of the scene makes",
                                        scene_.world.objects[o].name, place.over()));
}

/// What no section can tell by itself.
void SceneReader::check_whole() {
  const WorldSetup& world = scene_.world;
  const auto absent = [&](const char* section) {
    const Node* node = root_.find(section);
    return !node || (node->list() && node->list()->empty());
  };
  if (absent("objects") && absent("emitters") && absent("bodies"))
    reading_.mistakes.add(root_.place, "the scene has no matter: it needs [[objects]], [[emitters]] or [[bodies]]");
  check_geometry(world, object_places_, reading_.mistakes);
  check_pins(world, pin_places_, reading_.mistakes);
  check_matter();
  doubtful_.objects = object_places_;
  doubtful_.scene = table("scene").place;
  if (reading_.mistakes.count() == 0) add_doubts(world, doubtful_, reading_);
}

}  // namespace fondue
