// Elastic bodies against exact solutions and laws.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "behaviours/drag.h"
#include "behaviours/gravity.h"
#include "core/random.h"
#include "support/bodies.h"

namespace fondue::test_elastic {
namespace {

using namespace testing_support;

class ElasticIn : public testing::TestWithParam<int> {
 protected:
  int d() const { return GetParam(); }
  /// A block with nothing but elasticity, floating.
  WorldSetup floating(double E, double nu, double damping = 0) const {
    WorldSetup setup = world_setup(d(), 0.1f);
    setup.objects.push_back(object("body", block(d(), 0.1f, 8, 6, 5), 0.1f, {elastic(E, nu, damping)}));
    return setup;
  }
  Vec3 in_plane(Vec3 v) const {
    if (d() == 2) v.z() = 0;
    return v;
  }
};
INSTANTIATE_TEST_SUITE_P(Dimensions, ElasticIn, testing::Values(2, 3), testing::PrintToStringParamName());

/// An affine motion gives exactly the energy of Hooke's law, also at corners; no net force acts inside.
TEST_P(ElasticIn, AffineMotionHasTheEnergyOfTheLaw) {
  const double E = 1e6, nu = 0.3, e = 1e-3;
  const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 * (1 + nu));
  World world(floating(E, nu));
  double volume = 0;
  for (const float V : world.particles()[columns::volume]) volume += static_cast<double>(V);
  const auto energy_of = [&](const Mat3& F) {
    World fresh(floating(E, nu));
    change_particles(fresh, [&](Vec3& x, Vec3&) { x = in_plane(F * x); });
    return statistic(fresh, "elastic energy") / volume;
  };
  Mat3 dilation = static_cast<float>(1 + e) * Mat3::Identity(), stretch = Mat3::Identity(), shear = Mat3::Identity();
  stretch(0, 0) += static_cast<float>(e);
  shear(0, 1) += static_cast<float>(2 * e);
  // Positions are rounded to 1e-7 of a spacing, strains of 1e-3 therefore to some 1e-4 of themselves.
  EXPECT_NEAR(energy_of(dilation) / (d() * e * e * mu + 0.5 * lambda * d() * d() * e * e), 1, 1e-3);
  if (d() == 3) {
    EXPECT_NEAR(energy_of(dilation) / (1.5 * E / (1 - 2 * nu) * e * e), 1, 1e-3);
  }
  EXPECT_NEAR(energy_of(stretch) / ((mu + 0.5 * lambda) * e * e), 1, 1e-3);
  EXPECT_NEAR(energy_of(shear) / (2 * mu * e * e), 1, 5e-3) << "the rotation in a shear is second order";
  // Far from small: half the length, the corotated energy.
  Mat3 half = Mat3::Identity();
  half(0, 0) = 0.5f;
  EXPECT_NEAR(energy_of(half) / ((mu + 0.5 * lambda) * 0.25), 1, 1e-4);
}

TEST_P(ElasticIn, RigidMotionIsFreeOfStress) {
  World world(floating(1e6, 0.3, 0.5));
  const Mat3 turn = Eigen::AngleAxisf(2.1f, d() == 2 ? Vec3(0, 0, 1) : Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vec3 spin = d() == 2 ? Vec3(0, 0, 3) : Vec3(1, -2, 3);
  change_particles(world, [&](Vec3& x, Vec3& v) {
    x = turn * x + Vec3(3, -2, 0);
    v = spin.cross(x) + Vec3(1, 1, 0);
  });
  // Positions 3 m from the origin are rounded to 2.4e-7 m, a strain of 2.4e-6; times E/(rho dx) = 1e4, times a few.
  for (const Vec3& a : world.substep_accelerations()) EXPECT_LT(a.norm(), 0.1f);
  World stretched(floating(1e6, 0.3, 0.5));
  change_particles(stretched, [&](Vec3& x, Vec3&) { x.x() *= 1.01f; });
  float largest = 0;
  for (const Vec3& a : stretched.substep_accelerations()) largest = std::max(largest, a.norm());
  EXPECT_GT(largest, 50) << "a strain of 1 % does accelerate";
}

/// The force is minus the gradient of the energy that the statistics report, for a disordered state and both strains.
TEST_P(ElasticIn, ForceIsMinusTheGradientOfTheEnergy) {
  for (const int strain : {0, 1}) {
    WorldSetup setup = floating(1e5, 0.3);
    setup.objects[0].tracks[0].values.set(Elastic::strain, Keyable<float>(static_cast<float>(strain)));
    World world(setup);
    Particles& particles = world.particles();
    change_particles(world, [&, i = 0u](Vec3& x, Vec3&) mutable {
      x += in_plane(0.03f * (random_point(5, i++) - Vec3::Constant(0.5f)));
      x = Vec3(x.y(), -x.x(), x.z());
    });
    const std::vector<Vec3> a = world.substep_accelerations();
    for (const Index i : {0u, 7u, 21u, 33u}) {
      const float m = particles[columns::mass][i];
      for (int axis = 0; axis != d(); ++axis) {
        constexpr float h = 5e-4f;
        float& place = particles[columns::position][i][axis];
        const float before = place;
        place = before + h;
        const double high = statistic(world, "elastic energy");
        place = before - h;
        const double low = statistic(world, "elastic energy");
        place = before;
        const double gradient = (high - low) / (2 * static_cast<double>(h));
        // Central differences leave h^2 times the third derivative, and rounded positions 1e-4.
        EXPECT_NEAR(static_cast<double>(m * a[i][axis]), -gradient, 5e-3 * static_cast<double>(m * a[i].norm()) + 1e-3)
            << "strain " << strain << " particle " << i << " axis " << axis;
      }
    }
  }
}

TEST_P(ElasticIn, MomentaAreConservedOverManySubsteps) {
  World world(floating(1e6, 0.4, 0.2));
  change_particles(world, [&, i = 0u](Vec3& x, Vec3& v) mutable {
    x += in_plane(0.02f * (random_point(5, i) - Vec3::Constant(0.5f)));
    v = in_plane(2 * random_point(6, i++) - Vec3::Ones());
  });
  const auto momenta = [&] {
    std::pair<Vec3d, Vec3d> sums{Vec3d::Zero(), Vec3d::Zero()};
    double size = 0;
    for (Index i = 0; i != world.particles().size(); ++i) {
      const Vec3d p = (world.particles()[columns::mass][i] * world.particles()[columns::velocity][i]).cast<double>();
      sums.first += p;
      sums.second += world.particles()[columns::position][i].cast<double>().cross(p);
      size += p.norm();
    }
    return std::pair(sums, size);
  };
  const auto [before, size] = momenta();
  run_until(world, 0.1);
  // At most eight; a tenth of a second in equal steps makes it four or five.
  EXPECT_GE(world.most_substeps(), 4u) << "the step is much longer than a substep";
  const auto [after, size_after] = momenta();
  EXPECT_LT((after.first - before.first).norm(), 1e-5 * size);
  EXPECT_LT((after.second - before.second).norm(), 1e-5 * size) << "lengths are about 1 m";
}

/// Spun and left alone, a body keeps its shape, its angular momentum and its energy.
TEST_P(ElasticIn, AFreelySpinningBodyKeepsItsShape) {
  WorldSetup setup = floating(1e6, 0.3);
  setup.objects[0].angular_velocity = Vec3(0, 0, 2 * std::numbers::pi_v<float>);
  World world(setup);
  const std::vector<Vec3> start = positions(world);
  const double energy = kinetic_energy(world);
  const auto spin = [&] {
    double sum = 0;
    for (Index i = 0; i != world.particles().size(); ++i)
      sum += static_cast<double>(
          world.particles()[columns::mass][i] *
          world.particles()[columns::position][i].cross(world.particles()[columns::velocity][i]).z());
    return sum;
  };
  const double before = spin();
  run_until(world, 1.0);
  EXPECT_NEAR(spin() / before, 1, 1e-5);
  // Centrifugal stretch: rho w^2 r^2/E = 1e3 * 39 * 0.2/1e6 < 1 %, and it oscillates.
  const std::vector<Vec3> now = positions(world);
  const Vec3 arm_before = start.back() - start.front(), arm = now.back() - now.front();
  EXPECT_NEAR(arm.norm() / arm_before.norm(), 1, 0.01);
  // After one turn it is back where it was, but for that.
  EXPECT_LT((arm - arm_before).norm() / arm_before.norm(), 0.1);
  EXPECT_NEAR((kinetic_energy(world) + statistic(world, "elastic energy")) / energy, 1, 0.01);
}

/// Tip of a cantilever under its own weight, plane strain, over that of Timoshenko's beam: Bernoulli's with shear.
double tip_over_theory(int across) {
  const float H = 0.1f, L = 1.0f, dx = H / static_cast<float>(across);
  const double E = 1e6, nu = 0.3, rho = 1000, g = 0.3;
  WorldSetup setup = world_setup(2, dx);
  // The slowest oscillation is damped critically.
  const double omega = 3.516 * H / (L * L) * std::sqrt(E / (12 * rho * (1 - nu * nu)));
  setup.objects.push_back(object("beam", rectangle(-3 * dx, 0, L, H), dx,
                                 {elastic(E, nu, 1), track("drag", {{Drag::linear, 2 * omega}}),
                                  track("gravity", {{Gravity::acceleration, Vec3(0, 0, -static_cast<float>(g))}})}));
  setup.pins.push_back(pin("wall", rectangle(-1, -1, 0, 1)));
  World world(setup);
  const auto tip = [&] {
    return mean_of(
        world, [&](Index i) { return world.particles()[columns::position][i].x() > L - dx; },
        [&](Index i) { return world.particles()[columns::position][i].y(); });
  };
  const double start = tip();
  run_until(world, 9 / omega);
  // It is held at the centres of its particles: half a spacing longer than what is free.
  const double length = static_cast<double>(L + 0.5f * dx);
  const double bernoulli = 12 * rho * g * std::pow(length, 4) * (1 - nu * nu) / (8 * E * H * H);
  const double shear = rho * g * length * length / (2 * 5.0 / 6 * E / (2 * (1 + nu)));
  EXPECT_LT(bernoulli, 0.05 * L);
  // The outermost centres lie half a spacing before the end, where the slope is 4/3 of the tip over L.
  return (start - tip()) / (bernoulli * (1 - 4.0 / 3 * 0.5 * dx / L) + shear);
}

TEST(Elastic, ACantileverSagsAsTheorySaysTheMoreSoTheFinerItIs) {
  const double two = tip_over_theory(2), four = tip_over_theory(4), eight = tip_over_theory(8);
  EXPECT_NEAR(eight, 1, 0.02);
  EXPECT_LT(std::abs(four - 1), 0.5 * std::abs(two - 1));
  EXPECT_LT(std::abs(eight - 1), 0.5 * std::abs(four - 1));
}

TEST(Elastic, AHangingBarStretchesByItsWeight) {
  const float dx = 0.05f, L = 1;
  const double E = 1e5, rho = 1000, g = 9.81;
  WorldSetup setup = world_setup(3, dx);
  const double omega = 0.5 * std::numbers::pi / L * std::sqrt(E / rho);
  setup.objects.push_back(object("bar", make_box(Vec3(0, 0, 0), Vec3(0.2f, 0.2f, L + 3 * dx)), dx,
                                 {elastic(E, 0, 1), track("drag", {{Drag::linear, 2 * omega}}), track("gravity")}));
  setup.pins.push_back(pin("ceiling", make_box(Vec3(-1, -1, L), Vec3(1, 1, 2))));
  World world(setup);
  const auto bottom = [&] {
    const auto x = world.particles()[columns::position];
    return static_cast<double>(std::ranges::min(x, {}, [](const Vec3& p) { return p.z(); }).z());
  };
  const double start = bottom();
  run_until(world, 10 / omega);
  // It is held at the centres of its particles, half a spacing above. The lowest centres lie half a spacing above the
  // end, where the strain vanishes.
  const double length = static_cast<double>(L + 0.5f * dx);
  EXPECT_NEAR((start - bottom()) / (rho * g * length * length / (2 * E)), 1, 0.02);
}

/// Struck at one end, a bar answers at the other after L sqrt(rho/E).
TEST(Elastic, WavesTravelWithTheSpeedOfSound) {
  const float dx = 0.02f, L = 1;
  const double E = 1e6, rho = 1000, c = std::sqrt(E / rho);
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("bar", make_box(Vec3::Zero(), Vec3(L, 0.06f, 0.06f)), dx, {elastic(E, 0)}));
  setup.largest_step = 2e-4f;
  World world(setup);
  change_particles(world, [&](Vec3& x, Vec3& v) { v.x() = x.x() < 0.1f ? 1.0f : 0.0f; });
  const auto far_end = [&] {
    return mean_of(
        world, [&](Index i) { return world.particles()[columns::position][i].x() > L - dx; },
        [&](Index i) { return world.particles()[columns::velocity][i].x(); });
  };
  // Half of the velocity travels, doubled at the free end: 1 m/s arrives as 1 m/s. The middle of the rise is the front.
  double arrival = 0;
  while (arrival == 0 && world.time() < 0.1) {
    world.step(1);
    if (far_end() > 0.5) arrival = world.time();
  }
  EXPECT_NEAR(arrival / ((L - 0.1) / c), 1, 0.04) << "from the front of the struck part";
}

/// Dropped on the floor, without damping, it never has more energy than at the start.
TEST(Elastic, ABouncingBodyGainsNoEnergy) {
  WorldSetup setup = world_setup(3, 0.05f);
  setup.objects.push_back(
      object("cube", make_box(Vec3(0, 0, 0.2f), Vec3(0.3f, 0.3f, 0.5f)), 0.05f, {elastic(3e4, 0.4), track("gravity")}));
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1))));
  World world(setup);
  const auto total = [&] {
    return kinetic_energy(world) + statistic(world, "potential energy") + statistic(world, "elastic energy");
  };
  const double start = total();
  double lowest = 1, most = 0, squashed = 0;
  while (world.time() < 1) {
    world.step(1);
    most = std::max(most, total());
    squashed = std::max(squashed, statistic(world, "elastic energy"));
    for (const Vec3& x : world.particles()[columns::position]) lowest = std::min(lowest, static_cast<double>(x.z()));
  }
  EXPECT_LT(most, 1.01 * start);
  EXPECT_GT(squashed, 0.1 * start) << "it did meet the floor";
  EXPECT_GT(lowest, 0.0249) << "its surface, half a spacing from its outer particles, stays above the floor";
}

