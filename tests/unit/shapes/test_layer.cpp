#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <numbers>

#include "core/error.h"
#include "core/random.h"
#include "shapes/combine.h"
#include "shapes/height_field.h"
#include "shapes/layer.h"
#include "shapes/mesh.h"
#include "shapes/moving_triangle.h"
#include "shapes/primitives.h"
#include "shapes/triangle_cells.h"

namespace fondue::test_layer {
namespace {

struct Measures {
  double area = 0, shortest = infinity, longest = 0;
  int open_edges = 0;
};

Measures measure(const TriangleMesh& mesh) {
  Measures result;
  std::map<std::array<Index, 2>, int> edges;
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t) {
    const Vec3 a = mesh.corner(t, 0);
    result.area += 0.5 * static_cast<double>((mesh.corner(t, 1) - a).cross(mesh.corner(t, 2) - a).norm());
    for (int k = 0; k != 3; ++k) {
      const Index i = mesh.triangles[t][k], j = mesh.triangles[t][(k + 1) % 3];
      const double length = static_cast<double>((mesh.vertices[i] - mesh.vertices[j]).norm());
      result.shortest = std::min(result.shortest, length);
      result.longest = std::max(result.longest, length);
      ++edges[{i, j}];
      EXPECT_EQ((edges[{i, j}]), 1) << "an edge is used once in each direction";
    }
  }
  for (const auto& [edge, uses] : edges) result.open_edges += !edges.contains({edge[1], edge[0]});
  return result;
}

TEST(Layer, ARectangleIsCoveredFromEdgeToEdgeAlsoWhenPlaced) {
  Placement placement;
  placement.axis = Vec3::UnitX();
  placement.degrees = 90;
  placement.scale = 2;
  placement.translation = Vec3(1, 2, 3);
  const ShapePtr shape = make_transformed(make_rectangle(Vec3::Zero(), 0.5f, 0.3f), placement);
  const auto layer = shape->layer(0.1f);
  ASSERT_TRUE(layer);
  EXPECT_EQ(layer->mesh.vertices.size(), 11u * 7u);
  const Measures m = measure(layer->mesh);
  EXPECT_NEAR(m.area, 0.6, 1e-6);
  EXPECT_EQ(m.open_edges, 2 * (10 + 6));
  EXPECT_NEAR(m.shortest, 0.1, 1e-6);
  EXPECT_NEAR(layer->texture.back()[0] - layer->texture.front()[0], 1, 1e-6);
  for (const Vec3& x : layer->mesh.vertices) EXPECT_NEAR(x.y(), 2, 1e-6);
}

TEST(Layer, DiscsAndSpheresAreCoveredEvenly) {
  const Measures disc = measure(make_disc(Vec3::Zero(), 1)->layer(0.1f)->mesh);
  EXPECT_NEAR(disc.area, std::numbers::pi, 0.01 * std::numbers::pi);
  EXPECT_GT(disc.shortest, 0.08);
  // The diagonal of a square lattice.
  EXPECT_LT(disc.longest, 0.1415);
  const Measures sphere = measure(make_sphere(Vec3(1, 2, 3), 1)->layer(0.1f)->mesh);
  EXPECT_EQ(sphere.open_edges, 0);
  EXPECT_NEAR(sphere.area, 4 * std::numbers::pi, 0.01 * 4 * std::numbers::pi);
  EXPECT_GT(sphere.shortest, 0.07);
  EXPECT_LT(sphere.longest, 0.14);
}

/// Half a sphere, open above; its rings have as many points as those of a disc, so they are closer at the rim.
TEST(Layer, ABowlIsHalfASphere) {
  const Vec3 centre(1, 2, 3);
  const auto layer = make_bowl(centre, 1)->layer(0.1f);
  ASSERT_TRUE(layer);
  const Measures bowl = measure(layer->mesh);
  EXPECT_NEAR(bowl.area, 2 * std::numbers::pi, 0.01 * 2 * std::numbers::pi);
  EXPECT_GT(bowl.open_edges, 0);
  EXPECT_GT(bowl.shortest, 0.05);
  EXPECT_LT(bowl.longest, 0.15);
  for (const Vec3& x : layer->mesh.vertices) {
    EXPECT_NEAR((x - centre).norm(), 1, 1e-5);
    EXPECT_LT(x.z(), centre.z() + 1e-5f);
  }
  EXPECT_THROW(make_bowl(centre, 0), InputError);
}

TEST(Layer, SolidsWithoutATriangulationHaveNone) {
  EXPECT_FALSE(make_box(Vec3::Zero(), Vec3::Ones())->layer(0.1f));
  EXPECT_FALSE(make_capsule(Vec3::Zero(), Vec3::UnitX(), 1)->layer(0.1f));
  EXPECT_THROW(make_rectangle(Vec3::Zero(), 0, 1), InputError);
}

TEST(Layer, AMeshMustFitTheSpacing) {
  const TriangleMesh mesh = make_disc(Vec3::Zero(), 1)->layer(0.1f)->mesh;
  EXPECT_EQ(make_mesh(mesh)->layer(0.1f)->mesh.vertices.size(), mesh.vertices.size());
  EXPECT_THROW(make_mesh(mesh)->layer(0.01f), InputError);
  EXPECT_THROW(make_mesh(mesh)->layer(1), InputError);
}

/// A path that passes a moving triangle is found, and one beside it is not: compared with very many small steps, in
/// each of which the triangle rests.
TEST(MovingTriangle, CrossingsAreThoseOfManySmallSteps) {
  int crossings = 0;
  for (Index n = 0; n != 400; ++n) {
    const auto point = [&](Index k) { return (2 * random_point(11, 10 * n + k) - Vec3::Ones()).cast<double>().eval(); };
    const MovingTriangle triangle{{point(0), point(1), point(2)}, {point(3), point(4), point(5)}};
    const Vec3d start = 0.5 * point(6), end = 0.5 * point(7);
    const auto found = triangle.first_crossing(start, end);
    const auto volume = [&](double t) {
      const auto at = [&](int c) { return Vec3d((1 - t) * triangle.from[c] + t * triangle.to[c]); };
      return ((1 - t) * start + t * end - at(0)).dot((at(1) - at(0)).cross(at(2) - at(0)));
    };
    std::optional<double> first;
    constexpr int steps = 20000;
    for (int k = 0; k != steps && !first; ++k) {
      const double t = (k + 0.5) / steps;
      if (!(volume(static_cast<double>(k) / steps) * volume(static_cast<double>(k + 1) / steps) <= 0)) continue;
      const auto at = [&](int c) { return Vec3d((1 - t) * triangle.from[c] + t * triangle.to[c]); };
      const Vec3d x = (1 - t) * start + t * end;
      const Vec3d w = nearest_weights(x, {at(0), at(1), at(2)});
      if ((w[0] * at(0) + w[1] * at(1) + w[2] * at(2) - x).norm() < 1e-3) first = t;
    }
    ASSERT_EQ(found.has_value(), first.has_value()) << "case " << n;
    if (!found) continue;
    ++crossings;
    EXPECT_NEAR(found->time, *first, 1e-3);
    EXPECT_EQ(found->side > 0, volume(found->time - 1e-6) > 0) << "the side it comes from";
  }
  EXPECT_GT(crossings, 20);
}

TEST(TriangleCells, EveryBoxThatMeetsAQueryIsVisitedOnce) {
  std::vector<Box> boxes;
  for (Index k = 0; k != 300; ++k) {
    const Vec3 at = random_point(1, k);
    boxes.push_back(Box{at, at}.grown(0.1f * random_point(2, k).x()));
  }
  const TriangleCells cells(boxes);
  for (Index k = 0; k != 50; ++k) {
    const Vec3 at = 1.4f * random_point(3, k) - Vec3::Constant(0.2f);
    const Box query = Box{at, at}.grown(0.3f * random_point(4, k).x());
    std::vector<int> visits(boxes.size(), 0);
    cells.each(query, [&](Index b) { ++visits[b]; });
    for (std::size_t b = 0; b != boxes.size(); ++b) {
      const bool meets =
          (boxes[b].min.array() <= query.max.array()).all() && (query.min.array() <= boxes[b].max.array()).all();
      EXPECT_EQ(visits[b], meets ? 1 : 0);
    }
  }
}

/// Its upper side only, on a lattice of its own; as a solid it is what it was.
TEST(Layer, AHeightFieldIsItsUpperSide) {
  const ShapePtr slope = make_height_field({-1, -0.5f, 1, 0.5f, -1}, 3, 2, [](float x, float) { return 0.75f * x; });
  const auto layer = slope->layer(0.1f);
  ASSERT_TRUE(layer);
  EXPECT_EQ(layer->mesh.vertices.size(), 21u * 11u);
  for (const Vec3& x : layer->mesh.vertices) EXPECT_NEAR(x.z(), 0.75f * x.x(), 1e-6);
  EXPECT_NEAR(measure(layer->mesh).area, 1.25 * 2, 1e-4);
  EXPECT_TRUE(slope->contains(Vec3(0.5f, 0, 0.2f)));
  EXPECT_FALSE(slope->contains(Vec3(0.5f, 0, 0.5f)));
}

}  // namespace
}  // namespace fondue::test_layer
