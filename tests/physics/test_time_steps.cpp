// Order of the time integration, and individual against global steps.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "behaviours/artificial_viscosity.h"
#include "behaviours/attractor.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/viscosity.h"
#include "cache/statistics.h"
#include "support/setups.h"

namespace fondue::test_time_steps {
namespace {

using namespace testing_support;

/// Particles on a spring: inside an attractor's radius the pull is proportional to the distance. After a period and a
/// quarter they pass the centre, where an error of phase shows in full.
double error_at_the_centre(double step) {
  WorldSetup setup = world_setup(3, 0.1f);
  setup.largest_step = static_cast<float>(step);
  setup.objects.push_back(object("mass", make_sphere(Vec3(1, 0, 0), 0.09f), 0.1f,
                                 {track("attractor", {{Attractor::strength, 4}, {Attractor::radius, 4}})}));
  World world(setup);
  run_until(world, 2.5 * M_PI);
  return world.particles()[columns::position][0].norm();
}

TEST(Leapfrog, IsOfSecondOrder) {
  const double coarse = error_at_the_centre(0.1), fine = error_at_the_centre(0.05);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
}

/// Very viscous matter, solved for, whose sound is too slow to limit the step.
std::vector<Track> wax() {
  return {track("gravity"), track("fluid", {{Fluid::speed_of_sound, 0.2}}),
          track("viscosity", {{Viscosity::dynamic_viscosity, 1e5},
                              {Viscosity::scheme, static_cast<double>(ViscosityScheme::implicit_)}})};
}

/// The step that the acceleration of gravity allows.
double step_of_weight(const World& world) {
  return 0.25 * std::sqrt(static_cast<double>(world.particles()[columns::support][0]) / 9.81);
}

TEST(TheStepOfWhatIsSolvedFor, IsLimitedByItsFall) {
  WorldSetup setup = world_setup(2, 0.05f);
  setup.objects.push_back(object("wax", rectangle(0, 0, 0.5f, 0.5f), 0.05f, wax()));
  World world(setup);
  for (int k = 0; k != 20; ++k) world.step(1e9);
  EXPECT_STREQ(world.step_limit().cause, "acceleration");
  EXPECT_NEAR(world.step_limit().seconds, step_of_weight(world), 0.02 * step_of_weight(world));
}

TEST(TheStepOfWhatIsSolvedFor, IsNotLimitedByAWeightThatWallsCarry) {
  WorldSetup setup = world_setup(2, 0.05f);
  setup.objects.push_back(object("wax", rectangle(0, 0, 0.5f, 1), 0.05f, wax()));
  for (const auto& [name, side] :
       {std::pair{"left", rectangle(-0.2f, -1, 0, 2)}, {"right", rectangle(0.5f, -1, 0.7f, 2)}})
    setup.colliders.push_back(solid(name, side));
  World world(setup);
  for (int k = 0; k != 60; ++k) world.step(1e9);
  EXPECT_GT(world.step_limit().seconds, 2 * step_of_weight(world));
}

/// A tank with a small drop of fine particles falling into coarse water.
WorldSetup two_sizes(bool individual) {
  WorldSetup setup = world_setup(2, 0.04f);
  setup.individual_steps = individual;
  setup.frame_seconds = 0.02;
  const std::vector<Track> water = {track("gravity"), track("fluid"),
                                    track("artificial_viscosity", {{ArtificialViscosity::alpha, 0.2}})};
  setup.objects.push_back(object("tank", rectangle(0, 0, 2, 0.8f), 0.04f, water));
  setup.objects.push_back(object("drop", make_sphere(Vec3(1, 1, 0), 0.04f), 0.005f, water));
  setup.colliders.push_back(container("walls", rectangle(0, 0, 2, 1.6f)));
  return setup;
}

TEST(IndividualSteps, GiveTheAnswerOfTheGlobalStepWithFewerEvaluations) {
  std::map<bool, Vec3d> centre;
  std::map<bool, double> energy, evaluations;
  for (const bool individual : {false, true}) {
    World world(two_sizes(individual));
    for (int frame = 1; frame <= 20; ++frame) run_until(world, 0.02 * frame);
    centre[individual] = Vec3d::Zero();
    double drop = 0;
    for (Index i = 0; i != world.particles().size(); ++i)
      if (world.particles()[columns::object][i] == 1) {
        centre[individual] += world.particles()[columns::position][i].cast<double>();
        drop += 1;
      }
    centre[individual] /= drop;
    const Statistics statistics = measure(world);
    energy[individual] = statistics.kinetic_energy + statistics["potential energy"];
    evaluations[individual] = static_cast<double>(world.evaluations());
  }
  // The drop, which has fallen 0.2 m and hit the water, is where it should be within a tenth of the coarse spacing's
  // support; the energy of the whole agrees within 1 %.
  EXPECT_LT((centre[true] - centre[false]).norm(), 0.01);
  EXPECT_NEAR(energy[true], energy[false], 0.01 * std::abs(energy[false]));
  EXPECT_LT(evaluations[true], 0.5 * evaluations[false]);
  RecordProperty("evaluations_saved_percent", static_cast<int>(100 - 100 * evaluations[true] / evaluations[false]));
}

}  // namespace
}  // namespace fondue::test_time_steps
