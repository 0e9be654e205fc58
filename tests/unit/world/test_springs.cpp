// Springs between neighbours: free of stress where they were made, elastic as their energy says, exact in momentum and
// angular momentum, and the same on every loop.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <cstring>

#include "behaviours/springs.h"
#include "core/random.h"
#include "support/setups.h"

namespace fondue::test_springs {
namespace {

using namespace testing_support;

constexpr double stiffness = 1e5;
constexpr BondColumn<float> rest_length{"length", "m", ""};
constexpr BondColumn<float> share{"share", "m^(d-1)", ""};

class SpringBody : public testing::TestWithParam<int> {
 protected:
  int dimension() const { return GetParam(); }
  Vec3 flat() const { return {1, 1, dimension() == 2 ? 0.0f : 1.0f}; }

  /// A block of one object.
  WorldSetup setup(float damping, Filling filling = Filling::blue_noise) const {
    WorldSetup result = world_setup(dimension(), 0.1f);
    const ShapePtr block = dimension() == 2 ? rectangle(-0.4f, -0.3f, 0.4f, 0.3f)
                                            : make_box(Vec3(-0.3f, -0.3f, -0.3f), Vec3(0.3f, 0.3f, 0.3f));
    result.objects.push_back(object(
        "body", block, 0.1f, {track("springs", {{Springs::stiffness, stiffness}, {Springs::damping, damping}})}));
    result.objects.back().filling = filling;
    return result;
  }

  /// Half of its particles weigh three times as much as the others.
  static void give_unequal_masses(World& world) {
    const auto m = world.particles()[columns::mass];
    for (Index i = 0; i < m.size(); i += 2) m[i] *= 3;
  }
  void deform(World& world, float by) const {
    const auto x = world.particles()[columns::position];
    for (Index i = 0; i != x.size(); ++i) x[i] += by * (random_point(3, i) - Vec3::Constant(0.5f)).cwiseProduct(flat());
  }
  void stir(World& world) const {
    const auto v = world.particles()[columns::velocity];
    for (Index i = 0; i != v.size(); ++i) v[i] = (random_point(4, i) - Vec3::Constant(0.5f)).cwiseProduct(flat());
  }

  /// Energy of the springs: sum of c_ij L e^2/2 over bonds, c_ij = E share.
  static double energy(const World& world) {
    const BondSet& bonds = world.particles().bonds("springs");
    const auto x = world.particles()[columns::position];
    double sum = 0;
    for (Index i = 0; i != bonds.particles(); ++i)
      for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
        const double L = bonds[rest_length][b];
        const double r = (x[i].cast<double>() - x[bonds.neighbours()[b]].cast<double>()).norm();
        sum += 0.5 * 0.5 * stiffness * bonds[share][b] * L * (r / L - 1) * (r / L - 1);  // each bond is met twice
      }
    return sum;
  }
  static double kinetic_energy(const World& world) {
    double sum = 0;
    for (Index i = 0; i != world.particles().size(); ++i)
      sum += 0.5 * world.particles()[columns::mass][i] * world.particles()[columns::velocity][i].squaredNorm();
    return sum;
  }
};

INSTANTIATE_TEST_SUITE_P(In, SpringBody, testing::Values(2, 3),
                         [](const auto& in) { return std::to_string(in.param) + "D"; });

TEST_P(SpringBody, IsFreeOfStressWhenItIsMade) {
  World world(setup(0.5f));
  const BondSet& bonds = world.particles().bonds("springs");
  const auto x = world.particles()[columns::position], a = world.particles()[columns::acceleration];
  const auto R = world.particles()[columns::support];
  ASSERT_GT(bonds.size(), 4 * world.particles().size());
  double sum_c = 0;
  for (Index i = 0; i != bonds.particles(); ++i) {
    double stiff = 0;
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
      EXPECT_EQ(bonds[rest_length][b], (x[i] - x[bonds.neighbours()[b]]).norm());
      EXPECT_LE(bonds[rest_length][b], R[i]);
      stiff += stiffness * bonds[share][b];
    }
    sum_c += stiff;
    // Rounding of r/L - 1, 1e-7, in each of its bonds.
    EXPECT_LE(a[i].norm(), 3e-7 * stiff / world.particles()[columns::mass][i]);
  }
  ASSERT_GT(sum_c, 0);
}

