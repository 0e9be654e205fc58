#include "shapes/text.h"

#include <cmath>

#include "core/error.h"
#include "shapes/filling.h"
#include "unit/shapes/helpers.h"

namespace fondue::text_test {
namespace {

using testing_support::TemporaryFile;

/// The fraction of its bounds that a letter covers.
double covered(const Shape& letter) {
  int inside = 0;
  const int count = 20000;
  for (int i = 0; i < count; ++i) inside += letter.contains(testing_support::random_in(letter.bounds(), 1, i));
  return double(inside) / count;
}

TEST(Text, LetterIIsABlock) {
  const ShapePtr letter = make_text("I", 1, 0.2f);
  EXPECT_EQ(covered(*letter), 1);
  EXPECT_NEAR(letter->bounds().min.z(), 0, 1e-5f);
  EXPECT_NEAR(letter->bounds().max.z(), 1, 1e-5f);
  EXPECT_FLOAT_EQ(letter->bounds().max.y(), 0.1f);
  EXPECT_FLOAT_EQ(letter->bounds().min.y(), -0.1f);
}

TEST(Text, LetterOHasAHole) {
  const ShapePtr letter = make_text("O", 1, 0.2f);
  const Vec3 centre = letter->bounds().centre();
  EXPECT_FALSE(letter->contains(centre));
  EXPECT_GT(letter->distance(centre), 0.1f);
  // Left, right, above and below the hole is inside the letter.
  for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
    bool met = false;
    for (float s = 0; s < 0.5f; s += 0.01f) met = met || letter->contains(centre + s * direction);
    EXPECT_TRUE(met) << direction.transpose();
  }
  const double part = covered(*letter);
  EXPECT_GT(part, 0.4);
  EXPECT_LT(part, 0.7);
}

TEST(Text, DistanceIsALowerBound) {
  const ShapePtr text = make_text("Fondue g\xc3\xa9!", 0.5f, 0.2f);
  const Box around = text->bounds().grown(0.3f);
  testing_support::expect_lipschitz(*text, around);
  testing_support::expect_normal_is_gradient(*text, around, 0.9);
  testing_support::expect_bounds_hold(*text, around);
}

TEST(Text, DistanceIsExactInFrontBesideAndOnTheEdge) {
  const ShapePtr letter = make_text("I", 1, 0.2f);
  const Box box = letter->bounds();
  const Vec3 centre = box.centre();
  EXPECT_NEAR(letter->distance(centre + Vec3(0, 0.4f, 0)), 0.3f, 1e-6f);
  EXPECT_NEAR(letter->distance(Vec3(box.max.x() + 0.3f, 0.5f, centre.z())), 0.5f, 1e-6f);
  EXPECT_NEAR(letter->distance(centre), -0.1f, 1e-6f);
}

TEST(Text, LettersFollowEachOther) {
  const float width = make_text("I", 1, 0.2f)->bounds().size().x();
  const ShapePtr row = make_text("III", 1, 0.2f);
  EXPECT_GT(row->bounds().size().x(), 3 * width);
  EXPECT_NEAR(covered(*row), 3 * width / row->bounds().size().x(), 0.02);
  EXPECT_EQ(make_text("I I", 1, 0.2f)->contains(make_text("I I", 1, 0.2f)->bounds().centre()), false);
}

TEST(Text, InTwoDimensionsHasNoThickness) {
  const ShapePtr text = make_text("O", 1, infinity);
  EXPECT_EQ(text->bounds().max.y(), infinity);
  EXPECT_FLOAT_EQ(text->distance(Vec3(0.3f, 100, 0.2f)), text->distance(Vec3(0.3f, 0, 0.2f)));
}

TEST(Text, RefusesInvalidTextsAndFonts) {
  EXPECT_THROW(make_text("", 1, 1), InputError);
  EXPECT_THROW(make_text("   ", 1, 1), InputError);
  EXPECT_THROW(make_text("A", 0, 1), InputError);
  EXPECT_THROW(make_text("A", 1, -1), InputError);
  EXPECT_THROW(make_text("\xff", 1, 1), InputError);
  EXPECT_THROW(make_text("\xe6\x97", 1, 1), InputError);
  // A character that the font does not have: U+65E5.
  EXPECT_THROW(make_text("\xe6\x97\xa5", 1, 1), InputError);
  EXPECT_THROW(make_text("A", 1, 1, "/no/such/font.ttf"), InputError);
  const TemporaryFile nonsense("nonsense.ttf", "this is no font");
  const TemporaryFile empty("empty.ttf", "");
  EXPECT_THROW(make_text("A", 1, 1, nonsense.path()), InputError);
  EXPECT_THROW(make_text("A", 1, 1, empty.path()), InputError);
}

}  // namespace
}  // namespace fondue::text_test
