// The laws every registered behaviour says it keeps, tested on a disordered ball of particles with random velocities:
// with full and with fractional weights, alone and between walls, for every rate and over whole steps (which is where
// velocities are solved for). A behaviour is judged by what it adds to the rates of a plain fluid, or of elastic bodies
// if it is about solid matter.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "behaviours/contact.h"
#include "behaviours/fluid.h"
#include "behaviours/heat.h"
#include "behaviours/porous.h"
#include "core/random.h"
#include "shapes/layer.h"
#include "support/resumed.h"

namespace fondue {
namespace {

using namespace testing_support;

struct Case {
  const BehaviourInfo* info;
  int dimension;
  const PairLoops* loops;
  bool fading;
};

std::string name_of(const Case& given) {
  return std::string(given.info->name) + "_" + std::to_string(given.dimension) + "D_" + given.loops->name +
         (given.fading ? "_fading" : "");
}
void PrintTo(const Case& given, std::ostream* out) { *out << name_of(given); }

/// On the fastest loops and on the plain twin, which may be all there is.
std::vector<Case> all_cases() {
  std::vector<const PairLoops*> both = {&plain_twin()};
  if (available_pair_loops().front() != &plain_twin()) both.insert(both.begin(), available_pair_loops().front());
  std::vector<Case> cases;
  for (const RegisteredBehaviour& entry : behaviour_registry())
    for (const int dimension : {2, 3})
      for (const PairLoops* loops : both)
        for (const bool fading : {false, true}) cases.push_back({entry.info, dimension, loops, fading});
  return cases;
}

class Laws : public testing::TestWithParam<Case> {
 protected:
  bool is_fluid() const { return info().name == std::string("fluid"); }
  const BehaviourInfo& info() const { return *GetParam().info; }
  bool is_sheet() const { return info().of_sheets; }
  void SetUp() override {
    if (is_sheet() && GetParam().dimension == 2) GTEST_SKIP() << "there are sheets in three dimensions only";
  }
  bool is_contact() const { return &info() == &Contact::description; }

  /// The behaviour with its first parameter so large that it is not lost beside the pressure.
  Track loud() const {
    if (info().parameters.empty()) return track(info().name);
    const Parameter& first = *info().parameters.front();
    Track result = track(info().name);
    if (first.kind == Parameter::Kind::number)
      result = track(info().name, {{first, std::min(first.most, std::max(20.0, first.initial))}});
    // Heat that is not lost in the rounding of a temperature.
    if (&info() == &Heat::description) result = track(info().name, {{Heat::conductivity, 1e6}});
    return result;
  }

  /// A ball of fluid with the behaviour, or the fluid alone: two objects of different density, half a ball each.
  WorldSetup ball(bool with_behaviour) const {
    const int d = GetParam().dimension;
    WorldSetup setup = world_setup(d, 0.1f);
    setup.frame_seconds = 0.01;
    std::vector<Track> tracks = {track("fluid", {{Fluid::state_equation, 2}, {Fluid::speed_of_sound, 3}})};
    if (is_contact())
      tracks = {track("elastic"), with_behaviour ? loud() : track("contact", {}, 0.0f)};
    else if (is_sheet())
      tracks = {with_behaviour ? loud() : track(info().name, {}, 0.0f)};
    else if (with_behaviour && !is_fluid())
      tracks.push_back(loud());
    for (const float side : {-1.0f, 1.0f}) {
      ObjectSetup half =
          object(side < 0 ? "left" : "right",
                 make_intersection({make_sphere(Vec3::Zero(), 0.5f), make_plane(Vec3::Zero(), Vec3(-side, 0, 0))}),
                 0.1f, tracks);
      half.filling = Filling::blue_noise;
      if (is_sheet()) {
        half.shape = make_rectangle(Vec3(0.3f * side, 0, 0), 0.5f, 0.8f);
        half.thickness = 0.01f;
      }
      half.initial.set(columns::temperature, side < 0 ? 300.0f : 400.0f);
      half.initial.set(columns::saturation, side < 0 ? 0.9f : 0.2f);
      half.density = side < 0 ? 1000.0f : 700.0f;
      if (!is_contact() && !is_sheet()) half.tracks[0].values.set(Fluid::rest_density, Keyable<float>(half.density));
      // Different weights on both sides, also of the fluid itself.
      if (GetParam().fading && (with_behaviour || is_fluid())) half.tracks.back().weight = side < 0 ? 0.8f : 0.3f;
      setup.objects.push_back(half);
    }
    return setup;
  }