TEST_P(SpringBody, EveryTwoParticlesWithinASupportAreBondedOnce) {
  World world(setup(0));
  const auto x = world.particles()[columns::position];
  const auto R = world.particles()[columns::support];
  std::size_t near = 0;
  for (Index i = 0; i != x.size(); ++i)
    for (Index j = 0; j != x.size(); ++j) near += i != j && (x[i] - x[j]).norm() < R[i];
  EXPECT_EQ(world.particles().bonds("springs").size(), near);
}

/// Virtual work: the force is the slope of the energy, and that is E e^2/2 per unit of volume for a stretch e. The work
/// of all forces for a stretch from e - h to e + h is the difference of both energies.
TEST_P(SpringBody, UniformStretchStoresHalfTheStiffnessTimesTheSquareOfTheStrain) {
  World world(setup(0));
  const std::vector<Vec3> start(world.particles()[columns::position].begin(),
                                world.particles()[columns::position].end());
  double volume = 0;
  for (const float V : world.particles()[columns::volume]) volume += V;
  /// -dU/de, from forces.
  const auto generalised_force = [&](double e) {
    const auto x = world.particles()[columns::position];
    for (Index i = 0; i != x.size(); ++i) x[i] = static_cast<float>(1 + e) * start[i];
    world.evaluate();
    double sum = 0;
    for (Index i = 0; i != x.size(); ++i)
      sum += world.particles()[columns::mass][i] *
             world.particles()[columns::acceleration][i].cast<double>().dot(start[i].cast<double>());
    return sum;
  };
  // U(e) by integrating forces from 0 to e, in steps over which they are linear: exact but for rounding.
  constexpr double e = 0.05;
  constexpr int parts = 10;
  double U = 0;
  for (int k = 0; k != parts; ++k) {
    const double middle = e * (k + 0.5) / parts;
    U -= generalised_force(middle) * e / parts;
  }
  // Strains of 1 % known to 1e-7 of 1.
  EXPECT_NEAR(U, 0.5 * stiffness * e * e * volume, 1e-4 * U);
  EXPECT_NEAR(-generalised_force(e), stiffness * e * volume, 1e-4 * stiffness * e * volume);
  EXPECT_NEAR(-generalised_force(-e), -stiffness * e * volume, 1e-4 * stiffness * e * volume);
  EXPECT_NEAR(energy(world), 0.5 * stiffness * e * e * volume, 1e-4 * U) << "and so do the bonds say";
}

TEST_P(SpringBody, MomentumAndAngularMomentumAreExactWithUnequalMasses) {
  for (const PairLoops* loops : available_pair_loops())
    for (const float damping : {0.0f, 1.0f}) {
      World world(setup(damping), *loops);
      give_unequal_masses(world);
      deform(world, 0.03f);
      stir(world);
      world.evaluate();
      Vec3d force = Vec3d::Zero(), torque = Vec3d::Zero();
      double absolute = 0, absolute_torque = 0;
      for (Index i = 0; i != world.particles().size(); ++i) {
        const Vec3d f =
            world.particles()[columns::mass][i] * world.particles()[columns::acceleration][i].cast<double>();
        const Vec3d t = world.particles()[columns::position][i].cast<double>().cross(f);
        force += f;
        torque += t;
        absolute += f.norm();
        absolute_torque += t.norm();
      }
      ASSERT_GT(absolute, 0);
      // Rounding of single precision: 1e-7 of some dozens of terms that partly cancel.
      EXPECT_LT(force.norm(), 1e-6 * absolute) << loops->name;
      EXPECT_LT(torque.norm(), 1e-6 * absolute_torque) << loops->name;
    }
}

TEST_P(SpringBody, FastLoopsGiveTheForcesOfThePlainTwin) {
  const auto rates = [&](const PairLoops& loops) {
    World world(setup(0.5f), loops);
    give_unequal_masses(world);
    deform(world, 0.03f);
    stir(world);
    return rates_of(world);
  };
  const std::vector<Rates> plain = rates(plain_twin());
  double largest = 0;
  for (const Rates& r : plain) largest = std::max<double>(largest, r.acceleration.norm());
  for (const PairLoops* loops : available_pair_loops()) {
    const std::vector<Rates> fast = rates(*loops);
    // r/L - 1 rounds to 1e-7 and strains are some per cent: 1e-5 of a force.
    for (std::size_t i = 0; i != plain.size(); ++i)
      EXPECT_LE((fast[i].acceleration - plain[i].acceleration).norm(), 1e-5 * largest) << loops->name << " id " << i;
  }
}

