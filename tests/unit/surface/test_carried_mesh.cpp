// A carried mesh follows its particles and reports where it no longer can.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <numbers>
#include <numeric>

#include "core/error.h"
#include "surface/carried_mesh.h"
#include "unit/surface/bodies.h"

namespace fondue::test_carried_mesh {
namespace {

using testing_support::Cloud;

const Box block{Vec3(-0.5f, 0, 0.2f), Vec3(0.5f, 0.6f, 0.8f)};
constexpr float spacing = 0.1f;

/// x = linear X + shift; stretches stay well below what counts as torn.
struct Affine {
  Mat3 linear;
  Vec3 shift;
  Vec3 operator()(const Vec3& x) const { return linear * x + shift; }
};

Affine random_affine(std::uint64_t seed) {
  Affine map;
  for (int row = 0; row < 3; ++row)
    map.linear.row(row) = 0.5f * (2 * random_point(seed, row) - Vec3::Ones()).transpose();
  const Vec3 axis = (random_point(seed, 3) - Vec3::Constant(0.5f)).normalized();
  map.linear = Eigen::AngleAxisf(6 * random_unit(seed, 4), axis) * (Mat3::Identity() + map.linear);
  map.shift = 4 * random_point(seed, 5) - Vec3::Constant(2);
  return map;
}

Affine random_rotation(std::uint64_t seed) {
  const Vec3 axis = (random_point(seed, 3) - Vec3::Constant(0.5f)).normalized();
  return {Eigen::AngleAxisf(3 * random_unit(seed, 4), axis).toRotationMatrix(), random_point(seed, 5)};
}

std::vector<Vec3> mapped(const std::vector<Vec3>& points, const Affine& map) {
  std::vector<Vec3> result;
  for (const Vec3& x : points) result.push_back(map(x));
  return result;
}

CarriedMesh carried_by(const Cloud& cloud, const Geometry& mesh) {
  return CarriedMesh(mesh, cloud.positions, cloud.supports, cloud.ids);
}

// Coordinates up to 4 have a precision of 2.4e-7; a map fitted over two spacings and used over one and a half at most
// doubles that. So 1e-5 of the object's size leaves a factor of ten.
constexpr float round_off = 1e-5f;

TEST(CarriedMesh, FollowsAffineMotionExactly) {
  const Cloud cloud = testing_support::lattice(block, spacing);
  // The mesh is larger than the particles by half a spacing, and more at its corners.
  const Geometry mesh = testing_support::box_mesh(block.grown(0.2f * spacing), 7);
  const CarriedMesh carried = carried_by(cloud, mesh);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Affine map = random_affine(seed);
    const Geometry now = carried.carried(cloud.mapped(map), cloud.ids);
    EXPECT_LT(testing_support::largest_difference(now.mesh.vertices, mapped(mesh.mesh.vertices, map)), round_off)
        << seed;
    EXPECT_EQ(now.mesh.triangles, mesh.mesh.triangles);
    // Normals stay perpendicular to the surface: area vectors transform with the cofactors of the map.
    const Mat3 areas = map.linear.determinant() * map.linear.inverse().transpose();
    for (std::size_t i = 0; i < mesh.normals.size(); ++i)
      ASSERT_LT((now.normals[i] - (areas * mesh.normals[i]).normalized()).norm(), 10 * round_off) << seed;
  }
}

TEST(CarriedMesh, FollowsAffineMotionFarOutsideOfItsParticles) {
  const Cloud cloud = testing_support::lattice(block, spacing);
  const Geometry mesh = testing_support::box_mesh(block.grown(10 * spacing), 3);
  const Affine map = random_affine(77);
  const Geometry now = carried_by(cloud, mesh).carried(cloud.mapped(map), cloud.ids);
  // The map is fitted over two spacings and used over up to seventeen, so round-off grows ninefold.
  EXPECT_LT(testing_support::largest_difference(now.mesh.vertices, mapped(mesh.mesh.vertices, map)), 9 * round_off);
}

TEST(CarriedMesh, FollowsScatteredParticlesOfDifferentSizes) {
  Cloud cloud;
  for (std::uint64_t i = 0; i < 600; ++i)
    cloud.add(block.min + random_point(1, i).cwiseProduct(block.size()), spacing * (1 + 2 * random_unit(2, i)));
  const Geometry mesh = testing_support::box_mesh(block, 7);
  const Affine map = random_affine(3);
  const Geometry now = carried_by(cloud, mesh).carried(cloud.mapped(map), cloud.ids);
  // Four neighbours that happen to be nearly coplanar amplify round-off by up to 1 / thinnest.
  EXPECT_LT(testing_support::largest_difference(now.mesh.vertices, mapped(mesh.mesh.vertices, map)), 10 * round_off);
}

TEST(CarriedMesh, IdentifiesParticlesByTheirIds) {
  const Cloud cloud = testing_support::lattice(block, spacing);
  const Geometry mesh = testing_support::box_mesh(block, 7);
  const CarriedMesh carried = carried_by(cloud, mesh);
  const auto bent = [](const Vec3& x) { return Vec3(x.x(), x.y() + x.x() * x.x(), x.z() * (1 + 0.2f * x.y())); };
  const std::vector<Vec3> positions = cloud.mapped(bent);
  const Geometry expected = carried.carried(positions, cloud.ids);

  std::vector<Vec3> shuffled = {Vec3(9, 9, 9)};
  std::vector<Index> ids = {4};  // a new particle
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t from = (i * 37) % positions.size();
    shuffled.push_back(positions[from]);
    ids.push_back(cloud.ids[from]);
  }
  ASSERT_EQ(std::gcd(positions.size(), std::size_t(37)), 1u);
  const Geometry now = carried.carried(shuffled, ids);
  EXPECT_EQ(now.mesh.vertices, expected.mesh.vertices);
  EXPECT_EQ(now.normals, expected.normals);

