#include "behaviours/sand_clusters.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <numeric>

#include "particles/neighbours.h"

namespace fondue::sand_clusters {

namespace {

/// Union-find; the root of a cluster is its first member.
class Clusters {
 public:
  explicit Clusters(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), Index{0}); }
  Index root(Index k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }
  void join(Index a, Index b) {
    const Index first = std::min(root(a), root(b)), second = std::max(root(a), root(b));
    parent_[second] = first;
  }

 private:
  std::vector<Index> parent_;
};

/// Sums over a cluster; the inertia is about its centre.
struct RigidCluster {
  double mass = 0;
  Vec3d first_moment = Vec3d::Zero(), momentum = Vec3d::Zero(), spin = Vec3d::Zero(), turning = Vec3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  int members = 0;
  Vec3d centre() const { return first_moment / mass; }

  /// Directions without extent have no angular momentum.
  void find_turning() {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(inertia);
    const double least = 1e-6 * axes.eigenvalues().maxCoeff();
    for (int k = 0; k != 3; ++k)
      if (axes.eigenvalues()[k] > least)
        turning += axes.eigenvectors().col(k) * (axes.eigenvectors().col(k).dot(spin) / axes.eigenvalues()[k]);
  }
};

}  // namespace

float shear_modulus(float density, float support, float dt) {
  return dt > 0 ? 0.5f * friction_part * density * support * support / (dt * dt) : 0;
}

void make_rigid(Particles& particles, std::span<Record> records, const Fields& fields,
                std::span<const std::uint8_t> rigid, float range) {
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const auto R = particles[columns::support], m = particles[columns::mass];
  const auto id = particles[columns::id];
  std::vector<Index> slots;
  for (Index slot = 0; slot != rigid.size(); ++slot)
    if (rigid[slot]) slots.push_back(slot);
  if (slots.empty()) return;
  std::vector<Vec3> places;
  std::vector<float> supports;
  std::vector<Index> ids;
  for (const Index slot : slots) {
    const Index i = fields.particle(slot);
    places.push_back(x[i]);
    supports.push_back(range * R[i]);
    ids.push_back(id[i]);
  }
  NeighbourList near;
  const std::vector<std::uint8_t> all(places.size(), 1);
  find_neighbours({places, supports, ids, all}, near);
  Clusters clusters(slots.size());
  for (Index k = 0; k != slots.size(); ++k)
    for (const Index other : near.of(k)) clusters.join(k, other);

  std::vector<RigidCluster> bodies(slots.size());
  for (Index k = 0; k != slots.size(); ++k) {
    RigidCluster& body = bodies[clusters.root(k)];
    const Index i = fields.particle(slots[k]);
    const double mass = static_cast<double>(m[i]);
    body.mass += mass;
    body.first_moment += mass * x[i].cast<double>();
    body.momentum += mass * v[i].cast<double>();
    ++body.members;
  }
  for (Index k = 0; k != slots.size(); ++k) {
    RigidCluster& body = bodies[clusters.root(k)];
    const Index i = fields.particle(slots[k]);
    const double mass = static_cast<double>(m[i]);
    const Vec3d arm = x[i].cast<double>() - body.centre();
    body.spin += mass * arm.cross(v[i].cast<double>());
    body.inertia += mass * (arm.squaredNorm() * Eigen::Matrix3d::Identity() - arm * arm.transpose());
  }
  for (RigidCluster& body : bodies)
    if (body.members > 1) body.find_turning();
  for (Index k = 0; k != slots.size(); ++k) {
    const RigidCluster& body = bodies[clusters.root(k)];
    const Index i = fields.particle(slots[k]);
    if (body.members == 1) continue;
    v[i] = (body.momentum / body.mass + body.turning.cross(x[i].cast<double>() - body.centre())).cast<float>();
    Record& record = records[slots[k]];
    record.vx = v[i].x();
    record.vy = v[i].y();
    record.vz = v[i].z();
  }
}

}  // namespace fondue::sand_clusters