/// A soft ball falls into a funnel whose opening is two thirds as wide as the ball, and is squeezed through it by its
/// fall: it never has more energy than at the start, and below the funnel it is a ball again.
TEST(Elastic, JellyGoesThroughANarrowNeck) {
  const float dx = 0.0096f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(
      object("ball", make_sphere(Vec3(0, 0, 0.24f), 0.06f), dx, {elastic(5e3, 0.2, 0.5), track("gravity")}));
  setup.colliders.push_back(
      solid("funnel", make_difference(make_cone(Vec3(0, 0, 0.11f), Vec3(0, 0, 0.27f), 0.056f, 0.125f),
                                      make_cone(Vec3(0, 0, 0.07f), Vec3(0, 0, 0.31f), 0.0265f, 0.1315f))));
  World world(setup);
  const auto total = [&] {
    return kinetic_energy(world) + statistic(world, "potential energy") + statistic(world, "elastic energy");
  };
  const double start = total();
  double squashed = 0, most = 0, fastest = 0;
  while (world.time() < 0.7) {
    world.step(0.7);
    most = std::max(most, total());
    squashed = std::max(squashed, statistic(world, "elastic energy"));
    for (const Vec3& v : world.particles()[columns::velocity])
      fastest = std::max(fastest, static_cast<double>(v.norm()));
  }
  double mass = 0;
  for (const float m : world.particles()[columns::mass]) mass += static_cast<double>(m);
  const auto x = world.particles()[columns::position];
  const auto [low, high] = std::ranges::minmax(x, {}, [](const Vec3& p) { return p.z(); });
  EXPECT_LT(high.z(), 0.11) << "it is through";
  EXPECT_GT(squashed, 0.05 * mass * 9.81 * 0.1) << "it was squeezed";
  EXPECT_LT(most - start, 0.01 * mass * 9.81 * 0.24);
  EXPECT_NEAR(high.z() - low.z() + dx, 0.12, 0.025);
}

