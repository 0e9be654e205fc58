// The fast loops against their plain twin, and every build against every other: the same formulas, but neighbours found
// by other means, eight particles at a time, and rounded differently.

#include <gtest/gtest.h>

#include <cmath>

#include "behaviours/artificial_viscosity.h"
#include "behaviours/fluid.h"
#include "behaviours/sand.h"
#include "behaviours/surface_tension.h"
#include "behaviours/viscosity.h"
#include "core/random.h"
#include "support/setups.h"

namespace fondue::test_twins {
namespace {

using namespace testing_support;

/// Arrangements that are hard on a neighbour search or on rounding.
enum class Set { random, clustered, mixed_sizes, one_particle, boundary_heavy, periodic };
constexpr const char* set_names[] = {"random",       "clustered",      "mixed_sizes",
                                     "one_particle", "boundary_heavy", "periodic"};

constexpr const char* pair_behaviours[] = {"fluid", "viscosity", "artificial_viscosity", "surface_tension",
                                           "xsph",  "sand",      "all_together"};

struct Case {
  const PairLoops* loops;
  int dimension;
  Set set;
  const char* behaviour;
};

std::string name_of(const Case& given) {
  return std::string(given.loops->name) + "_" + std::to_string(given.dimension) + "D_" +
         set_names[static_cast<int>(given.set)] + "_" + given.behaviour;
}
void PrintTo(const Case& given, std::ostream* out) { *out << name_of(given); }

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const PairLoops* loops : available_pair_loops()) {
    if (loops == &plain_twin()) continue;
    for (const int dimension : {2, 3})
      for (int set = 0; set != static_cast<int>(std::size(set_names)); ++set)
        for (const char* behaviour : pair_behaviours)
          cases.push_back({loops, dimension, static_cast<Set>(set), behaviour});
  }
  return cases;
}

std::vector<Track> tracks_of(const std::string& behaviour) {
  std::vector<Track> tracks = {track("fluid", {{Fluid::speed_of_sound, 20}, {Fluid::allow_tension, 1}})};
  const auto add = [&](Track given) {
    if (behaviour == given.behaviour || behaviour == "all_together") tracks.push_back(std::move(given));
  };
  add(track("viscosity", {{Viscosity::dynamic_viscosity, 50}}));
  add(track("artificial_viscosity", {{ArtificialViscosity::alpha, 1}, {ArtificialViscosity::beta, 2}}));
  add(track("surface_tension", {{SurfaceTension::tension, 100}}));
  add(track("xsph"));
  add(track("sand", {{Sand::friction_angle, 40}, {Sand::cohesion, 1000}}));
  return tracks;
}

WorldSetup setup_of(const Case& given) {
  const int d = given.dimension;
  const auto box = [&](float low, float high) {
    return d == 2 ? rectangle(low, low, high, high) : make_box(Vec3::Constant(low), Vec3::Constant(high));
  };
  WorldSetup setup = world_setup(d, 0.1f);
  const std::vector<Track> tracks = tracks_of(given.behaviour);
  const float side = d == 2 ? 2.0f : 1.0f;
  if (given.set == Set::one_particle) {
    setup.objects.push_back(object("one", box(0, 0.1f), 0.1f, tracks));
  } else if (given.set == Set::mixed_sizes) {
    // Three sizes, the largest four times the smallest.
    setup.objects.push_back(object("large", box(0, 0.8f), 0.2f, tracks));
    setup.objects.push_back(object("middle", box(0.8f, 1.4f), 0.1f, tracks));
    setup.objects.push_back(object("small", box(-0.4f, 0), 0.05f, tracks));
  } else {
    setup.objects.push_back(object("matter", box(0, side), 0.1f, tracks));
  }
  if (given.set == Set::boundary_heavy) {
    setup.colliders.push_back(container("tank", box(0, side)));
    setup.colliders.push_back(solid("ball", make_sphere(Vec3(0.5f, 0.5f, d == 2 ? 0.0f : 0.5f), 0.2f), 0.5f));
  }
  if (given.set == Set::periodic) {
    setup.domain = Box{Vec3::Constant(0), Vec3::Constant(side)};
    setup.periodic = {true, true, d == 3};
  }
  return setup;
}