/// The first oscillation of a body takes about 4 sides / sqrt(E/rho), a quarter of a second: twenty of them.
TEST_P(SpringBody, EnergyIsKeptWithoutDamping) {
  World world(setup(0, Filling::lattice));
  const auto x = world.particles()[columns::position];
  for (Index i = 0; i != x.size(); ++i) x[i] = x[i].cwiseProduct(Vec3(1.05f, 0.97f, 1));
  world.evaluate();
  const double before = energy(world) + kinetic_energy(world);
  double most = before, least = before, most_kinetic = 0;
  for (int k = 0; k != 200; ++k) {
    run_until(world, 0.025 * (k + 1));
    const double now = energy(world) + kinetic_energy(world);
    most = std::max(most, now);
    least = std::min(least, now);
    most_kinetic = std::max(most_kinetic, kinetic_energy(world));
  }
  ASSERT_GT(most_kinetic, 0.3 * before) << "it does oscillate";
  // Leapfrog keeps an energy that differs from this one by (omega dt)^2/8 of it; steps are half of what is stable for
  // the stiffest mode, and most of the energy is in slow ones.
  EXPECT_LT(most, 1.02 * before);
  EXPECT_GT(least, 0.98 * before);
}

TEST_P(SpringBody, DampingTakesEnergyAndLeavesRigidMotion) {
  World world(setup(0.3f));
  deform(world, 0.02f);
  const auto v = world.particles()[columns::velocity], x = world.particles()[columns::position];
  const auto m = world.particles()[columns::mass];
  // No rotation, so that there is no centrifugal stretch in the end.
  for (Index i = 0; i != v.size(); ++i) v[i] = Vec3(1, 2, 0);
  double mass = 0;
  for (Index i = 0; i != x.size(); ++i) mass += m[i];
  world.evaluate();
  const double before = energy(world);
  ASSERT_GT(before, 0);
  run_until(world, 1);
  EXPECT_LT(energy(world), 1e-3 * before);
  EXPECT_NEAR(kinetic_energy(world), 0.5 * mass * 5, 1e-3 * before + 1e-5 * 0.5 * mass * 5);
}

TEST_P(SpringBody, OneAndTwoThreadsGiveTheSameBits) {
  std::vector<std::vector<Vec3>> results;
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    WorldSetup large = setup(0.1f);
    large.objects[0].shape =
        dimension() == 2 ? rectangle(-2, -2, 2, 2) : make_box(Vec3::Constant(-0.7f), Vec3::Constant(0.7f));
    World world(large);
    deform(world, 0.03f);
    stir(world);
    run_until(world, 0.03);
    const auto x = world.particles()[columns::position];
    results.emplace_back(x.begin(), x.end());
  }
  ASSERT_GT(results[0].size(), 1000u) << "more than one block";
  ASSERT_EQ(results[0].size(), results[1].size());
  EXPECT_EQ(std::memcmp(results[0].data(), results[1].data(), results[0].size() * sizeof(Vec3)), 0);
}

/// Every force follows from distances: a body turned by any angle is free of stress.
TEST_P(SpringBody, ATurnedBodyIsFreeOfStress) {
  World world(setup(0));
  const Mat3 turn = Eigen::AngleAxisf(1.1f, Vec3::UnitZ()).toRotationMatrix();
  for (Vec3& x : world.particles()[columns::position]) x = turn * x + Vec3(3, 0, 0);
  const double c2 = stiffness / 1000, L = 0.1;
  for (const Rates& r : rates_of(world))
    // Positions of about 3 round to 2e-7, distances of 0.1 to 1e-5 of themselves, and so do strains.
    EXPECT_LE(r.acceleration.norm(), 1e-4 * c2 / L);
}

}  // namespace
}  // namespace fondue::test_springs
