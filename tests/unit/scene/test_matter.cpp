#include <gtest/gtest.h>

#include "behaviours/behaviour.h"
#include "scene_texts.h"

namespace fondue {
namespace {

/// The value that a track has for the parameter of this name.
float number(const Track& track, const char* name) {
  return track.values.constant(Parameter{.name = name, .initial = -12345});
}

std::vector<const Track*> tracks(const Scene& scene, const std::string& behaviour, std::size_t object = 0) {
  std::vector<const Track*> found;
  for (const Track& track : scene.world.objects.at(object).tracks)
    if (track.behaviour == behaviour) found.push_back(&track);
  return found;
}

TEST(SceneMatter, ObjectsHaveTheBehavioursOfTheirMaterial) {
  const Scene scene = parsed(beginning + cube);
  ASSERT_EQ(scene.world.objects.size(), 1u);
  EXPECT_EQ(scene.world.objects[0].tracks.size(), 3u);
  EXPECT_EQ(number(*tracks(scene, "fluid").at(0), "rest_density"), 1000);
  EXPECT_EQ(tracks(scene, "fluid")[0]->weight.at(0), 1);
}

TEST(SceneMatter, ObjectsChangeTheirMaterialParameterByParameter) {
  const std::string material =
      "[scene]\nspacing = 0.1\n[materials.oil]\nfluid = { rest_density = 900, speed_of_sound = 20 }\n";
  const Scene scene = parsed(material + R"([[objects]]
name = "a"
material = "oil"
fluid = { rest_density = 800 }
drag = { linear = 2 }
shape = { type = "sphere", radius = 1 }
[[objects]]
name = "b"
material = "oil"
shape = { type = "sphere", centre = [3, 0, 0], radius = 1 }
)");
  const Track& changed = *tracks(scene, "fluid", 0).at(0);
  EXPECT_EQ(number(changed, "rest_density"), 800);
  EXPECT_EQ(number(changed, "speed_of_sound"), 20);
  EXPECT_EQ(number(*tracks(scene, "drag", 0).at(0), "linear"), 2);
  EXPECT_EQ(number(*tracks(scene, "fluid", 1).at(0), "rest_density"), 900);
  EXPECT_TRUE(tracks(scene, "drag", 1).empty());
}

TEST(SceneMatter, ListsOfABehaviourAreTracksThatCrossFade) {
  const Scene scene = parsed(R"([scene]
spacing = 0.1
[materials.changing]
fluid = {}
[[materials.changing.viscosity]]
dynamic_viscosity = 1
weight = { time = [0, 1], value = [1, 0] }
[[materials.changing.viscosity]]
dynamic_viscosity = 10
weight = { time = [0, 1], value = [0, 1] }
[[objects]]
name = "a"
material = "changing"
shape = { type = "sphere", radius = 1 }
)");
  const auto both = tracks(scene, "viscosity");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(number(*both[0], "dynamic_viscosity"), 1);
  EXPECT_EQ(number(*both[1], "dynamic_viscosity"), 10);
  EXPECT_FLOAT_EQ(both[0]->weight.at(0.25), 0.75f);
  EXPECT_FLOAT_EQ(both[1]->weight.at(0.25), 0.25f);
}

TEST(SceneMatter, SpacingIsTheScenesUnlessGiven) {
  const std::string fine =
      "[[objects]]\nname = \"fine\"\nmaterial = \"water\"\nspacing = 0.05\n"
      "shape = { type = \"sphere\", centre = [5, 0, 0], radius = 1 }\n";
  const Scene scene = parsed(beginning + cube + fine);
  EXPECT_FLOAT_EQ(scene.world.objects[0].spacing, 0.1f);
  EXPECT_FLOAT_EQ(scene.world.objects[1].spacing, 0.05f);
}

TEST(SceneMatter, EmittersCreateAnObjectOrAddToOne) {
  const Scene scene = parsed(beginning + cube + R"([[emitters]]
name = "own"
material = "water"
radius = 0.2
temperature = 350
spacing = 0.05
[[emitters]]
name = "joining"
object = "cube"
kind = "box"
shape = { type = "box", min = [0, 0, 2], max = [1, 1, 3] }
rate = 0.5
most = 100
)");
  ASSERT_EQ(scene.world.objects.size(), 2u);
  const ObjectSetup& made = scene.world.objects[1];
  EXPECT_EQ(made.name, "own");
  EXPECT_EQ(made.shape, nullptr);
  EXPECT_EQ(made.tracks.size(), 3u);
  EXPECT_FLOAT_EQ(made.spacing, 0.05f);
  EXPECT_EQ(made.initial.find("temperature")->at(0), 350);
  EXPECT_EQ(scene.world.emitters[0].object, 1u);
  EXPECT_LT(scene.world.emitters[0].rate.at(0), 0) << "as much as the opening passes";
  EXPECT_EQ(scene.world.emitters[1].object, 0u);
  EXPECT_EQ(scene.world.emitters[1].kind, EmitterKind::box);
  EXPECT_EQ(scene.world.emitters[1].most, 100u);
  EXPECT_FLOAT_EQ(scene.world.emitters[1].rate.at(0), 0.5f);
}

TEST(SceneMatter, EmittersAreSurfacesOfBodies) {
  const std::string ball = beginning + "[[colliders]]\nname = \"ball\"\nshape = { type = \"sphere\", radius = 1 }\n" +
                           "[[emitters]]\nname = \"skin\"\nmaterial = \"water\"\n";
  const std::string skin = ball + "kind = \"surface\"\nbody = \"ball\"\n";
  const Scene scene = parsed(skin + "rate_per_area = 0.1\n");
  const EmitterSetup& emitter = scene.world.emitters.at(0);
  EXPECT_EQ(emitter.body, 0u);
  EXPECT_EQ(emitter.shape, scene.world.colliders[0].shape) << "its own surface if no other is given";
  EXPECT_TRUE(emitter.rate_per_area);
  EXPECT_EQ(parsed(scene.effective).effective, scene.effective);
  EXPECT_NE(
      parsed(skin + "shape = { type = \"box\", min = [0, 0, 1], max = [0.2, 0.2, 1.2] }\n").world.emitters[0].shape,
      scene.world.colliders[0].shape);

  EXPECT_EQ(mistake_of(skin + "rate = 1\nrate_per_area = 0.1\n"),
            "test.toml:16:17: 'rate_per_area' in emitter 'skin' is given beside 'rate'; give one of them");
  EXPECT_EQ(mistake_of(ball + "kind = \"surface\"\nbody = \"bal\"\n"),
            "test.toml:14:8: 'body' in emitter 'skin' names an unknown collider or body 'bal'; did you mean 'ball'?");
  const std::string floor =
      beginning + "[[colliders]]\nname = \"floor\"\nshape = { type = \"plane\", normal = [0, 0, 1] }\n" +
      "[[emitters]]\nname = \"skin\"\nmaterial = \"water\"\nkind = \"surface\"\nbody = \"floor\"\n";
  EXPECT_EQ(
      mistake_of(floor),
      "test.toml:14:8: 'body' in emitter 'skin' names 'floor', whose surface has no end; give a 'shape' in its frame");
}

TEST(SceneMatter, ContainersAreSolidOutside) {
  const std::string tank =
      "[[colliders]]\nname = \"tank\"\nshape = { type = \"box\", min = [0, 0, 0], max = [2, 2, 2] }\n";
  const ColliderSetup solid =
      parsed(beginning + cube + tank, {{"objects.cube.shape.translate", "[5, 0, 0]"}}).world.colliders.at(0);
  const ColliderSetup container = parsed(beginning + cube + tank + "container = true\n").world.colliders.at(0);
  EXPECT_TRUE(solid.shape->contains({1, 1, 1}));
  EXPECT_TRUE(solid.container.empty());
  EXPECT_FALSE(container.shape->contains({1, 1, 1}));
  EXPECT_TRUE(container.shape->contains({3, 1, 1}));
  EXPECT_EQ(container.container.max, Vec3(2, 2, 2));
}

TEST(SceneMatter, In2DVectorsHaveTwoComponentsAndUpIsY) {
  const Scene scene = parsed(flat(beginning) + R"([[objects]]
name = "disc"
material = "water"
shape = { type = "circle", centre = [1, 2], radius = 0.5 }
velocity = [3, 4]
angular_velocity = 5
[[emitters]]
name = "jet"
material = "water"
centre = [0, 4]
radius = 0.2
[[probes]]
name = "level"
kind = "height"
[domain]
min = [-5, -5]
max = [5, 5]
periodic = ["x"]
)");
  EXPECT_EQ(scene.world.dimension, 2);
  const ObjectSetup& disc = scene.world.objects[0];
  EXPECT_TRUE(disc.shape->contains({1, 2, 0}));
  EXPECT_EQ(disc.velocity, Vec3(3, 4, 0));
  EXPECT_EQ(disc.angular_velocity, Vec3(0, 0, 5));
  EXPECT_EQ(scene.world.emitters[0].direction.at(0), Vec3(0, -1, 0));
  EXPECT_EQ(scene.probes[0].direction, Vec3(0, 1, 0));
  EXPECT_TRUE(scene.world.domain->contains({1, 1, 0}));
  EXPECT_TRUE(scene.world.periodic[0]);
  EXPECT_FALSE(scene.world.periodic[1]);
  const Parameter acceleration{.name = "acceleration", .kind = Parameter::Kind::vector};
  EXPECT_EQ(tracks(scene, "gravity")[0]->values.vector(acceleration).at(0), Vec3(0, -9.81f, 0));
}

TEST(SceneMatter, In2DNothingLeavesThePlane) {
  const std::string disc = flat(beginning) +
                           "[[objects]]\nname = \"disc\"\nmaterial = \"water\"\n"
                           "shape = { type = \"circle\", radius = 0.5 }\n";
  EXPECT_EQ(mistake_of(disc + "velocity = [1, 0, 1]\n"),
            "test.toml:12:12: 'velocity' in object 'disc' must have no third component in two dimensions");
  EXPECT_EQ(mistake_of(disc + "angular_velocity = [1, 0, 1]\n"),
            "test.toml:12:20: 'angular_velocity' in object 'disc' must be about z in two dimensions");
  EXPECT_EQ(mistake_of(disc + "[domain]\nmin = [-1, -1]\nmax = [1, 1]\nperiodic = [\"z\"]\n"),
            "test.toml:15:13: 'periodic' in [domain] has an unknown 'z'; it can be x, y");
}

}  // namespace
}  // namespace fondue
