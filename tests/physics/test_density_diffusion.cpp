// Diffusion of the continuity density: what it conserves, that a tank at rest does not notice it, how fast it smooths,
// and what it does to the pressure of a dam break on a box (Kleefsman et al. 2005).

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "cache/probes.h"
#include "core/random.h"
#include "scene/scene.h"
#include "simulation/simulation.h"
#include "support/bits.h"
#include "support/setups.h"

namespace fondue::test_density_diffusion {
namespace {

using namespace testing_support;

constexpr int continuity = static_cast<int>(DensityEstimator::continuity);
constexpr double delta = 0.1, c = 20;

/// A fluid whose density changes by its motion and by diffusion alone.
Track diffusive(double rest_density, double diffusion = delta) {
  return track("fluid", {{Fluid::density, continuity},
                         {Fluid::rest_density, rest_density},
                         {Fluid::speed_of_sound, c},
                         {Fluid::reinitialise, 0},
                         {Fluid::density_diffusion, diffusion}});
}

TEST(DensityDiffusion, ConservesTheSumOfVolumeTimesCompressionAcrossSizesAndFluids) {
  for (const PairLoops* loops : available_pair_loops()) {
    WorldSetup setup = world_setup(3, 0.1f);
    setup.objects.push_back(
        object("coarse", make_box(Vec3(0, 0, 0), Vec3(0.8f, 0.8f, 0.4f)), 0.1f, {track("gravity"), diffusive(1000)}));
    setup.objects.push_back(object("fine", make_box(Vec3(0, 0, 0.4f), Vec3(0.8f, 0.8f, 0.8f)), 0.0625f,
                                   {track("gravity"), diffusive(300, 0.05)}));
    World world(setup, *loops);
    const auto s = world.particles()[columns::density_ratio], V = world.particles()[columns::volume];
    for (Index i = 0; i != world.particles().size(); ++i) s[i] = 1 + 0.05f * random_point(5, i).x();
    world.evaluate();
    const auto rate = world.particles()[columns::density_ratio_rate];
    double sum = 0, size = 0;
    for (Index i = 0; i != world.particles().size(); ++i) {
      sum += static_cast<double>(V[i]) * rate[i];
      size += std::abs(static_cast<double>(V[i]) * rate[i]);
    }
    EXPECT_GT(size, 0) << loops->name;
    // Divisions of lanes are estimates with one step of Newton's method: 1e-6 of each term.
    EXPECT_LT(std::abs(sum), 1e-6 * size) << loops->name;
  }
}

TEST(DensityDiffusion, TwoFluidsAtRestHaveNoFlux) {
  constexpr float dx = 0.05f, H = 1, middle = 0.5f, g = 9.81f, heavy = 1000, light = 250;
  const auto largest_rate = [&](bool at_rest) {
    WorldSetup setup = world_setup(2, dx);
    setup.objects.push_back(object("heavy", rectangle(0, 0, 0.5f, middle), dx, {track("gravity"), diffusive(heavy)}));
    setup.objects.push_back(object("light", rectangle(0, middle, 0.5f, H), dx, {track("gravity"), diffusive(light)}));
    setup.colliders.push_back(container("tank", rectangle(0, 0, 0.5f, 2 * H)));
    World world(setup);
    const auto x = world.particles()[columns::position];
    const auto s = world.particles()[columns::density_ratio];
    for (Index i = 0; i != world.particles().size(); ++i) {
      const bool below = world.particles()[columns::object][i] == 0;
      const float y = x[i].y();
      const float p = below ? g * (light * (H - middle) + heavy * (middle - y)) : g * light * (H - y);
      s[i] = at_rest ? 1 + p / ((below ? heavy : light) * static_cast<float>(c * c)) : 1;
    }
    world.evaluate();
    float largest = 0;
    for (const float rate : world.particles()[columns::density_ratio_rate]) largest = std::max(largest, std::abs(rate));
    return largest;
  };
  // What is not at rest, a uniform compression under gravity, shows the size of what must vanish; 0.1 % is rounding of
  // s, whose differences between neighbours are 1e-3.
  EXPECT_GT(largest_rate(false), 0.01f);
  EXPECT_LT(largest_rate(true), 1e-3f * largest_rate(false));
}

TEST(DensityDiffusion, WavesOfDensityDecayWithDeltaHC) {
  // ds/dt = delta h c laplacian s, h = R/2 (Molteni & Colagrossi 2009).
  constexpr int d = 3;
  constexpr float dx = 0.05f;
  WorldSetup setup = world_setup(d, dx);
  setup.support_ratio = 3;
  setup.domain = Box{Vec3::Zero(), Vec3(2, 0.4f, 0.4f)};
  setup.periodic = {true, true, true};
  setup.objects.push_back(object("water", make_box(Vec3::Zero(), Vec3(2, 0.4f, 0.4f)), dx, {diffusive(1000)}));
  World world(setup);
  const double k = std::numbers::pi, amplitude = 0.01;
  const auto x = world.particles()[columns::position];
  const auto s = world.particles()[columns::density_ratio];
  for (Index i = 0; i != world.particles().size(); ++i)
    s[i] = static_cast<float>(1 + amplitude * std::cos(k * x[i].x()));
  world.evaluate();
  const auto rate = world.particles()[columns::density_ratio_rate];
  double projection = 0, norm = 0;
  for (Index i = 0; i != world.particles().size(); ++i) {
    const double wave = std::cos(k * x[i].x());
    projection += wave * rate[i];
    norm += wave * wave;
  }
  const double expected = -delta * 1.5 * dx * c * k * k * amplitude;
  // The sum over a lattice with a support of 3 dx is 0.4 % from the integral.
  EXPECT_NEAR(projection / norm, expected, 0.02 * std::abs(expected));
}

/// Median over 24 places on the face of the box of the largest pressure that a point probe shows there.
double typical_peak(double diffusion) {
  Scene scene =
      load_scene(FONDUE_SOURCE_DIR "/scenes/benchmarks/kleefsman.toml",
                 {{"scene.spacing", "0.065"}, {"materials.water.fluid.density_diffusion", std::to_string(diffusion)}});
  World world(scene.world);
  std::vector<ProbeSetup> places;
  for (const float y : {0.33f, 0.40f, 0.471f, 0.529f, 0.60f, 0.67f})
    for (const float z : {0.021f, 0.061f, 0.101f, 0.141f})
      places.push_back({"", ProbeKind::point, Vec3(0.8245f, y, z), Vec3::UnitX(), ""});
  const Probes probes(places, world);
  std::vector<double> peaks(places.size(), 0.0);
  while (world.time() < 0.8) {
    world.step(0.8);
    const std::vector<double> row = probes.measure(world);
    // Five numbers per probe, the first is the pressure; NaN while the place is dry.
    for (std::size_t k = 0; k != peaks.size(); ++k)
      if (row[1 + 5 * k] > peaks[k]) peaks[k] = row[1 + 5 * k];
  }
  std::ranges::nth_element(peaks, peaks.begin() + 12);
  return peaks[12];
}

TEST(DensityDiffusion, LowersThePeaksOfPressureWhereADamBreakHitsABox) {
  // Impacts are chaotic, hence many probes. With spacings of .05, .055, .06 and .065 m the ratio was .29, .43, .44 and
  // .44. This is not yet a signal without spikes (docs/validation.md).
  EXPECT_LT(typical_peak(0.1), 0.7 * typical_peak(0));
}

/// Mean of a signal over a time around each moment.
std::vector<double> smoothed(const std::vector<double>& t, const std::vector<double>& p, double over) {
  std::vector<double> integral(t.size(), 0.0), result(t.size());
  for (std::size_t k = 1; k != t.size(); ++k) integral[k] = integral[k - 1] + (t[k] - t[k - 1]) * p[k];
  const auto integral_to = [&](double time) {
    const auto k = static_cast<std::size_t>(std::ranges::lower_bound(t, time) - t.begin());
    return integral[k] - (t[k] - time) * p[k];
  };
  for (std::size_t k = 0; k != t.size(); ++k) {
    const double begin = std::max(t.front(), t[k] - over / 2), end = std::min(t.back(), t[k] + over / 2);
    result[k] = (integral_to(end) - integral_to(begin)) / (end - begin);
  }
  return result;
}

TEST(DensityDiffusion, PressureOnABoxThatADamBreakHitsHasNoSpikes) {
  // The probes of kleefsman.toml at 24 places of the face, with its response of 12 ms, in which one row of particles
  // follows another: none is above twice the mean of its own over 20 ms. The mean begins where its 20 ms lie behind the
  // first contact: before, half of any steep rise is above twice the mean. Nothing is asked where the mean is below 1
  // kPa, a fifteenth of what the impact reaches: there one particle that is stopped within one step shows (2.4 for one
  // probe). Largest ratio: 1.8 here, 1.9 at a spacing of .05 m, 1.6 at .0183 m; without a response 4 to 17.
  constexpr double over = 0.02, noticeable = 1000;
  Scene scene = load_scene(FONDUE_SOURCE_DIR "/scenes/benchmarks/kleefsman.toml");
  const auto transducer = std::ranges::find(scene.probes, "P1", &ProbeSetup::name);
  ASSERT_NE(transducer, scene.probes.end());
  std::vector<ProbeSetup> places;
  for (const float y : {0.33f, 0.40f, 0.471f, 0.529f, 0.60f, 0.67f})
    for (const float z : {0.021f, 0.061f, 0.101f, 0.141f}) {
      places.push_back(*transducer);
      places.back().position = Vec3(0.8245f, y, z);
    }
  World world(scene.world);
  const Probes probes(places, world);
  std::vector<double> t;
  std::vector<std::vector<double>> signals(places.size());
  std::vector<double> row;
  while (world.time() < 0.8) {
    world.step(0.8);
    row = probes.measure(world, row);
    t.push_back(row[0]);
    for (std::size_t k = 0; k != places.size(); ++k) signals[k].push_back(row[1 + k]);
  }
  for (const std::vector<double>& p : signals) {
    const std::vector<double> mean = smoothed(t, p, over);
    const auto contact = std::ranges::find_if(p, [](double value) { return value > noticeable; });
    ASSERT_NE(contact, p.end());
    const double first = t[contact - p.begin()] + over / 2;
    double largest = 0;
    for (std::size_t k = 0; k != t.size(); ++k)
      if (t[k] > first && t[k] < t.back() - over / 2 && mean[k] > noticeable)
        largest = std::max(largest, p[k] / mean[k]);
    EXPECT_GT(largest, 1);
    EXPECT_LT(largest, 2);
  }
}

TEST(DensityDiffusion, GivesTheSameBitsForOneThreadTwoThreadsAndAResumedRun) {
  const std::string path = FONDUE_SOURCE_DIR "/scenes/benchmarks/kleefsman.toml";
  Simulation with_two(load_scene(path, {{"scene.spacing", "0.07"}}));
  with_two.run_to(1);
  const Snapshot half = with_two.save();
  with_two.run_to(3);
  {
    SCOPED_TRACE("one thread");
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1);
    Simulation with_one(with_two.scene());
    with_one.run_to(3);
    expect_same_bits(with_two.world(), with_one.world());
  }
  SCOPED_TRACE("saved and resumed");
  Simulation resumed = with_two.branch(half);
  resumed.run_to(3);
  expect_same_bits(with_two.world(), resumed.world());
}

}  // namespace
}  // namespace fondue::test_density_diffusion