/// Moves the particles out of their lattice and gives them velocities, by id.
void disorder(World& world, const Case& given) {
  const auto x = world.particles()[columns::position], v = world.particles()[columns::velocity];
  const auto R = world.particles()[columns::support];
  const Vec3 plane(1, 1, given.dimension == 2 ? 0.0f : 1.0f);
  for (Index i = 0; i != world.particles().size(); ++i) {
    const Vec3 way = (2 * random_point(3, i) - Vec3::Ones()).cwiseProduct(plane);
    v[i] = (2 * random_point(4, i) - Vec3::Ones()).cwiseProduct(plane);
    if (given.set == Set::clustered) {
      // Clots of some fifty particles, far apart, two of them in almost one place, and one flung far away.
      const Index clot = i / 50;
      x[i] = Vec3(static_cast<float>(clot) * 3.7f, static_cast<float>(clot % 3), 0) + 1.2f * R[i] * way;
      if (i % 50 == 1) x[i] = x[i - 1] + 1e-5f * way;
      if (i == 7) x[i] = Vec3(3e6f, -2e5f, 0);
    } else if (given.set != Set::one_particle) {
      x[i] += 0.2f * R[i] * way;
    }
    x[i] = world.neighbourhood().periodicity().wrapped(x[i]);
  }
  // Sand that has flowed is under stress; the deviator has no trace.
  if (!world.particles().has(columns::sand_stress.name)) return;
  for (Index i = 0; i != world.particles().size(); ++i) {
    const Vec3 a = 400 * random_point(5, i), b = 400 * (random_point(6, i) - Vec3::Constant(0.5f)).cwiseProduct(plane);
    Vec6& S = world.particles()[columns::sand_stress][i];
    S << a.x() - a.y(), a.y() - a.z(), a.z() - a.x(), b.x(), b.y() * plane.z(), b.z();
  }
}

struct Outcome {
  std::vector<Rates> rates;
  std::vector<float> compression;
};

Outcome outcome_of(const Case& given, const PairLoops& loops) {
  World world(setup_of(given), loops);
  disorder(world, given);
  Outcome outcome{rates_of(world), {}};
  // Before the first step the store is in the order of ids.
  const auto s = world.particles()[columns::density_ratio];
  outcome.compression.assign(s.begin(), s.end());
  return outcome;
}

class Twins : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Of, Twins, testing::ValuesIn(all_cases()), [](const auto& of) { return name_of(of.param); });

/// Single precision leaves 1e-7 of each term; pressure multiplies what it leaves in the density by its stiffness, and a
/// force is the sum of some dozens of terms that nearly cancel: 2e-4 of the largest of them.
TEST_P(Twins, FastLoopsGiveTheRatesOfThePlainTwin) {
  const Outcome plain = outcome_of(GetParam(), plain_twin()), fast = outcome_of(GetParam(), *GetParam().loops);
  ASSERT_EQ(plain.rates.size(), fast.rates.size());
  float largest = 0, largest_drift = 0;
  for (const Rates& r : plain.rates) {
    largest = std::max(largest, r.acceleration.norm());
    largest_drift = std::max(largest_drift, r.drift.norm());
  }
  ASSERT_TRUE(largest > 0 || GetParam().set == Set::one_particle);
  for (std::size_t i = 0; i != plain.rates.size(); ++i) {
    EXPECT_NEAR(fast.compression[i], plain.compression[i], 3e-6f * std::max(1.0f, plain.compression[i])) << "id " << i;
    EXPECT_LE((fast.rates[i].acceleration - plain.rates[i].acceleration).norm(), 2e-4f * largest) << "id " << i;
    EXPECT_LE((fast.rates[i].drift - plain.rates[i].drift).norm(), 2e-5f * largest_drift) << "id " << i;
  }
}

