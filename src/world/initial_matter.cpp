// The matter that a scene starts with: objects filled with particles, and the mass of new particles.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/parallel.h"
#include "core/random.h"
#include "particles/sheets.h"
#include "shapes/filling.h"
#include "world/world.h"

namespace fondue {

namespace {

/// The largest disorder that behaviours of an object ask for, in spacings.
float disorder_of(const ObjectSetup& object) {
  float most = 0;
  for (const Track& track : object.tracks)
    if (const BehaviourInfo* info = find_behaviour(track.behaviour)) most = std::max(most, info->disorder);
  return most;
}

/// What of a triangle's area is nearest to each of its corners; in an obtuse one half belongs to the obtuse corner and
/// a quarter to each of the others (Meyer 2003).
Vec3d areas_of_corners(const TriangleMesh& mesh, std::size_t t) {
  Vec3d cotangents, squares;
  double doubled = 0;
  for (int k = 0; k != 3; ++k) {
    const Vec3d a = (mesh.corner(t, (k + 1) % 3) - mesh.corner(t, k)).cast<double>(),
                b = (mesh.corner(t, (k + 2) % 3) - mesh.corner(t, k)).cast<double>();
    doubled = std::max(a.cross(b).norm(), 1e-30);
    cotangents[k] = a.dot(b) / doubled;
    squares[k] = (b - a).squaredNorm();
  }
  Vec3d result;
  for (int k = 0; k != 3; ++k) {
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    if (cotangents.minCoeff() < 0)
      result[k] = (cotangents[k] < 0 ? 0.25 : 0.125) * doubled;
    else
      result[k] = (cotangents[l] * squares[l] + cotangents[m] * squares[m]) / 8;
  }
  return result;
}

}  // namespace

/// Moves the points of an object out of their lattice, by this much in the mean: by waves of random directions, three
/// to four spacings long, that move points along their fronts. Such waves compress nothing to first order, so the
/// matter does not begin with a pressure that drives it apart: moved by 0.1 spacings, its compression varies by 0.5 %;
/// moved independently by up to 0.05 spacings in each direction, by 1.8 %.
///
/// Towards solids they do not move anything: they are the curl of a potential A that falls to zero there,
/// curl(s A) = s u + grad s x A, with s = 0 in the row at a wall and 1 two spacings from it. A row that is pressed to
/// the floor by 0.1 spacings is compressed by 12 % and throws grains about.
void World::disturb(std::vector<Vec3>& points, float by, std::size_t object) const {
  if (!(by > 0)) return;
  constexpr std::size_t count = 16;
  const double pi = std::numbers::pi, spacing = setup_.objects[object].spacing;
  const double amplitude = static_cast<double>(by) * std::sqrt(2.0 / count);
  struct Wave {
    Vec3d k, move, potential;
    double phase;
  };
  std::vector<Wave> waves;
  for (std::size_t w = 0; w != count; ++w) {
    const Vec3d first = random_point(setup_.seed + object, 2 * w).cast<double>(),
                second = random_point(setup_.seed + object, 2 * w + 1).cast<double>();
    const double height = setup_.dimension == 3 ? 2 * first.x() - 1 : 0, ring = std::sqrt(1 - height * height);
    const Vec3d along(ring * std::cos(2 * pi * first.y()), ring * std::sin(2 * pi * first.y()), height);
    const Vec3d across = setup_.dimension == 3 ? along.unitOrthogonal() : Vec3d(-along.y(), along.x(), 0);
    const double turn = setup_.dimension == 3 ? 2 * pi * second.x() : 0, k = 2 * pi / ((3 + first.z()) * spacing);
    const Vec3d move = amplitude * (std::cos(turn) * across + std::sin(turn) * along.cross(across));
    waves.push_back({k * along, move, move.cross(along) / k, 2 * pi * second.y()});
  }
  constexpr double from = 0.5, to = 2;
  const auto distance = [&](const Vec3d& x) {
    return static_cast<double>(bodies_->distance(x.cast<float>(), 0)) / spacing;
  };
  parallel_for(points.size(), [&](std::size_t i) {
    const Vec3d x = points[i].cast<double>();
    const double d = distance(x), s = std::clamp((d - from) / (to - from), 0.0, 1.0);
    Vec3d slope = Vec3d::Zero();
    if (d < to)
      for (int axis = 0; axis != setup_.dimension; ++axis) {
        const Vec3d step = 0.1 * spacing * Vec3d::Unit(axis);
        slope[axis] = (distance(x + step) - distance(x - step)) / (0.2 * spacing * (to - from));
      }
    Vec3d moved = x;
    for (const Wave& wave : waves) {
      const double phase = wave.k.dot(x) + wave.phase;
      moved += s * std::cos(phase) * wave.move + std::sin(phase) * slope.cross(wave.potential);
    }
    points[i] = moved.cast<float>();
  });
}

void World::fill_objects(const ProgressReport& report) {
  const Kernel& kernel = neighbourhood_.kernel();
  for (std::size_t o = 0; o != setup_.objects.size(); ++o) {
    const ObjectSetup& given = setup_.objects[o];
    if (!given.shape) continue;
    const ProgressReport filling = report.task("particles of '" + given.name + "'");
    filling(0);
    if (given.sheet()) {
      fill_sheet(o);
      continue;
    }
    std::vector<Vec3> points = given.filling == Filling::lattice
                                   ? fill_lattice(*given.shape, given.spacing, setup_.dimension)
                                   : fill_blue_noise(*given.shape, given.spacing, setup_.dimension, setup_.seed,
                                                     most_points, filling.part(0, 0.9));
    // Matter does not start inside a solid: a particle at a wall lies half a spacing from it.
    const std::size_t before = points.size();
    std::vector<std::uint8_t> in_solid(before);
    const auto too_close = [&](const Vec3& x) { return bodies_->distance(x, 0) < 0.4f * given.spacing; };
    parallel_for(filling.part(0.9, 1), before, [&](std::size_t k) { in_solid[k] = too_close(points[k]); });
    std::size_t outside = 0;
    for (std::size_t k = 0; k != before; ++k)
      if (!in_solid[k]) points[outside++] = points[k];
    points.resize(outside);
    if (points.empty()) throw InputError("object '" + given.name + "' has no particles outside the colliders");
    if (points.size() != before)
      notes_.push_back("object '" + given.name + "': " + std::to_string(before - points.size()) + " of " +
                       std::to_string(before) + " particles lay in colliders and were left out");

    if (const float disorder = disorder_of(given); disorder > 0 && given.filling == Filling::lattice) {
      const std::vector<Vec3> lattice = points;
      disturb(points, disorder * given.spacing, o);
      // What would come too close to a solid stays in its place.
      parallel_for(points.size(), [&](std::size_t k) {
        if (too_close(points[k])) points[k] = lattice[k];
      });
    }
    const float V = lattice_volume(kernel, given.spacing, setup_.support_ratio * given.spacing);
    for (Index i = create_particles(o, points); i != particles_.size(); ++i) particles_[columns::volume][i] = V;
  }
  initialise(0);
}

/// Particles of an object at these places, all but their volume; returns the first of them.
Index World::create_particles(std::size_t o, std::span<const Vec3> points) {
  const ObjectSetup& given = setup_.objects[o];
  Vec3 centre = given.shape->bounds().centre();
  if (setup_.dimension == 2) centre.z() = 0;
  const Index first = particles_.create(static_cast<Index>(points.size()));
  Index i = first;
  for (const Vec3& x : points) {
    particles_[columns::position][i] = x;
    particles_[columns::velocity][i] = given.velocity;
    if (!given.angular_velocity.isZero()) particles_[columns::velocity][i] += given.angular_velocity.cross(x - centre);
    particles_[columns::object][i] = static_cast<Index>(o);
    particles_[columns::support][i] = setup_.support_ratio * given.spacing;
    for (const InitialValues::Entry& entry : given.initial.entries())
      particles_[*entry.column][i] = at_place(entry.value, x);
    ++i;
  }
  return first;
}

/// One layer of particles over the surface of an object's shape; each has its part of the triangles around it.
void World::fill_sheet(std::size_t o) {
  const ObjectSetup& given = setup_.objects[o];
  const std::optional<Layer> layer = given.shape->layer(given.spacing);
  if (!layer) throw InputError("object '" + given.name + "' is no sheet: its shape is not a surface");
  const TriangleMesh& mesh = layer->mesh;
  const auto in_solid = [&](const Vec3& x) { return bodies_->distance(x, 0) < 0; };
  if (const auto count = std::ranges::count_if(mesh.vertices, in_solid))
    throw InputError(fmt::format("object '{}' is a sheet and lies in colliders with {} of its {} particles; move one",
                                 given.name, count, mesh.vertices.size()));
  const Index first = create_particles(o, mesh.vertices);
  const auto V = particles_[columns::volume];
  std::vector<SheetTriangle> triangles;
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t) {
    SheetTriangle& corners = triangles.emplace_back(mesh.triangles[t]);
    const Vec3d areas = areas_of_corners(mesh, t);
    for (int k = 0; k != 3; ++k) V[corners[k] += first] += given.thickness * static_cast<float>(areas[k]);
  }
  for (Index i = first; i != particles_.size(); ++i) {
    particles_[columns::thickness][i] = given.thickness;
    particles_[columns::texture][i] = layer->texture[i - first];
  }
  sheets::add(particles_, triangles);
}

/// Gives new particles the mass that belongs to their volume: by the rest density of the first behaviour of their
/// object that has one, otherwise by the object's own density.
void World::initialise(Index first) {
  const auto object = particles_[columns::object];
  const auto V = particles_[columns::volume], m = particles_[columns::mass], rho = particles_[columns::density];
  for (Index i = first; i != particles_.size(); ++i) {
    rho[i] = setup_.objects[object[i]].density;
    m[i] = 0;
  }
  for (Active& active : behaviours_) {
    const Parameter* rest_density = active.behaviour->info().rest_density;
    if (!rest_density) continue;
    active.properties.update(time_, particles_);
    const Property<float> rho0 = active.properties.number(*rest_density);
    for (Index i = first; i != particles_.size(); ++i)
      if (m[i] == 0 && !active.properties.tracks(object[i]).empty()) {
        rho[i] = rho0(i);
        m[i] = rho[i] * V[i];
      }
  }
  for (Index i = first; i != particles_.size(); ++i)
    if (m[i] == 0) m[i] = rho[i] * V[i];
}

}  // namespace fondue
