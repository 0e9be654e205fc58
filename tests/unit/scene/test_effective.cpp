#include <gtest/gtest.h>

#include "scene_texts.h"
#include "whole_scene.h"

namespace fondue {
namespace {

TEST(EffectiveScene, LoadedAgainIsByteIdentical) {
  for (const std::string& text : {whole_scene, flat(beginning) + flat_objects}) {
    const Scene scene = parsed(text);
    EXPECT_EQ(parsed(scene.effective).effective, scene.effective);
    // Its name is given in the scene, not derived from the file.
    EXPECT_EQ(parse_scene(scene.effective, "another.toml").effective, scene.effective);
  }
}

template <class T>
void expect_same(const Keyable<T>& a, const Keyable<T>& b) {
  EXPECT_EQ(a.over(), b.over());
  EXPECT_EQ(a.values(), b.values());
  EXPECT_EQ(a.curve().keys(), b.curve().keys());
  EXPECT_EQ(a.curve().interpolation(), b.curve().interpolation());
}

TEST(EffectiveScene, LoadedAgainIsTheSameScene) {
  const Scene a = parsed(whole_scene), b = parsed(a.effective);
  EXPECT_EQ(a.duration, b.duration);
  EXPECT_EQ(a.frames_per_second, b.frames_per_second);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.world.spacing, b.world.spacing);
  EXPECT_EQ(a.world.kernel, b.world.kernel);
  EXPECT_EQ(a.world.domain->min, b.world.domain->min);
  EXPECT_EQ(a.world.periodic, b.world.periodic);
  expect_same(*a.picture.eye, *b.picture.eye);
  expect_same(a.picture.field_of_view, b.picture.field_of_view);
  ASSERT_EQ(a.world.objects.size(), b.world.objects.size());
  for (std::size_t o = 0; o != a.world.objects.size(); ++o) {
    const ObjectSetup &x = a.world.objects[o], &y = b.world.objects[o];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.spacing, y.spacing);
    EXPECT_EQ(x.velocity, y.velocity);
    ASSERT_EQ(x.initial.entries().size(), y.initial.entries().size());
    for (const InitialValues::Entry& entry : x.initial.entries())
      expect_same(entry.value, *y.initial.find(entry.column->name));
    ASSERT_EQ(x.tracks.size(), y.tracks.size());
    for (std::size_t t = 0; t != x.tracks.size(); ++t) {
      EXPECT_EQ(x.tracks[t].behaviour, y.tracks[t].behaviour);
      expect_same(x.tracks[t].weight, y.tracks[t].weight);
    }
    EXPECT_EQ(!x.shape, !y.shape);
    if (x.shape) {
      EXPECT_EQ(x.shape->distance({0.3f, 0.2f, 0.1f}), y.shape->distance({0.3f, 0.2f, 0.1f}));
    }
  }
  ASSERT_EQ(a.world.colliders.size(), b.world.colliders.size());
  for (std::size_t c = 0; c != a.world.colliders.size(); ++c) {
    expect_same(a.world.colliders[c].motion.position, b.world.colliders[c].motion.position);
    expect_same(a.world.colliders[c].motion.rotation, b.world.colliders[c].motion.rotation);
    expect_same(a.world.colliders[c].surface_velocity, b.world.colliders[c].surface_velocity);
    EXPECT_EQ(a.world.colliders[c].spacing, b.world.colliders[c].spacing);
    expect_same(a.world.colliders[c].slip, b.world.colliders[c].slip);
    ASSERT_EQ(a.world.colliders[c].temperature.has_value(), b.world.colliders[c].temperature.has_value());
    if (a.world.colliders[c].temperature)
      expect_same(*a.world.colliders[c].temperature, *b.world.colliders[c].temperature);
  }
  ASSERT_EQ(a.world.regions.size(), b.world.regions.size());
  for (std::size_t r = 0; r != a.world.regions.size(); ++r) {
    const RegionSetup &x = a.world.regions[r], &y = b.world.regions[r];
    expect_same(x.motion.position, y.motion.position);
    expect_same(x.motion.rotation, y.motion.rotation);
    expect_same(x.on, y.on);
    EXPECT_EQ(x.behaviour, y.behaviour);
    for (const Parameter* parameter : find_behaviour(x.behaviour)->regions.parameters)
      expect_same(x.values.number(*parameter), y.values.number(*parameter));
  }
  ASSERT_EQ(a.world.emitters.size(), b.world.emitters.size());
  for (std::size_t e = 0; e != a.world.emitters.size(); ++e) {
    expect_same(a.world.emitters[e].speed, b.world.emitters[e].speed);
    expect_same(a.world.emitters[e].on, b.world.emitters[e].on);
    EXPECT_EQ(a.world.emitters[e].object, b.world.emitters[e].object);
  }
  EXPECT_EQ(a.probes.size(), b.probes.size());
}

TEST(EffectiveScene, StatesEveryDefault) {
  const std::string effective = parsed(beginning + cube).effective;
  for (const char* line : {"name = \"test\"", "frames_per_second = 50", "kernel = \"cubic_spline\"", "weight = 1",
                           "acceleration = [0, 0, -9.81]", "spacing = 0.1", "width = 1280"})
    EXPECT_NE(effective.find(line), std::string::npos) << line;
}

TEST(EffectiveScene, KeepsTextsWithQuotesAndLineBreaks) {
  const std::string text = beginning + cube + "[picture]\nwidth = 640\n";
  const Scene scene = parsed(text, {{"scene.help", R"("a \"quoted\" \\ line\nand \u0007 another é")"}});
  EXPECT_EQ(scene.help, "a \"quoted\" \\ line\nand \a another é");
  EXPECT_EQ(parsed(scene.effective).help, scene.help);
}

TEST(EffectiveScene, KeepsMaterialsWithOddNames) {
  const Scene scene = parsed("[scene]\nspacing = 0.1\n[materials.\"my wax, hot\"]\nfluid = {}\n" + cube,
                             {{"objects.cube.material", "my wax, hot"}});
  EXPECT_EQ(parsed(scene.effective).effective, scene.effective);
}

}  // namespace
}  // namespace fondue
