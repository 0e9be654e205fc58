// Every scene of the gallery, coarse and short: the same bits with one thread and with two, and for a run that is saved
// and resumed. Whatever a scene brings in, meshes, emitters, fades, individual steps, takes part.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "scene/scene.h"
#include "simulation/simulation.h"
#include "support/bits.h"
#include "world/world.h"

namespace fondue::test_gallery_bits {
namespace {

/// Few enough to be quick, and where a scene has so many, more than one block of slots, so that threads share the work.
constexpr Index most_particles = 1500, one_block = 512;
/// Frames that are run.
constexpr int frames = 2;

std::vector<std::string> all_scenes() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(FONDUE_SOURCE_DIR "/scenes"))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

/// Matter comes from emitters only.
bool starts_empty(const Scene& scene) {
  return std::ranges::none_of(scene.world.objects, [](const ObjectSetup& object) { return object.shape != nullptr; });
}

/// The surroundings of the emitters: to make boundary particles of a whole mountain takes longer than the run.
Box around_emitters(const WorldSetup& world) {
  Box box;
  for (const EmitterSetup& emitter : world.emitters) {
    if (emitter.shape)
      box.add(emitter.shape->bounds());
    else
      for (const double time : {0.0, 0.25, 0.5})  // the frames that are run
        box.add(Box{emitter.centre.at(time), emitter.centre.at(time)}.grown(emitter.radius));
  }
  return box.grown(4 * world.spacing);
}

/// Frames of 10 ms; longer ones where particles are few, and for emitters to make some matter.
std::string frame_rate(const Scene& scene) {
  if (starts_empty(scene)) return "4";
  return scene.world.dimension == 2 ? "20" : "100";
}

/// Particles sit on the vertices of its mesh.
bool has_its_particles(const ObjectSetup& object) {
  return object.sheet() && object.shape && object.shape->triangles();
}

std::string path_of(const std::string& name) { return fmt::format("{}/scenes/{}.toml", FONDUE_SOURCE_DIR, name); }

/// The scene with all distances between particles multiplied, also those that objects give for themselves.
Scene coarse_scene(const std::string& name, float factor) {
  const Scene own = load_scene(path_of(name));
  Scene scene = load_scene(path_of(name), {{"scene.spacing", fmt::format("{}", factor * own.world.spacing)},
                                           {"time.frames_per_second", frame_rate(own)}});
  for (std::size_t o = 0; o != scene.world.objects.size(); ++o)
    if (scene.world.objects[o].spacing == own.world.objects[o].spacing && !has_its_particles(own.world.objects[o]))
      scene.world.objects[o].spacing *= factor;
  if (starts_empty(own)) scene.world.domain = around_emitters(scene.world);
  return scene;
}

/// Twice as coarse as the scene itself, coarser if that is still too many, finer if it is too few.
std::unique_ptr<Simulation> small_simulation(const std::string& name) {
  const auto coarser = [&](float factor) { return std::make_unique<Simulation>(coarse_scene(name, factor)); };
  const WorldSetup own = load_scene(path_of(name)).world;
  const double too_many = particles_at_start(own) / most_particles;
  float factor = std::max(2.0f, 0.8f * static_cast<float>(std::pow(too_many, 1.0 / own.dimension)));
  std::unique_ptr<Simulation> simulation = coarser(factor);
  while (simulation->particles().size() > most_particles) simulation = coarser(factor *= 1.25f);
  for (const float finer : {1.4f, 1.0f}) {
    const Index count = simulation->particles().size();
    if (count == 0 || count > one_block) break;
    std::unique_ptr<Simulation> other = coarser(finer);
    if (other->particles().size() > most_particles) break;
    simulation = std::move(other);
  }
  return simulation;
}

class GalleryBits : public testing::TestWithParam<std::string> {};

std::string word(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Of, GalleryBits, testing::ValuesIn(all_scenes()),
                         [](const auto& of) { return word(of.param); });

TEST_P(GalleryBits, AreTheSameForOneThreadTwoThreadsAndAResumedRun) {
  const std::unique_ptr<Simulation> with_two = small_simulation(GetParam());
  with_two->run_to(frames / 2);
  const Snapshot half = with_two->save();
  with_two->run_to(frames);
  ASSERT_GT(with_two->particles().size(), 0u);
  {
    SCOPED_TRACE("one thread");
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1);
    Simulation with_one(with_two->scene());
    with_one.run_to(frames);
    testing_support::expect_same_bits(with_two->world(), with_one.world());
  }
  SCOPED_TRACE("saved and resumed");
  Simulation resumed = with_two->branch(half);
  resumed.run_to(frames);
  testing_support::expect_same_bits(with_two->world(), resumed.world());
}

}  // namespace
}  // namespace fondue::test_gallery_bits