TEST(Elastic, WithDampingItComesToRestOnTheFloor) {
  WorldSetup setup = world_setup(3, 0.05f);
  setup.objects.push_back(object("cube", make_box(Vec3(0, 0, 0.1f), Vec3(0.3f, 0.3f, 0.4f)), 0.05f,
                                 {elastic(1e5, 0.3, 1), track("gravity")}));
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1))));
  setup.colliders[0].roughness = 1;
  World world(setup);
  run_until(world, 4);
  double mass = 0;
  for (const float m : world.particles()[columns::mass]) mass += static_cast<double>(m);
  EXPECT_LT(kinetic_energy(world), 0.5 * mass * 1e-6) << "slower than 1 mm/s";
  const auto x = world.particles()[columns::position];
  const auto [low, high] = std::ranges::minmax(x, {}, [](const Vec3& p) { return p.z(); });
  EXPECT_NEAR(low.z(), 0.025, 0.001) << "its bottom lies on the floor";
  // rho g h^2/(2 E) = 4 mm for a slender bar.
  EXPECT_NEAR(high.z() - low.z(), 0.25, 0.006);
}

/// Everything back in its place but for a rigid motion: the largest change of a distance between particles, in
/// spacings.
double change_of_shape(const std::vector<Vec3>& before, const std::vector<Vec3>& after, float spacing) {
  float worst = 0;
  for (std::size_t i = 0; i != before.size(); ++i)
    for (const std::size_t j : {std::size_t{0}, before.size() / 2, before.size() - 1})
      worst = std::max(worst, std::abs((after[i] - after[j]).norm() - (before[i] - before[j]).norm()));
  return static_cast<double>(worst / spacing);
}

