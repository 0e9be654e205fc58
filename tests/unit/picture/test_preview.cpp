// Pictures of spheres compared with their exact geometry.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "picture/colour_map.h"
#include "picture/preview.h"

namespace fondue::test_preview {
namespace {

constexpr int width = 320, height = 240;
constexpr float pi = std::numbers::pi_v<float>;
const Vec3 red(0.9f, 0.1f, 0.1f), green(0.1f, 0.8f, 0.1f);

/// Looks along +y at the origin from four metres away, a picture two metres high there.
Camera front_camera(bool perspective) {
  Camera camera;
  camera.eye = Vec3(0, -4, 0);
  camera.field_of_view = perspective ? 2 * std::atan(0.25f) * 180 / pi : 0;
  camera.height = 2;
  return camera;
}

/// Spheres that own their data, so that a scene can be passed around.
struct Balls {
  std::vector<Vec3> positions, colours;
  std::vector<float> radii;
  void add(const Vec3& x, float radius, const Vec3& colour) {
    positions.push_back(x);
    radii.push_back(radius);
    colours.push_back(colour);
  }
  PreviewScene scene(bool perspective = true) const {
    PreviewScene scene;
    scene.positions = positions;
    scene.radii = radii;
    scene.colours = colours;
    scene.camera = front_camera(perspective);
    return scene;
  }
};

class Preview : public testing::Test {
 protected:
  static void SetUpTestSuite() { renderer_ = new PreviewRenderer(width, height); }
  static void TearDownTestSuite() { delete renderer_; }
  static Image render(const PreviewScene& scene) { return renderer_->render(scene); }
  static PreviewRenderer* renderer_;
};
PreviewRenderer* Preview::renderer_ = nullptr;

bool is_red(const Vec3& colour) { return colour.x() > 2 * colour.y() && colour.x() > 2 * colour.z(); }
bool is_green(const Vec3& colour) { return colour.y() > 2 * colour.x() && colour.y() > 2 * colour.z(); }

int count_red(const Image& image) {
  int count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) count += is_red(image.colour(x, y));
  return count;
}

float difference(const Vec3& a, const Vec3& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST_F(Preview, SphereShowsItsColour) {
  Balls balls;
  balls.add(Vec3::Zero(), 0.5f, red);
  const Image picture = render(balls.scene());
  const Image empty = render(PreviewScene{});
  // Lighting changes the colour of a surface that faces the viewer only slightly.
  EXPECT_LT(difference(picture.colour(width / 2, height / 2), red), 0.15f);
  for (const int x : {0, width - 1})
    for (const int y : {0, height - 1}) {
      EXPECT_EQ(difference(picture.colour(x, y), empty.colour(x, y)), 0);
      EXPECT_GT(picture.colour(x, y).minCoeff(), 0.8f) << "a light background";
    }
}

// Counting mostly red pixels has an error of a fraction of the edge pixels: below 1 % here.
TEST_F(Preview, SilhouetteInOrthographicProjectionIsADisc) {
  Balls balls;
  balls.add(Vec3(0.4f, 1, -0.2f), 0.6f, red);
  const float radius = 0.6f / 2 * height;
  const float area = static_cast<float>(count_red(render(balls.scene(false))));
  EXPECT_NEAR(area, pi * radius * radius, 0.03f * area);
}

// The cone of half angle alpha (sin alpha = r/D) around a direction theta off the axis cuts the picture's plane in an
// ellipse.
TEST_F(Preview, SilhouetteInPerspectiveIsTheConeOfTheSphere) {
  for (const float aside : {0.0f, 0.6f}) {
    Balls balls;
    balls.add(Vec3(aside, -2.6f, 0), 0.2f, red);
    const float D = std::hypot(1.4f, aside), sine = 0.2f / D, cosine = std::sqrt(1 - sine * sine);
    const float cos_theta = 1.4f / D, c = cos_theta * cos_theta - sine * sine;
    const float major = sine * cosine / c, minor = sine / std::sqrt(c);
    Camera wide = front_camera(true);
    wide.field_of_view = 2 * std::atan(0.6f) * 180 / pi;
    const float pixels = height / 2 / 0.6f;
    PreviewScene scene = balls.scene();
    scene.camera = wide;
    const float area = static_cast<float>(count_red(render(scene)));
    EXPECT_NEAR(area, pi * major * minor * pixels * pixels, 0.03f * area) << "aside by " << aside;
  }
}

TEST_F(Preview, NearerSphereHidesFartherOne) {
  for (const bool perspective : {true, false}) {
    Balls balls;
    balls.add(Vec3(0, 1, 0), 0.6f, green);
    balls.add(Vec3(0, -1, 0), 0.2f, red);
    const Image picture = render(balls.scene(perspective));
    EXPECT_TRUE(is_red(picture.colour(width / 2, height / 2)));
    EXPECT_TRUE(is_green(picture.colour(width / 2 + 45, height / 2))) << "around the near one";
  }
}

// The small sphere's centre is nearer than the large one's, but the surface of the large one is in front: flat discs
// would get this wrong.
TEST_F(Preview, SphereInsideAnotherIsHidden) {
  Balls balls;
  balls.add(Vec3(0, -0.5f, 0), 0.2f, red);
  balls.add(Vec3(0, 0, 0), 0.8f, green);
  EXPECT_EQ(count_red(render(balls.scene())), 0);
}

TEST_F(Preview, SphereCastsAShadowToTheRight) {
  Balls balls;
  balls.add(Vec3(0, 0, 0), 0.25f, red);
  PreviewScene scene = balls.scene();
  scene.camera.eye = Vec3(0, -4, 2);
  scene.floor = -0.25f;
  const Image shaded = render(scene);
  scene.positions = {};
  scene.radii = {};
  scene.colours = {};
  const Image bare = render(scene);
  float left = 0, right = 0;
  for (int x = 0; x < width; ++x)
    for (int y = 0; y < height; ++y)
      if (!is_red(shaded.colour(x, y)))
        (x < width / 2 ? left : right) += (bare.colour(x, y) - shaded.colour(x, y)).sum();
  EXPECT_GT(left, 0) << "ambient occlusion where it touches the floor";
  EXPECT_GT(right, 1.5f * left) << "and a shadow away from the light";
}

TEST_F(Preview, FlatDiscsShowTheExactColourOfTheMap) {
  const std::vector<Vec3> positions = {Vec3(-0.5f, 0, 0), Vec3(0.5f, 0, 0)};
  const std::vector<float> radii = {0.3f, 0.3f}, values = {0, 10};
  PreviewScene scene;
  scene.positions = positions;
  scene.radii = radii;
  scene.values = values;
  scene.legend = Legend{"a", "b", 0, 10, "diverging"};
  scene.flat = true;
  scene.camera = front_camera(false);
  scene.camera.eye = Vec3(0, 0, 4);
  scene.camera.up = Vec3(0, 1, 0);
  const Image picture = render(scene);
  const ColourMap map("diverging");
  EXPECT_LT(difference(picture.colour(width / 2 - height / 4, height / 2), map(0)), 0.01f);
  EXPECT_LT(difference(picture.colour(width / 2 + height / 4, height / 2), map(1)), 0.01f);
  EXPECT_EQ(difference(picture.colour(0, 0), picture.colour(0, height - 1)), 0);
}

TEST_F(Preview, ContainerShowsItsEdgesOnly) {
  PreviewScene scene;
  scene.camera = front_camera(false);
  const Image bare = render(scene);
  scene.containers = {{Box{Vec3(-0.5f, -0.5f, -0.5f), Vec3(0.5f, 0.5f, 0.5f)}}};
  const Image framed = render(scene);
  const auto change = [&](int x, int y) { return difference(bare.colour(x, y), framed.colour(x, y)); };
  EXPECT_GT(change(width / 2, height / 4), 0.2f) << "upper edge";
  EXPECT_GT(change(width / 2 - height / 4, height / 2), 0.2f) << "left edge";
  EXPECT_EQ(change(width / 2, height / 2), 0) << "nothing in the middle";
  EXPECT_EQ(change(width / 2, height / 8), 0) << "nothing outside";
}

TEST_F(Preview, SameSceneGivesTheSameBytes) {
  Balls balls;
  for (int i = 0; i < 500; ++i) {
    const float t = static_cast<float>(i);
    balls.add(0.7f * Vec3(std::sin(t), std::sin(1.7f * t), std::sin(2.3f * t)), 0.05f, red);
  }
  PreviewScene scene = balls.scene();
  scene.floor = -0.75f;
  scene.caption = "twice";
  const Image first = render(scene);
  EXPECT_EQ(first.rgb, render(scene).rgb);
  EXPECT_EQ(first.rgb, PreviewRenderer(width, height).render(scene).rgb) << "also by another renderer";
}

TEST_F(Preview, EmptySceneIsAnEvenBackground) {
  PreviewScene scene;
  scene.camera = front_camera(true);
  const Image picture = render(scene);
  for (int y = 1; y < height; ++y)
    ASSERT_LT(difference(picture.colour(width / 2, y), picture.colour(width / 2, y - 1)), 0.02f) << "row " << y;
  scene.legend = Legend{};
  scene.floor = 0;
  EXPECT_NE(render(scene).rgb, picture.rgb) << "the legend is there without particles";
}

TEST_F(Preview, NonFiniteValuesAreMagenta) {
  const std::vector<Vec3> positions = {Vec3::Zero()};
  const std::vector<float> radii = {0.5f}, values = {std::nanf("")};
  PreviewScene scene;
  scene.positions = positions;
  scene.radii = radii;
  scene.values = values;
  scene.legend = Legend{};
  scene.camera = front_camera(true);
  EXPECT_LT(difference(render(scene).colour(width / 2, height / 2), Vec3(1, 0, 0.85f)), 0.15f);
}

TEST_F(Preview, SpheresWithoutAFinitePositionAreOmittedAndCounted) {
  Balls balls;
  balls.add(Vec3(0, 0, 0.3f), 0.3f, red);
  const Image sound = render(balls.scene());
  balls.add(Vec3(std::nanf(""), 0, 0), 0.5f, green);
  balls.add(Vec3(0, infinity, 0), 0.5f, green);
  balls.add(Vec3(0, -0.5f, 0), std::nanf(""), green);
  balls.add(Vec3(0, -0.5f, 0), -1, green);
  PreviewScene scene = balls.scene();
  const Image broken = render(scene);
  bool same = true, caption = false;
  for (int x = 0; x < width; ++x)
    for (int y = 0; y < height; ++y) {
      const bool equal = difference(sound.colour(x, y), broken.colour(x, y)) == 0;
      if (y < 4 * height / 5) same = same && equal;
      if (y > 4 * height / 5 && x < width / 2) caption = caption || !equal;
    }
  EXPECT_TRUE(same) << "the rest of the picture does not change";
  EXPECT_TRUE(caption) << "and the lower left says so";
}

TEST_F(Preview, DistantOutlierDoesNotSpoilThePicture) {
  Balls balls;
  balls.add(Vec3::Zero(), 0.5f, red);
  const int alone = count_red(render(balls.scene()));
  balls.add(Vec3(0.1f, 1e9f, 0), 0.5f, green);
  balls.add(Vec3(1e9f, 0, 0), 0.5f, green);
  EXPECT_EQ(count_red(render(balls.scene())), alone);
}

TEST_F(Preview, InconsistentScenesAreRefused) {
  Balls balls;
  balls.add(Vec3::Zero(), 0.5f, red);
  PreviewScene scene = balls.scene();
  const std::vector<float> two = {1, 2}, one = {1};
  scene.radii = two;
  EXPECT_THROW(render(scene), InputError);
  scene = balls.scene();
  scene.values = one;
  EXPECT_THROW(render(scene), InputError) << "values without a legend";
  scene.legend = Legend{"", "", 0, 1, "rainbow"};
  EXPECT_THROW(render(scene), InputError) << "no such map";
  EXPECT_THROW(PreviewRenderer(0, 100), InputError);
  EXPECT_THROW(PreviewRenderer(100, 1 << 20), InputError);
}

}  // namespace
}  // namespace fondue::test_preview
