// What an exchange of mass does to particles, without any motion: a sponge and water on one lattice.

#include <gtest/gtest.h>

#include "behaviours/fluid.h"
#include "behaviours/inner_pressure.h"
#include "behaviours/porous.h"

namespace fondue {
namespace {

constexpr float dx = 0.02f, ratio = 2;

/// Particles of two objects, water (0) and a sponge (1), with the stage that exchanges mass between them.
struct Bench {
  int dimension;
  Kernel kernel{KernelShape::cubic_spline, dimension};
  Particles particles = {};
  Porous porous = {};
  std::vector<Track> water = {Track{"fluid", 1.0f, {}}}, sponge = {Track{"porous", 1.0f, {}}};
  std::optional<Properties> properties = {};
  double time = 0;
  int born = 0, died = 0;

  float volume() const { return lattice_volume(kernel, dx, ratio * dx); }
  void begin() {
    particles.require(columns::velocity);
    particles.require(columns::object);
    for (const Column<float>* column : {&columns::mass, &columns::volume, &columns::support, &columns::density})
      particles.require(*column);
    porous.require(particles);
    properties.emplace(Porous::description.parameters, std::vector<std::vector<Track>>{{}, sponge});
  }
  void add(const Vec3& x, Index object, float density, const Vec3& v = Vec3::Zero()) {
    const Index i = particles.create(1);
    particles[columns::position][i] = x;
    particles[columns::velocity][i] = v;
    particles[columns::object][i] = object;
    particles[columns::support][i] = ratio * dx;
    particles[columns::volume][i] = volume();
    particles[columns::mass][i] = density * volume();
    particles[columns::density][i] = density;
  }
  /// A layer of places from x0 on, in spacings.
  template <class Visit>
  void block(int x0, int x1, int across, Visit&& visit) const {
    for (int i = x0; i != x1; ++i)
      for (int j = 0; j != across; ++j)
        for (int k = 0; k != (dimension == 3 ? across : 1); ++k)
          visit(dx * Vec3(static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)));
  }
  void exchange(double seconds) {
    time += seconds;
    properties->update(time, particles);
    MatterOutline matter;
    matter.objects.push_back({"water", water, dx, {}});
    matter.objects.push_back({"sponge", sponge, dx, {}});
    std::vector<std::uint8_t> marked(particles.size(), 0);
    std::vector<Birth> births;
    const Periodicity space;
    porous.exchange({particles,
                     *properties,
                     matter,
                     kernel,
                     ratio,
                     time,
                     seconds,
                     0,
                     space,
                     {},
                     [](const Vec3&) { return infinity; },
                     marked,
                     births});
    died += static_cast<int>(std::ranges::count(marked, 1));
    born += static_cast<int>(births.size());
    particles.remove(marked);
    for (const Birth& birth : births) {
      add(birth.position, birth.object, 1000, birth.velocity);
      const Index i = particles.size() - 1;
      particles[columns::mass][i] = birth.mass;
      particles[columns::volume][i] = birth.volume;
      EXPECT_EQ(birth.support, ratio * dx);
    }
  }
  double sum(const Column<float>& column, Index object) const {
    double total = 0;
    for (Index i = 0; i != particles.size(); ++i)
      if (particles[columns::object][i] == object) total += static_cast<double>(particles[column][i]);
    return total;
  }
  double free_fluid() const { return sum(columns::mass, 0); }
  double absorbed() const {
    return sum(columns::absorbed_mass, 1) + sum(columns::absorbed_remainder, 1) + sum(columns::emission, 1);
  }
  Vec3d momentum() const {
    Vec3d total = Vec3d::Zero();
    for (Index i = 0; i != particles.size(); ++i)
      total += static_cast<double>(particles[columns::mass][i]) * particles[columns::velocity][i].cast<double>();
    return total;
  }
};

class PorousExchange : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(In, PorousExchange, testing::Values(2, 3), testing::PrintToStringParamName());

/// Single precision leaves 6e-8 of the mass of every particle.
constexpr double rounding = 2e-7;

TEST_P(PorousExchange, ADrySpongeDrinksWhatTouchesIt) {
  Bench bench{GetParam()};
  bench.sponge[0].values.set(Porous::permeability, Keyable<float>(1e-9f));
  bench.begin();
  bench.block(0, 6, 5, [&](const Vec3& x) { bench.add(x, 1, 300, Vec3(-1, 0, 0)); });
  bench.block(-2, 0, 5, [&](const Vec3& x) { bench.add(x, 0, 1000, Vec3(2, 1, 0)); });
  bench.exchange(0);
  const double water = bench.free_fluid(), dry = bench.sum(columns::mass, 1);
  const Vec3d p = bench.momentum();
  EXPECT_EQ(bench.absorbed(), 0);
  for (int k = 0; k != 300; ++k) {
    bench.exchange(1e-3);
    ASSERT_NEAR((bench.free_fluid() + bench.absorbed()) / water, 1, rounding) << "exchange " << k;
    ASSERT_NEAR((bench.free_fluid() + bench.sum(columns::mass, 1)) / (water + dry), 1, rounding);
    ASSERT_LT((bench.momentum() - p).norm(), 10 * rounding * p.norm()) << "exchange " << k;
  }
  EXPECT_GT(bench.absorbed(), 0.4 * water);
  EXPECT_GT(bench.died, 0) << "what has almost vanished is gone";
  for (Index i = 0; i != bench.particles.size(); ++i) {
    EXPECT_EQ(bench.particles[columns::support][i], ratio * dx);
    const float full = 1000 * bench.volume();
    if (bench.particles[columns::object][i] == 0) {
      EXPECT_NEAR(bench.particles[columns::mass][i] / bench.particles[columns::volume][i], 1000, 0.01);
      EXPECT_LE(bench.particles[columns::mass][i], 1.06f * full);
    }
  }
}

TEST_P(PorousExchange, ASqueezedSpongeMakesParticlesOfWhatNoLongerFits) {
  Bench bench{GetParam()};
  bench.sponge[0].values.set(Porous::permeability, Keyable<float>(1e-9f));
  bench.begin();
  bench.block(0, 8, 6, [&](const Vec3& x) { bench.add(x, 1, 300, Vec3(0, 0.5f, 0)); });
  for (float& saturation : bench.particles[columns::saturation]) saturation = 1;
  bench.exchange(0);
  const double held = bench.absorbed(), mass = bench.sum(columns::mass, 1);
  EXPECT_NEAR(mass - bench.sum(columns::dry_mass, 1), held, rounding * mass);
  const Vec3d p = bench.momentum();
  bench.exchange(1e-3);
  EXPECT_EQ(bench.born, 0) << "what fits stays";
  for (float& J : bench.particles[columns::dilation]) J = 0.85f;
  for (int k = 0; k != 100; ++k) {
    // What is born goes away, as it would by its pressure.
    for (Index i = 0; i != bench.particles.size(); ++i)
      if (bench.particles[columns::object][i] == 0) bench.particles[columns::position][i].x() += 1;
    bench.exchange(1e-3);
    ASSERT_NEAR((bench.free_fluid() + bench.absorbed()) / held, 1, rounding) << "exchange " << k;
  }
  EXPECT_LT((bench.momentum() - p).norm(), 10 * rounding * p.norm());
  EXPECT_GT(bench.born, 0);
  // What is left in accounts is less than a particle would need.
  EXPECT_NEAR(bench.sum(columns::absorbed_mass, 1) / held, 0.85, 0.002);
}

TEST_P(PorousExchange, WhatIsBornKeepsItsDistance) {
  Bench bench{GetParam()};
  bench.sponge[0].values.set(Porous::permeability, Keyable<float>(1e-9f));
  bench.begin();
  bench.block(0, 6, 6, [&](const Vec3& x) { bench.add(x, 1, 300); });
  for (float& saturation : bench.particles[columns::saturation]) saturation = 1;
  bench.exchange(0);
  for (float& J : bench.particles[columns::dilation]) J = 0.9f;
  while (bench.born == 0 && bench.time < 1) bench.exchange(1e-3);
  ASSERT_GT(bench.born, 0);
  const auto x = bench.particles[columns::position];
  const auto object = bench.particles[columns::object];
  const float high = 5.0f * dx;
  for (Index i = 0; i != x.size(); ++i) {
    if (object[i] != 0) continue;
    float nearest = infinity;
    for (Index j = 0; j != x.size(); ++j)
      if (j != i) nearest = std::min(nearest, (x[i] - x[j]).norm());
    EXPECT_GT(nearest, 0.54f * dx);
    const Vec3 within = x[i].cwiseMax(Vec3::Zero()).cwiseMin(Vec3(high, high, GetParam() == 3 ? high : 0.0f));
    EXPECT_GT((x[i] - within).norm(), 0.3f * dx) << "outside of the sponge";
  }
}

TEST_P(PorousExchange, WhatHasAlmostVanishedJoinsItsNeighbour) {
  Bench bench{GetParam()};
  bench.sponge[0].values.set(Porous::permeability, Keyable<float>(1e-20f));
  bench.begin();
  bench.block(0, 3, 3, [&](const Vec3& x) { bench.add(x, 1, 300); });
  for (float& saturation : bench.particles[columns::saturation]) saturation = 1;
  bench.add(dx * Vec3(-1, 1, 0), 0, 1000, Vec3(1, 0, 0));
  bench.add(dx * Vec3(-1.6f, 1, 0), 0, 1000, Vec3(-1, 0, 0));
  const Index last = bench.particles.size() - 1;
  bench.particles[columns::mass][last] *= 0.04f;
  bench.particles[columns::volume][last] *= 0.04f;
  bench.exchange(0);
  const double water = bench.free_fluid() + bench.absorbed();
  const Vec3d p = bench.momentum();
  bench.exchange(1e-6);
  EXPECT_EQ(bench.died, 1);
  EXPECT_NEAR((bench.free_fluid() + bench.absorbed()) / water, 1, rounding);
  EXPECT_LT((bench.momentum() - p).norm(), rounding * p.norm());
}

}  // namespace
}  // namespace fondue