class Recovery : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Elastic, Recovery, testing::Values(false, true),
                         [](const auto& of) { return of.param ? "FromATwistBy360Degrees" : "FromHalfTheLength"; });

TEST_P(Recovery, OfTheShape) {
  const float dx = 0.05f;
  WorldSetup setup = world_setup(3, dx);
  setup.objects.push_back(object("bar", make_box(Vec3(-0.5f, -0.1f, -0.1f), Vec3(0.5f, 0.1f, 0.1f)), dx,
                                 {elastic(1e5, 0.3, 1), track("drag", {{Drag::linear, 20}})}));
  const Curve<float> on({0, 0.4}, {1, 0}, Interpolation::step);
  for (const float side : {-1.0f, 1.0f}) {
    PinSetup clamp = pin(side < 0 ? "left" : "right", make_box(Vec3(0.4f, -1, -1), Vec3(1, 1, 1)));
    if (side < 0) clamp.shape = make_box(Vec3(-1, -1, -1), Vec3(-0.4f, 1, 1));
    clamp.on = Keyable<float>(on, "time");
    if (GetParam())
      clamp.motion.rotation = Keyable<Vec3>(
          Curve<Vec3>({0, 0.3}, {Vec3(0, 0, 0), Vec3(side * std::numbers::pi_v<float>, 0, 0)}, Interpolation::linear),
          "time");
    else
      clamp.motion.position = Keyable<Vec3>(
          Curve<Vec3>({0, 0.3}, {Vec3(0, 0, 0), Vec3(-0.25f * side, 0, 0)}, Interpolation::linear), "time");
    setup.pins.push_back(clamp);
  }
  World world(setup);
  const std::vector<Vec3> start = positions(world);
  run_until(world, 0.3);
  // 0.04 m^3 compressed by half have 5e3 J/m^3 and more.
  EXPECT_GT(statistic(world, "elastic energy"), 50) << "it is deformed";
  run_until(world, 3);
  EXPECT_LT(change_of_shape(start, positions(world), dx), 0.05);
}

