// The mesh of a body that has torn: closed pieces that part along the crack.
#include <gtest/gtest.h>

#include "shapes/primitives.h"
#include "surface/carried_mesh.h"
#include "surface/torn_mesh.h"
#include "unit/surface/bodies.h"
#include "unit/surface/meshes.h"

namespace fondue::test_torn_mesh {
namespace {

const Box loaf{Vec3(-0.5f, -0.2f, 0), Vec3(0.5f, 0.2f, 0.4f)};
constexpr float spacing = 0.05f;

/// Particles bonded within two spacings, but for pairs that broken(x, y) says are not.
template <class Broken>
BodyLinks links_of(const std::vector<Vec3>& x, Broken&& broken) {
  BodyLinks links;
  for (Index i = 0; i != x.size(); ++i) {
    for (Index j = 0; j != x.size(); ++j)
      if (i != j && (x[i] - x[j]).norm() < 1.99f * spacing && !broken(x[i], x[j])) links.others.push_back(j);
    links.begins.push_back(static_cast<Index>(links.others.size()));
  }
  return links;
}

struct Body {
  testing_support::Cloud cloud;
  TornMesh mesh;

  explicit Body(float disorder = 0)
      : cloud(with(disorder)), mesh(shape(), loaf, 0.4f * spacing, cloud.positions, cloud.supports) {}
  static testing_support::Cloud with(float disorder) {
    testing_support::Cloud cloud = testing_support::lattice(loaf, spacing);
    for (Index i = 0; i != cloud.positions.size(); ++i) {
      cloud.ids[i] = i;
      cloud.positions[i] += disorder * spacing * (random_point(3, i) - Vec3::Constant(0.5f));
    }
    return cloud;
  }
  static const Shape& shape() {
    static const ShapePtr box = make_box(loaf.min, loaf.max);
    return *box;
  }
};

bool across_the_middle(const Vec3& a, const Vec3& b) { return (a.x() < 0) != (b.x() < 0); }

double volume_of(const TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t)
    sum += static_cast<double>(mesh.corner(t, 0).cross(mesh.corner(t, 1)).dot(mesh.corner(t, 2))) / 6;
  return sum;
}

constexpr double whole = 1.0 * 0.4 * 0.4;
/// Edges of the body, and those of a crack across it, are cut off within a cell of 0.4 spacings.
constexpr double cut_off = 0.02 * 0.02, of_edges = (4 * (1.0 + 0.4 + 0.4)) * cut_off, of_crack = 2 * 1.6 * cut_off;

TEST(TornMesh, OfAWholeBodyIsTheSurfaceOfItsShape) {
  const Body body;
  const TornMesh::Torn torn = body.mesh.cut(links_of(body.cloud.positions, [](auto&&...) { return false; }));
  EXPECT_EQ(manifold_fault(torn.surface.mesh), "");
  EXPECT_NEAR(volume_of(torn.surface.mesh), whole, of_edges);
}

/// In two halves, on a lattice and in disorder, with the crack along a plane between the particles: closed, no volume
/// lost, and when the halves move apart each moves as a whole.
TEST(TornMesh, PartsAlongTheCrackIntoClosedPieces) {
  for (const float disorder : {0.0f, 0.4f}) {
    const Body body(disorder);
    const auto& x = body.cloud.positions;
    const BodyLinks links = links_of(x, across_the_middle);
    TornMesh::Torn torn = body.mesh.cut(links);
    EXPECT_EQ(manifold_fault(torn.surface.mesh), "") << disorder;
    EXPECT_NEAR(volume_of(torn.surface.mesh), whole, of_edges + of_crack) << disorder;

    const auto apart = [](const Vec3& at, bool left) {
      return Vec3(at + Vec3(left ? -0.3f : 0.3f, 0, left ? 0.1f : 0));
    };
    const std::vector<Vec3> moved = body.cloud.mapped([&](const Vec3& at) { return apart(at, at.x() < 0); });
    const TriangleMesh rest = torn.surface.mesh;
    const CarriedMesh carried(torn.surface, x, body.cloud.supports, body.cloud.ids);
    const Geometry now = carried.carried(moved, body.cloud.ids, links, torn.owners);
    Index on_the_crack = 0;
    for (std::size_t i = 0; i != rest.vertices.size(); ++i) {
      const bool left = x[torn.owners[i]].x() < 0;
      EXPECT_LT((now.mesh.vertices[i] - apart(rest.vertices[i], left)).norm(), 1e-4f);
      on_the_crack += std::abs(rest.vertices[i].y()) < 0.1f && std::abs(rest.vertices[i].z() - 0.2f) < 0.1f &&
                      std::abs(rest.vertices[i].x()) < spacing;
    }
    EXPECT_GT(on_the_crack, 20u) << "there is an inside";
    EXPECT_NEAR(volume_of(now.mesh), whole, of_edges + of_crack);
  }
}

/// A notch: the crack ends in the middle of the body, and so does the cut.
TEST(TornMesh, ACrackThatEndsInTheBodyEndsInTheMesh) {
  const Body body;
  const auto& x = body.cloud.positions;
  const BodyLinks links = links_of(
      x, [](const Vec3& a, const Vec3& b) { return across_the_middle(a, b) && 0.5f * (a.z() + b.z()) > 0.2f; });
  const TornMesh::Torn torn = body.mesh.cut(links);
  float lowest = 1;
  for (const Vec3& v : torn.surface.mesh.vertices)
    if (std::abs(v.x()) < 0.5f * spacing && std::abs(v.y()) < 0.15f && v.z() > 0.5f * spacing)
      lowest = std::min(lowest, v.z());
  EXPECT_NEAR(lowest, 0.2, 1.5 * static_cast<double>(spacing));
  EXPECT_NEAR(volume_of(torn.surface.mesh), whole, of_edges + of_crack);
}

/// A bond that is broken by itself, among others that hold, is no crack.
TEST(TornMesh, SingleBrokenBondsAreNoCracks) {
  const Body body;
  const auto& x = body.cloud.positions;
  const Vec3 from = x[x.size() / 2 + 8];
  const BodyLinks links = links_of(x, [&](const Vec3& a, const Vec3& b) {
    return (a == from && (b - a).x() > 0.9f * spacing && std::abs((b - a).y()) + std::abs((b - a).z()) < 1e-3f) ||
           (b == from && (a - b).x() > 0.9f * spacing && std::abs((b - a).y()) + std::abs((b - a).z()) < 1e-3f);
  });
  const TornMesh::Torn torn = body.mesh.cut(links), all = body.mesh.cut(links_of(x, [](auto&&...) { return false; }));
  EXPECT_EQ(torn.surface.mesh.triangles.size(), all.surface.mesh.triangles.size());
}

}  // namespace
}  // namespace fondue::test_torn_mesh
