#include <gtest/gtest.h>

#include <array>
#include <set>

#include "core/random.h"

namespace fondue {
namespace {

TEST(Random, DependsOnSeedAndCounterAlone) {
  EXPECT_EQ(random_bits(1, 2), random_bits(1, 2));
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed != 100; ++seed) {
    for (std::uint64_t counter = 0; counter != 100; ++counter) seen.insert(random_bits(seed, counter));
  }
  EXPECT_EQ(seen.size(), 10000u) << "neighbouring seeds and counters must not give the same number";
}

TEST(Random, IsUniformForEverySeed) {
  // Chi-square of 64 bins has mean 63 and standard deviation 11.2: 130 is six standard deviations away.
  for (const std::uint64_t seed : {0ull, 1ull, 2ull, 0xffffffffffffffffull}) {
    std::array<int, 64> bins{};
    const int count = 64000;
    for (int i = 0; i != count; ++i) {
      const float u = random_unit(seed, i);
      ASSERT_GE(u, 0);
      ASSERT_LT(u, 1);
      ++bins[std::size_t(u * 64)];
    }
    double chi_square = 0;
    for (const int bin : bins) chi_square += (bin - 1000.0) * (bin - 1000.0) / 1000;
    EXPECT_LT(chi_square, 130);
    EXPECT_GT(chi_square, 15) << "more even than chance allows";
  }
}

TEST(Random, ComponentsAndNeighboursAreIndependent) {
  // Correlations of 100000 pairs have a standard deviation of 0.0032.
  const int count = 100000;
  double components = 0, counters = 0, seeds = 0;
  for (int i = 0; i != count; ++i) {
    const Vec3 p = random_point(5, i) - Vec3::Constant(0.5f);
    components += 12 * (p.x() * p.y() + p.y() * p.z() + p.z() * p.x()) / 3;
    counters += 12 * (random_unit(5, i) - 0.5f) * (random_unit(5, i + 1) - 0.5f);
    seeds += 12 * (random_unit(5, i) - 0.5f) * (random_unit(6, i) - 0.5f);
  }
  EXPECT_NEAR(components / count, 0, 0.013);
  EXPECT_NEAR(counters / count, 0, 0.013);
  EXPECT_NEAR(seeds / count, 0, 0.013);
}

TEST(Random, PointsFillTheCubeEvenly) {
  const int count = 100000;
  Vec3d mean = Vec3d::Zero();
  Box box;
  for (int i = 0; i != count; ++i) {
    const Vec3 p = random_point(7, i);
    mean += p.cast<double>() / count;
    box.add(p);
  }
  EXPECT_TRUE(mean.isApproxToConstant(0.5, 0.01));
  EXPECT_GE(box.min.minCoeff(), 0);
  EXPECT_LT(box.max.maxCoeff(), 1);
  EXPECT_LT(box.min.maxCoeff(), 0.001f);
  EXPECT_GT(box.max.minCoeff(), 0.999f);
}

}  // namespace
}  // namespace fondue
