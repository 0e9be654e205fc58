// The fog volume conserves the quantities of the particles, and OpenVDB files contain it.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <numeric>
#include <random>

#include "behaviours/fluid.h"
#include "cache/fog.h"
#include "cache/vdb_file.h"
#include "core/error.h"
#include "support.h"

namespace fondue::test {

namespace {

/// Water of about rest density in a box around the origin, with two sizes of particles, rotating about z.
Frame some_water(int dimension, bool with_mass) {
  Frame frame{some_header(), {}, {}};
  frame.header.dimension = dimension;
  frame.header.spacing = 0.1;
  Particles& particles = frame.particles;
  for (const auto& column : {columns::volume, columns::support, columns::density_ratio, columns::density, temperature})
    particles.require(column);
  particles.require(columns::velocity);
  if (with_mass) particles.require(columns::mass);
  particles.create(400);
  std::mt19937 random(3);
  std::uniform_real_distribution<float> place(-0.5f, 0.5f);
  for (Index i = 0; i != particles.size(); ++i) {
    const float spacing = i % 2 == 0 ? 0.1f : 0.05f, V = std::pow(spacing, static_cast<float>(dimension));
    Vec3& x = particles[columns::position][i];
    x = Vec3(place(random), place(random), dimension == 3 ? place(random) : 0);
    particles[columns::velocity][i] = Vec3(1 - x.y(), x.x(), 0);
    particles[columns::support][i] = 2 * spacing;
    particles[columns::volume][i] = V;
    particles[columns::density_ratio][i] = 0.75f;
    particles[columns::density][i] = 750;
    particles[temperature][i] = 350;
    if (with_mass) particles[columns::mass][i] = 1000 * V;
  }
  return frame;
}

double mass_of(const Frame& frame) {
  double sum = 0;
  for (const float V : frame.particles[columns::volume]) sum += 1000.0 * static_cast<double>(V);
  return sum;
}

double sum_of(const Fog::Field& field) { return std::accumulate(field.values.begin(), field.values.end(), 0.0); }

class FogLaws : public testing::TestWithParam<std::tuple<int, float, KernelShape>> {};

TEST_P(FogLaws, ConservesMassAndMomentumForAnyVoxel) {
  const auto [dimension, voxel, kernel] = GetParam();
  const Frame frame = some_water(dimension, true);
  const Fog fog = make_fog(frame, {kernel, voxel, {}});
  const double volume = std::pow(static_cast<double>(fog.voxel), dimension), mass = mass_of(frame);
  // Single precision in every voxel; errors have random signs.
  EXPECT_NEAR(sum_of(fog.fields[0]) * volume, mass, 1e-6 * mass);
  Vec3d momentum = Vec3d::Zero(), expected = Vec3d::Zero();
  const Fog::Field &rho = fog.fields[0], &v = fog.fields[1];
  for (std::size_t k = 0; k != rho.values.size(); ++k)
    momentum += volume * static_cast<double>(rho.values[k]) * Eigen::Map<const Vec3>(&v.values[3 * k]).cast<double>();
  const auto m = frame.particles[columns::mass];
  for (Index i = 0; i != frame.particles.size(); ++i)
    expected += static_cast<double>(m[i]) * frame.particles[columns::velocity][i].cast<double>();
  EXPECT_LT((momentum - expected).norm(), 1e-5 * expected.norm());
}

// A voxel far finer than the particles, the default, and one so coarse that most kernels contain no voxel centre.
INSTANTIATE_TEST_SUITE_P(Fog, FogLaws,
                         testing::Combine(testing::Values(2, 3), testing::Values(0.02f, 0.0f, 0.7f),
                                          testing::Values(KernelShape::cubic_spline, KernelShape::quartic)));

}  // namespace

TEST(Fog, HasTheRestDensityInside) {
  Frame frame{some_header(), {}, {}};
  frame.header.dimension = 3;
  frame.header.spacing = 0.1;
  for (const auto& column : {columns::volume, columns::support, columns::mass}) frame.particles.require(column);
  frame.particles.require(columns::velocity);
  const int n = 12;
  frame.particles.create(n * n * n);
  for (Index i = 0; i != frame.particles.size(); ++i) {
    frame.particles[columns::position][i] =
        0.1f * Vec3(static_cast<float>(i % n), static_cast<float>(i / n % n), static_cast<float>(i / n / n));
    frame.particles[columns::support][i] = 0.2f;
    frame.particles[columns::mass][i] = 1.0f;  // 1000 kg/m^3
  }
  const Fog fog = make_fog(frame, {});
  EXPECT_FLOAT_EQ(fog.voxel, 0.05f);
  int inside = 0;
  for (std::size_t b = 0; b != fog.origins.size(); ++b) {
    for (int at = 0; at != Fog::block; ++at) {
      const Vec3 x = 0.05f * Vec3(static_cast<float>(fog.origins[b][0] + at / 64),
                                  static_cast<float>(fog.origins[b][1] + at / 8 % 8),
                                  static_cast<float>(fog.origins[b][2] + at % 8));
      if ((x.array() < 0.3f).any() || (x.array() > 0.8f).any()) continue;
      ++inside;
      // The sum of the kernel over a lattice is 0.9984 to 1.0021 on its points and halfway between them.
      EXPECT_NEAR(fog.fields[0].values[b * Fog::block + at], 1000, 3);
    }
  }
  EXPECT_GT(inside, 500);
}

TEST(Fog, PreservesConstantColumns) {
  const Fog fog = make_fog(some_water(3, true), {});
  ASSERT_EQ(fog.fields.size(), 3u);
  EXPECT_EQ(fog.fields[2].name, "temperature");
  for (std::size_t k = 0; k != fog.fields[0].values.size(); ++k)
    EXPECT_FLOAT_EQ(fog.fields[2].values[k], fog.fields[0].values[k] > 0 ? 350 : 0);
}

TEST(Fog, MassFollowsFromDensityAndCompression) {
  const Frame frame = some_water(3, false);
  const Fog fog = make_fog(frame, {});
  const double volume = std::pow(static_cast<double>(fog.voxel), 3);
  EXPECT_NEAR(sum_of(fog.fields[0]) * volume, mass_of(frame), 1e-6 * mass_of(frame));
  EXPECT_EQ(fog.fields[0].unit, "kg/m^3");
}

TEST(Fog, IsTheSameForOneThreadAndMany) {
  const Frame frame = some_water(3, true);
  const Fog many = make_fog(frame, {});
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  const Fog single = make_fog(frame, {});
  EXPECT_EQ(many.origins, single.origins);
  for (std::size_t f = 0; f != many.fields.size(); ++f) EXPECT_EQ(many.fields[f].values, single.fields[f].values);
}

TEST(Fog, InvalidVolumesAreRefused) {
  const auto refusal = [](const Frame& frame, const FogOptions& options) {
    return message_of<InputError>([&] { make_fog(frame, options); });
  };
  const Frame frame = some_water(3, true);
  EXPECT_NE(refusal(frame, {.columns = {"id"}}).find("whole numbers"), std::string::npos);
  EXPECT_NE(refusal(frame, {.columns = {"temperatur"}}).find("'temperature'"), std::string::npos);
  EXPECT_NE(refusal(frame, {.voxel = 0.0001f, .columns = {}}).find("too small"), std::string::npos);
  Frame far = some_water(3, true);
  far.particles[columns::position][7].x() = 1e12f;
  EXPECT_NE(refusal(far, {}).find("particle 7"), std::string::npos);
}

TEST(Vdb, ContainsTheMassOfTheParticles) {
  if (!has_openvdb()) GTEST_SKIP() << "built without OpenVDB";
  const TemporaryFolder folder;
  const Frame frame = some_water(3, true);
  write_vdb(folder / "frame.vdb", frame, {});
  const std::vector<VdbGrid> grids = read_vdb(folder / "frame.vdb");
  ASSERT_EQ(grids.size(), 3u);
  const auto find = [&](const std::string& name) {
    return *std::ranges::find(grids, name, [](const VdbGrid& grid) { return grid.name; });
  };
  const VdbGrid density = find("density"), velocity = find("velocity"), warmth = find("temperature");
  EXPECT_EQ(density.unit, "kg/m^3");
  EXPECT_FLOAT_EQ(density.voxel, 0.05f);
  EXPECT_NEAR(density.sum[0] * std::pow(0.05, 3), mass_of(frame), 1e-6 * mass_of(frame));
  EXPECT_EQ(velocity.components, 3);
  EXPECT_EQ(velocity.active, density.active);
  EXPECT_NEAR(warmth.sum[0] / static_cast<double>(warmth.active), 350, 1e-3);
  Box box;
  for (const Vec3& x : frame.particles[columns::position]) box.add(x);
  // At most a support and a voxel beyond the outermost particles, and no less than these.
  EXPECT_TRUE(box.grown(0.25f).contains(density.bounds.min) && box.grown(0.25f).contains(density.bounds.max));
  EXPECT_TRUE(density.bounds.contains(box.min) && density.bounds.contains(box.max));
}

TEST(Vdb, ATensorIsAGridForEachComponent) {
  if (!has_openvdb()) GTEST_SKIP() << "built without OpenVDB";
  const TemporaryFolder folder;
  Frame frame = some_water(3, true);
  for (Vec6& value : frame.particles.require(stress)) value << 1, 2, 3, 4, 5, 6;
  write_vdb(folder / "frame.vdb", frame, {.columns = {"stress"}});
  const std::vector<VdbGrid> grids = read_vdb(folder / "frame.vdb");
  ASSERT_EQ(grids.size(), 2u + 6);
  double expected = 1;
  for (const char* name : {"stress_xx", "stress_yy", "stress_zz", "stress_xy", "stress_xz", "stress_yz"}) {
    const auto grid = std::ranges::find(grids, name, [](const VdbGrid& g) { return g.name; });
    ASSERT_NE(grid, grids.end()) << name;
    EXPECT_EQ(grid->components, 1);
    EXPECT_EQ(grid->unit, "Pa");
    EXPECT_NEAR(grid->sum[0] / static_cast<double>(grid->active), expected++, 1e-5) << name;
  }
}

TEST(Vdb, NoParticlesAreAValidFileWithEmptyGrids) {
  if (!has_openvdb()) GTEST_SKIP() << "built without OpenVDB";
  const TemporaryFolder folder;
  Frame frame = some_water(3, true);
  frame.particles.remove(std::vector<std::uint8_t>(frame.particles.size(), 1));
  write_vdb(folder / "frame.vdb", frame, {});
  const std::vector<VdbGrid> grids = read_vdb(folder / "frame.vdb");
  ASSERT_EQ(grids.size(), 3u);
  for (const VdbGrid& grid : grids) EXPECT_EQ(grid.active, 0u);
}

TEST(Vdb, OtherFilesAreRefused) {
  if (!has_openvdb()) GTEST_SKIP() << "built without OpenVDB";
  const TemporaryFolder folder;
  write_text(folder / "not.vdb", "smoke and mirrors");
  EXPECT_THROW(read_vdb(folder / "not.vdb"), InputError);
  EXPECT_THROW(write_vdb(folder / "missing" / "frame.vdb", some_water(3, true), {}), OutputError);
}

TEST(Vdb, ABuildWithoutOpenVdbNamesThePackage) {
  if (has_openvdb()) GTEST_SKIP() << "built with OpenVDB";
  const TemporaryFolder folder;
  const std::string message =
      message_of<OutputError>([&] { write_vdb(folder / "frame.vdb", some_water(3, true), {}); });
  EXPECT_NE(message.find("libopenvdb-dev"), std::string::npos) << message;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace fondue::test