class Stiffness : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Elastic, Stiffness, testing::Values(1e3, 1e5, 1e7, 1e9));

/// From jelly to steel by one number: it falls, meets the floor, and lies there as one piece.
TEST_P(Stiffness, NeedsNoOtherParameter) {
  const double E = GetParam();
  WorldSetup setup = world_setup(3, 0.1f);
  setup.objects.push_back(object("cube", make_box(Vec3(0, 0, 0.1f), Vec3(0.5f, 0.5f, 0.6f)), 0.1f,
                                 {elastic(E, 0.3, 0.5), track("gravity")}));
  setup.colliders.push_back(solid("floor", make_plane(Vec3::Zero(), Vec3(0, 0, 1))));
  World world(setup);
  const std::vector<Vec3> start = positions(world);
  run_until(world, 0.5);
  const auto x = world.particles()[columns::position];
  const auto [low, high] = std::ranges::minmax(x, {}, [](const Vec3& p) { return p.z(); });
  EXPECT_GT(low.z(), 0.0499f);
  EXPECT_LT(high.z(), 0.6f);
  if (E > 1e4) {
    EXPECT_LT(change_of_shape(start, positions(world), 0.1f), 0.3);
  }
  double fastest = 0;
  for (const Vec3& v : world.particles()[columns::velocity]) fastest = std::max(fastest, static_cast<double>(v.norm()));
  EXPECT_LT(fastest, 2.5) << "no faster than it fell, or bounces";
}

