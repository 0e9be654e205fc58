#include "shapes/surface_sampling.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "shapes/combine.h"
#include "shapes/mesh.h"
#include "shapes/point_grid.h"
#include "shapes/primitives.h"
#include "unit/shapes/helpers.h"

namespace fondue::surface_sampling_test {
namespace {

constexpr float spacing = 0.05f, depth = spacing / 2;
const Box region{Vec3::Constant(-1.5f), Vec3::Constant(1.5f)};

struct Tolerances {
  /// Largest distance from a point of the surface to a sample, and smallest between two samples, in spacings.
  float gap = 1.2f, nearest = 0.6f;
  /// Smallest depth of a sample, in spacings, for thin solids.
  float least_depth = 0.49f;
};

void expect_covered(const Shape& shape, int dimension = 3, Tolerances within = {}) {
  const auto samples = sample_surface(shape, spacing, depth, region, dimension);
  std::vector<Vec3> points;
  for (const SurfaceSample& sample : samples) {
    points.push_back(sample.position);
    ASSERT_TRUE(region.contains(sample.position));
    ASSERT_NEAR(sample.normal.norm(), 1, 1e-4f);
    if (dimension == 2) {
      ASSERT_EQ(sample.position.z(), 0);
    }
    // Outside an inner corner the level set has a sharp edge, at most the diagonal of a cube deep.
    ASSERT_LE(shape.distance(sample.position), -within.least_depth * spacing);
    ASSERT_GE(shape.distance(sample.position), -std::sqrt(3.01f) * depth);
  }
  const PointGrid grid(points, 2 * spacing);
  for (std::size_t i = 0; i < points.size(); ++i) {
    grid.visit(points[i], 2 * spacing, [&](Index j, float squared) {
      if (j != i) {
        ASSERT_GE(std::sqrt(squared), within.nearest * spacing) << points[i].transpose();
      }
    });
  }
  int seen = 0;
  for (std::uint64_t i = 0; i < 40000; ++i) {
    // A random point of the surface itself.
    Vec3 x = testing_support::random_in(region, 1, i);
    if (dimension == 2) x.z() = 0;
    for (int step = 0; step < 20 && std::abs(shape.distance(x)) > 1e-5f; ++step) {
      Vec3 n = shape.normal(x);
      if (dimension == 2) n.z() = 0;
      x -= shape.distance(x) * n;
    }
    if (std::abs(shape.distance(x)) > 1e-4f || !region.grown(-spacing).contains(x)) continue;
    ++seen;
    float nearest = infinity;
    grid.visit(x, 2 * spacing, [&](Index, float squared) { nearest = std::min(nearest, std::sqrt(squared)); });
    ASSERT_LE(nearest, within.gap * spacing) << "gap at " << x.transpose();
  }
  EXPECT_GT(seen, 1000);
}

const ShapePtr box = make_box(Vec3(-0.5f, -0.4f, -0.3f), Vec3(0.5f, 0.6f, 0.71f));
const ShapePtr ball = make_sphere(Vec3(0.1f, 0, 0), 0.6f);

TEST(SurfaceSampling, LeavesNoGapsOnFlatSides) {
  expect_covered(*box);
  expect_covered(*make_complement(box));
  expect_covered(*make_plane(Vec3(0, 0, 0.1f), Vec3(0, 0, 1)));
  expect_covered(*make_plane(Vec3(0, 0, 0.1f), Vec3(1, 2, -3)));
  expect_covered(*make_transformed(box, {Vec3(0.1f, 0, 0), Vec3(1, 2, 3), 30, 1.1f}));
}

TEST(SurfaceSampling, LeavesNoGapsOnRoundShapes) {
  expect_covered(*ball);
  expect_covered(*make_complement(ball));
  expect_covered(*make_torus(Vec3::Zero(), Vec3(0, 1, 1), 0.7f, 0.2f));
  expect_covered(*make_cylinder(Vec3(0, 0, -0.5f), Vec3(0, 0.4f, 0.5f), 0.5f));
  expect_covered(*make_complement(make_cylinder(Vec3(0, 0, -0.5f), Vec3(0, 0.4f, 0.5f), 0.5f)));
}

TEST(SurfaceSampling, LeavesNoGapsOnCombinations) {
  expect_covered(*make_union({ball, box}, 0.2f));
  expect_covered(*make_union({ball, box}));
  expect_covered(*make_difference(box, make_sphere(Vec3(0.5f, 0.6f, 0.7f), 0.5f)));
}

TEST(SurfaceSampling, LeavesNoGapsOnMeshes) {
  expect_covered(*make_mesh(testing_support::sphere_mesh(6, 0.7f)));
  expect_covered(*make_mesh(testing_support::cube_mesh()));
}

TEST(SurfaceSampling, LeavesNoGapsOnContours) {
  const ShapePtr square = make_box(Vec3(-0.5f, -0.5f, -infinity), Vec3(0.5f, 0.62f, infinity));
  for (const ShapePtr& shape :
       {square, make_complement(square), make_plane(Vec3(0, 0.1f, 0), Vec3(1, 2, 0)), ball, make_complement(ball),
        make_union({ball, square}, 0.1f), make_transformed(square, {.translation = Vec3(0.1f, 0, 0), .degrees = 20})}) {
    expect_covered(*shape, 2);
  }
}

TEST(SurfaceSampling, StaysInsideOfThinSolids) {
  // Thinner than two depths: the middle.
  const Tolerances middle{.least_depth = 0};
  expect_covered(*make_box(Vec3(-1, -1, 0), Vec3(1, 1, 0.01f)), 3, middle);
  expect_covered(*make_cylinder(Vec3(0, 0, 0), Vec3(0, 0, 0.01f), 1), 3, middle);
  expect_covered(*make_capsule(Vec3(-1, 0, 0), Vec3(1, 0.5f, 0.2f), 0.01f), 3, middle);
  TriangleMesh plate = testing_support::cube_mesh();
  for (Vec3& x : plate.vertices) x.z() *= 1e-3f;
  expect_covered(*make_mesh(plate), 3, middle);
}

TEST(SurfaceSampling, OfAnOpenMeshLiesOnItsTriangles) {
  const ShapePtr sheet = make_mesh(testing_support::sheet_mesh());
  const auto samples = sample_surface(*sheet, spacing, depth, region, 3);
  // 20 * 20 of them on a lattice without its edges, 21 * 21 with.
  EXPECT_NEAR(double(samples.size()), 420, 0.2 * 420);
  std::vector<Vec3> points;
  for (const SurfaceSample& sample : samples) {
    ASSERT_NEAR(sample.position.z(), 0, 1e-3f * spacing);
    points.push_back(sample.position);
  }
  const PointGrid grid(points, 2 * spacing);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Vec3 x(random_unit(1, i) - 0.5f, random_unit(2, i) - 0.5f, 0);
    bool found = false;
    grid.visit(x, 1.1f * spacing, [&](Index, float) { found = true; });
    ASSERT_TRUE(found) << x.transpose();
  }
}

TEST(SurfaceSampling, ContinuesTheLatticeOfAFilledContainer) {
  // A tank of 10 x 8 x 6 spacings: its walls are the next layer of the lattice that fills it.
  const Vec3 size = spacing * Vec3(10, 8, 6);
  const auto samples = sample_surface(*make_complement(make_box(Vec3::Zero(), size)), spacing, depth, region, 3);
  EXPECT_EQ(samples.size(), 12u * 10 * 8 - 10u * 8 * 6);
  for (const SurfaceSample& sample : samples) {
    const Vec3 place = sample.position / spacing + Vec3::Constant(0.5f);
    ASSERT_LT((place.array() - place.array().round()).abs().maxCoeff(), 1e-4f) << sample.position.transpose();
  }
}

TEST(SurfaceSampling, NormalsPointOutOfTheSolid) {
  for (const SurfaceSample& sample : sample_surface(*make_complement(box), spacing, depth, region, 3)) {
    ASSERT_GT(sample.normal.dot(box->bounds().centre() - sample.position), 0);
  }
  for (const SurfaceSample& sample : sample_surface(*ball, spacing, depth, region, 3)) {
    ASSERT_GT(sample.normal.dot((sample.position - Vec3(0.1f, 0, 0)).normalized()), 0.999f);
  }
}

TEST(SurfaceSampling, AboveTheSurfaceWithANegativeDepth) {
  for (const SurfaceSample& sample : sample_surface(*ball, spacing, -depth, region, 3)) {
    ASSERT_NEAR(ball->distance(sample.position), depth, 0.01f * spacing);
  }
  for (const SurfaceSample& sample : sample_surface(*box, spacing, -depth, region, 3)) {
    ASSERT_GE(box->distance(sample.position), 0.99f * depth);
  }
}

TEST(SurfaceSampling, IsTheSameForAnyNumberOfThreads) {
  const ShapePtr shape = make_union({make_mesh(testing_support::sphere_mesh(4, 0.7f)), box}, 0.2f);
  const auto sampled = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return sample_surface(*shape, 2 * spacing, depth, region, 3);
  };
  const auto a = sampled(1), b = sampled(2);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i].position, b[i].position);
}

TEST(SurfaceSampling, NeedsARegionForUnboundedShapes) {
  const Box everywhere{Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  const ShapePtr plane = make_plane(Vec3::Zero(), Vec3(0, 0, 1));
  EXPECT_THROW(sample_surface(*plane, spacing, depth, everywhere, 3), InputError);
  EXPECT_THROW(sample_surface(*make_union({plane, ball}), spacing, depth, everywhere, 3), InputError);
  EXPECT_THROW(sample_surface(*ball, 0, depth, region, 3), InputError);
  // The surface of a container is bounded although its solid is not.
  EXPECT_FALSE(sample_surface(*make_complement(box), spacing, depth, everywhere, 3).empty());
  EXPECT_FALSE(sample_surface(*make_complement(ball), spacing, depth, everywhere, 3).empty());
}

}  // namespace
}  // namespace fondue::surface_sampling_test
