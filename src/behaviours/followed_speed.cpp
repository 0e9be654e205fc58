#include "behaviours/followed_speed.h"

#include <algorithm>
#include <cmath>

namespace fondue {

namespace {

/// How far below the expected speed it may be, and how much it may fall per step.
constexpr double lowest_part = 0.25, fall = 0.01;
/// Mean compression over the allowed one from which on the speed rises to keep it.
constexpr double near_limit = 0.7;

}  // namespace

void FollowedSpeed::Sums::add(const Sums& other) {
  mass += other.mass;
  v2 += other.v2;
  v4 += other.v4;
  q += other.q;
  q2 += other.q2;
  height += other.height;
  lowest = std::min(lowest, other.lowest);
  all_mass += other.all_mass;
  compression += other.compression;
}

void FollowedSpeed::begin(float expected_speed, float acceleration, float compressibility, std::size_t blocks,
                          bool of_a_step) {
  expected_ = expected_speed;
  if (speed_ < 0) speed_ = expected_speed;
  if (of_a_step) speed_ = next();
  acceleration_ = acceleration;
  compressibility_ = compressibility;
  blocks_.assign(blocks, {});
}

float FollowedSpeed::next() const {
  Sums sum;
  for (const Sums& block : blocks_) sum.add(block);
  if (!(sum.mass > 0)) return speed_;
  const double moving = sum.v2 > 0 ? sum.v4 / sum.v2 : 0;
  const double depth = 2 * (sum.height / sum.mass - sum.lowest);
  const double pressing = sum.q > 0 ? 3 * sum.q2 / sum.q : 0;
  const double wanted =
      std::sqrt(std::max(moving, std::min(2.0 * static_cast<double>(acceleration_) * depth, pressing)));
  const double now = speed_, expected = expected_;
  double speed =
      std::clamp(std::max(wanted, (1 - fall) * now), lowest_part * expected, std::max(expected, (1 - fall) * now));
  const double allowed = near_limit * static_cast<double>(compressibility_);
  const double compression = sum.compression / sum.all_mass;
  if (compression > allowed) speed = std::max(speed, now * std::sqrt(compression / allowed));
  return static_cast<float>(speed);
}

}  // namespace fondue
