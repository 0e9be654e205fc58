// Surfaces of particles: closed, of the right volume, the same for any number of threads.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "shapes/combine.h"
#include "shapes/mesh.h"
#include "shapes/primitives.h"
#include "surface/particle_blocks.h"
#include "surface/sharp_edges.h"
#include "unit/surface/meshes.h"

namespace fondue::test_surface {
namespace {

class EveryField : public testing::TestWithParam<SurfaceField> {
 protected:
  SurfaceSetup setup(int smoothing = 0) const {
    SurfaceSetup result;
    result.field = GetParam();
    result.smoothing = smoothing;
    return result;
  }
  Geometry made(const SurfaceParticles& particles, int smoothing = 0) const {
    return reconstruct(particles, setup(smoothing), {});
  }
};

TEST_P(EveryField, EnclosesTheVolumeOfASphereAndABox) {
  // DC96's iso-density was chosen for pairs; its surface is farther out, by up to a fifth of a spacing.
  const bool outside = GetParam() == SurfaceField::density;
  for (const int smoothing : {0, 10}) {
    const double sphere = enclosed_volume(made(filled_sphere(1, 0.08f, 0.2f), smoothing).mesh) / (4 * M_PI / 3);
    const double box = enclosed_volume(made(filled_box(Vec3(1, 1.5f, 0.8f), 0.05f, 0.2f), smoothing).mesh) / 1.2;
    EXPECT_NEAR(sphere, outside ? 1.1 : 1, 0.05) << "smoothing " << smoothing;
    EXPECT_NEAR(box, outside ? 1.1 : 1, 0.05) << "smoothing " << smoothing;
  }
}

TEST_P(EveryField, IsAClosedManifold) {
  for (const int smoothing : {0, 10}) {
    SurfaceParticles random;
    for (Index k = 0; k != 400; ++k) add_particle(random, random_point(3, k), 0.08f);
    EXPECT_EQ(manifold_fault(made(random, smoothing).mesh), "") << "random particles";

    SurfaceParticles drops = filled_sphere(0.3f, 0.06f, 0.1f);
    const SurfaceParticles other = filled_sphere(0.3f, 0.06f, 0.1f);
    for (const Vec3& x : other.position) add_particle(drops, x + Vec3(0.64f, 0.01f, 0.02f), 0.06f);
    EXPECT_EQ(manifold_fault(made(drops, smoothing).mesh), "") << "two drops that touch";

    EXPECT_EQ(manifold_fault(made(filled_box(Vec3(1, 1, 0.05f), 0.05f, 0.2f), smoothing).mesh), "") << "a thin sheet";

    SurfaceParticles one;
    add_particle(one, Vec3(0.2f, -0.3f, 5), 0.1f);
    const Geometry drop = made(one, smoothing);
    EXPECT_EQ(manifold_fault(drop.mesh), "") << "one particle";
    // The colour field of a single particle does not reach the level of a body's surface.
    if (GetParam() != SurfaceField::colour) {
      EXPECT_GT(drop.mesh.triangles.size(), 8u) << "one particle is a drop";
    }
  }
}

TEST_P(EveryField, DeepBlocksThatAreSkippedLeaveNoSeam) {
  // Large enough to have blocks that are not evaluated, with holes around which blocks are evaluated.
  SurfaceParticles particles = filled(
      {Vec3::Zero(), Vec3::Constant(1.6f)}, 0.05f,
      [](const Vec3& x) {
        return (x - Vec3(0.8f, 0.8f, 0.8f)).norm() > 0.12f && (x - Vec3(0.4f, 0.5f, 1.1f)).norm() > 0.07f;
      },
      0.3f);
  const Geometry surface = made(particles);
  EXPECT_EQ(manifold_fault(surface.mesh), "");
}

TEST_P(EveryField, SeveralSizesMakeOneSurface) {
  // A box whose upper half is of particles of half the spacing.
  SurfaceParticles particles = filled_box(Vec3(1, 1, 0.5f), 0.1f, 0.1f);
  const SurfaceParticles fine = filled_box(Vec3(1, 1, 0.5f), 0.05f, 0.1f);
  for (const Vec3& x : fine.position) add_particle(particles, x + Vec3(0, 0, 0.5f), 0.05f);
  const Geometry surface = made(particles, 10);
  EXPECT_EQ(manifold_fault(surface.mesh), "");
  const double wanted = GetParam() == SurfaceField::density ? 1.15 : 1;
  EXPECT_NEAR(enclosed_volume(surface.mesh), wanted, 0.07);
}

TEST_P(EveryField, IsTheSameForOneThreadAndTwo) {
  const SurfaceParticles particles = filled_sphere(0.5f, 0.04f, 0.4f);
  Geometry results[2];
  for (int k = 0; k != 2; ++k) {
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, k + 1);
    results[k] = made(particles, 5);
  }
  EXPECT_EQ(results[0].mesh.vertices, results[1].mesh.vertices);
  EXPECT_EQ(results[0].mesh.triangles, results[1].mesh.triangles);
  EXPECT_EQ(results[0].normals, results[1].normals);
}

TEST_P(EveryField, NormalsPointOutOfASphere) {
  for (const int smoothing : {0, 10}) {
    const Geometry surface = made(filled_sphere(1, 0.08f), smoothing);
    double mean = 0;
    for (std::size_t v = 0; v != surface.normals.size(); ++v) {
      EXPECT_NEAR(surface.normals[v].norm(), 1, 1e-4);
      mean += surface.normals[v].dot(surface.mesh.vertices[v].normalized());
    }
    // The ball is cut from a lattice and has steps, so individual normals deviate by up to a corner's angle.
    EXPECT_GT(mean / static_cast<double>(surface.normals.size()), 0.93) << "smoothing " << smoothing;
  }
}

TEST_P(EveryField, In2DEnclosesTheArea) {
  const float radius = 0.5f, spacing = 0.04f;
  const SurfaceParticles disc = filled(
      {Vec3(-radius, -radius, 0), Vec3(radius, radius, spacing)}, spacing,
      [&](const Vec3& x) { return x.head<2>().norm() < radius; }, 0.1f, 2);
  const Geometry surface = made(disc);
  EXPECT_EQ(manifold_fault(surface.mesh), "");
  const double thickness = disc.spacing(0);
  const double wanted = GetParam() == SurfaceField::density ? 1.08 : 1;
  EXPECT_NEAR(enclosed_volume(surface.mesh) / thickness / (M_PI * radius * radius), wanted, 0.06);
}

std::string field_name(const testing::TestParamInfo<SurfaceField>& field) {
  constexpr const char* names[] = {"Colour", "Characteristic", "Density", "Distance", "Anisotropic"};
  return names[static_cast<int>(field.param)];
}
INSTANTIATE_TEST_SUITE_P(Surface, EveryField, testing::ValuesIn(all_fields), field_name);

TEST(Surface, DistanceFieldHasNoSurfaceBetweenNearbyBodies) {
  // Between two flat bodies one and a half spacings apart there is no matter, and thanks to f no surface.
  SurfaceParticles particles = filled_box(Vec3(1, 1, 0.4f), 0.05f);
  const std::size_t below = particles.size();
  for (std::size_t k = 0; k != below; ++k)
    add_particle(particles, particles.position[k] + Vec3(0, 0, 0.4f + 2 * 0.05f), 0.05f);
  SurfaceSetup setup;
  setup.field = SurfaceField::distance;
  setup.smoothing = 0;
  const Geometry surface = reconstruct(particles, setup, {});
  for (const Vec3& x : surface.mesh.vertices) {
    const bool well_between = std::abs(x.z() - 0.45f) < 0.02f && (x.head<2>().array() - 0.5f).abs().maxCoeff() < 0.35f;
    EXPECT_FALSE(well_between) << x.transpose();
  }
}

TEST(Surface, AnisotropicKernelsMakeAFlatSideFlatter) {
  const auto roughness = [](SurfaceField field) {
    SurfaceSetup setup;
    setup.field = field;
    setup.smoothing = 0;
    const Geometry surface = reconstruct(filled_box(Vec3(1, 1, 0.5f), 0.05f, 0.25f), setup, {});
    double sum = 0, squares = 0, count = 0;
    for (const Vec3& x : surface.mesh.vertices)
      if (x.z() > 0.45f && (x.head<2>().array() - 0.5f).abs().maxCoeff() < 0.35f) {
        sum += x.z();
        squares += double{x.z()} * x.z();
        ++count;
      }
    return std::sqrt(squares / count - sum / count * sum / count);
  };
  EXPECT_LT(roughness(SurfaceField::anisotropic), 0.95 * roughness(SurfaceField::colour));
}

TEST(Surface, AnisotropicKernelsKeepTheVolumeOfThinMatter) {
  const auto relative_volume = [](const SurfaceParticles& particles) {
    double matter = 0;
    for (const float volume : particles.volume) matter += volume;
    return enclosed_volume(reconstruct(particles, {}, {}).mesh) / matter;
  };
  EXPECT_NEAR(relative_volume(filled_box(Vec3(1, 1, 0.05f), 0.05f, 0.2f)), 1, 0.12) << "one layer";
  EXPECT_NEAR(relative_volume(filled_box(Vec3(1, 1, 0.1f), 0.05f, 0.2f)), 1, 0.1) << "two layers";
  EXPECT_NEAR(relative_volume(filled_sphere(0.2f, 0.1f, 0.1f)), 1, 0.1) << "a drop of 32 particles";
  SurfaceParticles one;
  add_particle(one, Vec3::Zero(), 0.1f);
  // Spray only needs to be round, and large enough to be visible.
  EXPECT_NEAR(relative_volume(one), 1, 0.25) << "one particle";
}

TEST(Surface, AnisotropicKernelsLeaveNoHolesInASheetOfOneLayer) {
  const Geometry sheet = reconstruct(filled_box(Vec3(1, 1, 0.05f), 0.05f, 0.2f), {}, {});
  EXPECT_EQ(manifold_fault(sheet.mesh), "");
  EXPECT_EQ(sheet.mesh.vertices.size(), sheet.mesh.triangles.size() / 2 + 2) << "as many as a ball has";
}

TEST(Surface, SmoothingRemovesBumpsAndDoesNotShrink) {
  // A sphere with bumps four cells wide.
  SparseGrid grid{0.05f, {}, {}};
  for (int z = -4; z != 4; ++z)
    for (int y = -4; y != 4; ++y)
      for (int x = -4; x != 4; ++x) grid.blocks.emplace_back(x, y, z);
  grid.inside.assign(grid.blocks.size(), 0);
  Geometry surface = extract_surface(grid, [&](BlockKey block, BlockValues& values) {
    for (int k = 0; k != block_corners; ++k) {
      const Vec3 x = grid.corner(block, k % block_side, k / block_side % block_side, k / (block_side * block_side));
      values.f[k] = 1 - x.norm() + 0.02f * std::sin(31 * x.x()) * std::sin(31 * x.y()) * std::sin(31 * x.z());
      for (auto& gradient : values.gradient) gradient[k] = 0;
    }
  });
  const auto deviation = [&] {
    double squares = 0;
    for (const Vec3& x : surface.mesh.vertices) squares += (x.norm() - 1) * (x.norm() - 1);
    return std::sqrt(squares / static_cast<double>(surface.mesh.vertices.size()));
  };
  const double rough = deviation(), volume = enclosed_volume(surface.mesh);
  smooth(surface, 30, std::vector<float>(surface.mesh.vertices.size(), 1.0f));
  EXPECT_LT(deviation(), 0.5 * rough);
  EXPECT_NEAR(enclosed_volume(surface.mesh) / volume, 1, 0.003);
}

TEST(Surface, ADropKeepsItsSizeWhenSmoothed) {
  SurfaceParticles one;
  add_particle(one, Vec3::Zero(), 0.1f);
  SurfaceSetup setup;
  setup.smoothing = 0;
  const double before = enclosed_volume(reconstruct(one, setup, {}).mesh);
  setup.smoothing = 50;
  EXPECT_NEAR(enclosed_volume(reconstruct(one, setup, {}).mesh) / before, 1, 0.01);
}

TEST(Surface, SmallPiecesAreRemovedByTheirVolume) {
  SurfaceParticles particles = filled_sphere(0.5f, 0.1f);
  add_particle(particles, Vec3(2, 0, 0), 0.1f);
  SurfaceSetup setup;
  const Geometry all = reconstruct(particles, setup, {});
  setup.smallest_piece = 20;
  const Geometry large = reconstruct(particles, setup, {});
  const auto right_end = [](const Geometry& surface) {
    float end = -infinity;
    for (const Vec3& x : surface.mesh.vertices) end = std::max(end, x.x());
    return end;
  };
  EXPECT_GT(right_end(all), 1.9f);
  EXPECT_LT(right_end(large), 0.7f);
  EXPECT_EQ(manifold_fault(large.mesh), "");
}

TEST(Surface, ParticleQuantitiesAreInterpolatedToTheVertices) {
  const SurfaceParticles particles = filled_box(Vec3(1, 1, 1), 0.05f);
  Geometry::Attribute constant{"temperature", "K", 1, std::vector<float>(particles.size(), 300)};
  Geometry::Attribute linear{"velocity", "m/s", 3, {}};
  for (const Vec3& x : particles.position) linear.values.insert(linear.values.end(), {x.x(), 0, 2});
  const Geometry::Attribute quantities[] = {constant, linear};
  const Geometry surface = reconstruct(particles, {}, quantities);
  const Geometry::Attribute *temperature = surface.find("temperature"), *velocity = surface.find("velocity");
  ASSERT_TRUE(temperature && velocity);
  for (std::size_t v = 0; v != surface.mesh.vertices.size(); ++v) {
    EXPECT_NEAR(temperature->values[v], 300, 1e-3);
    // A weighted mean of particles up to a support away, on one side of the surface.
    EXPECT_NEAR(velocity->values[3 * v], surface.mesh.vertices[v].x(), 0.06f);
    EXPECT_NEAR(velocity->values[3 * v + 2], 2, 1e-5);
  }
}

TEST(Surface, NoParticlesGiveAnEmptySurfaceWithItsAttributes) {
  const Geometry::Attribute quantities[] = {{"temperature", "K", 1, {}}};
  const Geometry surface = reconstruct({}, {}, quantities);
  EXPECT_TRUE(surface.mesh.vertices.empty());
  EXPECT_TRUE(surface.find("temperature"));
}

TEST(Surface, ParticlesWithoutAFinitePositionAreIgnored) {
  SurfaceParticles particles = filled_sphere(0.3f, 0.06f);
  const double volume = enclosed_volume(reconstruct(particles, {}, {}).mesh);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity, 1e30f})
    add_particle(particles, Vec3(bad, 0, 0), 0.06f);
  SurfaceSetup setup;
  setup.field = SurfaceField::colour;
  const Geometry surface = reconstruct(particles, setup, {});
  EXPECT_EQ(manifold_fault(surface.mesh), "");
  EXPECT_NEAR(enclosed_volume(surface.mesh) / volume, 1, 0.1);
}

