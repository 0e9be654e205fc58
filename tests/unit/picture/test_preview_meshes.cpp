// Pictures of meshes compared with pictures of particles and with their exact geometry.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "picture/colour_map.h"
#include "picture/preview.h"
#include "shapes/geometry.h"

namespace fondue::test_preview_meshes {
namespace {

constexpr int width = 320, height = 240;
constexpr float pi = std::numbers::pi_v<float>;
const Vec3 red(0.9f, 0.1f, 0.1f), green(0.1f, 0.8f, 0.1f);

/// A closed sphere of quads, facing outward, without normals.
Geometry sphere(const Vec3& centre, float radius, Index rings = 100) {
  const Index around = 2 * rings;
  Geometry geometry;
  TriangleMesh& mesh = geometry.mesh;
  mesh.vertices = {centre + Vec3(0, 0, radius), centre - Vec3(0, 0, radius)};
  for (Index j = 1; j < rings; ++j)
    for (Index i = 0; i < around; ++i) {
      const float theta = pi * static_cast<float>(j) / static_cast<float>(rings),
                  phi = pi * static_cast<float>(i) / static_cast<float>(rings);
      const Vec3 n(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
      mesh.vertices.push_back(centre + radius * n);
    }
  const auto at = [&](Index j, Index i) { return 2 + (j - 1) * around + i % around; };
  for (Index i = 0; i < around; ++i) {
    mesh.triangles.push_back({0, at(1, i), at(1, i + 1)});
    mesh.triangles.push_back({1, at(rings - 1, i + 1), at(rings - 1, i)});
    for (Index j = 1; j + 1 < rings; ++j) {
      mesh.triangles.push_back({at(j, i), at(j + 1, i), at(j + 1, i + 1)});
      mesh.triangles.push_back({at(j, i), at(j + 1, i + 1), at(j, i + 1)});
    }
  }
  return geometry;
}

/// A square upright sheet across the view, facing the viewer.
Geometry sheet(float y, float half) {
  Geometry geometry;
  geometry.mesh.vertices = {Vec3(-half, y, -half), Vec3(half, y, -half), Vec3(half, y, half), Vec3(-half, y, half)};
  geometry.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return geometry;
}

/// Looks along +y at the origin from four metres away, a picture two metres high there.
PreviewScene empty_scene(bool perspective = true) {
  PreviewScene scene;
  scene.camera.eye = Vec3(0, -4, 0);
  scene.camera.field_of_view = perspective ? 2 * std::atan(0.25f) * 180 / pi : 0;
  scene.camera.height = 2;
  return scene;
}

PreviewScene scene_of(const Geometry& geometry, const Vec3& colour, bool perspective = true) {
  PreviewScene scene = empty_scene(perspective);
  scene.meshes = {{&geometry, {}, {}, colour}};
  return scene;
}

class PreviewMeshes : public testing::Test {
 protected:
  static void SetUpTestSuite() { renderer_ = new PreviewRenderer(width, height); }
  static void TearDownTestSuite() { delete renderer_; }
  static Image render(const PreviewScene& scene) { return renderer_->render(scene); }
  static PreviewRenderer* renderer_;
};
PreviewRenderer* PreviewMeshes::renderer_ = nullptr;

bool is_red(const Vec3& colour) { return colour.x() > 2 * colour.y() && colour.x() > 2 * colour.z(); }
bool is_green(const Vec3& colour) { return colour.y() > 2 * colour.x() && colour.y() > 2 * colour.z(); }
float difference(const Vec3& a, const Vec3& b) { return (a - b).cwiseAbs().maxCoeff(); }
Vec3 middle(const Image& image) { return image.colour(width / 2, height / 2); }

// Both cast a shadow and are darkened by the floor. A particle's shadow is that of its disc, which differs from that of
// the sphere by less than the penumbra; and a mesh may shade itself at grazing light.
TEST_F(PreviewMeshes, SphereLooksLikeTheParticle) {
  const Geometry ball = sphere(Vec3(0.3f, 0, 0), 0.5f);
  const std::vector<Vec3> positions = {Vec3(0.3f, 0, 0)}, colours = {red};
  const std::vector<float> radii = {0.5f};
  for (const bool perspective : {true, false}) {
    PreviewScene meshed = scene_of(ball, red, perspective), particle = empty_scene(perspective);
    meshed.camera.eye = particle.camera.eye = Vec3(0, -4, 1.5f);
    meshed.floor = particle.floor = -0.5f;
    particle.positions = positions;
    particle.colours = colours;
    particle.radii = radii;
    const Image a = render(meshed), b = render(particle);
    float sum = 0;
    for (int y = 0; y < height; ++y) {
      int first[2] = {width, width}, last[2] = {-1, -1};
      for (int x = 0; x < width; ++x) {
        sum += difference(a.colour(x, y), b.colour(x, y));
        for (const int k : {0, 1})
          if (is_red((k ? b : a).colour(x, y))) {
            first[k] = std::min(first[k], x);
            last[k] = x;
          }
      }
      // Along the top and the bottom a row's ends move by several pixels as the outline moves by one.
      if (last[1] - first[1] < 60) continue;
      EXPECT_LE(std::abs(first[0] - first[1]), 1) << "left end of row " << y;
      EXPECT_LE(std::abs(last[0] - last[1]), 1) << "right end of row " << y;
    }
    EXPECT_LT(sum / (width * height), 0.01f);
  }
}

TEST_F(PreviewMeshes, GivenNormalsShadeLikeComputedOnes) {
  Geometry ball = sphere(Vec3::Zero(), 0.5f);
  const Image computed = render(scene_of(ball, red));
  for (const Vec3& x : ball.mesh.vertices) ball.normals.push_back(x.normalized());
  const Image given = render(scene_of(ball, red));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) ASSERT_LT(difference(computed.colour(x, y), given.colour(x, y)), 0.02f);
}

// Flat-shaded facets of 18 degrees would differ by a tenth or more at their edges.
TEST_F(PreviewMeshes, ShadingIsSmooth) {
  const Image picture = render(scene_of(sphere(Vec3::Zero(), 0.5f, 10), red));
  for (int x = width / 2 - 40; x < width / 2 + 40; ++x)
    ASSERT_LT(difference(picture.colour(x, height / 2), picture.colour(x + 1, height / 2)), 0.03f) << x;
}

TEST_F(PreviewMeshes, CastsAShadowToTheRight) {
  const Geometry ball = sphere(Vec3::Zero(), 0.25f);
  PreviewScene scene = scene_of(ball, red);
  scene.camera.eye = Vec3(0, -4, 2);
  scene.floor = -0.25f;
  const Image shaded = render(scene);
  scene.meshes.clear();
  const Image bare = render(scene);
  float left = 0, right = 0;
  for (int x = 0; x < width; ++x)
    for (int y = 0; y < height; ++y)
      if (!is_red(shaded.colour(x, y)))
        (x < width / 2 ? left : right) += (bare.colour(x, y) - shaded.colour(x, y)).sum();
  EXPECT_GT(left, 0) << "ambient occlusion where it touches the floor";
  EXPECT_GT(right, 1.5f * left) << "and a shadow away from the light";
}

TEST_F(PreviewMeshes, ShadesParticlesBelow) {
  const std::vector<Vec3> positions = {Vec3(0, 0, -0.5f)}, colours = {red};
  const std::vector<float> radii = {0.3f};
  PreviewScene scene = empty_scene();
  scene.positions = positions;
  scene.colours = colours;
  scene.radii = radii;
  const int top = height / 2 + 30;
  const float lit = render(scene).colour(width / 2, top).x();
  Geometry roof;  // towards the light, which comes from the upper left behind the viewer
  roof.mesh.vertices = {Vec3(-2, -1.5f, 0.9f), Vec3(1, -1.5f, 0.9f), Vec3(1, 1, 0.9f), Vec3(-2, 1, 0.9f)};
  roof.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  scene.meshes = {{&roof, {}, {}, green}};
  EXPECT_LT(render(scene).colour(width / 2, top).x(), 0.95f * lit);
}

TEST_F(PreviewMeshes, VertexColoursAreShown) {
  const Geometry ball = sphere(Vec3::Zero(), 0.5f);
  std::vector<Vec3> colours;
  std::vector<float> values;
  for (const Vec3& x : ball.mesh.vertices) {
    colours.push_back(x.x() < 0 ? red : green);
    values.push_back(x.x() < 0 ? 2.0f : std::nanf(""));
  }
  PreviewScene scene = empty_scene();
  scene.meshes = {{&ball, {}, colours, Vec3::Zero()}};
  const Image own = render(scene);
  EXPECT_LT(difference(own.colour(width / 2 - 10, height / 2), red), 0.15f);
  EXPECT_LT(difference(own.colour(width / 2 + 10, height / 2), green), 0.15f);
  scene.meshes = {{&ball, values, colours, Vec3::Zero()}};
  scene.legend = Legend{"", "", 0, 2, "diverging"};
  const Image mapped = render(scene);
  EXPECT_LT(difference(mapped.colour(width / 2 - 10, height / 2), ColourMap("diverging")(1)), 0.15f);
  EXPECT_LT(difference(mapped.colour(width / 2 + 10, height / 2), Vec3(1, 0, 0.85f)), 0.15f) << "no number";
}

TEST_F(PreviewMeshes, NearerSurfacesHideFartherOnes) {
  const std::vector<Vec3> positions = {Vec3::Zero()}, colours = {green};
  const std::vector<float> radii = {0.3f};
  for (const bool perspective : {true, false})
    for (const float y : {-0.31f, 0.31f, 0.0f}) {
      const Geometry wall = sheet(y, 0.5f);
      PreviewScene scene = scene_of(wall, red, perspective);
      scene.positions = positions;
      scene.colours = colours;
      scene.radii = radii;
      const Image picture = render(scene);
      EXPECT_EQ(is_red(middle(picture)), y < -0.3f) << "wall at " << y;
      EXPECT_EQ(is_green(middle(picture)), y > -0.3f) << "wall at " << y;
      EXPECT_TRUE(is_red(picture.colour(width / 2 + 50, height / 2))) << "beside the ball";
    }
}

TEST_F(PreviewMeshes, OpenAndReversedMeshesShowBothSides) {
  Geometry wall = sheet(0, 0.5f);
  const Vec3 front = middle(render(scene_of(wall, red)));
  for (auto& triangle : wall.mesh.triangles) std::swap(triangle[1], triangle[2]);
  EXPECT_LT(difference(middle(render(scene_of(wall, red))), front), 0.01f);
  Geometry inside_out = sphere(Vec3::Zero(), 0.5f);
  const Vec3 ball = middle(render(scene_of(inside_out, red)));
  for (auto& triangle : inside_out.mesh.triangles) std::swap(triangle[1], triangle[2]);
  EXPECT_LT(difference(middle(render(scene_of(inside_out, red))), ball), 0.01f);
}

TEST_F(PreviewMeshes, ClosedMeshAroundTheEyeShowsItsInside) {
  EXPECT_TRUE(is_red(middle(render(scene_of(sphere(Vec3::Zero(), 5), red)))));
}

// Corners far outside the picture, in front of and behind the eye.
TEST_F(PreviewMeshes, TriangleLargerThanThePictureFillsIt) {
  Geometry ground;
  ground.mesh.vertices = {Vec3(-50, -50, -0.3f), Vec3(50, -50, -0.3f), Vec3(0, 100, -0.3f)};
  ground.mesh.triangles = {{0, 1, 2}};
  const Image picture = render(scene_of(ground, red));
  for (const int x : {0, width / 2, width - 1}) {
    EXPECT_TRUE(is_red(picture.colour(x, height - 1)));
    EXPECT_FALSE(is_red(picture.colour(x, height / 4)));
  }
}

TEST_F(PreviewMeshes, SolidsAreGreyAndWhereTheyArePlaced) {
  const Geometry wall = sheet(0, 0.2f);
  PreviewScene scene = empty_scene();
  const Image bare = render(scene);
  Mat3 turn;
  turn << 0, 0, -1, 0, 1, 0, 1, 0, 0;
  scene.solid_meshes = {{&wall, turn, Vec3(0.5f, 0, 0)}};
  const Image picture = render(scene);
  const Vec3 colour = picture.colour(width / 2 + height / 4, height / 2);
  EXPECT_LT(colour.maxCoeff() - colour.minCoeff(), 0.06f);
  EXPECT_GT(difference(colour, bare.colour(width / 2 + height / 4, height / 2)), 0.02f);
  EXPECT_EQ(difference(middle(picture), middle(bare)), 0);
}

TEST_F(PreviewMeshes, TrianglesWithoutAFinitePositionAreOmittedAndCounted) {
  Geometry ball = sphere(Vec3(0, 0, 0.3f), 0.3f);
  const Image sound = render(scene_of(ball, red));
  const auto count = static_cast<Index>(ball.mesh.vertices.size());
  ball.mesh.vertices.insert(ball.mesh.vertices.end(), {Vec3(std::nanf(""), 0, 0), Vec3(0, -1, infinity)});
  ball.mesh.triangles.push_back({0, 1, count});
  ball.mesh.triangles.push_back({count + 1, 5, 0});
  const Image broken = render(scene_of(ball, red));
  // A vertex shared by valid and invalid triangles keeps its normal: the invalid ones are excluded from the sum.
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

TEST_F(PreviewMeshes, SameSceneGivesTheSameBytes) {
  const Geometry ball = sphere(Vec3(0.2f, 0, 0), 0.4f), wall = sheet(0.3f, 0.5f);
  const std::vector<Vec3> positions = {Vec3(-0.3f, 0, 0)}, colours = {red};
  const std::vector<float> radii = {0.4f};
  PreviewScene scene = scene_of(ball, green);
  scene.solid_meshes = {{&wall}};
  scene.positions = positions;
  scene.colours = colours;
  scene.radii = radii;
  scene.floor = -0.5f;
  const Image first = render(scene);
  EXPECT_EQ(first.rgb, render(scene).rgb);
  EXPECT_EQ(first.rgb, PreviewRenderer(width, height).render(scene).rgb) << "also by another renderer";
}

TEST_F(PreviewMeshes, InconsistentMeshesAreRefused) {
  Geometry wall = sheet(0, 1);
  const std::vector<float> values(4, 1.0f);
  const std::vector<Vec3> colours(3, red);
  PreviewScene scene = empty_scene();
  scene.meshes = {{&wall, values, {}, red}};
  EXPECT_THROW(render(scene), InputError) << "values without a legend";
  scene.meshes = {{&wall, {}, colours, red}};
  EXPECT_THROW(render(scene), InputError) << "three colours for four vertices";
  scene.meshes = {{&wall, {}, {}, red}};
  wall.normals.resize(2);
  EXPECT_THROW(render(scene), InputError) << "two normals for four vertices";
  wall.normals.clear();
  wall.mesh.triangles.push_back({0, 1, 4});
  EXPECT_THROW(render(scene), InputError) << "no such vertex";
}

}  // namespace
}  // namespace fondue::test_preview_meshes