  /// The same cut off by a sticky floor.
  WorldSetup ball_on_floor() const {
    WorldSetup setup = ball(true);
    const Vec3 up = GetParam().dimension == 2 ? Vec3(0, 1, 0) : Vec3(0, 0, 1);
    setup.colliders.push_back(solid("floor", make_plane(-0.35f * up, up)));
    setup.colliders[0].temperature = 500.0f;
    // The surface of the ball is under tension, and walls do not pull by pressure.
    setup.colliders[0].stickiness = 1000;
    return setup;
  }

  struct State {
    std::vector<Vec3> x, v;
  };
  State disordered(const Particles& particles) const {
    State state;
    for (Index i = 0; i != particles.size(); ++i) {
      const float flat = GetParam().dimension == 2 ? 0.0f : 1.0f;
      const Vec3 scale(1, 1, flat);
      // Bodies that touch as they were made do not press; the smaller ball is squeezed.
      state.x.push_back((is_contact() ? 0.85f : 1.0f) * particles[columns::position][i]);
      // Sheets as they were made pull on nothing.
      if (is_sheet()) state.x.back() += 0.01f * (random_point(8, i) - Vec3::Constant(0.5f));
      state.v.push_back((2 * random_point(7, i) - Vec3::Ones()).cwiseProduct(scale));
    }
    return state;
  }

  /// Rates of the ball in a state, by id.
  std::vector<Rates> rates_of(const State& state, bool with_behaviour) const {
    World world(ball(with_behaviour), *GetParam().loops);
    Particles& particles = world.particles();
    std::copy(state.x.begin(), state.x.end(), particles[columns::position].begin());
    std::copy(state.v.begin(), state.v.end(), particles[columns::velocity].begin());
    const std::vector<Rates> rates = testing_support::rates_of(world);
    mass_.assign(particles[columns::mass].begin(), particles[columns::mass].end());
    return rates;
  }

  /// What the behaviour alone adds.
  std::vector<Rates> added(const State& state) const {
    std::vector<Rates> rates = rates_of(state, true);
    if (is_fluid()) return rates;
    const std::vector<Rates> fluid = rates_of(state, false);
    for (std::size_t i = 0; i != rates.size(); ++i) {
      rates[i].acceleration -= fluid[i].acceleration;
      rates[i].drift -= fluid[i].drift;
      rates[i].heat -= fluid[i].heat;
    }
    return rates;
  }

  /// Typical size of an acceleration and a drift, for judging differences; rounding is relative to the fluid's own
  /// accelerations too.
  static float size_of(const std::vector<Rates>& rates) {
    double sum = 0;
    for (const Rates& r : rates) sum += r.acceleration.norm() + r.drift.norm() + std::abs(r.heat);
    return static_cast<float>(sum / static_cast<double>(rates.size()));
  }

  State start() const {
    const World world(ball(true), *GetParam().loops);
    return disordered(world.particles());
  }

