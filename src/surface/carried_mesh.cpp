#include "surface/carried_mesh.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/parallel.h"
#include "surface/vertex_normals.h"

namespace fondue {
namespace {

using Eigen::Matrix3d;
constexpr Index nobody = ~Index(0);

/// 1 up to `from`, 0 beyond `to`, smooth between.
double fade(double x, double from, double to) {
  const double s = std::clamp((to - x) / (to - from), 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

/// The sheet spanned by b and c is mapped to fb and fc; its normal is mapped to the new normal.
Matrix3d sheet_map(const Vec3d& b, const Vec3d& c, const Vec3d& fb, const Vec3d& fc) {
  const Vec3d normal = fb.cross(fc);
  const double area = normal.norm();
  // A sheet collapsed to a line has no normal; keep the old one.
  const Vec3d turned = area > 1e-12 * (fb.squaredNorm() + fc.squaredNorm()) ? Vec3d(normal / area) : b.cross(c);
  return fb * b.transpose() + fc * c.transpose() + turned * b.cross(c).transpose();
}

/// The line along c is mapped to fc; perpendicular to it the map is the smallest rotation.
Matrix3d line_map(const Vec3d& c, const Vec3d& fc) {
  Matrix3d rotation = Matrix3d::Identity();
  if (fc.squaredNorm() > 0) rotation = Eigen::Quaterniond::FromTwoVectors(c, fc).toRotationMatrix();
  return fc * c.transpose() + rotation * (Matrix3d::Identity() - c * c.transpose());
}

/// F = mixed moment^-1 in the directions that the moment spans; the others are completed.
Matrix3d best_map(const Matrix3d& moment, const Matrix3d& mixed) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(moment);
  const Vec3d lengths = solver.eigenvalues();
  const Matrix3d axes = solver.eigenvectors();
  if (!(lengths[2] > 0)) return Matrix3d::Identity();
  Matrix3d images = Matrix3d::Identity();
  int spanned = 0;
  for (int a = 0; a < 3; ++a) {
    if (!(lengths[a] > CarriedMesh::thinnest * CarriedMesh::thinnest * lengths[2])) continue;
    images.col(a) = mixed * axes.col(a) / lengths[a];
    ++spanned;
  }
  if (spanned == 3) return images * axes.transpose();
  if (spanned == 2) return sheet_map(axes.col(1), axes.col(2), images.col(1), images.col(2));
  return line_map(axes.col(2), images.col(2));
}

/// Area vectors transform by the cofactor matrix of F, det F F^-T: cross products of its columns, defined for any F.
Matrix3d cofactors(const Matrix3d& F) {
  Matrix3d result;
  for (int a = 0; a < 3; ++a) result.col(a) = F.col((a + 1) % 3).cross(F.col((a + 2) % 3));
  return result;
}

/// Removes the triangles of lost vertices; the vertices themselves must not extend the mesh's bounds.
void leave_out(std::span<const Index> lost, TriangleMesh& mesh) {
  if (lost.empty()) return;
  std::vector<std::uint8_t> gone(mesh.vertices.size(), 0);
  for (const Index i : lost) gone[i] = 1;
  std::erase_if(mesh.triangles, [&](const auto& triangle) {
    return std::ranges::any_of(triangle, [&](Index corner) { return gone[corner] != 0; });
  });
  const auto kept = static_cast<std::size_t>(std::ranges::find(gone, 0) - gone.begin());
  if (kept == gone.size()) return;
  for (const Index i : lost) mesh.vertices[i] = mesh.vertices[kept];
}

}  // namespace

CarriedMesh::CarriedMesh(Geometry rest_mesh, std::span<const Vec3> rest_positions, std::span<const float> supports,
                         std::span<const Index> ids)
    : rest_(std::move(rest_mesh)) {
  const std::size_t count = rest_positions.size();
  if (count == 0) throw InputError("a carried mesh needs particles to follow: there are none");
  if (supports.size() != count || ids.size() != count)
    throw InputError(fmt::format("a carried mesh needs one support ({}) and one id ({}) per particle ({})",
                                 supports.size(), ids.size(), count));
  if (!rest_.normals.empty() && rest_.normals.size() != vertices())
    throw InputError(fmt::format("a mesh of {} vertices needs one normal per vertex or none, not {}", vertices(),
                                 rest_.normals.size()));
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::sort(order, {}, [&](Index i) { return ids[i]; });
  std::vector<float> sorted_supports;
  for (const Index i : order) {
    if (!ids_.empty() && ids_.back() == ids[i]) throw InputError(fmt::format("two particles have the id {}", ids[i]));
    if (!(supports[i] > 0) || !std::isfinite(supports[i]) || !rest_positions[i].allFinite())
      throw InputError(
          fmt::format("particle {} needs a finite position and a support above zero to carry a mesh", ids[i]));
    ids_.push_back(ids[i]);
    positions_.push_back(rest_positions[i]);
    sorted_supports.push_back(supports[i]);
  }
  for (std::size_t i = 0; i < vertices(); ++i)
    if (!rest_.mesh.vertices[i].allFinite())
      throw InputError(fmt::format("vertex {} of a mesh has no finite position", i));
  vertex_bonds_ = find_bonds(rest_.mesh.vertices, positions_, sorted_supports);
  particle_bonds_ = find_bonds(positions_, positions_, sorted_supports);
  if (rest_.normals.empty()) rest_.normals = vertex_normals(rest_.mesh);
}

std::vector<Index> CarriedMesh::rest_indices(std::span<const Index> ids) const {
  std::vector<Index> numbers(ids.size());
  parallel_for(ids.size(), [&](std::size_t p) {
    const auto at = std::ranges::lower_bound(ids_, ids[p]);
    numbers[p] = at != ids_.end() && *at == ids[p] ? static_cast<Index>(at - ids_.begin()) : nobody;
  });
  return numbers;
}

std::vector<CarriedMesh::Motion> CarriedMesh::motions(std::span<const Vec3> positions, std::span<const Index> ids,
                                                      const BodyLinks* links) const {
  if (positions.size() != ids.size())
    throw InputError(fmt::format("{} positions of particles were given with {} ids", positions.size(), ids.size()));
  std::vector<Motion> motions(ids_.size());
  const std::vector<Index> numbers = rest_indices(ids);
  for (std::size_t p = 0; p < ids.size(); ++p) {
    if (numbers[p] == nobody || !positions[p].allFinite()) continue;
    motions[numbers[p]].present = true;
    motions[numbers[p]].position = positions[p].cast<double>();
  }
  parallel_for(ids_.size(), [&](std::size_t j) {
    if (motions[j].present) fit(j, motions, links);
  });
  return motions;
}

void CarriedMesh::fit(std::size_t j, std::vector<Motion>& motions, const BodyLinks* links) const {
  Matrix3d moment = Matrix3d::Zero(), mixed = Matrix3d::Zero();
  const auto visit = [&](auto&& body) {
    const Vec3& X_j = positions_[j];
    for (const Bonds::Bond& bond : particle_bonds_.of(j)) {
      if (!motions[bond.particle].present) continue;
      if (links && !links->direct(static_cast<Index>(j), bond.particle)) continue;
      const Vec3& X_k = positions_[bond.particle];
      const Vec3d dX = X_k.cast<double>() - X_j.cast<double>();
      body(double(bond.weight), dX, Vec3d(motions[bond.particle].position - motions[j].position));
    }
  };
  visit([&](double weight, const Vec3d& dX, const Vec3d& dx) {
    moment += weight * dX * dX.transpose();
    mixed += weight * dx * dX.transpose();
  });
  const Matrix3d F = best_map(moment, mixed);
  double off = 0;
  visit([&](double weight, const Vec3d& dX, const Vec3d& dx) { off += weight * (dx - F * dX).squaredNorm(); });
  const double size = moment.trace();
  const double residual = size > 0 ? std::sqrt(off / size) : 0;
  const double stretch = Eigen::JacobiSVD<Matrix3d>(F).singularValues()[0];
  motions[j].gradient = F;
  motions[j].intact = fade(residual, residual_intact, residual_gone) * fade(stretch, stretch_intact, stretch_gone);
}

template <class Follows>
Geometry CarriedMesh::moved_by(const std::vector<Motion>& moved, std::vector<Index>& lost, Follows&& follows) const {
  Geometry result = rest_;
  std::vector<std::uint8_t> alone(vertices(), 0);
  parallel_for(vertices(), [&](std::size_t i) {
    const Vec3& rest_vertex = rest_.mesh.vertices[i];
    const Vec3d X = rest_vertex.cast<double>();
    Vec3d x = Vec3d::Zero();
    Matrix3d F = Matrix3d::Zero();
    double sum = 0;
    for (const auto& [j, weight] : vertex_bonds_.of(i)) {
      const Motion& motion = moved[j];
      if (!motion.present || !follows(i, j)) continue;
      const Vec3& X_j = positions_[j];
      x += weight * (motion.position + motion.gradient * (X - X_j.cast<double>()));
      F += weight * motion.gradient;
      sum += weight;
    }
    alone[i] = sum > 0 ? 0 : 1;
    if (alone[i]) return;
    result.mesh.vertices[i] = (x / sum).cast<float>();
    const Vec3& rest_normal = rest_.normals[i];
    const Vec3d normal = cofactors(F / sum) * rest_normal.cast<double>();
    if (normal.squaredNorm() > 0) result.normals[i] = normal.normalized().cast<float>();
  });
  for (std::size_t i = 0; i < vertices(); ++i)
    if (alone[i]) lost.push_back(static_cast<Index>(i));
  leave_out(lost, result.mesh);
  return result;
}

Geometry CarriedMesh::carried(std::span<const Vec3> positions, std::span<const Index> ids,
                              std::vector<Index>* lost) const {
  std::vector<Index> all_lost;
  Geometry result = moved_by(motions(positions, ids), all_lost, [](std::size_t, Index) { return true; });
  if (lost) *lost = std::move(all_lost);
  return result;
}

Geometry CarriedMesh::carried(std::span<const Vec3> positions, std::span<const Index> ids, const BodyLinks& links,
                              std::span<const Index> owners) const {
  std::vector<Index> lost;
  return moved_by(motions(positions, ids, &links), lost,
                  [&](std::size_t vertex, Index particle) { return links.same_side(owners[vertex], particle); });
}

std::vector<float> CarriedMesh::intactness(std::span<const Vec3> positions, std::span<const Index> ids,
                                           std::span<const float> solidity) const {
  if (!solidity.empty() && solidity.size() != ids.size())
    throw InputError(fmt::format("{} particles were given with {} solidities", ids.size(), solidity.size()));
  std::vector<Motion> moved = motions(positions, ids);
  if (!solidity.empty()) {
    const std::vector<Index> numbers = rest_indices(ids);
    for (std::size_t p = 0; p < ids.size(); ++p)
      if (numbers[p] != nobody) moved[numbers[p]].intact *= std::clamp(solidity[p], 0.0f, 1.0f);
  }
  std::vector<float> result(vertices());
  parallel_for(vertices(), [&](std::size_t i) {
    double sum = 0, intact = 0;
    for (const auto& [j, weight] : vertex_bonds_.of(i)) {
      sum += weight;
      if (moved[j].present) intact += weight * moved[j].intact;
    }
    result[i] = static_cast<float>(std::clamp(intact / sum, 0.0, 1.0));
  });
  return result;
}

}  // namespace fondue
