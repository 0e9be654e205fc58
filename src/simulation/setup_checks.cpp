#include "simulation/setup_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "behaviours/behaviour.h"
#include "scene/geometry_checks.h"
#include "scene/reading.h"
#include "scene/sections.h"
#include "scene/suggest.h"
#include "scene/tracks.h"
#include "simulation/value_checks.h"
#include "world/matter_checks.h"

namespace fondue {

namespace {

using List = std::vector<std::string>;

std::string unknown_behaviour(const std::string& name) {
  List known;
  for (const RegisteredBehaviour& registered : behaviour_registry()) known.push_back(registered.info->name);
  return fmt::format("unknown behaviour '{}'{}", name, suggestion(name, known));
}

/// What was given is a declared parameter, of the declared kind.
void check_names(const BehaviourInfo& info, const Values& values, ValueChecks& checks) {
  using Kind = Parameter::Kind;
  List known;
  for (const Parameter* p : info.parameters) known.push_back(p->name);
  for (const auto& [name, kind] : values.kinds()) {
    if (name == keys::weight.name) continue;
    const auto p = std::find_if(info.parameters.begin(), info.parameters.end(),
                                [&, &n = name](const Parameter* declared) { return declared->name == n; });
    if (p == info.parameters.end()) {
      checks.wrong(fmt::format("unknown parameter '{}'{}", name, suggestion(name, known)));
      continue;
    }
    const Kind declared = (*p)->kind == Kind::vector || (*p)->kind == Kind::text ? (*p)->kind : Kind::number;
    constexpr auto words = [](Kind k) { return k == Kind::vector ? "vector" : k == Kind::text ? "text" : "number"; };
    if (kind != declared) checks.wrong(**p, fmt::format("is a {}, got a {}", words(declared), words(kind)));
  }
}

void check_track(const BehaviourInfo& info, const Track& track, const ValueChecks::Columns& columns,
                 ValueChecks& checks) {
  check_names(info, track.values, checks);
  checks.check(keys::weight, track.weight, columns);
  for (const Parameter* p : info.parameters) {
    if (!track.values.given(*p)) {
      if (p->required) checks.wrong(fmt::format("needs '{}'", p->name));
    } else if (p->kind == Parameter::Kind::vector) {
      checks.check(*p, track.values.vector(*p), columns);
    } else if (p->kind != Parameter::Kind::text) {
      checks.check(*p, track.values.number(*p), columns);
    }
  }
}

/// Numbers blend between tracks that cross-fade, choices do not.
void check_blending(const BehaviourInfo& info, const std::vector<Track>& tracks, ValueChecks& checks) {
  if (info.tracks_add) return;
  const Track& first = *std::ranges::find(tracks, std::string(info.name), &Track::behaviour);
  for (const Parameter* p : info.parameters) {
    if (p->kind != Parameter::Kind::choice) continue;
    for (const Track& track : tracks)
      if (track.behaviour == info.name && track.values.choice(*p) != first.values.choice(*p)) {
        checks.wrong(*p, "differs between tracks that cross-fade, and choices cannot blend; give all the same");
        break;
      }
  }
}

void check_names_are_unique(const char* kind, const auto& things, List& mistakes) {
  std::set<std::string> names;
  for (const auto& thing : things) {
    if (thing.name.empty()) mistakes.push_back(fmt::format("{} {} has no name", kind, names.size() + 1));
    if (!names.insert(thing.name).second && !thing.name.empty())
      mistakes.push_back(fmt::format("there are two {}s named '{}'; names must be unique", kind, thing.name));
  }
}

/// The numbers of a world as a whole.
void check_whole(const Scene& scene, List& mistakes) {
  const WorldSetup& world = scene.world;
  ValueChecks checks("scene", world.dimension, mistakes);
  checks.check(keys::scene::dimension, Keyable<float>(static_cast<float>(world.dimension)));
  checks.check(keys::scene::spacing, Keyable<float>(world.spacing));
  checks.check(keys::scene::support_ratio, Keyable<float>(world.support_ratio));
  checks.check(keys::time::step_factor, Keyable<float>(world.step_factor));
  checks.check(keys::time::frames_per_second, Keyable<float>(static_cast<float>(scene.frames_per_second)));
  checks.check(keys::time::duration, Keyable<float>(static_cast<float>(scene.duration)));
  if (world.largest_step != infinity) checks.check(keys::time::largest_step, Keyable<float>(world.largest_step));
  for (int axis = 0; axis != 3; ++axis) {
    const std::string name = fmt::format("the domain along {}", "xyz"[axis]);
    if (world.periodic[axis] && !world.domain) checks.wrong(name + " is periodic, but there is no domain");
    if (!world.domain || axis >= world.dimension) continue;
    const float size = world.domain->size()[axis], least = 2 * world.support_ratio * world.spacing;
    if (!(size > 0)) checks.wrong(name + " must have its maximum above its minimum");
    if (world.periodic[axis] && size < least)
      checks.wrong(fmt::format("{} is periodic and needs at least two support radii, {} m", name, least));
  }
}

/// Initial values that scene files have a key for are in its range.
void check_initial(const InitialValues& initial, const Parameter* InitialValue::*of, ValueChecks& checks) {
  for (const RegisteredBehaviour& registered : behaviour_registry())
    for (const InitialValue& value : registered.info->initial_values)
      if (const Keyable<float>* given = initial.find(value.column->name)) checks.check(*(value.*of), *given);
}

void check_objects(const WorldSetup& world, List& mistakes) {
  const auto rigid = [](const ColliderSetup& collider) { return collider.rigid.has_value(); };
  if (world.objects.empty() && world.emitters.empty() && std::ranges::none_of(world.colliders, rigid))
    mistakes.push_back("the scene has no matter: it needs an object, an emitter or a rigid body");
  check_names_are_unique("object", world.objects, mistakes);
  for (Index o = 0; o != world.objects.size(); ++o) {
    const ObjectSetup& object = world.objects[o];
    ValueChecks checks(fmt::format("object '{}'", object.name), world.dimension, mistakes);
    checks.check(keys::common::spacing, Keyable<float>(object.spacing));
    checks.check(keys::motion::velocity, Keyable<Vec3>(object.velocity));
    checks.check(keys::object::angular_velocity, Keyable<Vec3>(object.angular_velocity));
    checks.check(keys::object::density, Keyable<float>(object.density));
    check_initial(object.initial, &InitialValue::of_objects, checks);
    const bool emitted = std::ranges::count(world.emitters, o, &EmitterSetup::object) != 0;
    if (!object.shape && !emitted) checks.wrong("has no shape and no emitter makes it");
    if (object.shape && !object.shape->bounds().size().head(world.dimension).allFinite())
      checks.wrong("its shape has no end; it must have one to be filled");
  }
}

/// Overlaps and objects without particles.
void check_places(const WorldSetup& world, List& mistakes) {
  // These checks are written for files, with the line of every mistake; here there are none.
  Mistakes geometry;
  const Place nowhere{std::make_shared<const std::string>(), 0, 0};
  check_geometry(world, std::vector<Place>(world.objects.size(), nowhere), geometry);
  check_pins(world, std::vector<Place>(world.pins.size(), nowhere), geometry);
  try {
    geometry.raise();
  } catch (const SceneError& error) {
    for (const SceneMistake& mistake : error.mistakes) mistakes.push_back(mistake.message);
  }
}

void check_rigid(const WorldSetup& world, const ColliderSetup& body, ValueChecks& checks) {
  namespace k = keys::body;
  const RigidSetup& rigid = *body.rigid;
  if (!rigid.density == !rigid.mass) checks.wrong("needs a density or a mass, and not both");
  if (rigid.density) checks.check(k::density, Keyable<float>(*rigid.density));
  if (rigid.mass) checks.check(k::mass, Keyable<float>(*rigid.mass));
  checks.check(k::gravity, rigid.gravity);
  checks.check(k::velocity, Keyable<Vec3>(rigid.velocity));
  checks.check(k::angular_velocity, Keyable<Vec3>(rigid.angular_velocity));
  checks.check(k::dynamic, rigid.dynamic);
  if (world.individual_steps) checks.wrong("is rigid, and rigid bodies need one time step for all particles");
  if (!body.shape) return;
  if (const std::string unfit = unfit_for_a_body(body, world); !unfit.empty()) checks.wrong("its shape " + unfit);
}

void check_colliders(const WorldSetup& world, List& mistakes) {
  namespace k = keys::collider;
  check_names_are_unique("collider", world.colliders, mistakes);
  for (const ColliderSetup& collider : world.colliders) {
    ValueChecks checks(fmt::format("collider '{}'", collider.name), world.dimension, mistakes);
    if (!collider.shape) checks.wrong("has no shape");
    checks.check(keys::motion::position, collider.motion.position);
    checks.check(keys::motion::rotation, collider.motion.rotation);
    checks.check(keys::motion::pivot, Keyable<Vec3>(collider.motion.pivot));
    checks.check(k::surface_velocity, collider.surface_velocity);
    if (collider.spacing > 0) checks.check(k::spacing, Keyable<float>(collider.spacing));
    checks.check(k::slip, collider.slip);
    checks.check(k::bounce, Keyable<float>(collider.bounce));
    checks.check(k::roughness, collider.roughness);
    checks.check(k::stickiness, collider.stickiness);
    checks.check(k::friction, Keyable<float>(collider.friction));
    if (collider.temperature) checks.check(k::temperature, *collider.temperature);
    if (collider.rigid) check_rigid(world, collider, checks);
  }
  check_names_are_unique("joint", world.joints, mistakes);
  for (const JointSetup& joint : world.joints) {
    namespace j = keys::joint;
    ValueChecks checks(fmt::format("joint '{}'", joint.name), world.dimension, mistakes);
    const auto there = [&](Index body) { return body < world.colliders.size(); };
    if (!there(joint.body) || !world.colliders[joint.body].rigid)
      checks.wrong("its body is not there or no rigid body");
    if (joint.to && (!there(*joint.to) || *joint.to == joint.body)) checks.wrong("what it is joined to is not there");
    checks.check(j::anchor, Keyable<Vec3>(joint.anchor));
    if (joint.axis.isZero(0) || !joint.axis.allFinite()) checks.wrong(j::axis, "must be finite and not 0");
    if (joint.speed) checks.check(j::speed, *joint.speed);
    if (!(joint.strength >= 0)) checks.wrong(j::strength, "must be at least 0");
    checks.check(keys::common::on, joint.on);
  }
}

void check_emitters(const WorldSetup& world, List& mistakes) {
  namespace k = keys::emitter;
  check_names_are_unique("emitter", world.emitters, mistakes);
  for (const EmitterSetup& emitter : world.emitters) {
    ValueChecks checks(fmt::format("emitter '{}'", emitter.name), world.dimension, mistakes);
    if (emitter.object >= world.objects.size())
      checks.wrong(fmt::format("its particles join object {}, but there are only {} objects", emitter.object,
                               world.objects.size()));
    if (emitter.kind == EmitterKind::disc)
      checks.check(k::radius, Keyable<float>(emitter.radius));
    else if (!emitter.shape && !emitter.sheet)
      checks.wrong("has no shape; only a disc does without");
    if (emitter.body && *emitter.body >= world.colliders.size()) checks.wrong("names a body that is not there");
    if (emitter.body && emitter.kind == EmitterKind::box)
      checks.wrong("is fixed to a body, which only a disc or a surface can be");
    checks.check(k::centre, emitter.centre);
    checks.check(k::direction, emitter.direction);
    for (const Vec3& direction : emitter.direction.values())
      if (direction.isZero(0)) checks.wrong(k::direction, "must not be 0");
    checks.check(k::speed, emitter.speed);
    const bool as_it_passes = emitter.rate.constant() && emitter.rate.at(0) < 0;
    if (!as_it_passes) checks.check(k::rate, emitter.rate);
    check_initial(emitter.initial, &InitialValue::of_emitters, checks);
    checks.check(keys::common::on, emitter.on);
  }
}

void check_regions(const WorldSetup& world, List& mistakes) {
  for (const SinkSetup& sink : world.sinks) {
    ValueChecks checks(fmt::format("sink '{}'", sink.name), world.dimension, mistakes);
    if (!sink.shape) checks.wrong("has no shape");
    checks.check(keys::common::on, sink.on);
  }
  check_names_are_unique("pin", world.pins, mistakes);
  for (const PinSetup& pin : world.pins) {
    ValueChecks checks(fmt::format("pin '{}'", pin.name), world.dimension, mistakes);
    if (!pin.shape == !pin.collider) checks.wrong("needs a shape or a collider");
    if (pin.collider && *pin.collider >= world.colliders.size()) checks.wrong("names a collider that is not there");
    if (pin.collider && *pin.collider < world.colliders.size() && world.colliders[*pin.collider].rigid)
      checks.wrong("follows a rigid body; pins follow colliders only");
    if (pin.object && *pin.object >= world.objects.size()) checks.wrong("names an object that is not there");
    checks.check(keys::motion::position, pin.motion.position);
    checks.check(keys::motion::rotation, pin.motion.rotation);
    checks.check(keys::common::on, pin.on);
  }
  for (const RegionSetup& region : world.regions) {
    ValueChecks checks(fmt::format("region '{}'", region.name), world.dimension, mistakes);
    checks.check(keys::motion::position, region.motion.position);
    checks.check(keys::motion::rotation, region.motion.rotation);
    checks.check(keys::common::on, region.on);
    const BehaviourInfo* info = find_behaviour(region.behaviour);
    if (!info || !info->regions.section) {
      checks.wrong(fmt::format("is for '{}', which is no behaviour with regions", region.behaviour));
      continue;
    }
    bool placed = region.shape != nullptr;
    for (const Parameter* p : info->regions.parameters) {
      if (p->kind == Parameter::Kind::text)
        placed |= region.values.numbers().contains(p->name);
      else if (region.values.given(*p))
        checks.check(*p, region.values.number(*p));
      else if (p->required)
        checks.wrong(fmt::format("needs '{}'", p->name));
    }
    if (!placed) checks.wrong("has no shape");
  }
}

}  // namespace

void complete_tracks(std::vector<Track>& tracks, int dimension) {
  for (Track& track : tracks)
    if (const BehaviourInfo* info = find_behaviour(track.behaviour))
      track.values = with_defaults(info->parameters, std::move(track.values), dimension == 2);
}

std::vector<std::string> track_mistakes(const WorldSetup& setup) {
  List mistakes;
  const ValueChecks::Columns columns = columns_of(setup);
  for (const ObjectSetup& object : setup.objects) {
    const std::string where = fmt::format("object '{}'", object.name);
    ValueChecks whole(where, setup.dimension, mistakes);
    std::set<const BehaviourInfo*> seen;
    for (const Track& track : object.tracks) {
      const BehaviourInfo* info = find_behaviour(track.behaviour);
      if (!info) {
        whole.wrong(unknown_behaviour(track.behaviour));
        continue;
      }
      ValueChecks checks(where + " > " + track.behaviour, setup.dimension, mistakes);
      check_track(*info, track, columns, checks);
      if (seen.insert(info).second) check_blending(*info, object.tracks, checks);
    }
    if (const std::string need = unmet_need(object.tracks); !need.empty()) whole.wrong(need);
  }
  check_matter_of(setup, [&](Index object, const std::string& what) {
    mistakes.push_back(fmt::format("object '{}' {}", setup.objects[object].name, what));
  });
  return mistakes;
}

std::vector<std::string> scene_mistakes(const Scene& scene) {
  List mistakes;
  check_whole(scene, mistakes);
  check_objects(scene.world, mistakes);
  for (std::string& mistake : track_mistakes(scene.world)) mistakes.push_back(std::move(mistake));
  check_colliders(scene.world, mistakes);
  check_emitters(scene.world, mistakes);
  check_regions(scene.world, mistakes);
  // Where things are can be judged only if all numbers are sound.
  if (mistakes.empty()) check_places(scene.world, mistakes);
  return mistakes;
}

void raise(const std::vector<std::string>& mistakes) {
  if (!mistakes.empty()) throw InputError(fmt::format("{}", fmt::join(mistakes, "\n")));
}

}  // namespace fondue
