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

}  // namespace
}  // namespace fondue
