// A scene filled in C++ is checked like a file, and so is every change of a simulation that runs.

#include <gtest/gtest.h>

#include <limits>

#include "behaviours/viscosity.h"
#include "simulation/setup_checks.h"
#include "unit/simulation/scenes.h"

namespace fondue {
namespace {

using namespace testing_support;

/// The mistakes a simulation of the scene is refused with, each a line.
std::string refusal(const Scene& scene) {
  try {
    Simulation simulation(scene);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_refused(const Scene& scene, std::initializer_list<const char*> parts) {
  const std::string text = refusal(scene);
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

TEST(SetupChecks, ASoundSceneHasNoMistakes) { EXPECT_EQ(refusal(tank_in_cpp()), ""); }

TEST(SetupChecks, SeveralMistakesAreReportedAtOnce) {
  Scene scene = tank_in_cpp();
  constexpr Parameter misspelt{.name = "rest_densty"};
  scene.world.objects[0].tracks[0].behaviour = "gravty";
  scene.world.objects[0].tracks[1].values.set(misspelt, Keyable<float>(900.0f));
  scene.world.objects[1].tracks[1].values.set(Fluid::rest_density, Keyable<float>(-1.0f));
  scene.world.objects[1].spacing = 0;
  scene.world.emitters[0].object = 7;
  scene.world.colliders[0].slip = 2;
  scene.world.spacing = std::numeric_limits<float>::quiet_NaN();
  expect_refused(
      scene, {"object 'block': unknown behaviour 'gravty'; did you mean 'gravity'?",
              "object 'block' > fluid: unknown parameter 'rest_densty'; did you mean 'rest_density'?",
              "object 'drops' > fluid: 'rest_density' must be greater than 0 kg/m^d, got -1",
              "object 'drops': 'spacing' must be greater than 0 m, got 0",
              "emitter 'jet': its particles join object 7, but there are only 2 objects",
              "collider 'tank': 'slip' must be between 0 and 1, got 2", "scene: 'spacing' must be a finite number"});
}

TEST(SetupChecks, ASceneNeedsMatter) {
  Scene scene = tank_in_cpp();
  scene.world.objects.clear();
  scene.world.emitters.clear();
  expect_refused(scene, {"no matter"});
  scene = tank_in_cpp();
  scene.world.emitters.clear();
  expect_refused(scene, {"object 'drops': has no shape and no emitter makes it"});
}

TEST(SetupChecks, ABehaviourNeedsWhatItReads) {
  Scene scene = tank_in_cpp();
  scene.world.objects[0].tracks.erase(scene.world.objects[0].tracks.begin() + 1);
  expect_refused(scene, {"object 'block': 'artificial_viscosity' needs", "'fluid'"});
}

TEST(SetupChecks, CurvesNeedIncreasingKeysAndAnAttributeThatIsThere) {
  Scene scene = tank_in_cpp();
  Values& fluid = scene.world.objects[0].tracks[1].values;
  fluid.set(Fluid::rest_density,
            Keyable<float>(Curve<float>({0, 2, 1}, {1000, 900, 800}, Interpolation::linear), "time"));
  scene.world.objects[0].tracks.push_back(
      track("viscosity",
            {{Viscosity::dynamic_viscosity,
              Keyable<float>(Curve<float>({280, 350}, {2, 1}, Interpolation::linear), "temperature")}},
            Keyable<float>(Curve<float>({0, 1}, {1}, Interpolation::linear), "colour")));
  expect_refused(scene, {"'rest_density' has keys that do not increase: 1 after 2",
                         "'dynamic_viscosity' runs over 'temperature', which no object of this scene has",
                         "'weight' runs over the unknown attribute 'colour'", "'weight' has 2 keys but 1 values"});
}

TEST(SetupChecks, AValueOfTheWrongKindIsNotIgnored) {
  Scene scene = tank_in_cpp();
  scene.world.objects[0].tracks[0].values.set(Gravity::acceleration, Keyable<float>(-9.81f));
  expect_refused(scene, {"object 'block' > gravity: 'acceleration' is a vector, got a number"});
}

TEST(SetupChecks, ObjectsMustNotOverlap) {
  Scene scene = tank_in_cpp();
  scene.world.objects.push_back(scene.world.objects[0]);
  scene.world.objects.back().name = "other";
  expect_refused(scene, {"object 'other' overlaps object 'block'"});
}

TEST(SetupChecks, ARefusedChangeLeavesTheSimulationAsItWas) {
  Simulation changed(tank_in_cpp()), untouched(tank_in_cpp());
  changed.run_to(1);
  EXPECT_THROW(changed.set("block", "fluid", "rest_density", -1), InputError);
  EXPECT_THROW(changed.set("block", "fluid", "rest_densty", 900), InputError);
  EXPECT_THROW(changed.set("block", "fluid", "rest_density", Vec3(1, 2, 3)), InputError);
  EXPECT_THROW(changed.set("block", "fluid", "rest_density", std::numeric_limits<float>::infinity()), InputError);
  EXPECT_THROW(changed.set("block", "viscosity", "dynamic_viscosity", 1), InputError) << "it has no viscosity";
  EXPECT_THROW(changed.set("blob", "fluid", "rest_density", 900), InputError);
  EXPECT_THROW(changed.set_weight("block", "fluid", 1.5f), InputError);
  EXPECT_THROW(changed.set_tracks("block", {track("artificial_viscosity")}), InputError);
  EXPECT_EQ(changed.tracks("block")[1].values.constant(Fluid::rest_density), 1000);
  EXPECT_EQ(changed.tracks("block").size(), 3u);
  changed.run_to(3);
  untouched.run_to(3);
  EXPECT_TRUE(changed.save() == untouched.save());
}

}  // namespace
}  // namespace fondue
