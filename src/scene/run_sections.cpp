// The sections that occur once per file, and the probes.

#include <fmt/format.h>

#include <algorithm>

#include "scene/scene_reader.h"
#include "scene/suggest.h"
#include "scene/toml_text.h"

namespace fondue {

namespace {

Vec3 constant(const Values& values, const Parameter& parameter) { return values.vector(parameter).at(0); }

}  // namespace

void SceneReader::read_scene() {
  namespace k = keys::scene;
  TableReader reader(table("scene"), "[scene]", false, reading_);
  Values values = reader.values(k::all);
  reader.finish();
  if (!values.given(k::name)) values.set(k::name, std::filesystem::path(path_).stem().string());
  write(sections::scene, values);

  scene_.name = values.text(k::name);
  scene_.help = values.text(k::help);
  WorldSetup& world = scene_.world;
  world.dimension = reading_.dimension = values.integer(k::dimension);
  world.spacing = values.given(k::spacing) ? values.constant(k::spacing) : 0;
  world.support_ratio = values.constant(k::support_ratio);
  world.kernel = static_cast<KernelShape>(values.choice(k::kernel));
  world.seed = static_cast<unsigned>(values.integer(k::seed));
}

void SceneReader::read_time() {
  namespace k = keys::time;
  TableReader reader(table("time"), "[time]", false, reading_);
  const Values values = reader.values(k::all);
  reader.finish();
  write(sections::time, values);

  scene_.duration = readable(values.constant(k::duration));
  scene_.frames_per_second = readable(values.constant(k::frames_per_second));
  reading_.duration = scene_.duration;
  reading_.frames_per_second = scene_.frames_per_second;
  scene_.world.frame_seconds = 1 / scene_.frames_per_second;
  scene_.world.step_factor = values.constant(k::step_factor);
  if (values.given(k::largest_step)) scene_.world.largest_step = values.constant(k::largest_step);
  scene_.world.individual_steps = values.boolean(k::individual_steps);
  if (scene_.duration * scene_.frames_per_second < 0.5)
    reader.wrong(k::duration.name, fmt::format("is shorter than one frame, {} s", 1 / scene_.frames_per_second));
}

void SceneReader::read_domain() {
  namespace k = keys::domain;
  if (!root_.find("domain")) return;
  TableReader reader(table("domain"), "[domain]", plane(), reading_);
  const Values values = reader.values(k::all);
  const std::vector<std::string> axes = {"x", "y", "z"};
  const int dimension = reading_.dimension;
  const std::vector<std::string> periodic = reader.names(k::periodic, std::span(axes).first(dimension));
  reader.finish();
  write(sections::domain, values);
  write(k::periodic.name, toml_strings(periodic));
  if (!values.given(k::min) || !values.given(k::max)) return;

  WorldSetup& world = scene_.world;
  Box box{constant(values, k::min), constant(values, k::max)};
  // A two-dimensional domain gets some thickness on both sides.
  if (plane()) box.min.z() = -world.spacing, box.max.z() = world.spacing;
  bool proper = true;
  const float reach = 2 * world.support_ratio * world.spacing;
  for (int axis = 0; axis != dimension; ++axis) {
    if (!(box.min[axis] < box.max[axis])) {
      reader.wrong(k::max.name, fmt::format("must be above 'min' along {}", axes[axis]));
      proper = false;
    }
    for (const std::string& name : periodic)
      if (name == axes[axis]) {
        world.periodic[axis] = true;
        if (proper && box.max[axis] - box.min[axis] < reach)
          reader.wrong(k::periodic.name,
                       fmt::format("along {} needs a domain of at least two support radii, {} m", name, reach));
      }
  }
  if (proper) world.domain = box;
}

void SceneReader::read_probe(const Node& node, const std::string& where) {
  namespace k = keys::probe;
  TableReader reader(node, where, plane(), reading_);
  Values values = reader.values(k::all);
  reader.finish();

  ProbeSetup probe;
  probe.name = values.text(keys::common::name);
  probe.kind = static_cast<ProbeKind>(values.choice(k::kind));
  const Vec3 up = plane() ? Vec3(0, 1, 0) : Vec3(0, 0, 1);
  if (!values.given(k::direction))
    values.set(k::direction, Keyable<Vec3>(probe.kind == ProbeKind::height ? up : Vec3(1, 0, 0)));
  write(sections::probes, values);
  probe.position = constant(values, k::position);
  probe.direction = constant(values, k::direction);
  probe.of = values.text(k::of);
  if (probe.direction.isZero(0)) reader.wrong(k::direction.name, "must not be 0");
  if (values.given(k::kind)) {
    const bool pressure = probe.kind == ProbeKind::pressure, front = probe.kind == ProbeKind::front;
    const bool force = probe.kind == ProbeKind::force || pressure;
    const std::vector<std::string> known = force ? solid_names() : object_names();
    if (force && probe.of.empty())
      reader.wrong(k::of.name,
                   fmt::format("must name the collider or body the {} acts on", pressure ? "pressure" : "force") +
                       suggestion("", known));
    else if (!force && !front && !probe.of.empty())
      reader.wrong(k::of.name, "is for fronts, forces and pressures only");
    else if (!probe.of.empty() && std::find(known.begin(), known.end(), probe.of) == known.end())
      reader.wrong(k::of.name, fmt::format("names an unknown {} '{}'{}", force ? "collider" : "object", probe.of,
                                           suggestion(probe.of, known)));
    for (const Parameter* key : {&k::radius, &k::response})
      if (!pressure && values.given(*key)) reader.wrong(key->name, "is for pressures only");
    if (pressure) read_transducer(values, reader, probe);
  }
  scene_.probes.push_back(probe);
}

/// It lies on a surface, and is not smaller than what particles can resolve.
void SceneReader::read_transducer(const Values& values, TableReader& reader, ProbeSetup& probe) {
  namespace k = keys::probe;
  const float spacing = scene_.world.spacing;
  probe.radius = values.given(k::radius) ? values.constant(k::radius) : 2 * spacing;
  probe.response = values.given(k::response) ? values.constant(k::response) : 0;
  if (probe.radius < spacing)
    reader.wrong(k::radius.name, fmt::format("is smaller than the spacing of {} m: there would be no particle in the "
                                             "disc most of the time; without a radius it is two spacings",
                                             spacing));
  const auto& solids = scene_.world.colliders;
  const auto body = std::ranges::find(solids, probe.of, &ColliderSetup::name);
  if (body == solids.end() || !body->shape) return;
  if (body->shape->sequence())
    return reader.wrong(k::of.name, "names a body that changes its shape; a pressure is measured on one that keeps it");
  const float away = std::abs(body->shape->distance(pose_at(body->motion, 0).to_local(probe.position)));
  if (away > spacing)
    reader.wrong(
        k::position.name,
        fmt::format("is {:.3g} m away from the surface of '{}', on which the pressure is measured", away, probe.of));
}

void SceneReader::read_picture() {
  namespace k = keys::picture;
  TableReader reader(table("picture"), "[picture]", false, reading_);
  const Values values = reader.values(k::all);
  reader.finish();
  write(sections::picture, values);

  PictureSetup& picture = scene_.picture;
  picture.width = values.integer(k::width);
  picture.height = values.integer(k::height);
  picture.colour_by = values.text(k::colour_by);
  picture.map = k::map_names[values.choice(k::map)];
  picture.field_of_view = values.number(k::field_of_view);
  picture.orbit = values.number(k::orbit);
  picture.surroundings = static_cast<Surroundings>(values.choice(k::surroundings));
  picture.aperture = values.number(k::aperture);
  if (values.given(k::focus)) picture.focus = values.vector(k::focus);
  picture.shutter = values.constant(k::shutter);
  picture.shutter_samples = values.integer(k::shutter_samples);
  if (plane() && !(picture.orbit.constant() && picture.orbit.at(0) == 0))
    reader.wrong(k::orbit.name, "is for three dimensions");
  if (std::find(reading_.columns.begin(), reading_.columns.end(), picture.colour_by) == reading_.columns.end())
    reader.wrong(k::colour_by.name, fmt::format("names an unknown column '{}'{}", picture.colour_by,
                                                suggestion(picture.colour_by, reading_.columns)));
  const auto both = [&](const Parameter& one, const Parameter& other) {
    if (values.given(one) != values.given(other))
      reader.wrong(values.given(one) ? one.name : other.name,
                   fmt::format("needs '{}' too", values.given(one) ? other.name : one.name));
    return values.given(one) && values.given(other);
  };
  if (both(k::min, k::max)) {
    picture.min = values.constant(k::min);
    picture.max = values.constant(k::max);
    if (!(picture.min < picture.max)) reader.wrong(k::max.name, "must be above 'min'");
  }
  if (both(k::eye, k::target)) {
    picture.eye = values.vector(k::eye);
    picture.target = values.vector(k::target);
    for (const std::vector<double>& keys : {picture.eye->curve().keys(), picture.target->curve().keys()})
      for (const double time : keys)
        if (picture.eye->at(time) == picture.target->at(time)) {
          reader.wrong(k::eye.name, "must differ from 'target'");
          break;
        }
  }
}

void SceneReader::read_flame(const Node& node, const std::string& where) {
  namespace k = keys::flame;
  TableReader reader(node, where, plane(), reading_);
  const Values values = reader.values(k::all);
  reader.finish();
  write(sections::flames, values);
  scene_.flames.push_back({values.text(keys::common::name), values.vector(k::position), values.number(k::height),
                           values.number(keys::common::on)});
}

void SceneReader::read_surface() {
  namespace k = keys::surface;
  TableReader reader(table("surface"), "[surface]", false, reading_);
  const Values values = reader.values(k::all);
  SurfaceSetup& surface = scene_.surface;
  surface.attributes = reader.names(k::attributes, reading_.columns);
  reader.finish();
  write(sections::surface, values);
  write(k::attributes.name, toml_strings(surface.attributes));
  surface.field = static_cast<SurfaceField>(values.choice(k::field));
  surface.cell = values.constant(k::cell);
  surface.smoothing = values.integer(k::smoothing);
  surface.smallest_piece = values.constant(k::smallest_piece);
}

void SceneReader::read_output() {
  TableReader reader(table("output"), "[output]", false, reading_);
  scene_.columns = reader.names(keys::output::columns, reading_.columns);
  reader.finish();
  write(sections::output, {});
  write(keys::output::columns.name, toml_strings(scene_.columns));
}

}  // namespace fondue