  // The order of the particles when the mesh was bound does not matter either.
  Cloud reversed = cloud;
  std::ranges::reverse(reversed.positions);
  std::ranges::reverse(reversed.ids);
  EXPECT_EQ(carried_by(reversed, mesh).carried(positions, cloud.ids).mesh.vertices, expected.mesh.vertices);
}

TEST(CarriedMesh, WeightsOfRemovedParticlesGoToTheOthers) {
  const Cloud cloud = testing_support::lattice(block, spacing);
  const Geometry mesh = testing_support::box_mesh(block, 7);
  const CarriedMesh carried = carried_by(cloud, mesh);
  const Affine map = random_affine(5);
  std::vector<Vec3> positions;
  std::vector<Index> ids;
  for (std::size_t i = 0; i < cloud.ids.size(); ++i) {
    if (random_unit(9, i) < 0.3f) continue;
    positions.push_back(map(cloud.positions[i]));
    ids.push_back(cloud.ids[i]);
  }
  std::vector<Index> lost;
  const Geometry now = carried.carried(positions, ids, &lost);
  EXPECT_TRUE(lost.empty());
  EXPECT_LT(testing_support::largest_difference(now.mesh.vertices, mapped(mesh.mesh.vertices, map)), round_off);
}

TEST(CarriedMesh, ReportsVerticesThatLostAllParticles) {
  const Cloud cloud = testing_support::lattice(block, spacing);
  const Geometry mesh = testing_support::box_mesh(block, 10);
  const CarriedMesh carried = carried_by(cloud, mesh);
  std::vector<Vec3> positions;
  std::vector<Index> ids;
  for (std::size_t i = 0; i < cloud.ids.size(); ++i) {
    if (cloud.positions[i].x() > 0) continue;
    positions.push_back(cloud.positions[i]);
    ids.push_back(cloud.ids[i]);
  }
  std::vector<Index> lost;
  const Geometry now = carried.carried(positions, ids, &lost);
  ASSERT_FALSE(lost.empty());
  // Supports reach two spacings, from the last layer half a spacing below x = 0.
  for (std::size_t i = 0; i < mesh.mesh.vertices.size(); ++i) {
    const float x = mesh.mesh.vertices[i].x();
    const bool is_lost = std::ranges::binary_search(lost, static_cast<Index>(i));
    if (x < spacing) {
      ASSERT_FALSE(is_lost) << x;
    }
    if (x > 2 * spacing) {
      ASSERT_TRUE(is_lost) << x;
    }
  }
  for (const auto& triangle : now.mesh.triangles)
    for (const Index corner : triangle) ASSERT_FALSE(std::ranges::binary_search(lost, corner));
  for (const Vec3& x : now.mesh.vertices) ASSERT_LE(x.x(), 2 * spacing);
  EXPECT_FALSE(now.mesh.triangles.empty());

  EXPECT_TRUE(carried.carried({}, {}, &lost).mesh.triangles.empty());
  EXPECT_EQ(lost.size(), mesh.mesh.vertices.size());
}

