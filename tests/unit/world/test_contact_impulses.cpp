// Impulses of contacts: what they conserve, and what they leave of velocities.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>

#include "world/contact_impulses.h"

namespace fondue::test_contact_impulses {
namespace {

/// Places with velocities and masses; zero mass: held.
struct Scene {
  std::vector<float> v[3], mobility;
  std::vector<double> mass;
  Index add(const Vec3& velocity, double m) {
    for (int c = 0; c != 3; ++c) v[c].push_back(velocity[c]);
    mobility.push_back(m > 0 ? static_cast<float>(1 / m) : 0.0f);
    mass.push_back(m);
    return static_cast<Index>(mass.size() - 1);
  }
  Vec3d velocity(Index p) const { return {v[0][p], v[1][p], v[2][p]}; }
  Vec3d momentum() const {
    Vec3d sum = Vec3d::Zero();
    for (Index p = 0; p != mass.size(); ++p) sum += mass[p] * velocity(p);
    return sum;
  }
  void exchange(std::vector<SheetContact>& contacts, double seconds, int sweeps) {
    ContactImpulses impulses;
    impulses.set({{v[0], v[1], v[2]}, mobility}, contacts);
    impulses.exchange({{v[0], v[1], v[2]}, mobility}, {}, seconds, seconds, sweeps);
    for (std::size_t k = 0; k != contacts.size(); ++k) contacts[k].impulse = impulses.impulse(k);
  }
};

SheetContact on_triangle(Index point, const std::array<Index, 3>& corner, const Vec3& weights, float gap = 0,
                         float friction = 0) {
  return {
      .point = point, .corner = corner, .weights = weights, .normal = Vec3::UnitZ(), .gap = gap, .friction = friction};
}

TEST(ContactImpulses, AnImpactIsInelasticAndKeepsMomentum) {
  Scene scene;
  const std::array<Index, 3> corner = {scene.add(Vec3(0, 0, 1), 0.1), scene.add(Vec3(0, 0, 2), 0.2),
                                       scene.add(Vec3::Zero(), 0.3)};
  const Index point = scene.add(Vec3(1, 0, -3), 5);
  const Vec3 weights(0.2f, 0.3f, 0.5f);
  const Vec3d before = scene.momentum();
  std::vector<SheetContact> contacts = {on_triangle(point, corner, weights)};
  scene.exchange(contacts, 1e-3, 1);
  EXPECT_LT((scene.momentum() - before).norm(), 1e-6 * before.norm());
  Vec3d apart = scene.velocity(point);
  for (int c = 0; c != 3; ++c)
    apart -= static_cast<double>(weights[c]) * scene.velocity(corner[static_cast<std::size_t>(c)]);
  EXPECT_NEAR(apart.z(), 0, 1e-6) << "it does not approach any more";
  EXPECT_NEAR(scene.velocity(point).x(), 1, 1e-6) << "without friction it slides on";
}

TEST(ContactImpulses, WhatIsNotThereYetMayComeAsFarAsItsGap) {
  for (const float gap : {0.5e-3f, 2e-3f}) {
    Scene scene;
    const std::array<Index, 3> corner = {scene.add(Vec3::Zero(), 0), scene.add(Vec3::Zero(), 0),
                                         scene.add(Vec3::Zero(), 0)};
    const Index point = scene.add(Vec3(0, 0, -1), 1);
    std::vector<SheetContact> contacts = {on_triangle(point, corner, Vec3::Constant(1.0f / 3), gap)};
    scene.exchange(contacts, 1e-3, 4);
    // At 1 m/s it moves 1 mm.
    EXPECT_NEAR(scene.velocity(point).z(), -std::min(gap / 1e-3f, 1.0f), 1e-6);
  }
}

TEST(ContactImpulses, NothingIsPulled) {
  Scene scene;
  const std::array<Index, 3> corner = {scene.add(Vec3::Zero(), 1), scene.add(Vec3::Zero(), 1),
                                       scene.add(Vec3::Zero(), 1)};
  const Index point = scene.add(Vec3(0, 0, 1), 1);
  std::vector<SheetContact> contacts = {on_triangle(point, corner, Vec3(1, 0, 0), 0, 1)};
  // An impulse of the past that is too large is taken back, and no more than that.
  contacts[0].impulse = Vec3(0, 0, 0.3f);
  scene.exchange(contacts, 1e-3, 4);
  EXPECT_NEAR(scene.velocity(point).z(), 1, 1e-6);
  EXPECT_TRUE(contacts[0].impulse.isZero(1e-7f));
}

/// A block on a belt: it is carried along if the impulse that this takes is below friction times that which presses.
TEST(ContactImpulses, FrictionIsCoulombs) {
  for (const float friction : {0.2f, 0.5f, 2.0f}) {
    Scene scene;
    const std::array<Index, 3> corner = {scene.add(Vec3::Zero(), 0), scene.add(Vec3::Zero(), 0),
                                         scene.add(Vec3::Zero(), 0)};
    const Index point = scene.add(Vec3(0.8f, 0, -1), 2);
    std::vector<SheetContact> contacts = {on_triangle(point, corner, Vec3(0, 0, 1), 0, friction)};
    scene.exchange(contacts, 1e-3, 10);
    EXPECT_NEAR(scene.velocity(point).x(), std::max(0.8f - friction, 0.0f), 1e-6) << friction;
  }
}

/// Heavy matter on light corners that are pulled up, as water on a taut cloth: a few sweeps in each of many substeps,
/// which begin with the impulses of the one before, leave no velocity.
TEST(ContactImpulses, HeavyMatterRestsOnLightCorners) {
  Scene scene;
  constexpr Index n = 6;
  const double heavy = 0.25, light = 0.001, h = 1e-4, g = 9.81;
  std::vector<Index> corners, points;
  for (Index k = 0; k != n * n; ++k) corners.push_back(scene.add(Vec3::Zero(), light));
  std::vector<SheetContact> contacts;
  for (Index b = 0; b + 1 != n; ++b)
    for (Index a = 0; a + 1 != n; ++a) {
      points.push_back(scene.add(Vec3::Zero(), heavy));
      const Index i = b * n + a;
      contacts.push_back(on_triangle(points.back(), {corners[i], corners[i + 1], corners[i + n]}, {0.4f, 0.3f, 0.3f}));
    }
  // Corners are pulled up by the weight that they carry.
  std::vector<double> load(scene.mass.size(), 0);
  for (const SheetContact& contact : contacts)
    for (int c = 0; c != 3; ++c)
      load[contact.corner[static_cast<std::size_t>(c)]] += static_cast<double>(contact.weights[c]) * heavy * g;
  for (int substep = 0; substep != 40; ++substep) {
    for (const Index p : points) scene.v[2][p] -= static_cast<float>(g * h);
    for (const Index p : corners) scene.v[2][p] += static_cast<float>(load[p] / light * h);
    scene.exchange(contacts, h, substep == 0 ? 24 : 3);
  }
  double fastest = 0;
  for (Index p = 0; p != scene.mass.size(); ++p) fastest = std::max(fastest, scene.velocity(p).norm());
  EXPECT_LT(fastest, 0.02 * g * h * heavy / light) << "of what the forces of one substep give a corner";
}

/// A point over a triangle of any shape, which may turn about its corners.
struct Film {
  Scene scene;
  std::vector<Vec3d> x;
  std::vector<SheetContact> contacts;

