// A simulation is its states: however it is run, stopped, saved, rewound or branched, the same state gives the same
// bits.

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "unit/simulation/scenes.h"

namespace fondue {
namespace {

using namespace testing_support;

Scene with_individual_steps(Scene scene) {
  scene.world.individual_steps = true;
  return scene;
}

class SimulationStates : public testing::TestWithParam<bool> {
 protected:
  Scene scene() const { return GetParam() ? with_individual_steps(tank_in_cpp()) : tank_in_cpp(); }
};
INSTANTIATE_TEST_SUITE_P(Steps, SimulationStates, testing::Bool(),
                         [](const auto& steps) { return steps.param ? "individual" : "common"; });

TEST_P(SimulationStates, InPiecesAreThoseOfARunAtOnce) {
  Simulation whole(scene()), pieces(scene());
  EXPECT_TRUE(whole.run_to(5));
  while (pieces.frame() < 2) pieces.step();
  int steps = 0;
  EXPECT_FALSE(pieces.run_to(5, [&] { return ++steps < 3; })) << "paused after three steps";
  EXPECT_EQ(steps, 3);
  EXPECT_LT(pieces.frame(), 5);
  EXPECT_TRUE(pieces.run_to(5));
  EXPECT_EQ(pieces.frame(), 5);
  EXPECT_EQ(pieces.time(), pieces.frame_time(5));
  EXPECT_EQ(whole.steps(), pieces.steps());
  EXPECT_TRUE(whole.save() == pieces.save());
  EXPECT_TRUE(pieces.run_to(3)) << "a frame that is already reached";
  EXPECT_EQ(pieces.frame(), 5);
}

TEST_P(SimulationStates, RepeatAfterARewindFromMemoryAndFromAFile) {
  const TemporaryFolder folder;
  Simulation simulation(scene());
  simulation.run_to(2);
  simulation.step();
  const Snapshot middle = simulation.save();
  middle.write(folder / "middle.h5");
  simulation.run_to(4);
  const Snapshot end = simulation.save();
  EXPECT_FALSE(middle == end);

  simulation.rewind(middle);
  EXPECT_EQ(simulation.frame(), 2);
  EXPECT_TRUE(simulation.save() == middle);
  simulation.run_to(4);
  EXPECT_TRUE(simulation.save() == end);

  simulation.rewind(read_frame(folder / "middle.h5"));
  simulation.run_to(4);
  EXPECT_TRUE(simulation.save() == end);
}

TEST_P(SimulationStates, OfABranchAreItsOwn) {
  Simulation simulation(scene());
  simulation.run_to(2);
  const Snapshot fork = simulation.save();
  simulation.run_to(4);
  const Snapshot end = simulation.save();
  Simulation same = simulation.branch(fork), other = simulation.branch(fork);
  other.set("block", "gravity", "acceleration", Vec3(5, 0, 0));
  same.run_to(4);
  other.run_to(4);
  EXPECT_TRUE(same.save() == end);
  EXPECT_FALSE(other.save() == end);
  EXPECT_TRUE(simulation.save() == end) << "a branch does not touch what it came from";
  EXPECT_EQ(simulation.tracks("block")[0].values.vector(Gravity::acceleration).at(0).x(), 0);
}

TEST_P(SimulationStates, AfterAChangeAreThoseOfABranchWithTheChange) {
  Simulation simulation(scene());
  simulation.run_to(1);
  simulation.step();
  const Snapshot fork = simulation.save();
  simulation.set("block", "fluid", "rest_density", 700);
  EXPECT_TRUE(simulation.save() == fork) << "a change acts from the next step on";
  simulation.run_to(4);

  Scene changed = scene();
  changed.world.objects[0].tracks[1].values.set(Fluid::rest_density, Keyable<float>(700.0f));
  Simulation branch(changed, fork.frame());
  branch.run_to(4);
  EXPECT_TRUE(simulation.save() == branch.save());

  Simulation unchanged = Simulation(scene(), fork.frame());
  unchanged.run_to(4);
  EXPECT_FALSE(simulation.save() == unchanged.save());
}

TEST(Simulation, ReadsAndChangesWeightsAndTracks) {
  Simulation simulation(tank_in_cpp());
  simulation.run_to(1);
  const Keyable<float> fading(Curve<float>({0, 1}, {1, 0}, Interpolation::linear), "time");
  simulation.set_weight("block", "artificial_viscosity", fading);
  EXPECT_TRUE(simulation.tracks("block")[2].weight.over_time());
  EXPECT_EQ(simulation.tracks("block")[2].weight.at(0.25), 0.75f);
  std::vector<Track> tracks = simulation.tracks("block");
  tracks.erase(tracks.begin() + 2);
  simulation.set_tracks("block", tracks);
  EXPECT_EQ(simulation.tracks("block").size(), 2u);
  EXPECT_EQ(simulation.tracks("drops").size(), 2u);
  EXPECT_TRUE(simulation.run_to(2));
}

TEST(Simulation, TracksThatCrossFadeAreCountedFromZero) {
  Scene scene = tank_in_cpp();
  scene.world.objects[0].tracks.push_back(track("fluid", {{Fluid::rest_density, 500}}, 0.5f));
  Simulation simulation(scene);
  simulation.set("block", "fluid", "rest_density", 600, 1);
  EXPECT_EQ(simulation.tracks("block")[3].values.constant(Fluid::rest_density), 600);
  EXPECT_EQ(simulation.tracks("block")[1].values.constant(Fluid::rest_density), 1000);
  EXPECT_THROW(simulation.set("block", "fluid", "rest_density", 600, 2), InputError);
}

TEST(Simulation, TellsWhatItIsAt) {
  Simulation simulation(tank_in_cpp());
  EXPECT_EQ(simulation.frame(), 0);
  EXPECT_EQ(simulation.time(), 0);
  const Statistics start = simulation.statistics();
  EXPECT_EQ(start.particles, 8 * 12);
  simulation.run_to(3);
  EXPECT_GT(simulation.statistics().particles, start.particles) << "the jet adds some";
  EXPECT_EQ(simulation.statistics().time, simulation.time());
  EXPECT_EQ(simulation.particles().size(), simulation.statistics().particles);
}

TEST(Simulation, RefusesAStateOfAnotherScene) {
  Simulation simulation(tank_in_cpp());
  simulation.run_to(3);
  const Snapshot state = simulation.save();
  Scene other = tank_in_cpp();
  other.world.emitters.clear();
  other.world.objects.pop_back();
  EXPECT_THROW(Simulation(other, state.frame()), InputError);
}

}  // namespace
}  // namespace fondue
