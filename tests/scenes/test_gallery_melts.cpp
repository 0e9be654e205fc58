// What must be seen in the melting scenes of the gallery, in numbers. Coarser and shorter than the scenes themselves.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "behaviours/heat.h"
#include "scene/scene.h"
#include "surface/reconstruction.h"
#include "world/world.h"

namespace fondue::test_gallery_melts {
namespace {

/// A scene while it runs, and where its particles began.
class Melt {
 public:
  Melt(const std::string& name, const std::string& spacing, std::vector<Override> changes = {})
      : scene_(load_scene(fmt::format("{}/scenes/{}.toml", FONDUE_SOURCE_DIR, name), with(changes, spacing))),
        world_(scene_.world),
        began_(by_id(columns::position)) {}

  void run(double until) {
    while (world_.time() < until) world_.step(until);
  }
  /// Positions and temperatures, by id as at the start: nothing comes or goes in these scenes.
  std::vector<Vec3> positions() const { return by_id(columns::position); }
  std::vector<float> temperatures() const { return by_id(columns::temperature); }
  std::vector<Index> objects() const { return by_id(columns::object); }
  const std::vector<Vec3>& began() const { return began_; }
  float spacing() const { return world_.setup().spacing; }

  /// Particles that began between two heights.
  std::vector<Index> between(float low, float high) const {
    std::vector<Index> chosen;
    for (Index i = 0; i != began_.size(); ++i)
      if (began_[i].z() >= low && began_[i].z() < high) chosen.push_back(i);
    return chosen;
  }

  double surface_volume() const {
    const Particles& p = world_.particles();
    const auto copy = [](const auto& column) { return std::vector(column.begin(), column.end()); };
    const SurfaceParticles particles{copy(p[columns::position]), copy(p[columns::support]), copy(p[columns::volume])};
    return enclosed_volume(reconstruct(particles, scene_.surface, {}).mesh);
  }

 private:
  static std::vector<Override> with(std::vector<Override> changes, const std::string& spacing) {
    changes.push_back({"scene.spacing", spacing});
    return changes;
  }
  template <class T>
  std::vector<T> by_id(const Column<T>& column) const {
    const auto id = world_.particles()[columns::id];
    const auto values = world_.particles()[column];
    std::vector<Index> order(id.size());
    for (Index i = 0; i != order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](Index i) { return id[i]; });
    std::vector<T> sorted;
    for (const Index i : order) sorted.push_back(values[i]);
    return sorted;
  }