TEST(Tessellation, ShapesBecomeClosedMeshesOfTheirVolume) {
  const Geometry sphere =
      tessellate(*make_sphere(Vec3(0.1f, 0, 0), 0.5f), {Vec3::Constant(-1), Vec3::Constant(1)}, 0.04f);
  EXPECT_EQ(manifold_fault(sphere.mesh), "");
  EXPECT_NEAR(enclosed_volume(sphere.mesh) / (M_PI / 6), 1, 0.01);
  // Cut by the box: a hemisphere, closed by a disc.
  const Geometry half = tessellate(*make_sphere(Vec3(0, 0, 0), 0.5f), {Vec3(-1, -1, 0), Vec3::Constant(1)}, 0.04f);
  EXPECT_EQ(manifold_fault(half.mesh), "");
  EXPECT_NEAR(enclosed_volume(half.mesh) / (M_PI / 12), 1, 0.02);
}

/// A cube turned against the cells, with a round hole: corners and rims are as sharp as its formula says.
TEST(Tessellation, EdgesAndCornersAreSharp) {
  Placement turned;
  turned.axis = Vec3(1, 2, 3).normalized();
  turned.degrees = 23;
  const Mat3 rotation(Eigen::AngleAxisf(turned.degrees * static_cast<float>(M_PI) / 180, turned.axis));
  const ShapePtr cube = make_box(Vec3::Constant(-0.5f), Vec3::Constant(0.5f));
  const ShapePtr hole = make_cylinder(Vec3(0, 0, -1), Vec3(0, 0, 1), 0.3f);
  const ShapePtr shape = make_transformed(make_difference(cube, hole), turned);
  const float cell = 0.06f;
  Geometry surface = tessellate(*shape, shape->bounds(), cell);
  EXPECT_EQ(manifold_fault(surface.mesh), "");
  // Cut edges would take about 0.1 cell^2 times their length, half a percent.
  EXPECT_NEAR(enclosed_volume(surface.mesh) / (1 - M_PI * 0.09), 1, 1e-3);
  const auto distance_to = [&](const Vec3& point) {
    float least = infinity;
    for (const Vec3& x : surface.mesh.vertices) least = std::min(least, (x - rotation * point).norm());
    return least;
  };
  for (const float x : {-0.5f, 0.5f})
    for (const float y : {-0.5f, 0.5f})
      for (const float z : {-0.5f, 0.5f}) EXPECT_LT(distance_to(Vec3(x, y, z)), 0.05f * cell);
  // Every vertex is on the surface.
  for (const Vec3& x : surface.mesh.vertices) EXPECT_LT(std::abs(shape->distance(x)), 0.05f * cell);
  // With a side of its own for each face, normals are those of the faces up to the edge.
  const std::size_t before = surface.mesh.vertices.size();
  part_at_edges(surface);
  EXPECT_GT(surface.mesh.vertices.size(), before);
  // A hole's facets of a cell turn by 0.2; triangles that lie in an edge have hardly any area.
  double right = 0, all = 0;
  for (const auto& t : surface.mesh.triangles) {
    const Vec3 a = surface.mesh.vertices[t[0]], b = surface.mesh.vertices[t[1]], c = surface.mesh.vertices[t[2]];
    const Vec3 n = shape->normal((a + b + c) / 3);
    const double area = (b - a).cross(c - a).norm();
    all += area;
    if (std::ranges::all_of(t, [&](Index v) { return surface.normals[v].dot(n) > std::cos(0.4f); })) right += area;
  }
  EXPECT_GT(right / all, 0.995);
}

