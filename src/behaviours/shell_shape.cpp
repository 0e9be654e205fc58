#include "behaviours/shell_shape.h"

#include <Eigen/Dense>
#include <algorithm>

#include "core/kernel.h"
#include "core/parallel.h"
#include "particles/sheets.h"

namespace fondue::shell_shape {

namespace {

/// The support of bonds in spacings, and how many edges of triangles away a neighbour may be.
constexpr double reach = 2;
constexpr int most_edges = 3;
/// Below this eigenvalue of M/A (0.17 at a corner of a sheet) a particle has too few bonds for a deformation of its
/// own: it carries no energy and is held by that of its neighbours.
constexpr double least_moment = 0.15;

double area_of(const Particles& particles, Index i) {
  return static_cast<double>(particles[columns::volume][i]) / static_cast<double>(particles[columns::thickness][i]);
}

/// Two directions across a normal, and the normal.
Eigen::Matrix3d frame_around(const Vec3d& normal) {
  Eigen::Index least;
  normal.cwiseAbs().minCoeff(&least);
  const Vec3d along = normal.cross(Vec3d(Vec3d::Unit(least))).normalized();
  Eigen::Matrix3d axes;
  axes << along.transpose(), normal.cross(along).transpose(), normal.transpose();
  return axes;
}

struct Neighbour {
  Vec3d x;
  double k;
};

/// The frame of a particle in which the sum of k z T vanishes, beginning with a normal: the tangent plane is fitted
/// again and again, each time from the last one.
Eigen::Matrix3d fitted_frame(const std::vector<Neighbour>& around, Vec3d normal) {
  Eigen::Matrix3d axes = frame_around(normal);
  for (int k = 0; k != 20; ++k) {
    Eigen::Matrix2d M = Eigen::Matrix2d::Zero();
    Eigen::Vector2d slope = Eigen::Vector2d::Zero();
    for (const Neighbour& j : around) {
      const Vec3d X = axes * j.x;
      M += j.k * X.head<2>() * X.head<2>().transpose();
      slope += j.k * X.z() * X.head<2>();
    }
    if (!(M.determinant() > 0)) break;
    slope = M.inverse() * slope;
    // Steep slopes by parts, so that it does not turn too far.
    if (slope.norm() > 0.5) slope *= 0.5 / slope.norm();
    normal = axes.transpose() * Vec3d(-slope.x(), -slope.y(), 1).normalized();
    axes = frame_around(normal);
    if (slope.norm() < 1e-9) break;
  }
  return axes;
}

/// Particles within some edges of triangles of one, but itself, in the order of their ids.
std::vector<Index> nearby(const Particles& particles, const BondSet& edges, Index i) {
  std::vector<Index> found = {i};
  for (int step = 0, first = 0; step != most_edges; ++step) {
    const int end = static_cast<int>(found.size());
    for (; first != end; ++first) {
      const Index at = found[static_cast<std::size_t>(first)];
      for (Index b = edges.begins()[at]; b != edges.begins()[at + 1]; ++b)
        if (std::ranges::find(found, edges.neighbours()[b]) == found.end()) found.push_back(edges.neighbours()[b]);
    }
  }
  found.erase(found.begin());
  std::ranges::sort(found, {}, [id = particles[columns::id]](Index j) { return id[j]; });
  return found;
}

Eigen::Matrix3d frame_of(const Deformation& deformed) {
  Eigen::Matrix3d axes;
  axes << deformed.R.col(0).transpose(), deformed.R.col(1).transpose(), deformed.n.transpose();
  return axes;
}

}  // namespace

void require(Particles& particles) {
  sheets::require(particles);
  BondSet& bonds = particles.require_bonds(bond_set);
  bonds.require(reference);
  bonds.require(coefficient);
}

void bond(Particles& particles, std::span<const Index> which, const std::vector<std::uint8_t>& bondable) {
  BondSet& bonds = particles.bonds(bond_set);
  const BondSet& edges = particles.bonds(sheets::bond_set);
  const auto x = particles[columns::position];
  const auto id = particles[columns::id];
  std::vector<std::uint8_t> is_new(particles.size(), 0);
  for (const Index i : which) is_new[i] = 1;
  // By particle: the normal, and the spacing of a lattice with triangles like those around it, two for each particle.
  std::vector<Vec3d> normal(particles.size(), Vec3d::Zero());
  std::vector<double> squared(particles.size(), 0);
  std::vector<int> triangles(particles.size(), 0);
  for (const SheetTriangle& t : sheets::triangles(particles)) {
    const Vec3d area = (x[t[1]] - x[t[0]]).cast<double>().cross((x[t[2]] - x[t[0]]).cast<double>());
    for (const Index i : t) {
      normal[i] += area;
      squared[i] += area.norm();
      ++triangles[i];
    }
  }
  const auto spacing = [&](Index i) { return std::sqrt(squared[i] / std::max(triangles[i], 1)); };

  std::vector<BondSet::Pair> pairs;
  std::vector<double> weights;
  std::vector<std::uint8_t> joined(particles.size(), 0);
  const Kernel kernel(KernelShape::cubic_spline, 2);
  for (const Index i : which) {
    if (!bondable[i] || triangles[i] == 0) continue;
    for (const Index j : nearby(particles, edges, i)) {
      if (!bondable[j] || (is_new[j] && id[j] < id[i])) continue;
      const double r = (x[j] - x[i]).cast<double>().norm(), R = reach * std::max(spacing(i), spacing(j));
      // Neighbours exactly at the edge of the support have no weight; rounding must not decide.
      if (!(r > 0 && r < 0.999 * R)) continue;
      pairs.push_back({i, j});
      weights.push_back(-area_of(particles, i) * area_of(particles, j) *
                        static_cast<double>(kernel.dW(static_cast<float>(r), static_cast<float>(R))) / r);
      if (!is_new[j]) joined[j] = 1;
    }
  }
  // What is there already keeps its reference and sees the new neighbours where they are now.
  std::vector<Deformation> before(particles.size());
  for (Index i = 0; i != particles.size(); ++i)
    if (joined[i]) before[i] = deformation(particles, i);
  const std::vector<Index> made = bonds.add(pairs, id);
  const auto X = bonds[reference];
  const auto k = bonds[coefficient];
  std::vector<std::uint8_t> fresh(bonds.size(), 0);
  for (std::size_t b = 0; b != made.size(); ++b)
    for (const Index bond : {made[b], bonds.reverses()[made[b]]}) {
      k[bond] = static_cast<float>(weights[b]);
      fresh[bond] = 1;
    }
  parallel_for(particles.size(), [&](std::size_t at) {
    const Index i = static_cast<Index>(at);
    if (!is_new[i] && !joined[i]) return;
    Eigen::Matrix3d axes;
    if (before[i].known) {
      axes = frame_of(before[i]);
    } else {
      std::vector<Neighbour> around;
      for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b)
        around.push_back({(x[bonds.neighbours()[b]] - x[i]).cast<double>(), static_cast<double>(k[b])});
      if (around.empty()) return;
      axes = fitted_frame(around, normal[i].norm() > 0 ? normal[i].normalized() : Vec3d::UnitZ());
    }
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b)
      if (fresh[b]) X[b] = (axes * (x[bonds.neighbours()[b]] - x[i]).cast<double>()).cast<float>();
  });
  bonds.values_changed();
}

