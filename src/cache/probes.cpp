#include "cache/probes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "behaviours/fluid.h"
#include "behaviours/heat.h"
#include "core/parallel.h"

namespace fondue {

namespace {

constexpr Index all_objects = 0xffffffff;
/// A particle with a smaller sum of kernels is spray and does not count for a front.
constexpr float spray = 0.5f;

template <class List>
Index index_named(const List& list, const std::string& name, const ProbeSetup& probe) {
  for (std::size_t k = 0; k != list.size(); ++k)
    if (list[k].name == name) return static_cast<Index>(k);
  throw InputError("probe '" + probe.name + "' is of '" + name + "', which does not exist");
}

/// Particles within their own support of a place, in the order of their ids.
std::vector<Index> around(const Vec3& place, const Particles& particles) {
  constexpr std::size_t block = 1024;
  const auto x = particles[columns::position];
  const auto R = particles[columns::support];
  const auto id = particles[columns::id];
  std::vector<std::vector<Index>> parts((x.size() + block - 1) / block);
  parallel_blocks(x.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i != end; ++i)
      if ((x[i] - place).squaredNorm() < R[i] * R[i]) parts[begin / block].push_back(static_cast<Index>(i));
  });
  std::vector<Index> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all, {}, [&](Index i) { return id[i]; });
  return all;
}

void measure_point(const Vec3& place, const World& world, std::vector<double>& row) {
  const Particles& particles = world.particles();
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const auto V = particles[columns::volume], R = particles[columns::support];
  const auto p = particles[columns::pressure], rho = particles[columns::density];
  const bool warms = particles.has(columns::temperature.name);
  const auto T = warms ? particles[columns::temperature] : std::span<const float>{};
  double sum = 0, pressure = 0, density = 0, temperature = 0;
  Vec3d velocity = Vec3d::Zero();
  for (const Index j : around(place, particles)) {
    const double w = V[j] * world.neighbourhood().kernel().W((place - x[j]).norm(), R[j]);
    sum += w;
    pressure += w * p[j];
    density += w * rho[j];
    if (warms) temperature += w * T[j];
    velocity += w * v[j].cast<double>();
  }
  const double scale = sum > 0 ? 1 / sum : std::numeric_limits<double>::quiet_NaN();
  row.insert(row.end(),
             {scale * pressure, scale * density, scale * velocity.x(), scale * velocity.y(), scale * velocity.z()});
  if (warms) row.push_back(scale * temperature);
}

/// Largest x.direction + half a spacing over the particles for which counts() is true; NaN if there is none.
template <class Counts>
double furthest(const World& world, const Vec3& direction, Counts&& counts) {
  const auto x = world.particles()[columns::position];
  const auto R = world.particles()[columns::support];
  const float ratio = world.setup().support_ratio;
  const float most = parallel_reduce(
      x.size(), -infinity,
      [&](std::size_t i) { return counts(i) ? x[i].dot(direction) + 0.5f * R[i] / ratio : -infinity; },
      [](float a, float b) { return std::max(a, b); });
  return std::isfinite(most) ? most : std::numeric_limits<double>::quiet_NaN();
}

/// Weight of a push at a distance q a from the middle of the disc of radius a.
double weight_in_disc(double q, double radius, int dimension) {
  if (!(q < 1)) return 0;
  const double scale = dimension == 3 ? 3 / (std::numbers::pi * radius * radius) : 15 / (16 * radius);
  return scale * (1 - q * q) * (1 - q * q);
}

}  // namespace

/// Place, normal and radius of a pressure; the part of the disc is found by points spread over it.
void Probes::lay_on_surface(Probe& probe, const World& world) {
  const std::vector<ColliderSetup>& colliders = world.setup().colliders;
  const Shape& shape = *colliders[probe.of].shape;
  const Pose pose = pose_at(colliders[probe.of].motion, 0);
  const Vec3 given = pose.to_local(probe.setup.position);
  const Nearest nearest = shape.nearest(given);
  probe.place = given - nearest.distance * nearest.normal;
  probe.normal = nearest.normal;
  const float spacing = world.setup().spacing;
  probe.radius = probe.setup.radius;
  const bool plane = world.setup().dimension == 2;
  const Vec3 along = plane ? Vec3(-probe.normal.y(), probe.normal.x(), 0) : probe.normal.unitOrthogonal();
  const Vec3 across = probe.normal.cross(along);
  const auto is_covered = [&](const Vec3& x) {
    return std::ranges::any_of(colliders, [&](const ColliderSetup& other) {
      return !other.rigid && !(other.shape->distance(pose_at(other.motion, 0).to_local(x)) > 0);
    });
  };
  constexpr int points = 256;
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  double all = 0, counts = 0;
  for (int k = 0; k != points; ++k) {
    const double part = (k + 0.5) / points, q = plane ? 2 * part - 1 : std::sqrt(part);
    const double turn = plane ? 0 : golden_angle * k, r = q * probe.radius;
    const Vec3 at =
        probe.place + static_cast<float>(r * std::cos(turn)) * along + static_cast<float>(r * std::sin(turn)) * across;
    const Vec3 above = at + 0.5f * spacing * probe.normal;
    const double w = weight_in_disc(std::abs(q), probe.radius, world.setup().dimension);
    all += w;
    if (std::abs(shape.distance(at)) < 0.3f * spacing && !is_covered(pose.to_world(above))) counts += w;
  }
  probe.share = counts / all;
}

