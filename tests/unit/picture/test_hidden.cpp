// Occlusion culling of a body of spheres compared with a brute-force test of all pairs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "picture/hidden.h"

namespace fondue::test_hidden {
namespace {

constexpr int size = 200;

std::vector<Outline> jittered_block(float spacing, int layers) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> jitter(-0.2f * spacing, 0.2f * spacing);
  std::vector<Outline> block;
  for (float x = 20; x < size - 20; x += spacing)
    for (float y = 20; y < size - 20; y += spacing)
      for (int k = 0; k < layers; ++k) {
        const float shift = k % 2 ? 0.5f * spacing : 0, z = 100 + spacing * static_cast<float>(k);
        block.push_back({x + shift + jitter(random), y + shift + jitter(random), 0.5f * spacing, z, 0.5f * spacing});
      }
  return block;
}

// Every point of a culled outline must be behind a nearer one, without exception for spheres of five pixels or more.
TEST(Hidden, CulledSpheresAreCoveredByNearerOnes) {
  const std::vector<Outline> block = jittered_block(12, 16);
  const std::vector<Index> kept = possibly_visible(block, size, size);
  std::vector<char> seen(block.size(), 0);
  for (const Index i : kept) seen[i] = 1;
  EXPECT_LT(kept.size(), block.size() * 3 / 4) << "and much of the inside is dropped";
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (seen[i]) continue;
    for (int k = 0; k < 50; ++k) {
      const float r = block[i].radius_pixels * std::sqrt(static_cast<float>(k) / 49),
                  angle = 2.4f * static_cast<float>(k);
      const float x = block[i].x + r * std::cos(angle), y = block[i].y + r * std::sin(angle);
      const auto covers = [&](const Outline& o) {
        return o.distance < block[i].distance && std::hypot(o.x - x, o.y - y) < o.radius_pixels;
      };
      ASSERT_TRUE(std::any_of(block.begin(), block.end(), covers)) << "sphere " << i << " at " << x << ", " << y;
    }
  }
}

TEST(Hidden, NothingInFrontIsCulled) {
  const std::vector<Outline> layer = jittered_block(12, 1);
  EXPECT_EQ(possibly_visible(layer, size, size).size(), layer.size());
}

TEST(Hidden, SpheresOutsideThePictureAreCulled) {
  const std::vector<Outline> outlines = {
      {-20, 50, 10, 5, 1}, {-5, 50, 10, 5, 1}, {50, 50, 10, 5, 0}, {1e30f, 0, 10, 5, 1}};
  EXPECT_EQ(possibly_visible(outlines, size, size), std::vector<Index>{1});
}

}  // namespace
}  // namespace fondue::test_hidden
