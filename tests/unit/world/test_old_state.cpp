// A state that another version of Fondue has saved.

#include <gtest/gtest.h>

#include "behaviours/fluid.h"
#include "core/error.h"
#include "support/setups.h"

namespace fondue::test_old_state {
namespace {

using namespace testing_support;

TEST(OldState, OfVersionOneIsRefusedWithWhatToDo) {
  WorldSetup setup = world_setup(2, 0.1f);
  setup.objects.push_back(object("block", rectangle(0, 0, 0.5f, 0.5f), 0.1f, {track("gravity"), track("fluid")}));
  // Version 0.1 saved one unnamed list of nine numbers.
  const State state{{"clock", {0.1, 1e-3, 1e-3, 100, 2500, 0, 0, 0, 0}}, {"emitters", {}}};
  World world(setup);
  try {
    World continued(setup, std::move(world.particles()), state);
    FAIL() << "a state without its numbers was taken";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("another version of Fondue"), std::string::npos) << what;
    EXPECT_NE(what.find("run the scene again"), std::string::npos) << what;
  }
}

TEST(OldState, OfThisVersionIsTakenByName) {
  WorldSetup setup = world_setup(2, 0.1f);
  setup.objects.push_back(object("block", rectangle(0, 0, 0.5f, 0.5f), 0.1f, {track("gravity"), track("fluid")}));
  World world(setup);
  run_until(world, 0.01);
  State state = world.state();
  // What a later version may add is no reason to refuse.
  state["something new"] = {1, 2, 3};
  const double time = world.time();
  const std::uint64_t steps = world.steps();
  const World continued(setup, std::move(world.particles()), state);
  EXPECT_EQ(continued.time(), time);
  EXPECT_EQ(continued.steps(), steps);
}

}  // namespace
}  // namespace fondue::test_old_state
