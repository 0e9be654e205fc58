// What a solve multiplies with is written down once per step; it must be what the formulas themselves say.

#include <gtest/gtest.h>

#include "behaviours/viscosity.h"
#include "core/random.h"
#include "support/setups.h"

namespace fondue::test_solve_coefficients {
namespace {

using namespace testing_support;

constexpr float dx = 0.05f;

/// Two viscous blocks on a floor that moves; where they meet, some of the groups are of two kinds.
WorldSetup blocks(int dimension, bool periodic) {
  WorldSetup setup = world_setup(dimension, dx);
  const auto block = [&](float x0, float x1) {
    return dimension == 2 ? rectangle(x0, 0, x1, 0.5f) : make_box(Vec3(x0, 0, 0), Vec3(x1, 0.4f, 0.4f));
  };
  const auto matter = [&](float eta) {
    return std::vector<Track>{track("fluid"),
                              track("viscosity", {{Viscosity::dynamic_viscosity, eta},
                                                  {Viscosity::scheme, static_cast<int>(ViscosityScheme::implicit_)}})};
  };
  setup.objects.push_back(object("thick", block(0, 0.4f), dx, matter(200)));
  setup.objects.push_back(object("thin", block(0.4f, 0.8f), dx, matter(20)));
  const Vec3 up = dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), up)));
  setup.colliders.back().surface_velocity = Vec3(0.3f, 0, 0);
  if (periodic) {
    setup.periodic = {true, false, false};
    setup.domain = Box{Vec3(0, -1, -1), Vec3(0.8f, 1, 1)};
  }
  return setup;
}

class SolveCoefficientsOf : public testing::TestWithParam<std::tuple<int, bool>> {};

INSTANTIATE_TEST_SUITE_P(In, SolveCoefficientsOf, testing::Combine(testing::Values(2, 3), testing::Bool()),
                         [](const auto& in) {
                           return std::to_string(std::get<0>(in.param)) + "D" +
                                  (std::get<1>(in.param) ? "_periodic" : "");
                         });

TEST_P(SolveCoefficientsOf, GiveTheForcesOfTheFormulas) {
  const auto [dimension, periodic] = GetParam();
  for (const PairLoops* loops : available_pair_loops()) {
    World world(blocks(dimension, periodic), *loops);
    world.step(1);
    const Neighbourhood& around = world.neighbourhood();
    // A viscosity that differs from particle to particle.
    const std::size_t count = around.padded_records().size();
    std::vector<float> eta(count), mass(count, 0.1f);
    for (std::size_t k = 0; k != count; ++k) eta[k] = 1 + random_point(5, static_cast<Index>(k)).x();
    ImplicitViscousForce force;
    force.active = true;
    force.constant = 2.0f * static_cast<float>(dimension + 2);
    force.viscosity = {eta.data(), 1};
    force.mass = {mass.data(), 1};
    PairFormulas formulas;
    formulas.set(force);

    std::vector<Record> records(around.padded_records().begin(), around.padded_records().end());
    for (std::size_t k = 0; k != count; ++k) {
      const Vec3 v = random_point(6, static_cast<Index>(k));
      records[k].vx = v.x();
      records[k].vy = v.y();
      records[k].vz = dimension == 2 ? 0 : v.z();
    }
    PairSpace space = around.pair_space();
    space.records = records.data();
    space.frame[0] = 0.1f;
    // The same velocities, not relative to the frame.
    std::vector<Record> absolute_records = records;
    for (Record& record : absolute_records) record.vx += space.frame[0];
    PairSpace absolute = space;
    absolute.records = absolute_records.data();
    // The fast loops would take one viscosity for all particles of a uniform group.
    double largest = 0, difference = 0, by_walls = 0;
    for (const Block& given : around.blocks()) {
      Block block;
      block.begin = given.begin;
      block.end = given.end;
      block.reserve_groups(given.group_count);
      block.group_count = given.group_count;
      Index pairs = 0, walls = 0;
      for (Index g = 0; g != given.group_count; ++g) {
        block.groups[g] = given.groups[g];
        block.groups[g].uniform = 0;
        pairs = std::max(pairs, given.groups[g].pairs_end);
        walls = std::max(walls, given.groups[g].walls_end);
      }
      block.pairs.assign(given.pairs.data(), pairs);
      block.walls.assign(given.walls.data(), walls);
      std::vector<float> of_pairs(std::size_t{pairs} * loops->width), by_slot[10];
      SolveCoefficients coefficients;
      coefficients.pairs = of_pairs.data();
      for (auto& array : by_slot) array.assign(count, 0.0f);
      for (int k = 0; k != 6; ++k) coefficients.walls[k] = by_slot[k].data();
      for (int k = 0; k != 3; ++k) coefficients.drive[k] = by_slot[6 + k].data();
      coefficients.diagonal = by_slot[9].data();
      const AccelerationBuffer expected(block), got(block), at_once(block);
      loops->prepare(absolute, formulas, block, coefficients, at_once.arrays);
      loops->apply(space, formulas, block, expected.arrays);
      loops->multiply(space, block, coefficients, got.arrays);
      for (Index k = 0; k != block.end - block.begin; ++k) {
        const Vec3 a(expected.arrays.x[k], expected.arrays.y[k], expected.arrays.z[k]);
        const Index slot = block.begin + k;
        const Vec3 by_motion(coefficients.drive[0][slot], coefficients.drive[1][slot], coefficients.drive[2][slot]);
        const Vec3 b = by_motion + Vec3(got.arrays.x[k], got.arrays.y[k], got.arrays.z[k]);
        const Vec3 c = by_motion + Vec3(at_once.arrays.x[k], at_once.arrays.y[k], at_once.arrays.z[k]);
        difference = std::max<double>(difference, (a - c).norm());
        largest = std::max<double>(largest, a.norm());
        difference = std::max<double>(difference, (a - b).norm());
        by_walls = std::max<double>(by_walls, coefficients.walls[0][slot]);
      }
    }
    EXPECT_GT(largest, 0) << loops->name;
    EXPECT_GT(by_walls, 0) << loops->name;
    EXPECT_LT(difference, 1e-5 * largest) << loops->name;
  }
}

}  // namespace
}  // namespace fondue::test_solve_coefficients