/// A float knows the place of a particle 1 km away to 0.06 mm only; what is lost by rounding is kept apart.
TEST(Elastic, AStiffBodyFallsAsItShouldFarFromTheOrigin) {
  WorldSetup setup = world_setup(3, 0.1f);
  const Vec3 far(1000, 0, 0);
  setup.objects.push_back(
      object("cube", make_box(far, far + Vec3::Constant(0.4f)), 0.1f, {elastic(1e8, 0.3), track("gravity")}));
  World world(setup);
  run_until(world, 0.1);
  EXPECT_GT(world.most_substeps(), 10u);
  const double fallen = mean_of(
      world, [](Index) { return true; }, [&](Index i) { return 0.2f - world.particles()[columns::position][i].z(); });
  EXPECT_NEAR(fallen / (0.5 * 9.81 * 0.01), 1, 1e-3);
  const double speed = mean_of(
      world, [](Index) { return true; }, [&](Index i) { return -world.particles()[columns::velocity][i].z(); });
  EXPECT_NEAR(speed / 0.981, 1, 1e-3);
}

/// The fast loops give what the plain twin gives.
TEST_P(ElasticIn, FastLoopsAgreeWithThePlainTwin) {
  std::vector<double> energies;
  const auto of = [&](const PairLoops& loops) {
    WorldSetup setup = floating(1e5, 0.35, 0.7);
    setup.objects[0].filling = Filling::blue_noise;
    World world(setup, loops);
    const auto id = world.particles()[columns::id];
    const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
    std::vector<Vec3> result(world.particles().size());
    for (Index i = 0; i != x.size(); ++i) {
      x[i] += in_plane(0.03f * (random_point(5, id[i]) - Vec3::Constant(0.5f)));
      v[i] = in_plane(random_point(6, id[i]));
    }
    const std::vector<Vec3> a = world.substep_accelerations();
    for (Index i = 0; i != x.size(); ++i) result[id[i]] = a[i];
    energies.push_back(statistic(world, "elastic energy"));
    return result;
  };
  const std::vector<Vec3> plain = of(plain_twin());
  double scale = 0;
  for (const Vec3& a : plain) scale += static_cast<double>(a.norm()) / static_cast<double>(plain.size());
  ASSERT_GT(scale, 1);
  for (const PairLoops* loops : available_pair_loops()) {
    const std::vector<Vec3> fast = of(*loops);
    EXPECT_NEAR(energies.back() / energies.front(), 1, 1e-5) << loops->name;
    for (std::size_t i = 0; i != plain.size(); ++i)
      EXPECT_LT((fast[i] - plain[i]).norm(), 1e-5 * scale) << loops->name << " particle " << i;
  }
}

}  // namespace
}  // namespace fondue::test_elastic