TEST(CarriedMesh, SheetsCarryAffinelyInTheirPlaneAndRotateWithIt) {
  Cloud cloud;
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j) cloud.add(Vec3(0.1f * float(i), 0.1f * float(j), 0.3f), 0.2f);
  // In the plane and off it, inside and outside the sheet's boundary.
  const Box around{Vec3(-0.1f, -0.1f, 0.2f), Vec3(1, 1, 0.4f)};
  Geometry mesh = testing_support::box_mesh(around, 6);
  const CarriedMesh carried = carried_by(cloud, mesh);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Affine turn = random_rotation(seed);
    EXPECT_LT(testing_support::largest_difference(carried.carried(cloud.mapped(turn), cloud.ids).mesh.vertices,
                                                  mapped(mesh.mesh.vertices, turn)),
              round_off);
    // An affine map of the plane: the mesh keeps its thickness along the new normal.
    const Affine map = random_affine(seed);
    const Geometry now = carried.carried(cloud.mapped(map), cloud.ids);
    const Vec3 normal = map.linear.col(0).cross(map.linear.col(1)).normalized();
    for (std::size_t i = 0; i < mesh.mesh.vertices.size(); ++i) {
      const Vec3 X = mesh.mesh.vertices[i];
      const Vec3 expected = map(Vec3(X.x(), X.y(), 0.3f)) + (X.z() - 0.3f) * normal;
      ASSERT_LT((now.mesh.vertices[i] - expected).norm(), round_off) << seed;
    }
  }
}

TEST(CarriedMesh, LinesRotateAndSingleParticlesTranslateTheirSurroundings) {
  Cloud line, single;
  for (int i = 0; i < 10; ++i) line.add(Vec3(0.1f * float(i), 0, 0), 0.2f);
  single.add(Vec3(0.5f, 0, 0), 0.2f);
  const Geometry mesh = testing_support::box_mesh({Vec3(0, -0.05f, -0.05f), Vec3(1, 0.05f, 0.05f)}, 4);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Affine map = random_affine(seed);
    const Vec3 along = map.linear.col(0);
    const Mat3 turn = Eigen::Quaternionf::FromTwoVectors(Vec3::UnitX(), along).toRotationMatrix();
    const Geometry now = carried_by(line, mesh).carried(line.mapped(map), line.ids);
    for (std::size_t i = 0; i < mesh.mesh.vertices.size(); ++i) {
      const Vec3 X = mesh.mesh.vertices[i];
      const Vec3 expected = map(Vec3(X.x(), 0, 0)) + turn * Vec3(0, X.y(), X.z());
      ASSERT_LT((now.mesh.vertices[i] - expected).norm(), round_off) << seed;
    }
    const Affine shift{Mat3::Identity(), map(single.positions[0]) - single.positions[0]};
    EXPECT_LT(testing_support::largest_difference(
                  carried_by(single, mesh).carried(single.mapped(map), single.ids).mesh.vertices,
                  mapped(mesh.mesh.vertices, shift)),
              round_off);
  }
}

TEST(CarriedMesh, BentBeamConvergesWithTheSquareOfTheSpacing) {
  const Box beam{Vec3(0, -0.1f, -0.1f), Vec3(1, 0.1f, 0.1f)};
  const float radius = 0.5f;
  const auto bend = [&](const Vec3& X) {
    const float angle = X.x() / radius;
    return Vec3((radius - X.y()) * std::sin(angle), radius - (radius - X.y()) * std::cos(angle), X.z());
  };
  const Geometry mesh = testing_support::box_mesh(beam, 30);
  std::vector<Vec3> expected;
  for (const Vec3& X : mesh.mesh.vertices) expected.push_back(bend(X));
  std::vector<float> errors;
  for (const float s : {0.05f, 0.025f}) {
    const Cloud cloud = testing_support::lattice(beam, s);
    const Geometry now = carried_by(cloud, mesh).carried(cloud.mapped(bend), cloud.ids);
    errors.push_back(testing_support::largest_difference(now.mesh.vertices, expected));
    // Smooth: normals on the bent side rotate evenly, none deviates by more than the angle over two supports.
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (mesh.normals[i] != Vec3(0, 1, 0)) continue;
      const float angle = mesh.mesh.vertices[i].x() / radius;
      ASSERT_GT(now.normals[i].dot(Vec3(-std::sin(angle), std::cos(angle), 0)), std::cos(4 * s / radius));
    }
  }
  // Half a curvature times the square of the support, at most.
  EXPECT_LT(errors[0], 0.5f / radius * 0.1f * 0.1f);
  EXPECT_LT(errors[1], errors[0] / 3);
}