  /// Single precision leaves about 1e-7 of every term; a sum of a few dozen terms of either sign, and the difference of
  /// two such sums, 1e-5.
  static constexpr float rounding = 2e-5f;
  mutable std::vector<float> mass_;
};

INSTANTIATE_TEST_SUITE_P(Of, Laws, testing::ValuesIn(all_cases()), [](const auto& of) { return name_of(of.param); });

TEST_P(Laws, MomentumIsConserved) {
  if (!info().laws.momentum) GTEST_SKIP() << "an external force";
  const State state = start();
  const std::vector<Rates> rates = added(state);
  Vec3d sum = Vec3d::Zero();
  double absolute = 0;
  for (std::size_t i = 0; i != rates.size(); ++i) {
    const Vec3d change = mass_[i] * (rates[i].acceleration + rates[i].drift).cast<double>();
    sum += change;
    absolute += change.norm();
  }
  ASSERT_GT(absolute, 0);
  EXPECT_LT(sum.norm(), rounding * std::max(absolute, mass_[0] * static_cast<double>(size_of(rates_of(state, true)))));
}

TEST_P(Laws, AngularMomentumIsConserved) {
  if (!info().laws.angular_momentum) GTEST_SKIP() << "not claimed";
  const State state = start();
  const std::vector<Rates> rates = added(state);
  Vec3d sum = Vec3d::Zero();
  double absolute = 0;
  for (std::size_t i = 0; i != rates.size(); ++i) {
    const Vec3d torque = mass_[i] * state.x[i].cast<double>().cross(rates[i].acceleration.cast<double>());
    sum += torque;
    absolute += torque.norm();
  }
  ASSERT_GT(absolute, 0);
  EXPECT_LT(sum.norm(), rounding * absolute);
}

TEST_P(Laws, ConstantVelocityChangesNothing) {
  if (!info().laws.galilean) GTEST_SKIP() << "acts against surroundings at rest";
  State state = start();
  const std::vector<Rates> before = added(state);
  const float scale = std::max(size_of(before), size_of(rates_of(state, true)));
  for (Vec3& v : state.v) v += Vec3(2, -1, 0);
  const std::vector<Rates> after = added(state);
  for (std::size_t i = 0; i != before.size(); ++i) {
    // Velocities twice as large round twice as coarsely.
    EXPECT_LT((after[i].acceleration - before[i].acceleration).norm(), 10 * rounding * scale);
    EXPECT_LT((after[i].drift - before[i].drift).norm(), 10 * rounding * scale);
    EXPECT_LT(std::abs(after[i].heat - before[i].heat), 10 * rounding * scale);
  }
}

TEST_P(Laws, RatesTurnWithTheParticles) {
  if (!info().laws.rotation) GTEST_SKIP() << "has a direction of its own";
  State state = start();
  const std::vector<Rates> before = added(state);
  const float scale = std::max(size_of(before), size_of(rates_of(state, true)));
  const Mat3 turn = Eigen::AngleAxisf(0.7f, Vec3::UnitZ()).toRotationMatrix();
  for (Vec3& x : state.x) x = turn * x;
  for (Vec3& v : state.v) v = turn * v;
  const std::vector<Rates> after = added(state);
  for (std::size_t i = 0; i != before.size(); ++i) {
    // Positions are rounded anew, and pressure multiplies that by its stiffness.
    EXPECT_LT((after[i].acceleration - turn * before[i].acceleration).norm(), 1e-3f * scale);
    EXPECT_LT((after[i].drift - turn * before[i].drift).norm(), 1e-3f * scale);
    EXPECT_LT(std::abs(after[i].heat - before[i].heat), 1e-3f * scale);
  }
}

TEST_P(Laws, RigidRotationIsNotResisted) {
  if (!info().laws.rigid_rotation) GTEST_SKIP() << "not claimed";
  State state = start();
  const std::vector<Rates> before = added(state);
  const float scale = std::max(size_of(before), size_of(rates_of(state, true)));
  for (std::size_t i = 0; i != state.v.size(); ++i) state.v[i] += Vec3(0, 0, 1.5f).cross(state.x[i]);
  const std::vector<Rates> after = added(state);
  for (std::size_t i = 0; i != before.size(); ++i)
    EXPECT_LT((after[i].acceleration - before[i].acceleration).norm(), 1e-3f * scale);
}

/// What matter gives to matter is taken from it: no rate of heat without its opposite.
TEST_P(Laws, HeatIsConserved) {
  if (&info() != &Heat::description) GTEST_SKIP() << "conducts no heat";
  const std::vector<Rates> rates = added(start());
  double sum = 0, absolute = 0;
  for (std::size_t i = 0; i != rates.size(); ++i) {
    sum += static_cast<double>(mass_[i]) * rates[i].heat;
    absolute += static_cast<double>(mass_[i]) * std::abs(rates[i].heat);
  }
  ASSERT_GT(absolute, 0) << "half of the ball is hotter than the other";
  EXPECT_LT(std::abs(sum), rounding * absolute);
}

/// Every force of a wall on matter has its reaction on the wall, with its torque.
TEST_P(Laws, WallsFeelTheReaction) {
  if (is_contact() || is_sheet()) GTEST_SKIP() << "acts between bodies, or within one, only";
  if (!info().laws.momentum || !info().laws.angular_momentum) GTEST_SKIP() << "not claimed";
  World world(ball_on_floor(), *GetParam().loops);
  Particles& particles = world.particles();
  const State state = disordered(particles);
  std::copy(state.v.begin(), state.v.end(), particles[columns::velocity].begin());
  world.evaluate();
  const auto x = particles[columns::position], a = particles[columns::acceleration];
  const auto m = particles[columns::mass];
  Vec3d force = Vec3d::Zero(), torque = Vec3d::Zero();
  double absolute = 0, absolute_torque = 0;
  for (Index i = 0; i != particles.size(); ++i) {
    const Vec3d f = m[i] * a[i].cast<double>();
    force += f;
    torque += x[i].cast<double>().cross(f);
    absolute += f.norm();
    absolute_torque += x[i].cast<double>().cross(f).norm();
  }
  const Wrench load = world.load_on(0);
  ASSERT_GT(force.norm(), 1e-3 * absolute) << "the wall acts";
  EXPECT_LT((force + load.force.cast<double>()).norm(), rounding * absolute);
  EXPECT_LT((torque + load.torque.cast<double>()).norm(), rounding * absolute_torque);
}

/// Over whole steps, in which velocities may be solved for: what the solve leaves over for the next step counts.
TEST_P(Laws, StepsConserveMomentum) {
  if (!info().laws.momentum || !info().laws.angular_momentum) GTEST_SKIP() << "not claimed";
  World world(ball(true), *GetParam().loops);
  Particles& particles = world.particles();
  const State state = disordered(particles);
  std::copy(state.v.begin(), state.v.end(), particles[columns::velocity].begin());
  const auto momenta = [&] {
    const auto x = particles[columns::position], v = particles[columns::velocity];
    const auto m = particles[columns::mass];
    const auto left = optional_column(particles, columns::solve_remainder);
    Vec3d linear = Vec3d::Zero(), angular = Vec3d::Zero();
    for (Index i = 0; i != particles.size(); ++i) {
      const Vec3d p = static_cast<double>(m[i]) * (left.empty() ? v[i] : Vec3(v[i] + left[i])).cast<double>();
      linear += p;
      angular += x[i].cast<double>().cross(p);
    }
    return std::pair(linear, angular);
  };
  double moved = 0;
  for (Index i = 0; i != particles.size(); ++i) moved += particles[columns::mass][i] * state.v[i].norm();
  const auto before = momenta();
  for (int k = 0; k != 5; ++k) world.step(world.time() + 1e-4);
  const auto after = momenta();
  // Rounding of five steps; of the angular momentum also what leapfrog leaves in a step, (a dt)^2, and the way a
  // remainder moves before it is added.
  EXPECT_LT((after.first - before.first).norm(), 5 * rounding * moved);
  EXPECT_LT((after.second - before.second).norm(), 1e-3 * 0.5 * moved);
}

TEST_P(Laws, OneAndTwoThreadsGiveTheSameBits) {
  std::vector<Bytes> results;
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    World world(ball(true), *GetParam().loops);
    run_until(world, 0.02);
    results.push_back(bytes_of(world.particles()));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_P(Laws, ASavedAndRestoredRunGoesOnWithTheSameBits) {
  for (const bool individual : {false, true}) {
    WorldSetup setup = ball(true);
    setup.individual_steps = individual;
    expect_resumed_the_same(setup, 0.01, 0.02, *GetParam().loops);
  }
}

}  // namespace
}  // namespace fondue