Moments moments(const Particles& particles, Index i) {
  const BondSet& bonds = particles.bonds(bond_set);
  const auto X = bonds[reference];
  const auto k = bonds[coefficient];
  const double A = area_of(particles, i);
  Eigen::Matrix2d M = Eigen::Matrix2d::Zero();
  // Curvatures as the columns: T.c T/2.
  const auto bent = [](const Eigen::Vector2d& T) {
    return Vec3d(0.5 * T.x() * T.x(), 0.5 * T.y() * T.y(), std::sqrt(0.5) * T.x() * T.y());
  };
  Eigen::Matrix<double, 2, 3> slopes = Eigen::Matrix<double, 2, 3>::Zero();
  double squares = 0;
  for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
    const Eigen::Vector2d T = X[b].head<2>().cast<double>();
    const Vec3d q = bent(T);
    M += static_cast<double>(k[b]) * T * T.transpose();
    slopes += static_cast<double>(k[b]) * T * q.transpose();
    squares += static_cast<double>(k[b]) * q.squaredNorm();
  }
  Moments result;
  const double half = 0.5 * M.trace(), root = std::sqrt(std::max(half * half - M.determinant(), 0.0));
  if (!(half - root > least_moment * A)) return result;
  result.least = (half - root) / A;
  result.inverse = M.inverse();
  result.fourth = 1.5 * std::max(squares - (slopes.transpose() * result.inverse * slopes).trace(), 0.0) / A;
  return result;
}