TEST(CarriedMesh, IntactUnderAffineMotionAndGentleBending) {
  const Cloud cloud = testing_support::lattice(block, spacing);
  const CarriedMesh carried = carried_by(cloud, testing_support::box_mesh(block, 7));
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Affine map = random_affine(seed);
    ASSERT_LT(Eigen::JacobiSVD<Mat3>(map.linear).singularValues()[0], CarriedMesh::stretch_intact);
    for (const float intact : carried.intactness(cloud.mapped(map), cloud.ids)) ASSERT_EQ(intact, 1) << seed;
  }
  const auto bend = [](const Vec3& X) {
    return Vec3((1 - X.y()) * std::sin(X.x()), 1 - (1 - X.y()) * std::cos(X.x()), X.z());
  };
  for (const float intact : carried.intactness(cloud.mapped(bend), cloud.ids)) ASSERT_EQ(intact, 1);
}

TEST(CarriedMesh, NotIntactWhereScrambledTornRemovedOrMolten) {
  const Cloud cloud = testing_support::lattice(block, spacing);
  const Geometry mesh = testing_support::box_mesh(block, 10);
  const CarriedMesh carried = carried_by(cloud, mesh);
  std::vector<Vec3> scrambled;
  for (std::size_t i = 0; i < cloud.ids.size(); ++i)
    scrambled.push_back(block.min + random_point(3, i).cwiseProduct(block.size()));
  for (const float intact : carried.intactness(scrambled, cloud.ids)) ASSERT_EQ(intact, 0);
  const auto torn = [](const Vec3& x) { return Vec3(5 * x.x(), x.y(), x.z()); };
  for (const float intact : carried.intactness(cloud.mapped(torn), cloud.ids)) ASSERT_EQ(intact, 0);
  for (const float intact : carried.intactness({}, {})) ASSERT_EQ(intact, 0);

  std::vector<float> solidity(cloud.ids.size());
  for (std::size_t i = 0; i < solidity.size(); ++i) solidity[i] = cloud.positions[i].x() < 0 ? 1 : 0;
  const std::vector<float> half = carried.intactness(cloud.positions, cloud.ids, solidity);
  for (std::size_t i = 0; i < half.size(); ++i) {
    const float x = mesh.mesh.vertices[i].x();
    if (x < -2 * spacing) {
      ASSERT_EQ(half[i], 1);
    }
    if (x > 2 * spacing) {
      ASSERT_EQ(half[i], 0);
    }
    if (std::abs(x) < 0.01f * spacing) {
      ASSERT_NEAR(half[i], 0.5f, 1e-5f);
    }
  }
}

TEST(CarriedMesh, BrokenInTwoIsIntactAwayFromTheBreak) {
  const Cloud cloud = testing_support::lattice(block, spacing);
  const Geometry mesh = testing_support::box_mesh(block, 10);
  const auto broken = [](const Vec3& x) { return x.x() < 0 ? x : Vec3(x + Vec3(0.6f, 0, 0)); };
  const std::vector<float> intact = carried_by(cloud, mesh).intactness(cloud.mapped(broken), cloud.ids);
  for (std::size_t i = 0; i < intact.size(); ++i) {
    const float x = std::abs(mesh.mesh.vertices[i].x());
    if (x < 0.01f) {
      ASSERT_LT(intact[i], 0.3f);
    }
    // The break affects particles within a support of it, and vertices within another support of those.
    if (x > 4 * spacing) {
      ASSERT_EQ(intact[i], 1);
    }
  }
}

TEST(CarriedMesh, IsTheSameForAnyNumberOfThreads) {
  const Cloud cloud = testing_support::lattice(block, spacing / 2);
  const auto bent = cloud.mapped([](const Vec3& x) { return Vec3(x.x(), x.y() + x.x() * x.x(), x.z()); });
  const auto result = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const CarriedMesh carried = carried_by(cloud, testing_support::box_mesh(block, 20));
    return std::pair(carried.carried(bent, cloud.ids).mesh.vertices, carried.intactness(bent, cloud.ids));
  };
  EXPECT_EQ(result(1), result(2));
}

TEST(CarriedMesh, RefusesInvalidInput) {
  const Cloud cloud = testing_support::lattice(block, spacing);
  const Geometry mesh = testing_support::box_mesh(block, 2);
  const std::vector<float> no_supports(cloud.ids.size(), 0.0f);
  const std::vector<Index> same_ids(cloud.ids.size(), 3);
  EXPECT_THROW(CarriedMesh(mesh, {}, {}, {}), InputError);
  EXPECT_THROW(CarriedMesh(mesh, cloud.positions, no_supports, cloud.ids), InputError);
  EXPECT_THROW(CarriedMesh(mesh, cloud.positions, cloud.supports, same_ids), InputError);
  EXPECT_THROW(CarriedMesh(mesh, cloud.positions, {}, cloud.ids), InputError);
  EXPECT_THROW(carried_by(cloud, mesh).carried(cloud.positions, {}), InputError);
}

}  // namespace
}  // namespace fondue::test_carried_mesh