double Probes::pressure_on(const Probe& probe, World& world) {
  const Pose pose = world.bodies()[probe.of].pose_at(world.time());
  const Vec3d place = pose.to_world(probe.place).cast<double>(), normal = pose.rotation * probe.normal.cast<double>();
  // What pushes on the other side of a thin wall does not count, nor what pushes on the opposite wall of a tank.
  const double spacing = static_cast<double>(world.setup().spacing), behind = -0.5 * spacing, beyond = 2 * spacing;
  double sum = 0;
  for (const Push& push : world.pushes_on(probe.of)) {
    const Vec3d from = push.at - place;
    const double height = from.dot(normal);
    if (height < behind || height > beyond) continue;
    const double q = (from - height * normal).norm() / probe.radius;
    sum -= push.force.dot(normal) * weight_in_disc(q, probe.radius, world.setup().dimension);
  }
  return sum / probe.share;
}

Probes::Probes(const std::vector<ProbeSetup>& setups, const World& world)
    : with_temperature_(world.particles().has(columns::temperature.name)) {
  for (const ProbeSetup& setup : setups) {
    Index of = all_objects;
    const bool of_body = setup.kind == ProbeKind::force || setup.kind == ProbeKind::pressure;
    if (of_body) of = index_named(world.setup().colliders, setup.of, setup);
    if (setup.kind == ProbeKind::front && !setup.of.empty()) of = index_named(world.setup().objects, setup.of, setup);
    probes_.push_back({setup, of});
    if (setup.kind != ProbeKind::pressure) continue;
    lay_on_surface(probes_.back(), world);
    if (!(probes_.back().share > 0))
      throw InputError("probe '" + setup.name + "' measures the pressure on a part of '" + setup.of +
                       "' that another collider covers");
  }
}

std::vector<TableColumn> Probes::table_columns() const {
  std::vector<TableColumn> result = {{"time", "s"}};
  for (const Probe& probe : probes_) {
    const std::string& name = probe.setup.name;
    if (probe.setup.kind == ProbeKind::point) {
      result.insert(result.end(), {{name + " pressure", "Pa"},
                                   {name + " density", "kg/m^d"},
                                   {name + " velocity x", "m/s"},
                                   {name + " velocity y", "m/s"},
                                   {name + " velocity z", "m/s"}});
      if (with_temperature_) result.push_back({name + " temperature", "K"});
    } else if (probe.setup.kind == ProbeKind::force)
      result.insert(result.end(), {{name + " x", "N"}, {name + " y", "N"}, {name + " z", "N"}});
    else if (probe.setup.kind == ProbeKind::pressure)
      result.push_back({name, "Pa"});
    else
      result.push_back({name, "m"});
  }
  return result;
}

std::vector<double> Probes::measure(World& world, std::span<const double> before) const {
  std::vector<double> row = {world.time()};
  for (const Probe& probe : probes_) {
    const Vec3 direction = probe.setup.direction.normalized();
    const auto object = world.particles()[columns::object];
    const auto x = world.particles()[columns::position];
    if (probe.setup.kind == ProbeKind::point) {
      measure_point(probe.setup.position, world, row);
    } else if (probe.setup.kind == ProbeKind::force) {
      const Vec3 force = world.force_on(probe.of);
      row.insert(row.end(), {force.x(), force.y(), force.z()});
    } else if (probe.setup.kind == ProbeKind::pressure) {
      const double now = pressure_on(probe, world), response = probe.setup.response;
      const double part = before.empty() || !(response > 0) ? 1 : -std::expm1(-(row[0] - before[0]) / response);
      row.push_back(part == 1 ? now : before[row.size()] + part * (now - before[row.size()]));
    } else if (probe.setup.kind == ProbeKind::front) {
      const auto s = world.particles()[columns::density_ratio];
      row.push_back(furthest(world, direction, [&](std::size_t i) {
        return s[i] >= spray && (probe.of == all_objects || object[i] == probe.of);
      }));
    } else {
      row.push_back(furthest(world, direction, [&](std::size_t i) {
        const Vec3 from = x[i] - probe.setup.position;
        return (from - from.dot(direction) * direction).norm() < world.setup().spacing;
      }));
    }
  }
  return row;
}

}  // namespace fondue
