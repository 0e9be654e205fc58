#include "simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "particles/copy.h"
#include "scene/suggest.h"
#include "simulation/effective_text.h"
#include "simulation/setup_checks.h"

namespace fondue {

namespace {

/// The scene with everything filled in that follows from the rest; InputError if it has mistakes.
Scene checked(Scene scene) {
  for (ObjectSetup& object : scene.world.objects) complete_tracks(object.tracks, scene.world.dimension);
  scene.world.frame_seconds = 1 / scene.frames_per_second;
  scene.looks.resize(scene.world.objects.size());
  raise(scene_mistakes(scene));
  return scene;
}

std::unique_ptr<World> fresh_world(const WorldSetup& setup, const ProgressReport& report) {
  check_memory(setup);
  return std::make_unique<World>(setup, chosen_pair_loops(), report);
}

std::unique_ptr<World> continued_world(const WorldSetup& setup, Frame state, const ProgressReport& report = {}) {
  if (state.header.dimension != setup.dimension)
    throw InputError(fmt::format("the frame is {}-dimensional, the scene is not", state.header.dimension));
  for (const Index o : state.particles[columns::object])
    if (o >= setup.objects.size())
      throw InputError(
          fmt::format("the frame has particles of object {}, the scene has only {} objects", o, setup.objects.size()));
  return std::make_unique<World>(setup, std::move(state.particles), state.header.state, chosen_pair_loops(), report);
}

/// The number of a behaviour's k-th track among all tracks of its object.
std::size_t track_index(const ObjectSetup& object, std::string_view behaviour, std::size_t k) {
  std::vector<std::string> present;
  std::size_t seen = 0;
  for (std::size_t t = 0; t != object.tracks.size(); ++t) {
    present.push_back(object.tracks[t].behaviour);
    if (object.tracks[t].behaviour == behaviour && seen++ == k) return t;
  }
  if (seen > 0)
    throw InputError(
        fmt::format("object '{}' > {} has no track {}; it has {}, counted from 0", object.name, behaviour, k, seen));
  throw InputError(
      fmt::format("object '{}' has no behaviour '{}'{}", object.name, behaviour, suggestion(behaviour, present)));
}

const Parameter& parameter_named(const std::string& behaviour, std::string_view name) {
  std::vector<std::string> known;
  for (const RegisteredBehaviour& registered : behaviour_registry())
    if (registered.info->name == behaviour)
      for (const Parameter* p : registered.info->parameters) {
        if (p->name == name) return *p;
        known.push_back(p->name);
      }
  throw InputError(fmt::format("{} has no parameter '{}'{}", behaviour, name, suggestion(name, known)));
}

}  // namespace

Simulation::Simulation(Scene scene, const ProgressReport& report)
    : scene_(checked(std::move(scene))), world_(fresh_world(scene_.world, report)) {}

Simulation::Simulation(Scene scene, Frame state, const ProgressReport& report) : scene_(checked(std::move(scene))) {
  frame_ = state.header.frame;
  world_ = continued_world(scene_.world, std::move(state), report);
}

void Simulation::step() {
  const double next = frame_time(frame_ + 1);
  world_->step(next);
  if (world_->time() >= next) ++frame_;
}

bool Simulation::run_to(int frame, const std::function<bool()>& go_on) {
  while (frame_ < frame) {
    step();
    if (go_on && !go_on()) break;
  }
  return frame_ >= frame;
}

std::vector<std::string> Simulation::notes() const {
  std::vector<std::string> notes = scene_.notes;
  notes.insert(notes.end(), world_->notes().begin(), world_->notes().end());
  return notes;
}

std::vector<Vec3> Simulation::visible_solids() const {
  std::vector<Vec3> solids;
  const Walls& walls = world_->bodies().walls();
  for (std::size_t b = 0; b != walls.size(); ++b) {
    const ColliderSetup& collider = world_->setup().colliders[walls.collider[b]];
    if (collider.visible && collider.container.empty()) solids.push_back(walls.position[b]);
  }
  return solids;
}

Index Simulation::object_index(std::string_view name) const {
  std::vector<std::string> known;
  for (const ObjectSetup& object : scene_.world.objects) {
    if (object.name == name) return static_cast<Index>(known.size());
    known.push_back(object.name);
  }
  throw InputError(fmt::format("the scene has no object '{}'{}", name, suggestion(name, known)));
}

const std::vector<Track>& Simulation::tracks(std::string_view object) const {
  return scene_.world.objects[object_index(object)].tracks;
}

template <class T>
void Simulation::set_value(std::string_view object, std::string_view behaviour, std::string_view parameter,
                           Keyable<T> value, std::size_t track) {
  const ObjectSetup& setup = scene_.world.objects[object_index(object)];
  std::vector<Track> changed = setup.tracks;
  Track& one = changed[track_index(setup, behaviour, track)];
  one.values.set(parameter_named(one.behaviour, parameter), std::move(value));
  set_tracks(object, std::move(changed));
}

void Simulation::set(std::string_view object, std::string_view behaviour, std::string_view parameter,
                     Keyable<float> value, std::size_t track) {
  set_value(object, behaviour, parameter, std::move(value), track);
}

void Simulation::set(std::string_view object, std::string_view behaviour, std::string_view parameter,
                     Keyable<Vec3> value, std::size_t track) {
  set_value(object, behaviour, parameter, std::move(value), track);
}

void Simulation::set_weight(std::string_view object, std::string_view behaviour, Keyable<float> weight,
                            std::size_t track) {
  const ObjectSetup& setup = scene_.world.objects[object_index(object)];
  std::vector<Track> changed = setup.tracks;
  changed[track_index(setup, behaviour, track)].weight = std::move(weight);
  set_tracks(object, std::move(changed));
}

void Simulation::set_tracks(std::string_view object, std::vector<Track> tracks) {
  const Index o = object_index(object);
  Scene changed = scene_;
  complete_tracks(tracks, changed.world.dimension);
  changed.world.objects[o].tracks = std::move(tracks);
  raise(track_mistakes(changed.world));
  changed.effective = effective_with_tracks(changed, o);
  // Whatever materials it had, it has one of its own now.
  if (o < changed.materials.size()) changed.materials[o].clear();
  // A world of its own from the present state: exactly what continuing a saved run with the changed scene does.
  world_ = continued_world(changed.world, save().frame());
  scene_ = std::move(changed);
}

FrameHeader Simulation::header() const {
  FrameHeader header;
  header.frame = frame_;
  header.time = world_->time();
  header.step = world_->steps();
  header.dimension = scene_.world.dimension;
  header.spacing = scene_.world.spacing;
  header.scene = scene_.name;
  header.state = world_->state();
  return header;
}

Snapshot Simulation::save() const {
  return Snapshot(frame_image(header(), world_->particles(), scene_.columns, visible_solids()));
}

Frame Simulation::state() const { return {header(), copy_of(world_->particles()), visible_solids()}; }

void Simulation::rewind(Frame state) {
  const int frame = state.header.frame;
  world_ = continued_world(scene_.world, std::move(state));
  frame_ = frame;
}

}  // namespace fondue
