#include "shapes/height_field.h"

#include <stb_image_write.h>

#include <cmath>

#include "core/error.h"
#include "shapes/combine.h"
#include "unit/shapes/helpers.h"

namespace fondue::height_field_test {
namespace {

using testing_support::TemporaryFile;

const Ground ground{-1, -1, 1, 1, -0.5f};
float hills(float x, float y) { return 0.2f * std::sin(3 * x) * std::cos(2 * y); }

TEST(HeightField, IsSolidBelowItsHeightsDownToTheBase) {
  const ShapePtr field = make_height_field(ground, 81, 61, hills);
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Vec3 x = testing_support::random_in({Vec3(-1.3f, -1.3f, -0.8f), Vec3(1.3f, 1.3f, 0.5f)}, 1, i);
    const bool over = std::abs(x.x()) < 1 && std::abs(x.y()) < 1;
    const float height = hills(x.x(), x.y());
    // Within the flatness of a cell the ground may be on either side.
    if (std::abs(x.z() - height) < 1e-3f) continue;
    ASSERT_EQ(field->contains(x), over && x.z() < height && x.z() > -0.5f) << x.transpose();
  }
  testing_support::expect_lipschitz(*field, {Vec3::Constant(-1.5f), Vec3::Constant(1.5f)});
}

TEST(HeightField, OfASlopeHasItsDistanceAndNormal) {
  const ShapePtr slope = make_height_field(ground, 3, 3, [](float x, float) { return 0.75f * x + 0.5f; });
  const Vec3 n = Vec3(-0.6f, 0, 0.8f), on(0.1f, 0.2f, 0.575f);
  EXPECT_NEAR(slope->distance(on + 0.3f * n), 0.3f, 1e-5f);
  EXPECT_NEAR(slope->distance(on - 0.1f * n), -0.1f, 1e-5f);
  EXPECT_TRUE(slope->normal(on + 0.3f * n).isApprox(n, 1e-4f));
}

TEST(HeightField, StopsWhatFallsOnIt) {
  const ShapePtr field = make_height_field(ground, 41, 41, hills);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3 x(1.8f * (random_unit(2, i) - 0.5f), 1.8f * (random_unit(3, i) - 0.5f), 50);
    const auto hit = field->sweep(x, Vec3(x.x(), x.y(), -50), 1e-3f);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(50 - 100 * hit->fraction, hills(x.x(), x.y()), 5e-3f);
    EXPECT_GT(hit->normal.z(), 0.5f);
  }
}

TEST(HeightField, RotatedWorksInTwoDimensions) {
  const ShapePtr field = make_height_field(ground, 41, 2, [](float x, float) { return 0.1f * x; });
  const ShapePtr flat = make_transformed(field, {.axis = Vec3(1, 0, 0), .degrees = -90});
  EXPECT_TRUE(flat->contains(Vec3(0.5f, 0.04f, 0)));
  EXPECT_FALSE(flat->contains(Vec3(0.5f, 0.06f, 0)));
}

TEST(HeightField, TakesItsHeightsFromAnImage) {
  // Black on the left, white on the right, grey in the upper right corner.
  const unsigned char pixels[] = {0, 51, 0, 255};
  const TemporaryFile file("heights.png", "");
  ASSERT_TRUE(stbi_write_png(file.path().c_str(), 2, 2, 1, pixels, 2));
  const ShapePtr field = make_height_field(ground, file.path(), 0, 1);
  const auto height_at = [&](float x, float y) {
    float z = -0.4f;
    while (field->contains(Vec3(x, y, z))) z += 1e-3f;
    return z;
  };
  EXPECT_NEAR(height_at(-0.999f, 0), 0, 5e-3f);
  EXPECT_NEAR(height_at(0.999f, -0.999f), 1, 5e-3f);
  EXPECT_NEAR(height_at(0.999f, 0.999f), 0.2f, 5e-3f);
}

TEST(HeightField, RefusesInvalidHeights) {
  EXPECT_THROW(make_height_field(ground, 1, 5, hills), InputError);
  EXPECT_THROW(make_height_field(ground, 2, 2, std::vector<float>{0, 0, 0}), InputError);
  EXPECT_THROW(make_height_field(ground, 2, 2, std::vector<float>{0, 0, -0.6f, 0}), InputError);
  EXPECT_THROW(make_height_field(ground, 2, 2, std::vector<float>{0, 0, std::nanf(""), 0}), InputError);
  EXPECT_THROW(make_height_field({1, -1, -1, 1, -1}, 2, 2, hills), InputError);
  EXPECT_THROW(make_height_field(ground, "/no/such/image.png", 0, 1), InputError);
  const TemporaryFile nonsense("nonsense.png", "this is no image");
  EXPECT_THROW(make_height_field(ground, nonsense.path(), 0, 1), InputError);
}

}  // namespace
}  // namespace fondue::height_field_test
