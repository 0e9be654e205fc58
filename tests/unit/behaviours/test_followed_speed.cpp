// The speed that automatic sound is chosen by, from sums over matter that neither moves nor changes.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "behaviours/followed_speed.h"

namespace fondue {
namespace {

constexpr float weight_of_unit = 9.81f, column_height = 2;

/// Where the speed comes to rest for a column whose pressure over density is given by height, from 0 to 1.
double speed_of(const std::function<float(float)>& pressure, float expected_speed) {
  constexpr int particles = 1000;
  FollowedSpeed::BlockSums sums;
  for (int k = 0; k != particles; ++k) {
    const float z = (static_cast<float>(k) + 0.5f) / particles;
    sums.add(1, Vec3::Zero(), 1.001f, pressure(z), column_height * z);
  }
  FollowedSpeed followed;
  for (int step = 0; step != 3000; ++step) {
    followed.begin({expected_speed, weight_of_unit, 0.01f, step == 0 ? 0 : followed.depth()}, 1, step == 0 ? 0 : 0.01f);
    followed.set(0, sums);
  }
  return followed.speed();
}

TEST(FollowedSpeed, OfAColumnAtRestIsThatOfAFallThroughIt) {
  const double fall = std::sqrt(2.0 * weight_of_unit * column_height);
  EXPECT_NEAR(speed_of([](float z) { return weight_of_unit * column_height * (1 - z); }, 20), fall, 0.01 * fall);
}

TEST(FollowedSpeed, OfMatterThatDoesNotPressIsTheLowest) {
  EXPECT_NEAR(speed_of([](float) { return 0.0f; }, 20), 20.0 / 4, 1e-4);
}

TEST(FollowedSpeed, OfAFewSqueezedParticlesIsLessThanTheirPressureAsksFor) {
  // One of a hundred carries what they all weigh: the mean compression is a twentieth of what is allowed.
  const auto one = [](float z) { return z < 0.01f ? 5.0f : 0.0f; };
  const double mean = std::sqrt(20 * 0.01 * 5);
  EXPECT_NEAR(speed_of(one, 3), mean, 0.01 * mean);
  // Ten of a hundred: their root mean square decides.
  const auto ten = [](float z) { return z < 0.1f ? 5.0f : 0.0f; };
  const double root = std::sqrt(1.4 * std::sqrt(12 * 0.1 * 25));
  EXPECT_NEAR(speed_of(ten, 3), root, 0.01 * root);
  EXPECT_LT(root, 0.8 * std::sqrt(3 * 5.0));
}

}  // namespace
}  // namespace fondue
