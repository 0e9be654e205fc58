// Colliders, sinks, regions and pins: what matter meets.

#include <fmt/format.h>

#include "bodies/endless.h"
#include "scene/key_doubts.h"
#include "scene/scene_reader.h"
#include "scene/suggest.h"
#include "shapes/combine.h"

namespace fondue {

namespace {

Motion motion_of(const Values& values) {
  namespace k = keys::motion;
  return {values.vector(k::position), radians(values.vector(k::rotation)), values.vector(k::pivot).at(0)};
}

}  // namespace

ColliderSetup SceneReader::solid_of(ShapedTable& table) {
  namespace k = keys::collider;
  auto& [reader, values, read] = table;
  ColliderSetup solid;
  solid.name = values.text(keys::common::name);
  solid.motion = motion_of(values);
  if (values.given(k::spacing)) solid.spacing = values.constant(k::spacing);
  solid.slip = values.number(k::slip);
  solid.bounce = values.constant(k::bounce);
  solid.friction = values.constant(k::friction);
  if (values.given(k::temperature)) solid.temperature = values.number(k::temperature);
  solid.roughness = values.number(k::roughness);
  solid.stickiness = values.number(k::stickiness);
  solid.visible = values.boolean(k::visible);
  if (read) solid.shape = read->shape;
  if (const std::string faults = read ? read->shape->faults() : ""; !faults.empty())
    reader.wrong(keys::common::shape.name,
                 fmt::format("has a mesh that is no clean solid: {}. Repair it, or say how to take it: inside = "
                             "\"solid\" closes holes, turns it outward and leaves out triangles without area; "
                             "\"sheet\" makes it a surface without inside",
                             faults));
  std::optional<LookSetup>& look = scene_.solid_looks.emplace_back();
  if (values.given(keys::look::look) || values.given(keys::look::colour) || values.given(keys::look::clarity))
    look = look_of(values, Look::clay);
  return solid;
}

void SceneReader::read_collider(const Node& node, const std::string& where) {
  namespace k = keys::collider;
  ShapedTable table = read_shaped(node, where, sections::colliders);
  auto& [reader, values, read] = table;
  ColliderSetup collider = solid_of(table);
  collider.surface_velocity = values.vector(k::surface_velocity);
  const auto endless = read ? EndlessShape::of(*read->shape, plane() ? 2 : 3) : std::nullopt;
  if (const auto normal = endless ? endless->normal() : std::nullopt)
    for (const Vec3& v : collider.surface_velocity.values())
      if (const double across = v.cast<double>().dot(*normal); std::abs(across) > 1e-3 * v.norm()) {
        reader.wrong(
            k::surface_velocity.name,
            fmt::format("is [{}, {}, {}], of which {:.3g} m/s are across the surface, whose normal is [{:.3g}, "
                        "{:.3g}, {:.3g}]: a surface moves only along itself; 'position' moves the whole",
                        v.x(), v.y(), v.z(), across, normal->x(), normal->y(), normal->z()));
        break;
      }
  if (read && values.boolean(k::container)) {
    collider.container = read->shape->bounds();
    if (plane()) collider.container.min.z() = collider.container.max.z() = 0;
    collider.shape = make_complement(read->shape);
  }
  scene_.world.colliders.push_back(std::move(collider));
}

void SceneReader::read_region(const Node& node, const std::string& where, const sections::Regions& of) {
  auto [reader, values, read] = read_shaped(node, where, of.section, of.section.parts.front());
  if (of.place) {
    const std::string name = values.text(*of.place);
    if (!name.empty() && read) reader.wrong(of.place->name, "is given beside 'shape'; give one of them");
    if (name.empty() && !node.find(keys::common::shape.name))
      reader.missing(fmt::format("{}' or '{}", keys::common::shape.name, of.place->name).c_str());
    const bool object = std::string_view(of.place->name) == keys::pin::object.name;
    const std::vector<std::string> known = object ? object_names() : solid_names();
    const auto found = std::ranges::find(known, name);
    if (!name.empty() && found == known.end())
      reader.wrong(of.place->name, fmt::format("names an unknown {} '{}'{}", object ? "object" : "collider or body",
                                               name, suggestion(name, known)));
    else if (!name.empty())
      values.set(*of.place, Keyable<float>(static_cast<float>(found - known.begin())));
  }
  doubt_keys_while_off(node, where, of.section.parameters, values, values.number(keys::common::on), "it is off",
                       reading_);
  scene_.world.regions.push_back({values.text(keys::common::name), of.behaviour->name, read ? read->shape : nullptr,
                                  motion_of(values), values.number(keys::common::on), values});
}

void SceneReader::read_pin(const Node& node, const std::string& where) {
  namespace k = keys::pin;
  auto table = read_shaped(node, where, sections::pins, k::shape);
  auto& [reader, values, read] = table;
  PinSetup pin;
  pin.name = values.text(keys::common::name);
  pin.motion = motion_of(values);
  pin.on = values.number(keys::common::on);
  if (read) pin.shape = read->shape;
  doubt_keys_while_off(node, where, k::all, values, pin.on, "it is off", reading_);
  const auto find = [&](const Parameter& key, const std::vector<std::string>& known) -> std::optional<Index> {
    const std::string name = values.text(key);
    if (name.empty()) return std::nullopt;
    const auto found = std::ranges::find(known, name);
    if (found != known.end()) return static_cast<Index>(found - known.begin());
    const std::vector<std::string> solids = solid_names();
    if (&key == &k::collider && std::ranges::find(solids, name) != solids.end())
      reader.wrong(key.name,
                   fmt::format("names '{}', a rigid body: pins follow colliders, whose motion is given", name));
    else
      reader.wrong(key.name, fmt::format("names an unknown {} '{}'{}", key.name, name, suggestion(name, known)));
    return std::nullopt;
  };
  pin.collider = find(k::collider, collider_names());
  pin.object = find(k::object, object_names());
  const bool named = !values.text(k::collider).empty();
  if (named && reader.part(k::shape)) reader.wrong(k::shape.name, "is given beside 'collider'; give one of them");
  if (!named && !reader.part(k::shape)) reader.wrong(k::shape.name, "is missing: give a shape or a collider");
  if (named && !pin.motion.still())
    reader.wrong(keys::motion::position.name, "is for pins with a shape; this one moves with its collider");
  scene_.world.pins.push_back(std::move(pin));
  pin_places_.push_back(node.place);
}

void SceneReader::read_sink(const Node& node, const std::string& where) {
  const auto [reader, values, read] = read_shaped(node, where, sections::sinks);
  scene_.world.sinks.push_back(
      {values.text(keys::common::name), read ? read->shape : nullptr, values.number(keys::common::on)});
}

}  // namespace fondue
