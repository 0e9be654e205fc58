// Materials, objects and emitters: where matter is and what it does.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scene/key_doubts.h"
#include "scene/scene_reader.h"
#include "scene/suggest.h"
#include "scene/toml_text.h"

namespace fondue {

namespace {

/// What matter with these behaviours usually looks like: the last of the registry that says so.
Look usual_look(const std::vector<Track>& tracks) {
  Look look = Look::paint;
  for (const RegisteredBehaviour& registered : behaviour_registry())
    for (const Track& track : tracks) {
      if (track.behaviour != registered.info->name || !registered.info->look) continue;
      const char* name = registered.info->look(track);
      const auto& names = keys::look::look.choices;
      if (name) look = static_cast<Look>(std::ranges::find(names, std::string_view(name)) - names.begin());
    }
  return look;
}

/// The initial values that are given.
InitialValues initial_values(const Values& values, const Parameter* InitialValue::*of) {
  InitialValues result;
  for (const RegisteredBehaviour& registered : behaviour_registry())
    for (const InitialValue& initial : registered.info->initial_values)
      if (values.given(*(initial.*of))) result.set(*initial.column, values.number(*(initial.*of)));
  return result;
}

}  // namespace

void SceneReader::read_materials() {
  const Node* materials = root_.find("materials");
  if (!materials) return;
  if (!materials->table()) {
    reading_.mistakes.add(materials->place, "'materials' needs tables: begin each with [materials.NAME]");
    return;
  }
  for (const Entry& entry : *materials->table()) {
    TableReader reader(entry.node, fmt::format("material '{}'", entry.key), plane(), reading_);
    const Values look = read_look(entry.node, reader);
    TrackSet set = read_tracks(reader, plane(), reading_);
    reader.finish();
    effective_ += fmt::format("\n[materials.{}]\n", toml_key(entry.key));
    for (const std::string& line : toml_entries(keys::look::all, look)) effective_ += line + '\n';
    materials_[entry.key] = {set, look};
    doubtful_.unused_materials[entry.key] = entry.place;
    for (BehaviourTracks& behaviour : set)
      for (Values& values : behaviour.tracks)
        values = with_defaults(behaviour.parameters(), std::move(values), plane());
    effective_ += toml_tables(set, "materials." + toml_key(entry.key));
  }
}

const SceneReader::Material& SceneReader::material(const std::string& name, const Place& place,
                                                   const std::string& where) {
  static const Material none;
  doubtful_.unused_materials.erase(name);
  if (const auto found = materials_.find(name); found != materials_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [material_name, any] : materials_) known.push_back(material_name);
  const std::string hint = known.empty() ? "; there is no [materials.NAME]" : suggestion(name, known);
  reading_.mistakes.add(place, fmt::format("'material' in {} names an unknown material '{}'{}", where, name, hint));
  return none;
}

SceneReader::Matter SceneReader::read_matter(const Node& node, TableReader& table, const TrackSet& own,
                                             const Values& own_look) {
  const Parameter& key = keys::object::material;
  const Node *one = node.find(key.name), *list = node.find(keys::object::materials.name);
  if (list && one) {
    table.wrong(keys::object::materials.name, "and 'material' exclude each other: give one of them");
    return {};
  }
  if (list) return read_listed(*list, table.where(), own, own_look);
  const Material& made_of = one && one->text() ? material(*one->text(), one->place, table.where()) : Material{};
  Matter matter;
  TrackSet set = merged(made_of.tracks, own);
  complete(set, table.where(), plane(), reading_);
  matter.tracks = tracks_of(set);
  matter.look = made_of.look;
  if (const std::string need = unmet_need(matter.tracks); !need.empty()) table.wrong(key.name, need);
  doubt_keys(set, table.where(), reading_);
  // What the object changes of its material.
  std::erase_if(set, [&](const BehaviourTracks& behaviour) {
    return std::none_of(own.begin(), own.end(), [&](const auto& mine) { return mine.info == behaviour.info; });
  });
  matter.own = std::move(set);
  return matter;
}

SceneReader::Matter SceneReader::read_listed(const Node& node, const std::string& where, const TrackSet& own,
                                             const Values& own_look) {
  Matter matter;
  matter.list = read_material_list(node, where, reading_);
  matter.own = own;
  std::vector<TrackSet> sets;
  std::vector<Values> looks;
  const std::size_t before = reading_.mistakes.count();
  for (const ListedMaterial& listed : matter.list) {
    const Material& made_of = material(listed.share.material, listed.place, where);
    const std::string whose = fmt::format("{} > material '{}'", where, listed.share.material);
    TrackSet& set = sets.emplace_back(merged(made_of.tracks, own));
    complete(set, whose, plane(), reading_);
    const std::vector<Track> tracks = tracks_of(set);
    if (const std::string need = unmet_need(tracks); !need.empty())
      reading_.mistakes.add(listed.place, fmt::format("'material' in {} {}", whose, need));
    Values& look = looks.emplace_back(made_of.look);
    if (!look.given(keys::look::look))
      look.set(keys::look::look, Keyable<float>(static_cast<float>(usual_look(tracks))));
  }
  if (matter.list.empty() || reading_.mistakes.count() != before) return matter;
  const TrackSet set = combined(matter.list, sets, where, reading_);
  matter.tracks = tracks_of(set);
  matter.look = combined_look(matter.list, looks, own_look, where, reading_);
  doubt_keys(set, where, reading_);
  return matter;
}

void SceneReader::read_object(const Node& node, const std::string& where) {
  namespace k = keys::object;
  TableReader reader(node, where, plane(), reading_);
  const auto initial_keys = sections::initial_value_keys(&InitialValue::of_objects);
  Values values = fondue::merged(initial_keys, reader.values(k::own), reader.given(initial_keys));
  const Values look = read_look(node, reader);
  const TrackSet own = read_tracks(reader, plane(), reading_);
  const Node* shape_node = reader.part(keys::common::shape);
  const auto read = shape(shape_node, where);
  if (!reader.part(k::materials) && !node.find(k::material.name)) reader.missing("material' or 'materials");
  reader.finish();
  if (read) need_finite(*read, *shape_node, where);

  ObjectSetup object;
  object.name = values.text(keys::common::name);
  object.filling = static_cast<Filling>(values.choice(k::filling));
  if (!values.given(keys::common::spacing)) values.set(keys::common::spacing, Keyable<float>(scene_.world.spacing));
  object.spacing = values.constant(keys::common::spacing);
  object.velocity = values.vector(keys::motion::velocity).at(0);
  object.angular_velocity = values.vector(k::angular_velocity).at(0);
  object.initial = initial_values(values, &InitialValue::of_objects);
  if (values.given(k::density)) object.density = values.constant(k::density);
  if (values.given(k::thickness)) object.thickness = values.constant(k::thickness);

  const Matter matter = read_matter(node, reader, own, look);
  object.tracks = matter.tracks;
  check_density(reader, object, values);
  if (read) object.shape = read->shape;

  write(sections::objects(), fondue::merged(keys::look::all, values, look));
  if (read) write(keys::common::shape.name, read->toml);
  if (!matter.list.empty()) write(k::materials.name, toml_list(matter.list));
  effective_ += toml_tables(matter.own, "objects");
  add_object(std::move(object), matter, look, node, shape_node ? shape_node->place : node.place);
}

Values SceneReader::read_look(const Node& node, TableReader& table) {
  for (const Parameter* parameter : keys::look::all) table.key(parameter->name);
  // A colour has three numbers also where positions have two.
  const Values values = TableReader(node, table.where(), false, reading_).given(keys::look::all);
  const Parameter& skin = keys::look::skin;
  if (plane() && values.given(skin) && static_cast<Skin>(values.choice(skin)) != Skin::extracted)
    table.wrong(skin.name, "must be \"extracted\" in two dimensions");
  return values;
}

LookSetup SceneReader::look_of(const Values& values, Look usual) {
  namespace k = keys::look;
  LookSetup look;
  look.look = usual;
  if (values.given(k::look)) {
    const Keyable<float> given = values.number(k::look);
    look.look = static_cast<Look>(given.values().front());
    if (!given.constant()) {
      std::vector<float> places;
      for (const float one : given.values()) {
        places.push_back(static_cast<float>(look.sequence.size()));
        look.sequence.push_back(static_cast<Look>(one));
      }
      look.place = {given.curve().with(std::move(places)), given.over()};
    }
  }
  if (values.given(k::skin)) look.skin = static_cast<Skin>(values.choice(k::skin));
  if (values.given(k::grains_per_particle))
    look.grains_per_particle = static_cast<int>(values.constant(k::grains_per_particle));
  // Where materials differ in them, these have a value at every key of the look.
  if (values.given(k::colour)) {
    const Keyable<Vec3> given = values.vector(k::colour);
    if (given.constant())
      look.colour = given.at(0);
    else
      for (const Vec3& one : given.values())
        look.sequence_colours.push_back(one.allFinite() ? std::optional(one) : std::nullopt);
  }
  if (values.given(k::clarity)) {
    const Keyable<float> given = values.number(k::clarity);
    if (given.constant())
      look.clarity = given.at(0);
    else
      for (const float one : given.values())
        look.sequence_clarities.push_back(std::isfinite(one) ? std::optional(one) : std::nullopt);
  }
  return look;
}

void SceneReader::add_object(ObjectSetup object, const Matter& matter, const Values& own, const Node& node,
                             const Place& place) {
  namespace k = keys::look;
  const Values values = fondue::merged(k::all, matter.look, own);
  scene_.looks.push_back(look_of(values, usual_look(object.tracks)));
  std::vector<MaterialShare>& shares = scene_.materials.emplace_back();
  for (const ListedMaterial& listed : matter.list) shares.push_back(listed.share);
  scene_.world.objects.push_back(std::move(object));
  object_places_.push_back(place);
  const Node* named = node.find(keys::object::material.name);
  if (!named) named = node.find(keys::object::materials.name);
  material_places_.push_back(named ? named->place : node.place);
}

/// An object has one density: that of a behaviour, or its own.
void SceneReader::check_density(TableReader& table, const ObjectSetup& object, const Values& values) {
  if (!values.given(keys::object::density)) return;
  for (const Track& track : object.tracks)
    if (const BehaviourInfo* info = find_behaviour(track.behaviour); info && info->rest_density)
      table.wrong(keys::object::density.name,
                  fmt::format("is for objects without a rest density; this one has '{} > {}'", info->name,
                              info->rest_density->name));
}

Index SceneReader::object_named(TableReader& table, const std::string& name, const Parameter& key) {
  const std::vector<std::string> known = object_names();
  const auto found = std::find(known.begin(), known.end(), name);
  if (found != known.end()) return static_cast<Index>(found - known.begin());
  table.wrong(key.name, fmt::format("names an unknown object '{}'{}", name, suggestion(name, known)));
  return 0;
}

/// The object an emitter's particles belong to: one that is there, or one of its own.
void SceneReader::emitted_object(const Node& node, TableReader& table, const Values& values, EmitterSetup& emitter) {
  namespace k = keys::emitter;
  const bool joins = values.given(k::object), listed = node.find(keys::object::materials.name);
  if (joins && (listed || values.given(k::material)))
    return table.wrong(k::object.name, fmt::format("and '{}' exclude each other: give one of them",
                                                   listed ? keys::object::materials.name : k::material.name));
  if (!joins && !listed && !node.find(k::material.name)) return table.missing("material', 'materials' or 'object");
  if (joins) {
    emitter.object = object_named(table, values.text(k::object), k::object);
    if (values.given(keys::common::spacing)) table.wrong(keys::common::spacing.name, "is that of the object it joins");
    const std::vector<ObjectSetup>& objects = scene_.world.objects;
    if (emitter.object >= objects.size()) return;
    const ObjectSetup& joined = objects[emitter.object];
    for (const InitialValues::Entry& entry : emitter.initial.entries())
      if (const char* column = entry.column->name; !joined.initial.find(column))
        table.wrong(column, fmt::format("needs an object with a {}, '{}' has none", column, joined.name));
    for (const InitialValues::Entry& entry : joined.initial.entries()) {
      if (emitter.initial.find(entry.column->name)) continue;
      if (!entry.value.constant()) table.missing(entry.column->name);
      emitter.initial.set(*entry.column, entry.value);
    }
    return;
  }
  ObjectSetup object;
  object.name = emitter.name;
  object.spacing = values.constant(keys::common::spacing);
  for (const InitialValues::Entry& entry : emitter.initial.entries())
    object.initial.set(*entry.column, Keyable<float>(entry.value.at(0)));
  const Matter matter = read_matter(node, table, {}, {});
  object.tracks = matter.tracks;
  if (!matter.list.empty()) write(keys::object::materials.name, toml_list(matter.list));
  const std::vector<std::string> names = object_names();
  if (std::find(names.begin(), names.end(), object.name) != names.end())
    table.wrong(keys::common::name.name, fmt::format("must differ from that of object '{}'", object.name));
  emitter.object = static_cast<Index>(scene_.world.objects.size());
  add_object(std::move(object), matter, {}, node, node.place);
}

/// Fixes an emitter to a collider or rigid body.
void SceneReader::attach(TableReader& table, const std::string& name, EmitterSetup& emitter) {
  const Parameter& key = keys::emitter::body;
  const std::vector<std::string> known = solid_names();
  const auto found = std::ranges::find(known, name);
  if (found == known.end())
    return table.wrong(key.name,
                       fmt::format("names an unknown collider or body '{}'{}", name, suggestion(name, known)));
  if (emitter.kind == EmitterKind::box)
    return table.wrong(key.name, "is for kind \"disc\" or \"surface\"; a box does not move");
  emitter.body = static_cast<Index>(found - known.begin());
  if (emitter.kind != EmitterKind::surface || emitter.shape) return;
  const ColliderSetup& body = scene_.world.colliders[*emitter.body];
  if (!body.shape) return;
  if (body.shape->sequence())
    return table.wrong(key.name,
                       fmt::format("names '{}', whose shape changes over time: only discs can be fixed to it", name));
  if (body.container.empty() && !body.shape->bounds().size().head(reading_.dimension).allFinite())
    return table.wrong(key.name,
                       fmt::format("names '{}', whose surface has no end; give a 'shape' in its frame", name));
  emitter.shape = body.shape;
}

void SceneReader::read_emitter(const Node& node, const std::string& where) {
  namespace k = keys::emitter;
  TableReader reader(node, where, plane(), reading_);
  Values values = reader.values(sections::emitters().parameters);
  reader.part(keys::object::materials);
  const Node* shape_node = reader.part(k::shape);
  const auto read = shape(shape_node, where);
  reader.finish();
  const bool own_object = !values.given(k::object);
  if (own_object && !values.given(keys::common::spacing))
    values.set(keys::common::spacing, Keyable<float>(scene_.world.spacing));
  write(sections::emitters(), values);
  if (read) write(k::shape.name, read->toml);

  EmitterSetup emitter;
  emitter.name = values.text(keys::common::name);
  emitter.kind = static_cast<EmitterKind>(values.choice(k::kind));
  emitter.centre = values.vector(k::centre);
  if (values.given(k::radius)) emitter.radius = values.constant(k::radius);
  if (read) emitter.shape = read->shape;
  emitter.direction = values.vector(k::direction);
  emitter.speed = values.number(k::speed);
  if (values.given(k::rate)) emitter.rate = values.number(k::rate);
  if (values.given(k::rate_per_area)) {
    emitter.rate = values.number(k::rate_per_area);
    emitter.rate_per_area = true;
    if (values.given(k::rate)) reader.wrong(k::rate_per_area.name, "is given beside 'rate'; give one of them");
  }
  emitter.initial = initial_values(values, &InitialValue::of_emitters);
  emitter.on = values.number(keys::common::on);
  if (!values.text(k::body).empty()) attach(reader, values.text(k::body), emitter);
  if (!values.text(k::sheet).empty()) {
    emitter.sheet = object_named(reader, values.text(k::sheet), k::sheet);
    const std::vector<ObjectSetup>& objects = scene_.world.objects;
    if (emitter.kind != EmitterKind::surface)
      reader.wrong(k::sheet.name, "is for kind \"surface\"");
    else if (shape_node || node.find(k::body.name))
      reader.wrong(k::sheet.name, "is given beside a shape or a body; give one of them");
    else if (*emitter.sheet < objects.size() && !objects[*emitter.sheet].sheet() && objects[*emitter.sheet].shape)
      reader.wrong(k::sheet.name, fmt::format("names '{}', which is no sheet; give that a 'thickness', or name a sheet",
                                              objects[*emitter.sheet].name));
  }
  if (values.given(k::most)) emitter.most = static_cast<Index>(values.integer(k::most));

  if (emitter.kind == EmitterKind::disc) {
    if (!node.find(k::radius.name)) reader.missing(k::radius.name);
    if (shape_node) reader.wrong(k::shape.name, "is for kind \"box\" or \"surface\"; a disc has a centre and a radius");
  } else {
    const bool on_surface = emitter.kind == EmitterKind::surface;
    if (!shape_node && !(on_surface && (node.find(k::body.name) || emitter.sheet)))
      reader.missing(on_surface ? "shape', 'body' or 'sheet" : k::shape.name);
    if (node.find(k::radius.name)) reader.wrong(k::radius.name, "is for kind \"disc\"; the others have a shape");
    // The effective scene has the default written out.
    if (!emitter.centre.constant() || !emitter.centre.at(0).isZero(0))
      reader.wrong(k::centre.name, "is for kind \"disc\"; the others have a shape");
    if (read) need_finite(*read, *shape_node, where);
  }
  for (const Vec3& direction : emitter.direction.values())
    if (direction.isZero(0)) reader.wrong(k::direction.name, "must not be 0");
  emitted_object(node, reader, values, emitter);
  doubt_keys_while_off(node, where, sections::emitters().parameters, values, emitter.on, "it is off", reading_);
  scene_.world.emitters.push_back(std::move(emitter));
}

}  // namespace fondue