Deformation deformation(const Particles& particles, Index i) {
  Deformation result;
  const Moments sums = moments(particles, i);
  if (!sums.holds()) return result;
  const BondSet& bonds = particles.bonds(bond_set);
  const auto X = bonds[reference];
  const auto k = bonds[coefficient];
  const auto x = particles[columns::position];
  Eigen::Matrix<double, 3, 2> S = Eigen::Matrix<double, 3, 2>::Zero();
  for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b)
    S += static_cast<double>(k[b]) * (x[bonds.neighbours()[b]] - x[i]).cast<double>() *
         X[b].head<2>().cast<double>().transpose();
  result.G = S * sums.inverse;
  const Vec3d g1 = result.G.col(0), g2 = result.G.col(1), across = g1.cross(g2);
  const double J = across.norm();
  if (!(J > 1e-6)) return result;
  result.known = true;
  result.n = across / J;
  const double stretch = std::sqrt(result.G.squaredNorm() + 2 * J);
  result.R.col(0) = (g1 + g2.cross(result.n)) / stretch;
  result.R.col(1) = (g2 + result.n.cross(g1)) / stretch;
  const Eigen::Matrix2d U = result.R.transpose() * result.G;
  result.e = 0.5 * (U + U.transpose()) - Eigen::Matrix2d::Identity();
  // In an isotropic neighbourhood sum_j k q T (x) T = A m4/6 (2 c + tr(c)).
  Eigen::Matrix2d B = Eigen::Matrix2d::Zero();
  for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
    const Eigen::Vector2d T = X[b].head<2>().cast<double>();
    const double q = result.n.dot((x[bonds.neighbours()[b]] - x[i]).cast<double>()) - static_cast<double>(X[b].z());
    B += static_cast<double>(k[b]) * q * T * T.transpose();
  }
  B /= area_of(particles, i) * std::max(sums.fourth, 1e-30);
  result.curvature = 3 * B - 0.75 * B.trace() * Eigen::Matrix2d::Identity();
  return result;
}

void flow(Particles& particles, Index i, const Eigen::Matrix2d& strain, const Eigen::Matrix2d& curvature) {
  BondSet& bonds = particles.bonds(bond_set);
  const auto X = bonds[reference];
  const auto k = bonds[coefficient];
  // What a fit of the tangent plane makes of the curvature is not part of z.
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();
  for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
    const Eigen::Vector2d T = X[b].head<2>().cast<double>();
    slope += static_cast<double>(k[b]) * 0.5 * T.dot(curvature * T) * T;
  }
  slope = moments(particles, i).inverse * slope;
  for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
    const Eigen::Vector2d T = X[b].head<2>().cast<double>(), longer = T + strain * T;
    const double bent = 0.5 * T.dot(curvature * T) - slope.dot(T);
    X[b] = Vec3d(longer.x(), longer.y(), static_cast<double>(X[b].z()) + bent).cast<float>();
  }
}

}  // namespace fondue::shell_shape
