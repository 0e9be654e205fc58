// Finished pictures: POV-Ray renderings of scenes with known results.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>

#include "core/error.h"
#include "picture/frame_render.h"
#include "picture/glow.h"
#include "picture/palette.h"
#include "picture/povray.h"
#include "shapes/primitives.h"
#include "support/other_path.h"
#include "support/temporary_folder.h"
#include "unit/picture/balls.h"

namespace fondue::test_povray {
namespace {

namespace fs = std::filesystem;
using testing_support::OtherPath;
using testing_support::TemporaryFolder;

constexpr int width = 32, height = 18, all_looks = 19;

DrawnObject drawn(Geometry geometry, Look look, std::optional<Vec3> colour = {}) {
  DrawnObject object;
  object.geometry = std::move(geometry);
  object.look.look = look;
  object.look.colour = colour;
  return object;
}

/// From the front, one metre in eight rows.
Camera front() {
  Camera camera;
  camera.eye = Vec3(0, -10, 0);
  camera.field_of_view = 2 * std::atan(0.5f * height / 8 / 10) * 180 / std::numbers::pi_v<float>;
  return camera;
}

struct Place {
  int x, y;
};
/// The pixel that shows a point of the plane y = 0.
Place pixel(float x, float z) {
  return {static_cast<int>(std::floor(0.5f * width + 8 * x)), static_cast<int>(std::floor(0.5f * height - 8 * z))};
}

Image render(const PovrayScene& scene) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.pov") << povray_text(scene, width, height);
  render_povray(folder / "a.pov", folder / "a.png", width, height, 1);
  EXPECT_FALSE(fs::exists(folder / ".a.part.png"));
  return read_png((folder / "a.png").string());
}

Vec3 seen(const Image& image, float x, float z) { return image.colour(pixel(x, z).x, pixel(x, z).y); }
float brightness(const Vec3& c) { return to_linear(c).dot(Vec3(0.21f, 0.72f, 0.07f)); }
bool is_red(const Vec3& c) { return c.x() > 0.4f && c.x() > 2.5f * c.y() && c.x() > 2.5f * c.z(); }
bool is_grey(const Vec3& c) { return c.minCoeff() > 0.6f && c.maxCoeff() - c.minCoeff() < 0.12f; }

TEST(Povray, PaintedBallIsRedAndTheRestIsBackground) {
  PovrayScene scene;
  scene.objects = {drawn(ball(Vec3::Zero(), 0.7f), Look::paint)};
  scene.camera = front();
  const Image image = render(scene);
  EXPECT_EQ(image.width, width);
  EXPECT_EQ(image.height, height);
  for (int y = 0; y != height; ++y)
    for (int x = 0; x != width; ++x) {
      const float distance = std::hypot((x + 0.5f - 0.5f * width) / 8, (0.5f * height - y - 0.5f) / 8);
      // The silhouette at ten metres is 0.2 % larger; its pixels are mixed. Near it paint reflects like a mirror.
      if (distance > 0.85f) {
        EXPECT_TRUE(is_grey(image.colour(x, y))) << x << ", " << y;
      }
      if (distance < 0.35f && !(x < width / 2 && y < height / 2)) {
        EXPECT_TRUE(is_red(image.colour(x, y))) << x << ", " << y << ": " << image.colour(x, y).transpose();
      }
    }
}

TEST(Povray, LeftIsLeftAndUpIsUp) {
  const Vec3 red(0.9f, 0.05f, 0.05f), green(0.05f, 0.7f, 0.05f), blue(0.05f, 0.05f, 0.9f);
  for (const bool flat : {false, true}) {
    PovrayScene scene;
    // Axes of the picture: x and z in space, x and y in the plane.
    const auto at = [&](float x, float up) { return flat ? Vec3(x, up, 0) : Vec3(x, 0, up); };
    for (const auto& [place, colour] :
         {std::pair(at(1, 0), red), std::pair(at(-1, 0), green), std::pair(at(0, 0.8f), blue)}) {
      DrawnObject object = drawn({}, Look::clay, colour);
      object.geometry.mesh.vertices = {place};
      object.radius = 0.3f;
      scene.objects.push_back(object);
    }
    scene.camera = front();
    if (flat) scene.camera = Camera{Vec3(0, 0, 5), Vec3::Zero(), Vec3(0, 1, 0), 0, height / 8.0f};
    scene.flat = flat;
    const Image image = render(scene);
    const auto largest = [&](float x, float z) {
      int channel = 0;
      seen(image, x, z).maxCoeff(&channel);
      return channel;
    };
    EXPECT_EQ(largest(1, 0), 0) << "red on the right";
    EXPECT_EQ(largest(-1, 0), 1) << "green on the left";
    EXPECT_EQ(largest(0, 0.8f), 2) << "blue above";
    EXPECT_TRUE(is_grey(seen(image, 0, -0.8f))) << "nothing below";
  }
}

TEST(Povray, HotLavaOutshinesColdLava) {
  PovrayScene scene;
  for (const float T : {700.0f, 1150.0f, 1600.0f}) {
    Geometry g = ball(Vec3((T - 1150) / 450 * 1.3f, 0, 0), 0.5f);
    set(g, "temperature", T);
    scene.objects.push_back(drawn(g, Look::lava));
  }
  scene.camera = front();
  const Image image = render(scene);
  // A mean over several pixels, since the crust is uneven.
  const auto mean = [&](float x) {
    Vec3 sum = Vec3::Zero();
    for (int i = -2; i <= 2; ++i)
      for (int j = -2; j <= 2; ++j) sum += image.colour(pixel(x, 0).x + i, pixel(x, 0).y + j) / 25;
    return sum;
  };
  EXPECT_LT(brightness(mean(-1.3f)), 0.05f) << "crust";
  EXPECT_GT(mean(0).x(), 2 * mean(0).z()) << "glows red";
  EXPECT_GT(brightness(mean(0)), 2 * brightness(mean(-1.3f)));
  EXPECT_GT(brightness(mean(1.3f)), 0.6f) << "nearly white";
}

TEST(Look, GlowGrowsWithHeatFromNothing) {
  EXPECT_EQ(glow(0), Vec3(Vec3::Zero()));
  for (int i = 1; i <= 100; ++i) {
    const Vec3 more = glow(static_cast<float>(i) / 100) - glow(static_cast<float>(i - 1) / 100);
    EXPECT_GE(more.minCoeff(), 0) << i;
    EXPECT_GT(more.x(), 0) << i;
  }
}

// Eq. 6.13: the reflectance is linear in S from f to delta f.
TEST(Look, WetnessScalesTheReflectance) {
  const Vec3 dry(0.8f, 0.6f, 0.3f);
  const Vec3 f0 = to_linear(wetted(dry, 0)), f1 = to_linear(wetted(dry, 1)), half = to_linear(wetted(dry, 0.5f));
  EXPECT_LT((f0 - to_linear(dry)).norm(), 1e-5f);
  EXPECT_LT((half - 0.5f * (f0 + f1)).norm(), 1e-5f);
  EXPECT_LT((f1 - 0.4f * f0).norm(), 1e-5f);
}

TEST(Povray, SaturationDarkens) {
  for (const Look look : {Look::sand, Look::cloth}) {
    PovrayScene scene;
    for (const float S : {0.0f, 1.0f}) {
      Geometry g = ball(Vec3(S == 0 ? -1.0f : 1.0f, 0, 0), 0.7f);
      set(g, "saturation", S);
      scene.objects.push_back(drawn(g, look));
    }
    scene.camera = front();
    const Image image = render(scene);
    float dry = 0, wet = 0;
    for (float x = -0.4f; x < 0.5f; x += 0.125f)
      for (float z = -0.4f; z < 0.1f; z += 0.125f) {
        dry += brightness(seen(image, -1 + x, z));
        wet += brightness(seen(image, 1 + x, z));
      }
    EXPECT_LT(wet, 0.65f * dry);
    EXPECT_GT(wet, 0.25f * dry) << "not black";
  }
}

TEST(Povray, AcceptsEveryLookPlainAndColouredAsMeshAndAsSpheres) {
  for (const bool coloured : {false, true}) {
    PovrayScene scene;
    for (int look = 0; look != all_looks; ++look) {
      Geometry g = ball(Vec3(-1.7f + 0.2f * static_cast<float>(look), 0, 0.3f), 0.1f);
      g.attributes = {{"saturation", "1", 1, {}}, {"temperature", "K", 1, {}}, {"velocity", "m/s", 3, {}}};
      for (const Vec3& x : g.mesh.vertices) {
        g.attributes[0].values.push_back(x.y());
        g.attributes[1].values.push_back(1200 + 1000 * x.z());
        for (int k = 0; k != 3; ++k) g.attributes[2].values.push_back(x[k]);
      }
      scene.objects.push_back(drawn(g, static_cast<Look>(look)));
      for (Vec3& x : g.mesh.vertices) x.z() -= 0.6f;
      g.mesh.triangles.clear();
      scene.objects.push_back(drawn(g, static_cast<Look>(look)));
      scene.objects.back().radius = 0.03f;
    }
    for (DrawnObject& object : scene.objects)
      if (coloured) object.colouring = ColumnColouring{"velocity", {"speed", "m/s", 0, 1, "heat"}};
    scene.camera = front();
    const Image image = render(scene);
    for (int look = 0; look != all_looks; ++look)
      for (const float z : {0.3f, -0.3f}) {
        if (!coloured && is_clear(static_cast<Look>(look))) continue;  // shows what is behind it
        if (!coloured && (static_cast<Look>(look) == Look::snow || static_cast<Look>(look) == Look::milk)) continue;
        const float x = -1.7f + 0.2f * static_cast<float>(look);
        EXPECT_GT((seen(image, x, z) - seen(image, x, 1)).norm(), 0.02f) << "look " << look << " shows nothing";
      }
  }
}

TEST(Povray, ClearMatterIsColouredByMetresNotByThePicture) {
  const auto middle = [](float size, float clarity) {
    PovrayScene scene;
    scene.objects = {drawn(ball(Vec3::Zero(), 0.7f * size), Look::honey)};
    scene.objects[0].look.clarity = clarity;
    scene.camera = front();
    scene.camera.eye *= size;
    return seen(render(scene), 0.1f, -0.1f);
  };
  const Vec3 clear = middle(1, 10), amber = middle(1, 0.5f), large = middle(4, 0.5f);
  EXPECT_GT(clear.z(), amber.z() + 0.1f) << "blue is absorbed first";
  EXPECT_GT(amber.y(), large.y() + 0.1f) << "four times as far through it";
  EXPECT_LT((middle(4, 2) - amber).norm(), 0.02f) << "four times as large and as clear";
}

/// A drop of water takes no colour from light, a pool does, and a drop of honey. Rays towards lamps pass what casts no
/// shadow as if it were not there, which takes half of the time where there are many drops.
TEST(Povray, OnlyClearMatterThatColoursLightCastsAShadow) {
  const auto shadowless = [](float radius, Look look, std::optional<float> clarity = {}) {
    PovrayScene scene;
    scene.objects = {drawn(ball(Vec3(3, 0, 1), radius), look)};
    scene.objects[0].look.clarity = clarity;
    scene.camera = front();
    const std::string text = povray_text(scene, width, height);
    const std::size_t matter = text.find("mesh2");
    EXPECT_NE(matter, std::string::npos);
    return text.find("no_shadow", matter) != std::string::npos;
  };
  EXPECT_TRUE(shadowless(0.005f, Look::water));
  EXPECT_FALSE(shadowless(0.1f, Look::water));
  EXPECT_TRUE(shadowless(0.1f, Look::water, 20.0f)) << "twenty metres of it have the colour";
  EXPECT_FALSE(shadowless(0.005f, Look::honey));
  EXPECT_FALSE(shadowless(0.005f, Look::ice)) << "it is cloudy";
  EXPECT_FALSE(shadowless(0.005f, Look::wax));
}

TEST(Povray, ALookThatFollowsAColumnGoesFromOneToTheNext) {
  PovrayScene scene;
  for (const float melted : {0.0f, 0.5f, 1.0f}) {
    Geometry g = ball(Vec3(2.4f * (melted - 0.5f), 0, 0), 0.5f);
    set(g, "melted", melted);
    DrawnObject object = drawn(g, Look::snow);
    object.look.sequence = {Look::snow, Look::chocolate};
    object.look.place = {Curve<float>({0, 1}, {0, 1}, Interpolation::linear), "melted"};
    scene.objects.push_back(object);
  }
  scene.camera = front();
  const Image image = render(scene);
  const float snow = brightness(seen(image, -1.2f, -0.1f)), half = brightness(seen(image, 0, -0.1f)),
              chocolate = brightness(seen(image, 1.2f, -0.1f));
  EXPECT_GT(snow, 1.4f * half);
  EXPECT_GT(half, 1.4f * chocolate);
}

/// A ring about the y axis, seen from the front: a cylinder without its middle.
Construction ring() {
  using Kind = Construction::Kind;
  const auto rod = [](float radius, float half) {
    return Construction{.kind = Kind::cone, .a = Vec3(0, -half, 0), .b = Vec3(0, half, 0), .r = radius, .s = radius};
  };
  return {.kind = Kind::intersect, .parts = {rod(0.7f, 0.2f), {.kind = Kind::complement, .parts = {rod(0.35f, 0.3f)}}}};
}

TEST(Povray, ConstructedSolidsHaveTheirHolesAndMoveWithTheirPose) {
  PovrayScene scene;
  DrawnSolid solid;
  solid.construction = ring();
  solid.look.emplace().look = Look::clay;
  scene.solids = {solid};
  scene.camera = front();
  const Image still = render(scene);
  EXPECT_TRUE(is_grey(seen(still, 0, 0))) << "through the hole";
  for (const auto& [x, z] : {std::pair(0.5f, 0.0f), std::pair(-0.5f, 0.0f), std::pair(0.0f, 0.5f)})
    EXPECT_FALSE(is_grey(seen(still, x, z))) << x << ", " << z;
  EXPECT_TRUE(is_grey(seen(still, 0.9f, 0)));

  scene.solids[0].velocity = Vec3(1, 0, 0);
  scene.solids[0].angular_velocity = Vec3(0, 0, std::numbers::pi_v<float> / 2);
  const Image later = render(moved(scene, 1));
  EXPECT_FALSE(is_grey(seen(later, 1, 0))) << "seen from the side";
  EXPECT_TRUE(is_grey(seen(later, 1.5f, 0)) && is_grey(seen(later, 0.5f, 0)));
}

TEST(Povray, SurroundingsAreAcceptedWithAndWithoutALens) {
  for (const Surroundings surroundings : {Surroundings::kitchen_table, Surroundings::outdoor}) {
    PovrayScene scene;
    scene.objects = {drawn(ball(Vec3::Zero(), 0.5f), Look::paint), drawn(ball(Vec3(1, 0, 0), 0.4f), Look::water)};
    scene.camera = front();
    scene.camera.eye.z() = 4;
    scene.floor = -0.5f;
    scene.surroundings = surroundings;
    // Sky and window reflect in the paint.
    const auto reddish = [](const Vec3& c) { return c.x() > 1.15f * c.y() && c.x() > 1.15f * c.z(); };
    EXPECT_TRUE(reddish(seen(render(scene), 0.1f, -0.1f)));
    scene.aperture = 0.5f;
    EXPECT_TRUE(reddish(seen(render(scene), 0.1f, -0.1f))) << "in focus";
  }
}

TEST(Povray, ALensBlursWhatIsNotInFocus) {
  PovrayScene scene;
  scene.objects = {drawn(ball(Vec3::Zero(), 0.5f), Look::paint)};
  scene.camera = front();
  scene.aperture = 3;
  const auto beside = [&](const Vec3& focus) {
    scene.focus = focus;
    return seen(render(scene), 0.7f, 0).y();
  };
  EXPECT_GT(beside(Vec3::Zero()), beside(Vec3(0, -6, 0)) + 0.05f) << "red spreads over the background";
}

TEST(Glow, BloomsAroundWhatGlowsAndNowhereElse) {
  Image dark{41, 41, std::vector<std::uint8_t>(3 * 41 * 41, 0)}, lamp = dark;
  lamp.blend(20, 20, Vec3(1, 0.5f, 0), 1);
  Image picture = dark;
  add_bloom(picture, lamp);
  EXPECT_GT(picture.colour(21, 20).x(), picture.colour(21, 20).y());
  EXPECT_GT(picture.colour(21, 20).y(), 0);
  EXPECT_EQ(picture.colour(21, 20).z(), 0);
  EXPECT_EQ(picture.colour(21, 20), picture.colour(19, 20)) << "the same on all sides";
  EXPECT_EQ(picture.colour(20, 21), picture.colour(20, 19));
  EXPECT_EQ(picture.colour(0, 0), Vec3(0, 0, 0));
  Image same = lamp;
  add_bloom(same, dark);
  EXPECT_EQ(same.rgb, lamp.rgb);
}

TEST(Glow, LightsAreAsStrongAsTheSurfaceIsLarge) {
  for (const float radius : {0.2f, 0.4f}) {
    DrawnObject object = drawn(ball(Vec3(1, 2, 3), radius), Look::lava);
    set(object.geometry, "temperature", 1500);
    float power = 0;
    for (const GlowLight& light : glow_lights(object, make_palette(object)))
      power += light.colour.x() * light.fade_distance * light.fade_distance;
    // c f^2 = L/2 A/pi, with the area of the sphere as it is drawn; at most six clusters are kept.
    EXPECT_LT(power, 0.5f * glow(1).x() * 4 * radius * radius);
    EXPECT_GT(power, 0.2f * 0.5f * glow(1).x() * 4 * radius * radius);
    set(object.geometry, "saturation", 0);
    object.geometry.attributes[0].values.assign(object.geometry.mesh.vertices.size(), 600);
    EXPECT_TRUE(glow_lights(object, make_palette(object)).empty()) << "cold";
  }
}

TEST(Flame, GlowsBeforeAnythingAndLightsWhatIsNear) {
  PovrayScene scene;
  scene.camera = front();
  // A wall behind it and a ball beside it.
  scene.objects = {drawn(ball(Vec3(0.75f, 0, 0), 0.3f), Look::clay, Vec3(0.6f, 0.6f, 0.6f))};
  const Image before = render(scene);
  scene.flames = {{Vec3(0, 0, -0.6f), 1.2f}};
  const Image burning = render(scene);
  EXPECT_TRUE(is_grey(seen(before, 0, -0.2f)));
  const Vec3 flame = seen(burning, 0, -0.2f);
  EXPECT_GT(flame.x(), 0.9f);
  EXPECT_LT(flame.z(), 0.8f * flame.x()) << "yellow, although the wall behind it is white";
  EXPECT_GT(brightness(seen(burning, 0.55f, 0)), brightness(seen(before, 0.55f, 0)) + 0.05f) << "lit by it";
  EXPECT_NEAR(brightness(seen(burning, -1.5f, 0.8f)), brightness(seen(before, -1.5f, 0.8f)), 0.01f)
      << "the background is not";
  // The bloom is made of the flame alone.
  scene.only_glow = true;
  const Image glow = render(scene);
  EXPECT_GT(seen(glow, 0, -0.2f).x(), 0.9f);
  EXPECT_EQ(seen(glow, 0.75f, 0), Vec3(0, 0, 0));
  EXPECT_EQ(seen(glow, -1.5f, 0.8f), Vec3(0, 0, 0));
}

TEST(MotionBlur, IsTheMeanOfLightNotOfNumbers) {
  const Image black{1, 1, {0, 0, 0}}, white{1, 1, {255, 255, 255}};
  EXPECT_NEAR(mean_of({black, white}).colour(0, 0).x(), 0.735f, 0.005f) << "half the light";
  EXPECT_EQ(mean_of({white}).rgb, white.rgb);
}

TEST(Povray, FloorContainersAndSolidsShow) {
  PovrayScene scene;
  scene.solids = {{ball(Vec3(0.6f, 0, 0), 0.4f)}};
  scene.containers = {{Box{Vec3(-1.5f, -0.1f, -0.6f), Vec3(1.5f, 0.1f, 0.8f)}}};
  scene.floor = -0.6f;
  scene.camera = front();
  scene.camera.eye.z() = 3;
  const Image with = render(scene);
  scene.solids.clear();
  scene.containers.clear();
  const Image without = render(scene);
  EXPECT_LT(brightness(seen(with, 0.6f, 0)), 0.7f * brightness(seen(without, 0.6f, 0))) << "a grey solid";
  EXPECT_LT(brightness(seen(with, 1.0f, -0.5f)), 0.97f * brightness(seen(without, 1.0f, -0.5f))) << "its shadow";
  float darker = 0;
  for (int x = 0; x != width; ++x)
    darker += brightness(with.colour(x, pixel(0, 0.2f).y)) < 0.97f * brightness(without.colour(x, pixel(0, 0.2f).y));
  EXPECT_GE(darker, 4) << "two uprights and the solid";
  EXPECT_TRUE(is_grey(seen(without, 0, -0.8f)) && is_grey(seen(without, 0, 0.9f))) << "a light floor and background";
}

TEST(Povray, PointsWithoutAFinitePositionAreOmitted) {
  PovrayScene scene;
  scene.objects = {drawn(ball(Vec3::Zero(), 0.7f), Look::paint), drawn({}, Look::clay)};
  scene.objects[0].geometry.mesh.vertices[5].x() = NAN;
  scene.objects[0].geometry.normals[9] = Vec3::Zero();
  scene.objects[1].geometry.mesh.vertices = {Vec3(NAN, 0, 0), Vec3(0, infinity, 0)};
  scene.objects[1].radius = 0.1f;
  scene.camera = front();
  EXPECT_TRUE(is_red(seen(render(scene), 0.1f, -0.1f)));
}

TEST(Palette, SharesAtMost64ShadesAndKeepsTheirOrder) {
  for (const bool wet : {false, true}) {
    Geometry g = ball(Vec3::Zero(), 1);
    g.attributes = {{"pressure", "Pa", 1, {}}};
    for (const Vec3& x : g.mesh.vertices) g.attributes[0].values.push_back(x.z());
    if (wet) g.attributes.push_back({"saturation", "1", 1, {}});
    if (wet)
      for (const Vec3& x : g.mesh.vertices) g.attributes[1].values.push_back(0.5f + 0.5f * x.x());
    DrawnObject object = drawn(g, Look::water);
    object.colouring = ColumnColouring{"pressure", {"pressure", "Pa", -1, 1, "viridis"}};
    const Palette palette = make_palette(object);
    EXPECT_LE(palette.shades.size(), Palette::most);
    EXPECT_TRUE(palette.coloured) << "clear water would show no colours";
    ASSERT_EQ(palette.of_vertex.size(), g.mesh.vertices.size());
    EXPECT_LT(brightness(palette.shades[palette.of_vertex.front()].colour),
              brightness(palette.shades[palette.of_vertex.back()].colour));
  }
}

TEST(Palette, TintMakesGrainsLighterOrDarker) {
  DrawnObject object = drawn({}, Look::sand);
  object.geometry.mesh.vertices.assign(3, Vec3::Zero());
  object.geometry.attributes = {{"tint", "1", 1, {-1, 0, 1}}};
  const Palette palette = make_palette(object);
  const auto bright = [&](std::size_t i) { return brightness(palette.shades[palette.of_vertex[i]].colour); };
  EXPECT_LT(bright(0), bright(1));
  EXPECT_LT(bright(1), bright(2));
}

TEST(Povray, WithoutTheProgramSaysWhichPackageIsMissing) {
  const TemporaryFolder folder;
  const OtherPath no_programs(folder.path().string());
  try {
    render_povray(folder / "a.pov", folder / "a.png", width, height, 1);
    FAIL() << "no error";
  } catch (const OutputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("povray is not installed"), std::string::npos) << message;
    EXPECT_NE(message.find("apt install povray"), std::string::npos) << message;
  }
}

TEST(Povray, ReportsPovraysErrorAndKeepsTheScene) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.pov") << "#version 3.7;\nsphere { <0, 0, 0>, 1 pigmnt { rgb 1 } }\n";
  try {
    render_povray(folder / "a.pov", folder / "a.png", width, height, 1);
    FAIL() << "no error";
  } catch (const OutputError& error) {
    const std::string message = error.what();
    // POV-Ray prints the word and line from a separate thread and sometimes exits before that; it always reports that
    // the scene could not be parsed.
    EXPECT_NE(message.find("pars"), std::string::npos) << message;
    EXPECT_EQ(message.find("Copyright"), std::string::npos) << message;
  }
  EXPECT_TRUE(fs::exists(folder / "a.pov"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1) << "and nothing else";
}

}  // namespace
}  // namespace fondue::test_povray