TEST(Tessellation, AMeshKeepsItsOwnTriangles) {
  TriangleMesh tetrahedron;
  tetrahedron.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  tetrahedron.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  Placement placement;
  placement.translation = Vec3(2, 0, 0);
  placement.scale = 2;
  const ShapePtr moved = make_transformed(make_mesh(tetrahedron), placement);
  const Geometry surface = tessellate(*moved, moved->bounds(), 0.1f);
  ASSERT_EQ(surface.mesh.triangles.size(), 4u);
  EXPECT_EQ(surface.mesh.vertices[1], Vec3(4, 0, 0));
  EXPECT_NEAR(enclosed_volume(surface.mesh), 8.0 / 6, 1e-5);
}

TEST(Surface, WorkIsProportionalToTheSurface) {
  const auto evaluated = [](float spacing) {
    const SurfaceParticles particles = filled_box(Vec3(1, 1, 1), spacing, 0.2f);
    const ParticleBlocks blocks(particles, 1, 0.5f * spacing);
    return static_cast<double>(std::ranges::count(blocks.grid().inside, 0));
  };
  // Twice the particles along each side are four times the surface and eight times the volume.
  EXPECT_LT(evaluated(1.0f / 96) / evaluated(1.0f / 48), 5);
}

}  // namespace
}  // namespace fondue::test_surface
