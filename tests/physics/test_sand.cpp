// Sand at its default settings against what is known of sand: how far a column spreads, at which slope it stands, that
// it stops, what a cut of moist sand carries.

#include <gtest/gtest.h>

#include "support/sand.h"

namespace fondue {
namespace {

using namespace testing_support;

struct Column {
  float aspect;
};

WorldSetup column(float aspect, float dx = 0.01f) {
  const float width = 0.2f;
  return sand_on_floor(rectangle(0, 0, width, aspect * width), dx, sand(30), 2.0f);
}

float run_out(float aspect) {
  World world(column(aspect));
  double next = 0;
  while (world.time() < 1.6) {
    world.step(1.6);
    if (getenv("SAND_TRACE") && world.time() > next) {
      next += 0.1;
      const auto v = world.particles()[columns::velocity];
      float fastest = 0;
      for (const Vec3& each : v) fastest = std::max(fastest, each.norm());
      printf("t %.2f steps %lu front %.3f energy %.4f fastest %.4f stats", world.time(), world.steps(), run_out_end(world), energy_of(world), fastest);
      for (double value : world.measure_behaviours()) printf(" %.4g", value);
      printf("\n");
    }
  }
  return (run_out_end(world) - 0.2f) / 0.2f;
}

TEST(Sand, ColumnsRunOut) {
  for (const float aspect : {0.5f, 1.0f, 2.0f, 4.0f}) {
    const float found = run_out(aspect);
    printf("aspect %.1f run-out %.3f (law %.2f)\n", aspect, found, aspect < 1.8f ? 1.2f * aspect : 1.9f * std::pow(aspect, 0.667f));
  }
}

TEST(Sand, Slopes) {
  for (const double angle : {20.0, 30.0, 40.0}) {
    const float steep = static_cast<float>((angle + 15) * 3.14159265 / 180);
    const ShapePtr wedge = make_intersection({rectangle(0, 0, 0.4f, 0.6f), make_plane(Vec3(0.4f, 0, 0), Vec3(std::sin(steep), std::cos(steep), 0))});
    for (bool complement : {true}) {
      World world(sand_on_floor(wedge, 0.01f, sand(angle), 0.4f));
      const Index before = world.particles().size();
      const double start = slope_between(world, 0.06f, 0.34f);
      run_until(world, 1.5);
      const double at = slope_between(world, 0.06f, 0.34f);
      const auto places = places_of(world);
      run_until(world, 3.5);
      const Moved moved = moved_since(world, places);
      printf("angle %.0f: n %u -> %u, slope %.1f -> %.1f -> %.1f, moved in 2 s most %.3f mean %.4f, steps %lu\n", angle, before, world.particles().size(), start, at, slope_between(world, 0.06f, 0.34f), moved.most, moved.mean, world.steps());
    }
  }
}

TEST(Sand, Grain) {
  for (double angle : {20.0, 30.0, 40.0}) {
    WorldSetup setup = world_setup(2, 0.01f);
    setup.objects.push_back(object("grain", rectangle(0, 0, 0.01f, 0.01f), 0.01f, sand(angle)));
    setup.objects[0].velocity = Vec3(1, 0, 0);
    setup.colliders.push_back(solid("floor", rectangle(-1, -0.1f, 1, 0)));
    setup.domain = Box{Vec3(-0.5f, -0.2f, -1), Vec3(0.8f, 1, 1)};
    World world(setup);
    const float from = world.particles()[columns::position][0].x();
    run_until(world, 1);
    const Vec3 x = world.particles()[columns::position][0], v = world.particles()[columns::velocity][0];
    printf("angle %.0f: way %.4f of %.4f height %.4f dx v %g steps %lu\n", angle, x.x() - from, 1 / (2 * std::tan(angle * 3.14159265 / 180) * 9.81), x.y() / 0.01f, v.norm(), world.steps());
  }
}

TEST(Sand, Cut) {
  for (const float part : {0.6f, 0.75f, 0.9f, 1.0f, 1.25f}) {
    const float H = 0.3f;
    const double critical = 1600 * 9.81 * H / (4 * std::tan(3.14159265 / 3));
    World world(sand_on_floor(rectangle(0, 0, 1.5f * H, H), 0.0125f, sand(30, part * critical), 1.5f));
    const auto places = places_of(world);
    const float front = run_out_end(world);
    run_until(world, 1.5);
    const Moved moved = moved_since(world, places);
    printf("cohesion %.2f critical: front moves %.3f H, most %.2f mean %.2f dx steps %lu\n", part, (run_out_end(world) - front) / H, moved.most, moved.mean, world.steps());
  }
}

}  // namespace
}  // namespace fondue
