// Grains of sand of the frames of a run: how many, fixed or flowing, and dark where the sand is wet.

#include <gtest/gtest.h>

#include "shapes/primitives.h"
#include "support/temporary_folder.h"
#include "surface/mud.h"
#include "surface/run_surfaces.h"

namespace fondue::test_grains_of_runs {
namespace {

using testing_support::TemporaryFolder;

class GrainsOfRuns : public testing::Test {
 protected:
  static constexpr Index count = 216;

  GrainsOfRuns() {
    scene_.world.spacing = 0.1f;
    scene_.world.objects.resize(1);
    scene_.world.objects[0].shape = make_box(Vec3::Zero(), Vec3::Constant(0.6f));
    scene_.world.objects[0].spacing = 0.1f;
    scene_.looks.resize(1);
    scene_.looks[0].look = Look::sand;
    scene_.looks[0].grains_per_particle = 50;
    std::filesystem::create_directories(layout_.frames());
  }
  /// A cube of sand whose left half is wet, moved as a whole.
  Frame frame(int number, const Vec3& moved) const {
    constexpr Column<float> saturation{"saturation", "1", "", 0, true};
    Particles particles;
    particles.require(columns::velocity);
    particles.require(columns::object);
    particles.require(columns::support);
    particles.require(columns::volume);
    particles.require(saturation);
    particles.create(count);
    for (Index i = 0; i != count; ++i) {
      const Vec3 place(static_cast<float>(i % 6), static_cast<float>(i / 6 % 6), static_cast<float>(i / 36));
      particles[columns::position][i] = 0.1f * (place + Vec3::Constant(0.5f)) + moved;
      particles[columns::support][i] = 0.2f;
      particles[columns::volume][i] = 1e-3f;
      particles[saturation][i] = i % 6 < 3 ? 1.0f : 0.0f;
    }
    FrameHeader header;
    header.frame = number;
    header.time = 0.1 * number;
    write_frame(layout_.frame(number), header, particles, {}, {});
    return read_frame(layout_.frame(number));
  }

  TemporaryFolder folder_;
  RunLayout layout_{folder_ / "run", "sand"};
  Scene scene_;
};

TEST_F(GrainsOfRuns, AreAsManyAsTheLookSays) {
  for (const Skin skin : {Skin::grains, Skin::fixed_grains}) {
    scene_.looks[0].skin = skin;
    const Geometry grains = RunSurfaces(scene_, layout_).objects(frame(0, Vec3::Zero())).at(0);
    EXPECT_EQ(grains.mesh.vertices.size(), 50u * count);
    EXPECT_TRUE(grains.find("tint"));
  }
}

TEST_F(GrainsOfRuns, FixedOnesKeepTheirPlacesAroundTheirParticle) {
  scene_.looks[0].skin = Skin::fixed_grains;
  const RunSurfaces surfaces(scene_, layout_);
  const Geometry before = surfaces.objects(frame(0, Vec3::Zero())).at(0);
  const Geometry after = surfaces.objects(frame(1, Vec3(1, 2, 3))).at(0);
  ASSERT_EQ(before.mesh.vertices.size(), after.mesh.vertices.size());
  for (std::size_t g = 0; g != before.mesh.vertices.size(); ++g) {
    ASSERT_EQ(before.ids[g], after.ids[g]);
    EXPECT_LT((after.mesh.vertices[g] - before.mesh.vertices[g] - Vec3(1, 2, 3)).norm(), 1e-5);
  }
}

/// A late frame of many grains takes minutes: whoever waits sees how far it is, and may give up.
TEST_F(GrainsOfRuns, TellHowFarTheyHaveBeenMovedAndCanBeStopped) {
  scene_.looks[0].skin = Skin::grains;
  for (int k = 0; k != 5; ++k) frame(k, Vec3::Zero());
  std::vector<double> told;
  const RunSurfaces surfaces(scene_, layout_, {}, ProgressReport([&](const std::string& task, double fraction) {
                               EXPECT_EQ(task, "moving grains");
                               told.push_back(fraction);
                             }));
  const Frame last = read_frame(layout_.frame(4));
  EXPECT_EQ(surfaces.objects(last).at(0).mesh.vertices.size(), 50u * count);
  EXPECT_EQ(told, (std::vector<double>{0, 0.25, 0.5, 0.75}));
  struct Enough {};
  const RunSurfaces stopped(scene_, layout_, {}, ProgressReport([](const std::string&, double) { throw Enough{}; }));
  EXPECT_THROW(stopped.objects(last), Enough);
}

TEST_F(GrainsOfRuns, AreWetWhereTheSandIs) {
  for (const Skin skin : {Skin::grains, Skin::fixed_grains}) {
    scene_.looks[0].skin = skin;
    const Geometry grains = RunSurfaces(scene_, layout_).objects(frame(0, Vec3::Zero())).at(0);
    const Geometry::Attribute* wet = grains.find("saturation");
    ASSERT_TRUE(wet);
    for (std::size_t g = 0; g != grains.mesh.vertices.size(); ++g) {
      const float x = grains.mesh.vertices[g].x();
      if (std::abs(x - 0.3f) > 0.1f) {
        EXPECT_EQ(wet->values[g], x < 0.3f ? 1.0f : 0.0f) << x;
      }
    }
  }
}

/// In pictures full sand is a closed surface around what it fills, in which no grain is left; dry sand is all grains.
TEST_F(GrainsOfRuns, TurnToMudWhereTheSandIsFull) {
  scene_.looks[0].skin = Skin::fixed_grains;
  const std::vector<Geometry> drawn = RunSurfaces(scene_, layout_).drawn(frame(0, Vec3::Zero()));
  ASSERT_EQ(drawn.size(), 2u);
  const Geometry &grains = drawn[0], &mud = drawn[1];
  const Geometry::Attribute *radius = grains.find("radius"), *wet = grains.find("saturation");
  ASSERT_TRUE(radius && wet);
  for (std::size_t g = 0; g != grains.mesh.vertices.size(); ++g)
    EXPECT_EQ(radius->values[g] == 0, wet->values[g] == 1) << grains.mesh.vertices[g].x();
  double volume = 0;
  for (std::size_t t = 0; t != mud.mesh.triangles.size(); ++t)
    volume += static_cast<double>(mud.mesh.corner(t, 0).dot(mud.mesh.corner(t, 1).cross(mud.mesh.corner(t, 2)))) / 6;
  EXPECT_NEAR(volume, 0.3 * 0.6 * 0.6, 0.015) << "the wet half";
  for (const Vec3& x : mud.mesh.vertices) EXPECT_LT(x.x(), 0.33f);
  ASSERT_TRUE(mud.find("saturation"));
}

TEST(Mud, RisesBeforeTheGrainsAreGone) {
  EXPECT_EQ(share_of_mud(0.4f), 0);
  EXPECT_EQ(share_of_grains(0.4f), 1);
  for (float S = 0; S < 1; S += 0.05f) EXPECT_GE(share_of_mud(S) + share_of_grains(S), 1) << S;
  EXPECT_EQ(share_of_mud(1), 1);
  EXPECT_EQ(share_of_grains(1), 0);
}

}  // namespace
}  // namespace fondue::test_grains_of_runs
