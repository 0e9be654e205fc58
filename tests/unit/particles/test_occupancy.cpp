// The coarse map of where points are: it may say "perhaps" anywhere, but "empty" only where no point is.

#include "core/random.h"
#include "particles/occupancy.h"

namespace fondue {
namespace {

bool holds_one(std::span<const Vec3> points, const Vec3& low, const Vec3& high) {
  return std::ranges::any_of(points, [&](const Vec3& x) { return Box{low, high}.contains(x); });
}

/// Points on the sides of a box, as boundary particles are, and one far away.
std::vector<Vec3> points_on_walls(float far_away) {
  std::vector<Vec3> points = {Vec3(far_away, 0.3f, -0.2f)};
  for (std::uint64_t k = 0; k != 3000; ++k) {
    Vec3 x = random_point(7, k).cwiseProduct(Vec3(2, 1, 3));
    const int axis = static_cast<int>(k % 3);
    x[axis] = k % 2 ? 0.0f : Vec3(2, 1, 3)[axis];
    points.push_back(x);
  }
  return points;
}

TEST(Occupancy, NeverCallsABoxEmptyThatHoldsAPoint) {
  for (const float far_away : {1.0f, 1e3f, 1e9f}) {
    const std::vector<Vec3> points = points_on_walls(far_away);
    Occupancy map;
    map.mark(points, 0.1f);
    for (std::uint64_t k = 0; k != 5000; ++k) {
      const Vec3 low = 4 * random_point(1, k) - Vec3::Constant(0.5f), high = low + 0.5f * random_point(2, k);
      if (holds_one(points, low, high)) {
        EXPECT_TRUE(map.view().may_hold(low.data(), high.data())) << low << high;
      }
    }
    for (const Vec3& x : points) EXPECT_TRUE(map.view().may_hold(x.data(), x.data()));
  }
}

TEST(Occupancy, KnowsThatTheMiddleOfATankIsEmpty) {
  Occupancy map;
  map.mark(points_on_walls(1), 0.1f);
  const Vec3 low(0.2f, 0.35f, 0.5f), high(1.8f, 0.65f, 2.5f), beyond(9, 9, 9);
  EXPECT_FALSE(map.view().may_hold(low.data(), high.data()));
  EXPECT_FALSE(map.view().may_hold(beyond.data(), beyond.data()));
}

TEST(Occupancy, ItsMemoryFollowsThePointsAndNotTheSpace) {
  Occupancy near, far;
  near.mark(points_on_walls(1), 0.1f);
  far.mark(points_on_walls(1e9f), 0.1f);
  EXPECT_LE(near.bytes(), 4 * 3001 * sizeof(std::uint64_t));
  EXPECT_LE(far.bytes(), 4 * 3001 * sizeof(std::uint64_t));
}

TEST(Occupancy, OfNothingSaysThatAnythingMayBeThere) {
  const Vec3 x = Vec3::Zero();
  Occupancy map;
  EXPECT_TRUE(map.view().may_hold(x.data(), x.data()));
  map.mark({}, 0.1f);
  EXPECT_TRUE(map.view().may_hold(x.data(), x.data()));
}

}  // namespace
}  // namespace fondue