  const Scene scene_;
  World world_;
  const std::vector<Vec3> began_;
};

float top(const std::vector<Vec3>& x, const std::vector<Index>& of) {
  float highest = 0;
  for (const Index i : of) highest = std::max(highest, x[i].z());
  return highest;
}

float mean_height(const std::vector<Vec3>& x, const std::vector<Index>& of) {
  double sum = 0;
  for (const Index i : of) sum += x[i].z();
  return static_cast<float>(sum / static_cast<double>(of.size()));
}

bool touches(const Vec3& x, const std::vector<Vec3>& others, const std::vector<Index>& of, float reach) {
  return std::ranges::any_of(of, [&](Index i) { return (others[i] - x).norm() < reach; });
}

TEST(Gallery, EarsOfTheBunnyMeltItsBodyStandsAndAnEarThatTouchesItGetsColder) {
  // The rabbit that stands in, whether or not the bunny was fetched.
  Melt bunny("bunny-melt", "0.05", {{"objects.bunny.shape.file", "\"meshes/absent.obj\""}});
  const auto body = bunny.between(0, 0.55f), ears = bunny.between(0.8f, 2);
  const double volume = bunny.surface_volume();
  const auto warm = bunny.temperatures();
  for (const double t : {1.0, 2.0, 3.0}) {
    bunny.run(t);
    EXPECT_NEAR(bunny.surface_volume() / volume, 1, 0.1) << t << " s";
  }
  const auto x = bunny.positions();
  const auto T = bunny.temperatures();
  EXPECT_NEAR(top(x, body) / top(bunny.began(), body), 1, 0.03);
  EXPECT_LT(top(x, ears), top(bunny.began(), ears) - 0.2f);
  // How much colder those parts of the ears got that lie on the body, and those that hang free.
  double touching = 0, free = 0;
  int touching_count = 0, free_count = 0;
  for (const Index i : ears) {
    const bool on_body = touches(x[i], x, body, 2 * bunny.spacing());
    (on_body ? touching : free) += warm[i] - T[i];
    ++(on_body ? touching_count : free_count);
  }
  ASSERT_GT(touching_count, 5);
  ASSERT_GT(free_count, 5);
  EXPECT_GT(touching / touching_count, free / free_count + 2);
  EXPECT_GT(touching / touching_count, 5);
}

TEST(Gallery, TheBackOfTheChairComesDownInOnePieceWithItsLegs) {
  Melt chair("chair-melt", "0.045");
  const auto legs = chair.between(0, 0.36f), back = chair.between(0.6f, 2);
  const double volume = chair.surface_volume();
  chair.run(2);
  const auto x = chair.positions();
  EXPECT_LT(mean_height(x, back), mean_height(chair.began(), back) - 0.15f);
  EXPECT_NEAR(top(x, legs) / top(chair.began(), legs), 1, 0.1);
  EXPECT_NEAR(chair.surface_volume() / volume, 1, 0.1);
  // One piece: from one particle every other is reached in steps of a support.
  std::vector<Index> reached{0};
  std::vector<char> seen(x.size(), 0);
  seen[0] = 1;
  for (std::size_t k = 0; k != reached.size(); ++k)
    for (Index j = 0; j != x.size(); ++j)
      if (!seen[j] && (x[j] - x[reached[k]]).norm() < 2 * chair.spacing()) {
        seen[j] = 1;
        reached.push_back(j);
      }
  EXPECT_EQ(reached.size(), x.size());
}

TEST(Gallery, TheGargoyleSinksSlowlyAndItsHeadGoesDownAsAWhole) {
  Melt gargoyle("gargoyle-melt", "0.055");
  const auto all = gargoyle.between(0, 2);
  const float height = top(gargoyle.began(), all);
  // The ball of the head, without horns, ears and muzzle.
  const Vec3 centre(0.18f, 0, 0.76f);
  std::vector<Index> head;
  for (const Index i : all)
    if ((gargoyle.began()[i] - centre).norm() < 0.15f) head.push_back(i);
  float before = mean_height(gargoyle.began(), all);
  for (const double t : {1.0, 2.0}) {
    gargoyle.run(t);
    const float after = mean_height(gargoyle.positions(), all);
    EXPECT_LT(after, before - 0.002f) << "it must flow, " << t << " s";
    before = after;
  }
  const auto x = gargoyle.positions();
  EXPECT_GT(top(x, all), 0.6f * height);
  EXPECT_LT(top(x, all), 0.99f * height);
  // Distances within the head change much less than the head moves.
  Vec3 mean = Vec3::Zero(), mean_before = Vec3::Zero();
  for (const Index i : head) {
    mean += x[i] / static_cast<float>(head.size());
    mean_before += gargoyle.began()[i] / static_cast<float>(head.size());
  }
  double size = 0, size_before = 0;
  for (const Index i : head) {
    size += (x[i] - mean).norm();
    size_before += (gargoyle.began()[i] - mean_before).norm();
  }
  EXPECT_NEAR(size / size_before, 1, 0.1);
}

TEST(Gallery, TheUpperPartOfTheLettersMeltsOverTheLower) {
  Melt letters("logo-melt", "0.06");
  const auto lower = letters.between(0, 0.2f), upper = letters.between(0.45f, 2);
  letters.run(2);
  const auto x = letters.positions();
  EXPECT_NEAR(top(x, lower) / top(letters.began(), lower), 1, 0.05);
  EXPECT_LT(mean_height(x, upper), mean_height(letters.began(), upper) - 0.1f);
  // Much of it has come down to where the lower part began.
  const auto down = std::ranges::count_if(upper, [&](Index i) { return x[i].z() < 0.35f; });
  EXPECT_GT(down, static_cast<long>(upper.size() / 10)) << "of " << upper.size();
}

TEST(Gallery, WaxOfTheCandleMeltsRunsDownAndFreezes) {
  // Where its viscosity has come down to that of the melt, and where it is that of the solid again.
  constexpr float melts = 335, solid = 325;
  Melt candle("candle", "0.035");
  const auto body = candle.between(0, 0.5f), wax = candle.between(0.6f, 2);
  std::vector<char> melted(candle.began().size(), 0);
  for (double t = 0.1; t < 4.05; t += 0.1) {
    candle.run(t);
    const auto T = candle.temperatures();
    for (const Index i : wax) melted[i] |= T[i] > melts;
  }
  const auto x = candle.positions();
  const auto T = candle.temperatures();
  EXPECT_NEAR(top(x, body) / top(candle.began(), body), 1, 0.03);
  const auto drips = std::ranges::count_if(
      wax, [&](Index i) { return melted[i] && T[i] < solid && x[i].z() < candle.began()[i].z() - 0.15f; });
  EXPECT_GT(drips, static_cast<long>(wax.size() / 20)) << "of " << wax.size();
}

TEST(Gallery, TheHigherTheJumpNumberTheHigherABallStands) {
  Melt balls("jump-number", "0.1");
  balls.run(5);
  const auto x = balls.positions();
  const auto object = balls.objects();
  float height[3] = {0, 0, 0};
  for (Index i = 0; i != x.size(); ++i) height[object[i]] = std::max(height[object[i]], x[i].z());
  EXPECT_GT(height[1], height[0] + 0.015f);
  EXPECT_GT(height[2], height[1] + 0.015f);
  EXPECT_LT(height[2], 0.93f) << "also the stiffest gives way";
}

}  // namespace
}  // namespace fondue::test_gallery_melts
