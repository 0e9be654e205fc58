// What a recorder leaves is a run that goes on as it was, also if it was changed while it ran.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "simulation/recorder.h"
#include "support/temporary_folder.h"
#include "unit/simulation/scenes.h"

namespace fondue {
namespace {

using namespace testing_support;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void run_recorded(Simulation& simulation, Recorder& recorder, int frame) {
  simulation.run_to(frame, [&] {
    recorder.record();
    return true;
  });
}

TEST(Recorder, AChangedRunContinuesFromItsFolder) {
  const TemporaryFolder folder;
  const Scene scene = parse_scene(two_blocks, "two.toml");
  {
    const RunFolder run({folder / "run", scene.name}, OldRun::refuse);
    Simulation simulation(scene);
    Recorder recorder(simulation, run, Recorder::Start::anew);
    run_recorded(simulation, recorder, 2);
    simulation.set("left", "fluid", "rest_density", 700);
    run_recorded(simulation, recorder, 5);
    recorder.finish();
  }
  const RunLayout layout{folder / "run", scene.name};
  EXPECT_EQ(list_frames(layout), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  const auto before = read_file(layout.frame(5)), table = read_file(layout.statistics()),
             probes = read_file(layout.probes()), index = read_file(layout.index());
  {
    const RunFolder run(layout, OldRun::resume);
    run.remove_frames_after(3);
    Simulation simulation(load_scene(layout.effective_scene().string()), read_frame(layout.frame(3)));
    Recorder recorder(simulation, run, Recorder::Start::continued);
    run_recorded(simulation, recorder, 5);
    recorder.finish();
  }
  EXPECT_TRUE(read_file(layout.frame(5)) == before);
  EXPECT_EQ(read_file(layout.statistics()), table);
  EXPECT_EQ(read_file(layout.probes()), probes);
  EXPECT_EQ(read_file(layout.index()), index);
}

/// The automatic speed of sound foresees falls and depths, but no other force that presses.
TEST(Recorder, TellsOfACompressionAboveThePromise) {
  const auto broken_promises = [](const std::string& force) {
    const TemporaryFolder folder;
    const Scene scene = parse_scene(R"(
[scene]
name = "squeezed"
dimension = 2
spacing = 0.05
[time]
duration = 0.2
frames_per_second = 25
[materials.water]
fluid = {}
artificial_viscosity = {}
)" + force + R"(
[[objects]]
name = "drop"
material = "water"
shape = { type = "sphere", centre = [0, 0, 0], radius = 0.5 }
)",
                                    "squeezed.toml");
    const RunFolder run({folder / "run", scene.name}, OldRun::refuse);
    Simulation simulation(scene);
    Recorder recorder(simulation, run, Recorder::Start::anew);
    run_recorded(simulation, recorder, scene.frames());
    recorder.finish();
    return recorder.broken_promises();
  };
  EXPECT_TRUE(broken_promises("attractor = { centre = [0, 0, 0], strength = 0.1, radius = 1 }").empty());
  const auto broken = broken_promises("attractor = { centre = [0, 0, 0], strength = 1000, radius = 1 }");
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_NE(broken[0].find("mean compression"), std::string::npos) << broken[0];
  EXPECT_NE(broken[0].find("speed_of_sound"), std::string::npos) << broken[0];
}

}  // namespace
}  // namespace fondue
