#include "world/rigid_clusters.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/parallel.h"

namespace fondue {

namespace {

/// Part of a spacing that an outer particle keeps from surfaces, and how far beyond it contacts are looked for.
constexpr double contact_distance = 0.5, watched = 0.25;
/// A particle with fewer bonds than this part of the most in its cluster is at its surface.
constexpr double outer_part = 0.9;
/// Normals closer than this (cosine) are those of one face; of a face the deepest point is kept and the farthest in so
/// many directions.
constexpr double same_face = 0.95;
constexpr int directions = 8;
/// How fast overlaps with colliders are undone, in spacings per second.
constexpr double undone = 1;
/// Impacts bounce if they are faster than what weight adds in so many steps.
constexpr double resting_steps = 8;
/// Of a particle whose motion is given.
constexpr double weight_of_given = 1e6;
/// k of the header [1/s].
constexpr double drawing = 400;

/// The inertia of thin bodies: about an axis that all particles lie on there is no angular momentum, so any will do.
void set_inertia(MassProperties& properties, const Eigen::Matrix3d& second, int dimension) {
  if (dimension == 2) {
    properties.inertia = (second(0, 0) + second(1, 1)) * Eigen::Matrix3d::Identity();
  } else {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(second.trace() * Eigen::Matrix3d::Identity() - second);
    Vec3d values = axes.eigenvalues();
    for (double& value : values) value = value > 1e-9 * values[2] ? value : values[2];
    properties.inertia = axes.eigenvectors() * values.asDiagonal() * axes.eigenvectors().transpose();
  }
  properties.inverse_inertia = properties.inertia.inverse();
}

Vec3d in_plane(const Vec3d& v, int dimension) { return dimension == 2 ? Vec3d(v.x(), v.y(), 0) : v; }

/// Of the contacts with each body and each face the deepest, and those that span the largest area.
std::vector<BodyContact> chosen(const std::vector<BodyContact>& all) {
  std::vector<std::vector<const BodyContact*>> faces;
  for (const BodyContact& contact : all) {
    const auto face = std::ranges::find_if(faces, [&](const auto& of) {
      return of[0]->second == contact.second && of[0]->normal.dot(contact.normal) > same_face;
    });
    if (face != faces.end())
      face->push_back(&contact);
    else
      faces.push_back({&contact});
  }
  std::vector<BodyContact> result;
  for (const auto& face : faces) {
    const Vec3d along = face[0]->normal.unitOrthogonal(), across = face[0]->normal.cross(along);
    std::vector<const BodyContact*> kept = {*std::ranges::min_element(face, {}, &BodyContact::gap)};
    for (int k = 0; k != directions; ++k) {
      const double angle = 2 * std::numbers::pi * k / directions;
      const Vec3d direction = std::cos(angle) * along + std::sin(angle) * across;
      const auto* farthest = *std::ranges::max_element(
          face, {}, [&](const BodyContact* contact) { return direction.dot(contact->point); });
      if (std::ranges::find(kept, farthest) == kept.end()) kept.push_back(farthest);
    }
    for (const BodyContact* contact : kept) result.push_back(*contact);
  }
  return result;
}

}  // namespace

void RigidClusters::require(Particles& particles) { particles.require(columns::position_rest); }

/// False if there are no clusters.
bool RigidClusters::follow(const Particles& particles) {
  if (!particles.has_bonds(clusters::bond_set)) return false;
  const BondSet& bonds = particles.bonds(clusters::bond_set);
  if (bonds.revision() != revision_ || size_ != particles.size()) {
    revision_ = bonds.revision();
    size_ = particles.size();
    clusters_ = clusters::connected(bonds, particles[columns::id]);
    outer_.assign(size_, 0);
    for (const std::vector<Index>& cluster : clusters_) {
      const auto count = [&](Index i) { return bonds.begins()[i + 1] - bonds.begins()[i]; };
      const double most = count(*std::ranges::max_element(cluster, {}, count));
      for (const Index i : cluster) outer_[i] = count(i) < outer_part * most;
    }
  }
  return !clusters_.empty();
}

template <class Mass>
RigidClusters::Piece RigidClusters::piece(const Particles& particles, const Confinement& confinement,
                                          std::vector<Index> members, Mass&& mass) const {
  Piece result;
  result.members = std::move(members);
  const auto x = particles[columns::position], v = particles[columns::velocity],
             rest = particles[columns::position_rest];
  const Vec3 first = x[result.members[0]];
  double M = 0;
  Vec3d sum = Vec3d::Zero(), momentum = Vec3d::Zero();
  for (const Index i : result.members) {
    Vec3 away = x[i] - first;
    if (confinement.periodicity.any()) away = confinement.periodicity.shortest(away);
    // Exact, as neighbours' coordinates are of similar size.
    const Vec3d arm =
        (confinement.periodicity.any() ? away.cast<double>() : Vec3d(x[i].cast<double>() - first.cast<double>())) +
        rest[i].cast<double>();
    const double m = mass(i);
    M += m;
    sum += m * arm;
    momentum += m * v[i].cast<double>();
    result.arms.push_back(arm);
  }
  const Vec3d centre = sum / M;
  result.state.centre = first.cast<double>() + centre;
  result.state.velocity = momentum / M;
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  Vec3d L = Vec3d::Zero();
  for (std::size_t k = 0; k != result.members.size(); ++k) {
    Vec3d& r = result.arms[k];
    r -= centre;
    const double m = mass(result.members[k]);
    second += m * r * r.transpose();
    L += m * r.cross(v[result.members[k]].cast<double>());
    result.radius = std::max(result.radius, r.norm());
  }
  result.properties.mass = M;
  set_inertia(result.properties, second, confinement.dimension);
  result.state.angular_velocity = result.properties.inverse_inertia * L;
  return result;
}

bool RigidClusters::advance(Particles& particles, const Setting& setting, std::vector<std::uint8_t>& moved, double from,
                            double to) {
  if (!follow(particles)) return true;
  const auto rigidity = particles[columns::rigidity];
  const GivenMotion given(particles);
  std::vector<std::vector<Index>> cores;
  for (const std::vector<Index>& cluster : clusters_) {
    std::vector<Index> core;
    for (const Index i : cluster)
      if (rigidity[i] >= 1 && (moved.empty() || !moved[i])) core.push_back(i);
    if (core.size() > 1) cores.push_back(std::move(core));
  }
  if (cores.empty()) return true;
  moved.resize(particles.size(), 0);
  const auto m = particles[columns::mass];
  const Bodies::Interval interval = setting.confinement.bodies.interval(from, to);
  bool stays = true;
  // One after the other: the solver for contacts is not made for threads.
  for (std::vector<Index>& members : cores) {
    Piece core = piece(particles, setting.confinement, std::move(members),
                       [&](Index i) { return (given(i) ? weight_of_given : 1) * static_cast<double>(m[i]); });
    stays &= advance_core(particles, setting, interval, core);
    for (const Index i : core.members)
      if (!given(i)) moved[i] = 1;
  }
  return stays;
}

bool RigidClusters::advance_core(Particles& particles, const Setting& setting, const Bodies::Interval& interval,
                                 Piece& core) const {
  const auto x = particles[columns::position], v = particles[columns::velocity], a = particles[columns::acceleration],
             rest = particles[columns::position_rest];
  const auto m = particles[columns::mass], R = particles[columns::support];
  const auto clearance = optional_column(particles, columns::clearance);
  const GivenMotion given(particles);
  const int dimension = setting.confinement.dimension;
  const double h = interval.seconds;
  Load load;
  for (std::size_t k = 0; k != core.members.size(); ++k) {
    const Index i = core.members[k];
    const Vec3d force = static_cast<double>(m[i]) * a[i].cast<double>();
    load.force += force;
    load.torque += core.arms[k].cross(force);
  }
  const double speed = core.state.velocity.norm() + core.state.angular_velocity.norm() * core.radius +
                       h * load.force.norm() / core.properties.mass;
  const std::vector<BodyContact> contacts = contacts_of(particles, setting, interval, core, speed);
  if (contacts.empty())
    move_freely(core.state, core.properties, load, h);
  else
    meet(particles, setting, interval, contacts, load, core);
  RigidState& state = core.state;
  state.velocity = in_plane(state.velocity, dimension);
  if (dimension == 2) {
    state.angular_velocity.head<2>().setZero();
    state.rotation.x() = state.rotation.y() = 0;
    state.rotation.normalize();
  }
  const Eigen::Matrix3d turn = state.rotation.toRotationMatrix();
  const Vec3d A = load.force / core.properties.mass,
              alpha = state.turned(core.properties.inverse_inertia) * load.torque;
  for (std::size_t k = 0; k != core.members.size(); ++k) {
    const Index i = core.members[k];
    if (given(i)) continue;
    const Vec3d r = turn * core.arms[k];
    const Vec3d place = in_plane(state.centre + r, dimension);
    x[i] = place.cast<float>();
    rest[i] = (place - x[i].cast<double>()).cast<float>();
    if (setting.confinement.periodicity.any()) x[i] = setting.confinement.periodicity.wrapped(x[i]);
    v[i] = (state.velocity + state.angular_velocity.cross(r)).cast<float>();
    a[i] = (A + alpha.cross(r)).cast<float>();
    if (!clearance.empty()) clearance[i] = 0;
  }
  const double most = 50 * static_cast<double>(R[core.members[0]]);
  return h * (state.velocity.norm() + state.angular_velocity.norm() * core.radius) < most;
}

/// Where outer particles touch colliders or may do so within the step.
std::vector<BodyContact> RigidClusters::contacts_of(const Particles& particles, const Setting& setting,
                                                    const Bodies::Interval& interval, const Piece& core,
                                                    double speed) const {
  const auto R = particles[columns::support];
  const Bodies& bodies = setting.confinement.bodies;
  std::vector<BodyContact> all;
  for (Index b = 0; b != bodies.size(); ++b) {
    if (interval.swept[b]) continue;
    const Shape& shape = *bodies[b].setup().shape;
    const Pose &from = interval.from[b], &to = interval.to[b];
    const Vec3 centre = core.state.centre.cast<float>();
    const Vec3 local_centre = from.to_local(centre);
    // Nothing of the body is farther from the cluster's points than that from its own origin.
    const double reach = core.radius + (core.state.centre - from.position).norm();
    const double carried = (to.position - from.position).norm() + from.rotation.angularDistance(to.rotation) * reach;
    const double farther = 1.5 * (interval.seconds * speed + carried);
    const auto spacing = [&](Index i) { return static_cast<double>(R[i] / setting.support_ratio); };
    const double within = core.radius + farther + (contact_distance + watched) * spacing(core.members[0]);
    if (static_cast<double>(shape.distance(local_centre)) > 1.01 * within) continue;
    for (std::size_t k = 0; k != core.members.size(); ++k) {
      const Index i = core.members[k];
      if (!outer_[i]) continue;
      const Vec3d at = core.state.centre + core.arms[k];
      const Nearest nearest = shape.nearest(from.to_local(at.cast<float>()));
      const double distance = static_cast<double>(nearest.distance), gap = distance - contact_distance * spacing(i);
      if (gap > farther + watched * spacing(i)) continue;
      const Vec3d normal = from.rotation * nearest.normal.cast<double>();
      all.push_back({0, b, at - distance * normal, normal, gap});
    }
  }
  return chosen(all);
}

/// Solves for the motion in contact, and gives bodies what it does to them.
void RigidClusters::meet(const Particles& particles, const Setting& setting, const Bodies::Interval& interval,
                         const std::vector<BodyContact>& contacts, const Load& load, Piece& core) const {
  const Bodies& bodies = setting.confinement.bodies;
  const double h = interval.seconds;
  const Index first = core.members[0];
  const double spacing = static_cast<double>(particles[columns::support][first] / setting.support_ratio);
  const double own_friction = static_cast<double>(setting.friction[particles[columns::object][first]]);
  std::vector<SolverBody> solved(1);
  solved[0] = {true, core.properties, core.state, load};
  std::map<Index, Index> place;
  std::vector<SolverContact> touching;
  std::size_t points_of_given = 0;
  for (const BodyContact& contact : contacts) {
    const Body& body = bodies[contact.second];
    const bool dynamic = body.dynamic();
    const Pose &before = interval.from[contact.second], &after = interval.to[contact.second];
    if (const auto [at, is_new] = place.try_emplace(contact.second, static_cast<Index>(solved.size())); is_new) {
      SolverBody other;
      other.dynamic = dynamic;
      if (dynamic) {
        other.properties = setting.confinement.bodies.rigid().properties(contact.second);
        other.state = RigidState(body.state(), other.properties);
      } else {
        other.state.centre = before.position;
        other.state.rotation = before.rotation;
        other.state.velocity = (after.position - before.position) / h;
        const Eigen::AngleAxisd turned(after.rotation * before.rotation.conjugate());
        other.state.angular_velocity = turned.angle() / h * turned.axis();
      }
      solved.push_back(other);
    }
    const ColliderSetup& setup = body.setup();
    SolverContact one{0,
                      place[contact.second],
                      contact.point,
                      contact.normal,
                      dynamic ? contact.gap : std::max(contact.gap, -5 * h * undone * spacing),
                      std::sqrt(static_cast<double>(setup.friction) * own_friction),
                      static_cast<double>(setup.bounce),
                      resting_steps * h * load.force.norm() / core.properties.mass};
    if (body.has_surface_velocity()) one.surface_velocity = body.surface_velocity(before, contact.normal, 0);
    touching.push_back(one);
    points_of_given += !dynamic;
  }
  const std::vector<SolverBody> start = solved;
  solve_bodies(solved, touching, {}, h, setting.confinement.dimension);
  core.state = solved[0].state;

  // What bodies got: those that are solved for by the change of their momenta, all others the rest.
  const auto momentum = [](const SolverBody& b) -> Vec3d { return b.properties.mass * b.state.velocity; };
  const auto spin = [](const SolverBody& b) { return b.state.angular_momentum(b.properties); };
  const Vec3d about = start[0].state.centre;
  Vec3d left = momentum(start[0]) + h * load.force - momentum(solved[0]);
  Vec3d left_moment = spin(start[0]) + h * load.torque - spin(solved[0]);
  const Index id = particles[columns::id][first];
  Impulses& impulses = setting.confinement.impulses;
  for (const auto& [b, k] : place) {
    if (!start[k].dynamic) continue;
    const Vec3d J = momentum(solved[k]) - momentum(start[k]), K = spin(solved[k]) - spin(start[k]);
    impulses.add(b, id, J, start[k].state.centre, K);
    left -= J;
    left_moment -= K + (start[k].state.centre - about).cross(J);
  }
  for (const auto& [b, k] : place) {
    if (start[k].dynamic) continue;
    const auto points = std::ranges::count(touching, k, &SolverContact::second);
    const double share = static_cast<double>(points) / static_cast<double>(points_of_given);
    impulses.add(b, id, share * left, about, share * left_moment);
  }
}

void RigidClusters::correct_velocities(Particles& particles, const Confinement& confinement, float step) {
  if (!follow(particles)) return;
  const auto rigidity = particles[columns::rigidity], m = particles[columns::mass];
  const auto v = particles[columns::velocity];
  const GivenMotion given(particles);
  const auto drawn = [&](Index i) {
    const double w = static_cast<double>(rigidity[i]);
    return w < 1 ? -std::expm1(-drawing * static_cast<double>(step) * w / (1 - w)) : 1.0;
  };
  parallel_for(clusters_.size(), [&](std::size_t c) {
    std::vector<Index> members;
    for (const Index i : clusters_[c])
      if (rigidity[i] > 0) members.push_back(i);
    if (members.size() < 2) return;
    const Piece body = piece(particles, confinement, std::move(members), [&](Index i) {
      return (given(i) ? weight_of_given : drawn(i)) * static_cast<double>(m[i]);
    });
    for (std::size_t k = 0; k != body.members.size(); ++k) {
      const Index i = body.members[k];
      if (given(i)) continue;
      const Vec3d common = body.state.velocity + body.state.angular_velocity.cross(body.arms[k]);
      const Vec3d own = v[i].cast<double>();
      v[i] = in_plane(own + drawn(i) * (common - own), confinement.dimension).cast<float>();
    }
  });
}

}  // namespace fondue