  Film(const std::array<double, 3>& masses, double film) {
    const std::array<Vec3d, 3> corner = {Vec3d(0, 0, 0), Vec3d(1, 0.2, 0), Vec3d(0.3, 0.9, 0)};
    const Vec3d weights(0.3, 0.25, 0.45);
    const double d = 0.4;
    Vec3d at = Vec3d(0, 0, d);
    for (std::size_t c = 0; c != 3; ++c) at += weights[static_cast<Eigen::Index>(c)] * corner[c];
    for (std::size_t c = 0; c != 3; ++c) {
      x.push_back(corner[c]);
      scene.add(Vec3::Zero(), masses[c]);
    }
    x.push_back(at);
    scene.add(Vec3::Zero(), 2);
    SheetContact contact = on_triangle(3, {0, 1, 2}, weights.cast<float>(), 1);
    contact.film = static_cast<float>(film);
    const Vec3d u = corner[1], w = corner[2], front = u.cross(w);
    contact.tilt[0] = (d * w.cross(front) / front.squaredNorm()).cast<float>();
    contact.tilt[1] = (d * front.cross(u) / front.squaredNorm()).cast<float>();
    contacts = {contact};
  }
  void set_velocities(const std::function<Vec3d(const Vec3d&)>& v) {
    for (std::size_t p = 0; p != x.size(); ++p)
      for (int c = 0; c != 3; ++c) scene.v[c][p] = static_cast<float>(v(x[p])[c]);
  }
  Vec3d angular_momentum() const {
    Vec3d sum = Vec3d::Zero();
    for (Index p = 0; p != x.size(); ++p) sum += scene.mass[p] * x[p].cross(scene.velocity(p));
    return sum;
  }
};

/// v = v0/(1 + h film/m) over a held triangle, which is exact for any length of the substep.
TEST(ContactImpulses, AFilmDragsByItsViscosity) {
  for (const double strength : {1e-3, 1.0, 1e3}) {
    Film film({0, 0, 0}, strength / 1e-3 * 2);
    film.set_velocities([](const Vec3d& x) { return x.z() > 0 ? Vec3d(3, -1, 0) : Vec3d::Zero(); });
    film.scene.exchange(film.contacts, 1e-3, 1);
    EXPECT_LT((film.scene.velocity(3) - Vec3d(3, -1, 0) / (1 + strength)).norm(), 1e-5);
  }
}

TEST(ContactImpulses, AFilmKeepsBothMomenta) {
  Film film({0.1, 0.3, 0.2}, 500);
  film.set_velocities([](const Vec3d& x) { return Vec3d(1 + x.y(), x.x() * x.y() - 2, 0.3 * x.z() - x.x()); });
  const Vec3d p = film.scene.momentum(), L = film.angular_momentum();
  const Vec3d before = film.scene.velocity(3);
  film.scene.exchange(film.contacts, 1e-3, 6);
  EXPECT_GT((film.scene.velocity(3) - before).norm(), 0.01) << "it drags";
  EXPECT_LT((film.scene.momentum() - p).norm(), 1e-6 * p.norm());
  EXPECT_LT((film.angular_momentum() - L).norm(), 2e-6 * L.norm());
}

TEST(ContactImpulses, AFilmDoesNotResistWhatTurnsAsOne) {
  Film film({0.1, 0.3, 0.2}, 500);
  const auto turning = [](const Vec3d& x) { return Vec3d(Vec3d(0.7, -1.2, 0.4) + Vec3d(2, 1, -3).cross(x)); };
  film.set_velocities(turning);
  film.scene.exchange(film.contacts, 1e-3, 4);
  for (Index p = 0; p != 4; ++p) EXPECT_LT((film.scene.velocity(p) - turning(film.x[p])).norm(), 2e-6);
}

}  // namespace
}  // namespace fondue::test_contact_impulses
