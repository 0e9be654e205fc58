// What coarse levels propose as a direction.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "core/random.h"
#include "world/coarse_levels.h"

namespace fondue::test_coarse_levels {
namespace {

constexpr float dx = 0.1f;

/// A block of n x n x n particles, stiff above and soft below, some held by a wall.
class Block {
 public:
  Block(int n, float friction, float wall) {
    for (int k = 0; k != n; ++k)
      for (int j = 0; j != n; ++j)
        for (int i = 0; i != n; ++i) {
          Record record{};
          record.x = dx * static_cast<float>(i);
          record.y = dx * static_cast<float>(j);
          record.z = dx * static_cast<float>(k);
          records_.push_back(record);
          mass_.push_back(1.0f + 0.5f * static_cast<float>(i % 2));
          const float own = 2 * k < n ? 0.01f * friction : friction, held = k == 0 ? wall : 0.0f;
          wall_.push_back(held);
          inverse_diagonal_.push_back(1 / (1 + own + held));
          none_.push_back(0);
        }
    levels_.prepare(matter());
  }
  std::size_t size() const { return records_.size(); }
  Vec3 position(std::size_t k) const { return {records_[k].x, records_[k].y, records_[k].z}; }
  /// P r
  std::vector<Vec3> direction(const std::vector<Vec3>& residual) {
    std::vector<float> r[3], d[3];
    for (int axis = 0; axis != 3; ++axis)
      for (std::size_t k = 0; k != size(); ++k) {
        r[axis].push_back(residual[k][axis]);
        d[axis].push_back(inverse_diagonal_[k] * residual[k][axis]);
      }
    const float* from[3] = {r[0].data(), r[1].data(), r[2].data()};
    float* to[3] = {d[0].data(), d[1].data(), d[2].data()};
    levels_.add(matter(), from, to);
    std::vector<Vec3> result;
    for (std::size_t k = 0; k != size(); ++k) result.emplace_back(d[0][k], d[1][k], d[2][k]);
    return result;
  }
  double product(const std::vector<Vec3>& a, const std::vector<Vec3>& b) const {
    double sum = 0;
    for (std::size_t k = 0; k != size(); ++k) sum += double{mass_[k]} * a[k].cast<double>().dot(b[k].cast<double>());
    return sum;
  }

 private:
  CoarseLevels::Matter matter() const {
    const float *wall = wall_.data(), *none = none_.data();
    return {records_, mass_.data(), inverse_diagonal_.data(), {wall, wall, wall, none, none, none}, 1.0f, 2 * dx};
  }
  std::vector<Record> records_;
  std::vector<float> mass_, inverse_diagonal_, wall_, none_;
  CoarseLevels levels_;
};

std::vector<Vec3> random_vectors(std::size_t count, std::uint64_t seed) {
  std::vector<Vec3> result;
  for (std::size_t k = 0; k != count; ++k) result.push_back(2 * random_point(seed, k) - Vec3::Ones());
  return result;
}

TEST(CoarseLevels, AreSymmetricAndPositive) {
  Block block(14, 1e4f, 30);
  const std::vector<Vec3> a = random_vectors(block.size(), 1), b = random_vectors(block.size(), 2);
  const std::vector<Vec3> Pa = block.direction(a), Pb = block.direction(b);
  const double scale = std::sqrt(block.product(a, Pa) * block.product(b, Pb));
  EXPECT_GT(block.product(a, Pa), 0);
  EXPECT_NEAR(block.product(a, Pb), block.product(b, Pa), 1e-5 * scale);
}

TEST(CoarseLevels, MoveAFreeBodyAsAWhole) {
  // No friction within the body resists rigid motions, so that the velocities are to change by the residual.
  Block block(14, 1e6f, 0);
  const auto worst = [&](auto&& motion) {
    std::vector<Vec3> residual;
    for (std::size_t k = 0; k != block.size(); ++k) residual.push_back(motion(block.position(k)));
    const std::vector<Vec3> direction = block.direction(residual);
    float largest = 0, error = 0;
    for (std::size_t k = 0; k != block.size(); ++k) {
      largest = std::max(largest, residual[k].norm());
      error = std::max(error, (direction[k] - residual[k]).norm());
    }
    return error / largest;
  };
  EXPECT_LT(worst([](const Vec3&) { return Vec3(1, -2, 3); }), 0.02f);
  // Cells count as single particles at their centres, which makes the moment of inertia smaller by (width/length)^2.
  const Vec3 centre = Vec3::Constant(6.5f * dx);
  EXPECT_LT(worst([&](const Vec3& x) { return Vec3(1, 2, -1).cross(x - centre); }), 0.1f);
}

TEST(CoarseLevels, AddLittleWhereMassDecides) {
  Block block(14, 1e-6f, 0);
  const std::vector<Vec3> residual = random_vectors(block.size(), 3), direction = block.direction(residual);
  // Only the coarsest level adds something: the part of a random vector that its 27 nodes can show, 27 of 2,744
  // squares, and a few times that because it takes cells for single particles at their centres.
  std::vector<Vec3> added;
  for (std::size_t k = 0; k != block.size(); ++k) added.push_back(direction[k] - residual[k]);
  EXPECT_LT(block.product(added, added), 0.1 * block.product(residual, residual));
}

TEST(CoarseLevels, AreTheSameOnAnyNumberOfThreads) {
  Block block(14, 1e4f, 30);
  const std::vector<Vec3> residual = random_vectors(block.size(), 4), on_all = block.direction(residual);
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1);
  EXPECT_EQ(Block(14, 1e4f, 30).direction(residual), on_all);
}

}  // namespace
}  // namespace fondue::test_coarse_levels
