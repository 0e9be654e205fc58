// Grains stay with their particles, flow with the sand, fall when nothing holds them, and fill the sand evenly.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <map>

#include "core/error.h"
#include "shapes/primitives.h"
#include "surface/grain_flow.h"
#include "unit/surface/bodies.h"

namespace fondue::test_grains {
namespace {

constexpr float spacing = 0.1f;
constexpr double frame_time = 1.0 / 25;

/// Particles with a view as SandParticles.
struct Sand {
  testing_support::Cloud cloud;
  std::vector<Vec3> velocities;

  explicit Sand(const Box& box)
      : cloud(testing_support::lattice(box, spacing)), velocities(cloud.positions.size(), Vec3::Zero()) {}
  SandParticles view() const { return {cloud.positions, velocities, cloud.supports, cloud.ids}; }
};

std::map<Index, Grain> by_id(std::span<const Grain> grains) {
  std::map<Index, Grain> result;
  for (const Grain& grain : grains) result[grain.id] = grain;
  return result;
}

const Box block{Vec3(0, 0, 0), Vec3(0.6f, 0.5f, 0.4f)};

TEST(FixedGrains, DependOnTheirParticleOnly) {
  Sand sand(block);
  const GrainSettings settings{.seed = 5};
  const auto before = by_id(fixed_grains(sand.view(), settings));
  ASSERT_EQ(before.size(), sand.cloud.ids.size() * std::size_t(settings.per_particle));
  // In another order, at other positions, fewer of them: the same grains around each particle.
  const Vec3 shift(1, -2, 0.5f);
  std::ranges::reverse(sand.cloud.positions);
  std::ranges::reverse(sand.cloud.ids);
  sand.cloud.positions = sand.cloud.mapped([&](const Vec3& x) { return Vec3(x + shift); });
  const SandParticles all = sand.view();
  const std::size_t half = all.ids.size() / 2;
  const SandParticles some{all.positions.first(half), all.velocities.first(half), all.supports.first(half),
                           all.ids.first(half)};
  for (const Grain& grain : fixed_grains(some, settings)) {
    const Grain& old = before.at(grain.id);
    // Round-off of coordinates up to 2.
    ASSERT_LT((grain.position - shift - old.position).norm(), 1e-6f);
    ASSERT_EQ(grain.radius, old.radius);
    ASSERT_EQ(grain.tint, old.tint);
  }
}

TEST(FixedGrains, FillTheVolumeOfTheirParticlesEvenly) {
  const Sand sand(block);
  const GrainSettings settings;
  double volume = 0, tints = 0;
  std::array<int, 8> octants{};
  const std::vector<Grain> grains = fixed_grains(sand.view(), settings);
  for (std::size_t g = 0; g < grains.size(); ++g) {
    const Vec3 off = grains[g].position - sand.cloud.positions[g / std::size_t(settings.per_particle)];
    ASSERT_LE(off.cwiseAbs().maxCoeff(), 0.5001f * spacing);
    ++octants[(off.x() > 0) + 2 * (off.y() > 0) + 4 * (off.z() > 0)];
    volume += 4.0 / 3 * 3.14159265 * std::pow(grains[g].radius, 3);
    tints += grains[g].tint;
    ASSERT_LE(std::abs(grains[g].tint), 1);
  }
  // Radii that vary evenly by a quarter have a mean cube of 1 + 0.25^2.
  EXPECT_NEAR(volume / block.size().prod(), settings.packing * 1.0625, 0.01);
  EXPECT_NEAR(tints / double(grains.size()), 0, 0.05);
  // Eight octants: a random count of 480 would have a standard deviation of 22.
  for (const int count : octants) EXPECT_NEAR(count, double(grains.size()) / 8, 2 * 22);
  // Another seed, other grains.
  const std::vector<Grain> others = fixed_grains(sand.view(), {.seed = 1});
  EXPECT_NE(others[0].position, grains[0].position);
}

TEST(FixedGrains, BecomePoints) {
  const Sand sand(block);
  const std::vector<Grain> grains = fixed_grains(sand.view(), {});
  const Geometry points = grain_points(grains);
  ASSERT_EQ(points.mesh.vertices.size(), grains.size());
  ASSERT_TRUE(points.find("radius") && points.find("tint") && points.find("opacity") && points.find("velocity"));
  EXPECT_EQ(points.find("radius")->values[7], grains[7].radius);
  EXPECT_EQ(points.find("velocity")->values.size(), 3 * grains.size());
  EXPECT_EQ(points.ids[7], grains[7].id);
  EXPECT_TRUE(points.mesh.triangles.empty());
}

TEST(FixedGrains, RefuseInvalidSettings) {
  const Sand sand(block);
  EXPECT_THROW(fixed_grains(sand.view(), {.per_particle = 0}), InputError);
  EXPECT_THROW(fixed_grains(sand.view(), {.radius_variation = 1}), InputError);
  EXPECT_THROW(fixed_grains(sand.view(), {.per_particle = 1 << 30}), InputError);
  SandParticles view = sand.view();
  view.velocities = {};
  EXPECT_THROW(fixed_grains(view, {}), InputError);
  EXPECT_THROW(GrainFlow({.substeps = 0}), InputError);
  GrainFlow flow({});
  flow.advance(sand.view(), 0);
  EXPECT_THROW(flow.advance(sand.view(), 0), InputError);
}

TEST(GrainFlow, MovesExactlyWithUniformTranslation) {
  Sand sand(block);
  const Vec3 velocity(0.7f, -0.3f, 0.4f);
  std::ranges::fill(sand.velocities, velocity);
  GrainFlow flow({.gravity = Vec3::Zero()});
  flow.advance(sand.view(), 0);
  const auto before = by_id(flow.grains());
  const int frames = 20;
  for (int frame = 0; frame < frames; ++frame) {
    for (Vec3& x : sand.cloud.positions) x += float(frame_time) * velocity;
    flow.advance(sand.view(), frame_time);
  }
  ASSERT_EQ(flow.grains().size(), before.size());
  for (const Grain& grain : flow.grains()) {
    const Vec3 way = float(frames * frame_time) * velocity;
    // 80 substeps, each with a rounding error of 6e-8 for coordinates below 2.
    ASSERT_LT((grain.position - before.at(grain.id).position - way).norm(), 80 * 6e-8f * 2);
    ASSERT_LT((grain.velocity - velocity).norm(), 1e-5f);
    ASSERT_EQ(grain.opacity, 1);
  }
}

TEST(GrainFlow, RotatesWithARotatingBody) {
  Sand sand({Vec3(-0.3f, -0.3f, 0), Vec3(0.3f, 0.3f, 0.4f)});
  const std::vector<Vec3> rest = sand.cloud.positions;
  const auto turned = [](const Vec3& x, double angle) {
    const float c = float(std::cos(angle)), s = float(std::sin(angle));
    return Vec3(c * x.x() - s * x.y(), s * x.x() + c * x.y(), x.z());
  };
  const auto turn_to = [&](double angle) {
    for (std::size_t p = 0; p < rest.size(); ++p) {
      const Vec3 x = sand.cloud.positions[p] = turned(rest[p], angle);
      sand.velocities[p] = 2 * Vec3(-x.y(), x.x(), 0);
    }
  };
  turn_to(0);
  GrainFlow flow({.gravity = Vec3::Zero()});
  flow.advance(sand.view(), 0);
  const auto before = by_id(flow.grains());
  const int frames = 20;
  for (int frame = 1; frame <= frames; ++frame) {
    turn_to(2 * frame * frame_time);
    flow.advance(sand.view(), frame_time);
  }
  // Inside, where the interpolation is centred, grains have rotated with their surroundings.
  int inner = 0;
  for (const Grain& grain : flow.grains()) {
    const auto old = before.find(grain.id);
    if (old == before.end()) continue;
    const Vec3& x = old->second.position;
    if (x.head<2>().cwiseAbs().maxCoeff() > 0.1f || std::abs(x.z() - 0.2f) > 0.1f) continue;
    ++inner;
    ASSERT_LT((grain.position - turned(x, 2 * frames * frame_time)).norm(), 0.2f * spacing);
  }
  EXPECT_GT(inner, 100);
}

/// A heap at rest on the floor z = 0, and a particle above it that is removed after the first frame.
TEST(GrainFlow, DroppedGrainsLandAndDoNotHang) {
  Sand sand(block);
  sand.cloud.positions.push_back(Vec3(0.3f, 0.2f, 0.8f));
  sand.cloud.supports.push_back(2 * spacing);
  sand.cloud.ids.push_back(3);
  sand.velocities.push_back(Vec3::Zero());
  // And one beside the heap, that falls to the floor.
  sand.cloud.positions.push_back(Vec3(1.2f, 0.2f, 0.5f));
  sand.cloud.supports.push_back(2 * spacing);
  sand.cloud.ids.push_back(4);
  sand.velocities.push_back(Vec3::Zero());
  GrainFlow flow({.collider = [](const Vec3& x, double) { return x.z(); }});
  flow.advance(sand.view(), 0);
  const SandParticles all = sand.view();
  const std::size_t heap = all.ids.size() - 2;
  const SandParticles left{all.positions.first(heap), all.velocities.first(heap), all.supports.first(heap),
                           all.ids.first(heap)};
  std::size_t high = 0;
  for (const Grain& grain : flow.grains()) high += grain.position.z() > 0.65f;
  ASSERT_GT(high, 20u);
  // Falling 0.4 m takes 0.29 s.
  for (int frame = 0; frame < 25; ++frame) flow.advance(left, frame_time);
  std::size_t beside = 0;
  for (const Grain& grain : flow.grains()) {
    ASSERT_LT(grain.velocity.norm(), 1e-3f);
    // The topmost particles are at 0.35; the sand ends one radius (of a ball of a particle's volume) above.
    ASSERT_LE(grain.position.z(), 0.35f + 0.63f * spacing);
    const bool on_heap = Box(block).grown(0.15f * spacing).contains(grain.position);
    const bool on_floor = grain.position.z() < 4 * grain.radius;
    ASSERT_TRUE(on_heap || on_floor) << grain.position.transpose();
    beside += grain.position.x() > 1;
  }
  EXPECT_GT(beside, 20u);
}

TEST(GrainFlow, StaysEvenInAShearFlow) {
  const float length = 1.6f, height = 0.6f, rate = 1.5f;
  Sand sand({Vec3(0, 0, 0), Vec3(length, 0.4f, height)});
  for (std::size_t p = 0; p < sand.velocities.size(); ++p)
    sand.velocities[p] = Vec3(rate * sand.cloud.positions[p].z(), 0, 0);
  GrainFlow flow({.gravity = Vec3::Zero()});
  flow.advance(sand.view(), 0);
  const int frames = 50;
  for (int frame = 0; frame < frames; ++frame) {
    for (std::size_t p = 0; p < sand.velocities.size(); ++p)
      sand.cloud.positions[p] += float(frame_time) * sand.velocities[p];
    flow.advance(sand.view(), frame_time);
  }
  // Sheared by 3 now. Cells of two spacings, at least one spacing inside the sand.
  const float shear = rate * float(frames * frame_time), cell = 2 * spacing;
  int cells = 0;
  for (float z = spacing; z < height - 2.5f * spacing; z += cell) {
    for (float x = shear * (z + cell) + spacing; x + cell < shear * z + length - spacing; x += cell) {
      double count = 0;
      for (const Grain& grain : flow.grains()) {
        const Vec3 off = grain.position - Vec3(x, spacing, z);
        if (off.minCoeff() >= 0 && off.maxCoeff() < cell) count += grain.opacity;
      }
      // Eight particles of 32 grains.
      EXPECT_NEAR(count, 256, 0.3 * 256) << x << ' ' << z;
      ++cells;
    }
  }
  EXPECT_GE(cells, 6);
}

/// A block of which only a quarter has grains at first; later every other particle is removed.
TEST(GrainFlow, FillsUpAndThinsOutWithoutFlicker) {
  const Sand sand(block);
  GrainFlow flow({.gravity = Vec3::Zero()});
  const auto first = [](const SandParticles& all, std::size_t n) {
    return SandParticles{all.positions.first(n), all.velocities.first(n), all.supports.first(n), all.ids.first(n)};
  };
  const SandParticles all = sand.view();
  flow.advance(first(all, all.ids.size() / 4), 0);
  // Opacity changes by at most frame time / fade time per frame.
  auto before = by_id(flow.grains());
  const auto advance = [&](const SandParticles& particles) {
    flow.advance(particles, frame_time);
    const auto after = by_id(flow.grains());
    for (const auto& [id, grain] : after)
      ASSERT_NEAR(grain.opacity, before.contains(id) ? before[id].opacity : 0, frame_time / 0.2 + 1e-6);
    for (const auto& [id, grain] : before) ASSERT_TRUE(after.contains(id) || grain.opacity < frame_time / 0.2 + 1e-6);
    before = after;
  };
  // Without gravity, grains outside the sand stay around it: only the inside is counted.
  const Box inside = block.grown(-spacing);
  const double full = 32 * inside.size().prod() / std::pow(spacing, 3);
  const auto counted = [&] {
    return double(std::ranges::count_if(flow.grains(), [&](const Grain& g) { return inside.contains(g.position); }));
  };
  for (int frame = 0; frame < 15; ++frame) advance(all);
  EXPECT_GT(counted(), GrainFlow::too_few * full);
  EXPECT_LT(counted(), GrainFlow::too_many * full);
  for (const Grain& grain : flow.grains()) ASSERT_EQ(grain.opacity, 1);

  Sand half = sand;
  half.cloud.positions.clear();
  half.cloud.ids.clear();
  for (std::size_t p = 0; p < all.ids.size(); ++p) {
    const Vec3 cell = sand.cloud.positions[p] / spacing;
    if ((int(cell.x()) + int(cell.y()) + int(cell.z())) % 2) continue;
    half.cloud.positions.push_back(sand.cloud.positions[p]);
    half.cloud.ids.push_back(sand.cloud.ids[p]);
  }
  const SandParticles rest{half.cloud.positions, all.velocities.first(half.cloud.ids.size()),
                           all.supports.first(half.cloud.ids.size()), half.cloud.ids};
  for (int frame = 0; frame < 15; ++frame) advance(rest);
  // There were twice as many grains as half the particles account for. Crowding is measured around particles, so
  // slightly more than too_many may remain in the gaps between them.
  EXPECT_GT(counted(), GrainFlow::too_few * full / 2);
  EXPECT_LT(counted(), 1.2 * GrainFlow::too_many * full / 2);
}

TEST(GrainFlow, NoGrainIsInsideACollider) {
  // Sand slides into a ball and over a floor that rises.
  const ShapePtr ball = make_sphere(Vec3(0.9f, 0.25f, 0.1f), 0.2f);
  const auto distance = [&](const Vec3& x, double t) { return std::min(ball->distance(x), x.z() - 0.1f * float(t)); };
  Sand sand(block);
  std::ranges::fill(sand.velocities, Vec3(1, 0, 0));
  GrainFlow flow({.collider = distance});
  flow.advance(sand.view(), 0);
  for (int frame = 0; frame < 20; ++frame) {
    for (Vec3& x : sand.cloud.positions) x.x() += float(frame_time);
    flow.advance(sand.view(), frame_time);
    for (const Grain& grain : flow.grains()) ASSERT_GE(distance(grain.position, flow.time()), 0);
  }
  EXPECT_GT(flow.grains().size(), 1000u);
}

/// Solids that do not move are asked for their distance only by grains that may be near them; the grains are the same.
TEST(GrainFlow, AsksSolidsAtRestOnlyWhereGrainsMayTouchThem) {
  const ShapePtr ball = make_sphere(Vec3(0.9f, 0.25f, 0.1f), 0.2f);
  std::atomic<std::size_t> asked = 0;
  const auto grains = [&](bool still) {
    asked = 0;
    Sand sand(block);
    std::ranges::fill(sand.velocities, Vec3(1, 0, 0));
    GrainFlow flow({.collider =
                        [&](const Vec3& x, double) {
                          ++asked;
                          return std::min(ball->distance(x), x.z());
                        },
                    .still = still});
    flow.advance(sand.view(), 0);
    for (int frame = 0; frame < 20; ++frame) {
      for (Vec3& x : sand.cloud.positions) x.x() += float(frame_time);
      flow.advance(sand.view(), frame_time);
    }
    std::vector<Vec3> positions;
    for (const Grain& grain : flow.grains()) positions.push_back(grain.position);
    return positions;
  };
  const std::vector<Vec3> expected = grains(false);
  const std::size_t always = asked;
  EXPECT_EQ(grains(true), expected);
  // Most of what is asked is asked by grains that touch, six times each for the normal.
  EXPECT_LT(asked, 0.8 * static_cast<double>(always));
}

TEST(GrainFlow, IsTheSameForAnyNumberOfThreadsAndAnyOrder) {
  const auto result = [&](std::size_t threads, bool reversed) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    Sand sand(block);
    if (reversed) {
      std::ranges::reverse(sand.cloud.positions);
      std::ranges::reverse(sand.cloud.ids);
    }
    GrainFlow flow({.collider = [](const Vec3& x, double) { return x.z(); }});
    flow.advance(sand.view(), 0);
    for (int frame = 0; frame < 8; ++frame) {
      for (std::size_t p = 0; p < sand.velocities.size(); ++p) {
        Vec3& x = sand.cloud.positions[p];
        sand.velocities[p] = Vec3(3 * x.z(), -x.x(), 2 * (0.2f - x.x()));
        x += float(frame_time) * sand.velocities[p];
      }
      flow.advance(sand.view(), frame_time);
    }
    std::vector<float> numbers;
    for (const Grain& grain : flow.grains())
      numbers.insert(numbers.end(), {grain.position.x(), grain.position.y(), grain.position.z(), grain.velocity.x(),
                                     grain.opacity, float(grain.id)});
    return numbers;
  };
  const std::vector<float> expected = result(1, false);
  EXPECT_EQ(result(2, false), expected);
  EXPECT_EQ(result(2, true), expected);
}

TEST(GrainFlow, StaysInThePlaneInTwoDimensions) {
  Sand sand({Vec3(0, 0, -0.05f), Vec3(0.6f, 0.5f, 0.05f)});
  for (Vec3& v : sand.velocities) v = Vec3(0.5f, 0, 0);
  GrainFlow flow({.grains = {.dimension = 2}, .gravity = Vec3(0, -9.81f, 0), .collider = [](const Vec3& x, double) {
                    return x.y();
                  }});
  flow.advance(sand.view(), 0);
  for (int frame = 0; frame < 10; ++frame) {
    for (Vec3& x : sand.cloud.positions) x.x() += 0.5f * float(frame_time);
    flow.advance(sand.view(), frame_time);
  }
  EXPECT_GT(flow.grains().size(), 500u);
  for (const Grain& grain : flow.grains()) ASSERT_EQ(grain.position.z(), 0);
}

}  // namespace
}  // namespace fondue::test_grains
