// A carried mesh and an extracted surface combined, without overlap.
#include <gtest/gtest.h>

#include "core/error.h"
#include "surface/faded.h"
#include "unit/shapes/helpers.h"
#include "unit/surface/bodies.h"

namespace fondue::test_faded {
namespace {

// The extracted surface is slightly larger and has a different triangulation.
const Box box{Vec3(0, 0, 0), Vec3(2, 1, 1)};
const Geometry carried = testing_support::box_mesh(box, 16);
const Geometry extracted = testing_support::box_mesh(box.grown(0.02f), 23);

std::vector<float> everywhere(float value) { return std::vector<float>(carried.mesh.vertices.size(), value); }

TEST(Faded, IntactObjectIsItsCarriedMesh) {
  const Geometry result = faded(carried, everywhere(1), extracted);
  EXPECT_EQ(result.mesh.triangles.size(), carried.mesh.triangles.size());
  EXPECT_DOUBLE_EQ(testing_support::area(result.mesh), testing_support::area(carried.mesh));
}

TEST(Faded, MoltenObjectIsItsExtractedSurface) {
  const Geometry result = faded(carried, everywhere(0), extracted);
  EXPECT_EQ(result.mesh.triangles.size(), extracted.mesh.triangles.size());
  EXPECT_DOUBLE_EQ(testing_support::area(result.mesh), testing_support::area(extracted.mesh));
}

TEST(Faded, HalfMoltenObjectIsCoveredOnce) {
  std::vector<float> intactness;
  for (const Vec3& x : carried.mesh.vertices) intactness.push_back(std::clamp(1.5f - x.x(), 0.0f, 1.0f));
  const Geometry result = faded(carried, intactness, extracted);
  // The seam runs around the middle, a length of 4, and neither gap nor overlap is wider there than one extracted
  // triangle. An overlap or a hole over the transition band would be as large as half the object: 5.
  const double largest = testing_support::area(extracted.mesh), smallest = testing_support::area(carried.mesh);
  const double seam = 4 * (2.04 / 23);
  EXPECT_LT(testing_support::area(result.mesh), largest + seam);
  EXPECT_GT(testing_support::area(result.mesh), smallest - seam);
  // Intact vertices are where they were carried; beyond the seam everything is on the extracted surface.
  for (const Vec3& x : result.mesh.vertices) {
    if (x.x() < 0.5f) {
      EXPECT_GE(x.minCoeff(), 0);
    }
    if (x.x() > 1.2f) {
      EXPECT_NEAR((x - box.centre()).cwiseAbs().cwiseQuotient(Vec3(1.02f, 0.52f, 0.52f)).maxCoeff(), 1, 1e-5);
    }
  }
}

TEST(Faded, SeamLiesOnTheExtractedSurface) {
  std::vector<float> intactness;
  for (const Vec3& x : carried.mesh.vertices) intactness.push_back(x.x() < 1 ? 0.9f : fade_seam);
  const Geometry result = faded(carried, intactness, extracted);
  for (const Vec3& x : result.mesh.vertices) {
    const float off = (x - box.centre()).cwiseAbs().cwiseQuotient(Vec3(1.02f, 0.52f, 0.52f)).maxCoeff();
    if (x.x() >= 1) {
      ASSERT_NEAR(off, 1, 1e-5);
    }
  }
}

TEST(Faded, DropsBeyondTheReachStay) {
  Geometry with_drop = extracted;
  const TriangleMesh drop = testing_support::sphere_mesh(4, 0.1f, Vec3(4, 0.5f, 0.5f));
  const auto offset = static_cast<Index>(with_drop.mesh.vertices.size());
  for (const Vec3& x : drop.vertices) with_drop.mesh.vertices.push_back(x);
  for (const auto& [a, b, c] : drop.triangles) with_drop.mesh.triangles.push_back({a + offset, b + offset, c + offset});
  const Geometry result = faded(carried, everywhere(1), with_drop, 0.2f);
  EXPECT_NEAR(testing_support::area(result.mesh), testing_support::area(carried.mesh) + testing_support::area(drop),
              1e-6);
}

TEST(Faded, AttributesOfOneAreSampledOnTheOther) {
  Geometry a = carried, b = extracted;
  a.attributes.push_back({"height", "m", 1, {}});
  for (const Vec3& x : a.mesh.vertices) a.attributes[0].values.push_back(x.z());
  b.attributes.push_back({"place", "m", 3, {}});
  for (const Vec3& x : b.mesh.vertices) b.attributes[0].values.insert(b.attributes[0].values.end(), {x[0], x[1], x[2]});
  std::vector<float> intactness;
  for (const Vec3& x : carried.mesh.vertices) intactness.push_back(std::clamp(1.5f - x.x(), 0.0f, 1.0f));
  const Geometry result = faded(a, intactness, b);
  const Geometry::Attribute* height = result.find("height");
  const Geometry::Attribute* place = result.find("place");
  ASSERT_TRUE(height && place);
  ASSERT_EQ(height->values.size(), result.mesh.vertices.size());
  ASSERT_EQ(place->values.size(), 3 * result.mesh.vertices.size());
  ASSERT_EQ(result.normals.size(), result.mesh.vertices.size());
  for (std::size_t i = 0; i < result.mesh.vertices.size(); ++i) {
    const Vec3& x = result.mesh.vertices[i];
    // The surfaces are 0.02 apart, 0.035 at corners.
    ASSERT_NEAR(height->values[i], x.z(), 0.036f);
    ASSERT_NEAR(place->values[3 * i], x.x(), 0.036f);
    ASSERT_NEAR(result.normals[i].norm(), 1, 1e-5f);
  }
}

TEST(Faded, EitherMeshMayBeEmpty) {
  EXPECT_EQ(faded(carried, everywhere(0.7f), {}).mesh.vertices, carried.mesh.vertices);
  EXPECT_EQ(faded({}, {}, extracted).mesh.triangles.size(), extracted.mesh.triangles.size());
  EXPECT_THROW(faded(carried, {}, extracted), InputError);
}

}  // namespace
}  // namespace fondue::test_faded