TEST(Twins, EveryKernelIsTheSameInLanes) {
  for (int shape = 0; shape != static_cast<int>(kernel_names.size()); ++shape) {
    if (static_cast<KernelShape>(shape) == KernelShape::viscosity) continue;  // singular at a particle's own place
    for (const PairLoops* loops : available_pair_loops()) {
      std::vector<std::vector<Rates>> both;
      for (const PairLoops* each : {loops, &plain_twin()}) {
        WorldSetup setup = setup_of({each, 3, Set::mixed_sizes, "all_together"});
        setup.kernel = static_cast<KernelShape>(shape);
        World world(setup, *each);
        disorder(world, {each, 3, Set::mixed_sizes, ""});
        both.push_back(rates_of(world));
      }
      float largest = 0;
      for (const Rates& r : both[1]) largest = std::max(largest, r.acceleration.norm());
      for (std::size_t i = 0; i != both[0].size(); ++i)
        ASSERT_LE((both[0][i].acceleration - both[1][i].acceleration).norm(), 2e-4f * largest)
            << kernel_names[shape] << " " << loops->name;
    }
  }
}

/// A whole run: the dam break of the fast loops has the energy and the front of the plain twin's, though single
/// particles part ways as they do in any two runs that round differently.
TEST(Twins, AWholeRunComesOutTheSame) {
  const auto run = [](const PairLoops& loops) {
    WorldSetup setup = world_setup(2, 0.02f);
    setup.objects.push_back(object("column", rectangle(0, 0, 0.4f, 0.6f), 0.02f,
                                   {track("gravity"), track("fluid"), track("artificial_viscosity")}));
    setup.colliders.push_back(container("tank", rectangle(0, 0, 1.6f, 1), 1));
    World world(setup, loops);
    run_until(world, 0.3);
    double front = 0, energy = 0;
    for (Index i = 0; i != world.particles().size(); ++i) {
      front = std::max<double>(front, world.particles()[columns::position][i].x());
      energy += 0.5 * world.particles()[columns::mass][i] * world.particles()[columns::velocity][i].squaredNorm();
    }
    return std::pair(front, energy);
  };
  const auto [front, energy] = run(plain_twin());
  for (const PairLoops* loops : available_pair_loops()) {
    const auto [fast_front, fast_energy] = run(*loops);
    EXPECT_NEAR(fast_front, front, 0.02) << loops->name << ": one spacing";
    EXPECT_NEAR(fast_energy, energy, 0.02 * energy) << loops->name;
  }
}

/// A weight that is the same for all particles fades a pair force as much as one that differs.
TEST(Twins, HalfTheWeightIsHalfTheForce) {
  for (const PairLoops* loops : {available_pair_loops().front(), &plain_twin()}) {
    const auto pull = [&](float weight) {
      WorldSetup setup = world_setup(3, 0.1f);
      setup.objects.push_back(
          object("drop", make_sphere(Vec3::Zero(), 0.4f), 0.1f,
                 {track("fluid"), track("surface_tension", {{SurfaceTension::tension, 100}}, weight)}));
      World world(setup, *loops);
      return rates_of(world);
    };
    const std::vector<Rates> none = pull(1e-6f), half = pull(0.5f), whole = pull(1);
    double expected = 0, got = 0;
    for (std::size_t i = 0; i != none.size(); ++i) {
      expected += (whole[i].acceleration - none[i].acceleration).norm();
      got += (half[i].acceleration - none[i].acceleration).norm();
    }
    ASSERT_GT(expected, 0);
    EXPECT_NEAR(got / expected, 0.5, 1e-3) << loops->name;
  }
}

}  // namespace
}  // namespace fondue::test_twins
