#include "behaviours/followed_speed.h"

#include <algorithm>
#include <cmath>

namespace fondue {

namespace {

/// Bounds of the speed over the expected one, how much it may fall per step, and rise where matter is compressed.
constexpr double lowest_part = 0.25, most_part = 2, fall = 0.01, rise = 0.02;
/// What is pressed counts for at most this many times the root mean square of all.
constexpr double few = 1.4;
/// Mean compression that is not worth a faster sound, over the allowed one.
constexpr double negligible = 0.05;
/// How often sound crosses matter in the time over which its pressure is averaged.
constexpr double crossings = 10;
/// Mean compression of a cube of fluid that hits the floor, over its speed divided by that of sound.
constexpr double impact = 0.2;
/// Matter falls freely while its mean pressure is this part of that of its flow.
constexpr double free_fall = 0.01;
/// Mean compression over the allowed one from which on the speed rises to keep it.
constexpr double near_limit = 0.7;
/// Changes below this part are not made while some matter sleeps.
constexpr double unfelt = 0.05;

}  // namespace

FollowedSpeed::Sums FollowedSpeed::all() const {
  Sums sum;
  for (const Sums& block : blocks_) sum.add(block);
  return sum;
}

void FollowedSpeed::begin(const Scene& scene, std::size_t blocks, float step) {
  scene_ = scene;
  if (memory_.speed < 0) memory_.speed = scene.expected_speed;
  if (step > 0) memory_ = after(step);
  blocks_.assign(blocks, {});
}

double FollowedSpeed::depth() const {
  const Sums sum = all();
  return sum.mass > 0 ? 2 * (sum.height / sum.mass - sum.lowest) : 0;
}

FollowedSpeed::Memory FollowedSpeed::after(float step) const {
  const Sums sum = all();
  if (!(sum.mass > 0)) return memory_;
  const double now = memory_.speed, expected = scene_.expected_speed, compressibility = scene_.compressibility;
  const double moving = sum.v2 > 0 ? sum.v4 / sum.v2 / 2 : 0;
  const double mean_velocity = std::hypot(sum.px, sum.py, sum.pz) / sum.mass;
  const bool falls = scene_.acceleration > 0 && sum.q < free_fall * sum.mass * mean_velocity * mean_velocity;
  const double as_one = falls ? impact * mean_velocity / std::sqrt(compressibility) : 0;
  const double depth = scene_.depth;
  const double weight_of_column = 2 * static_cast<double>(scene_.acceleration) * depth;
  const double pressing_now =
      sum.q > 0
          ? std::min({3 * sum.q2 / sum.q, few * std::sqrt(12 * sum.q2 / sum.mass), sum.q / (negligible * sum.mass)})
          : 0;
  const double crossing = depth * std::sqrt(compressibility) / std::max(now, 1e-30);
  const double part = static_cast<double>(step) / std::max(crossings * crossing, static_cast<double>(step));
  double pressing = memory_.pressing < 0 ? weight_of_column : static_cast<double>(memory_.pressing);
  pressing += part * (pressing_now - pressing);

  const double wanted = std::min(std::sqrt(std::max(moving, std::min(weight_of_column, pressing))), expected);
  double speed = std::max({wanted, as_one, (1 - fall) * now, lowest_part * expected});
  const double compression = sum.compression / sum.all_mass, allowed = near_limit * compressibility;
  if (compression > allowed) speed = std::max(speed, std::min(now * (1 + rise), most_part * expected));
  if (sum.asleep > 0 && std::abs(std::max(wanted, lowest_part * expected) - now) < unfelt * now) speed = now;
  return {static_cast<float>(speed), static_cast<float>(pressing)};
}

std::vector<double> FollowedSpeed::state() const {
  const Sums s = all();
  return {memory_.speed, memory_.pressing, s.mass,   s.px,       s.py,          s.pz,    s.v2, s.v4, s.q,
          s.q2,          s.height,         s.lowest, s.all_mass, s.compression, s.asleep};
}

void FollowedSpeed::restore(std::span<const double> s) {
  memory_ = {static_cast<float>(s[0]), static_cast<float>(s[1])};
  blocks_ = {{s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], s[10], s[11], s[12], s[13], s.size() > 14 ? s[14] : 0}};
}

}  // namespace fondue
