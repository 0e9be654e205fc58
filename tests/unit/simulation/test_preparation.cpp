// Whoever waits for a world to be made is told how far it is, and can give up.

#include <gtest/gtest.h>

#include <map>

#include "shapes/primitives.h"
#include "unit/simulation/scenes.h"

namespace fondue {
namespace {

using namespace testing_support;

/// With a solid whose surface has to be sampled.
Scene with_a_ball() {
  Scene scene = tank_in_cpp();
  ColliderSetup ball;
  ball.name = "ball";
  ball.shape = make_sphere(Vec3(0.8f, 0.3f, 0), 0.15f);
  scene.world.colliders.push_back(ball);
  return scene;
}

TEST(Preparation, IsReportedTaskByTaskFromBeginToEnd) {
  std::vector<std::string> tasks;
  std::map<std::string, double> done;
  const Simulation told(with_a_ball(), ProgressReport([&](const std::string& task, double fraction) {
                          if (tasks.empty() || tasks.back() != task) tasks.push_back(task);
                          EXPECT_GE(fraction, done[task]) << task;
                          EXPECT_LE(fraction, 1) << task;
                          done[task] = fraction;
                        }));
  EXPECT_EQ(tasks,
            (std::vector<std::string>{"boundary particles of 'ball'", "particles of 'block'", "first evaluation"}));
  EXPECT_GT(done["boundary particles of 'ball'"], 0.8);
  EXPECT_TRUE(told.save() == Simulation(with_a_ball()).save()) << "the same world as without a report";
}

TEST(Preparation, IsGivenUpWhenTheReportThrows) {
  struct GiveUp {};
  for (const char* during : {"boundary particles of 'ball'", "particles of 'block'", "first evaluation"}) {
    std::string last;
    const ProgressReport report([&](const std::string& task, double) {
      last = task;
      if (task == during) throw GiveUp{};
    });
    EXPECT_THROW(Simulation(with_a_ball(), report), GiveUp);
    EXPECT_EQ(last, during);
  }
}

TEST(Preparation, OfASavedStateIsReportedToo) {
  Simulation simulation(with_a_ball());
  simulation.run_to(1);
  int reports = 0;
  const Simulation continued(with_a_ball(), simulation.save().frame(),
                             ProgressReport([&](const std::string&, double) { ++reports; }));
  EXPECT_GT(reports, 10);
  EXPECT_EQ(continued.frame(), 1);
  EXPECT_TRUE(continued.save() == simulation.save());
}

}  // namespace
}  // namespace fondue
