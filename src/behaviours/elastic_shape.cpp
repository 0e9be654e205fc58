#include "behaviours/elastic_shape.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "core/kernel.h"
#include "core/parallel.h"
#include "particles/bonds_of.h"
#include "particles/neighbours.h"

namespace fondue::elastic_shape {

namespace {

/// The support of bonds in spacings, whatever that of the fluid is: a larger one is softer, not better.
constexpr float reach = 2;

Eigen::Matrix3d matrix_of(const Vec6& s) {
  Eigen::Matrix3d m;
  m << s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2];
  return m;
}

Vec6 vector_of(const Eigen::Matrix3d& m) {
  Vec6 s;
  s << static_cast<float>(m(0, 0)), static_cast<float>(m(1, 1)), static_cast<float>(m(2, 2)),
      static_cast<float>(0.5 * (m(0, 1) + m(1, 0))), static_cast<float>(0.5 * (m(0, 2) + m(2, 0))),
      static_cast<float>(0.5 * (m(1, 2) + m(2, 1)));
  return s;
}

Eigen::Matrix3d rotation_of(const Eigen::Matrix3d& F, bool plane) {
  LaneMatrix<float> A;
  for (int i = 0; i != 3; ++i)
    for (int j = 0; j != 3; ++j) A(i, j) = static_cast<float>(F(i, j));
  const LaneMatrix<float> R = plane ? plane_rotation_of(A) : fondue::rotation_of(A);
  Eigen::Matrix3d result;
  for (int i = 0; i != 3; ++i)
    for (int j = 0; j != 3; ++j) result(i, j) = static_cast<double>(R(i, j));
  return result;
}

/// k of the bond between two particles that are X apart.
float coefficient_of(const Kernel& kernel, const Vec3& X, float volumes, float spacing) {
  const float r = X.norm(), R = reach * spacing;
  return r < R ? -volumes * kernel.dW(r, R) / r : 0.0f;
}

}  // namespace

Eigen::Matrix3d inverse_moment(const Particles& particles, Index i, int dimension) {
  const BondSet& bonds = particles.bonds(bond_set);
  const auto X = particles[columns::reference_position];
  const auto k = bonds[coefficient];
  Eigen::Matrix3d M = Eigen::Matrix3d::Zero();
  for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
    const Vec3d X_ij = (X[bonds.neighbours()[b]] - X[i]).cast<double>();
    M += static_cast<double>(k[b]) * X_ij * X_ij.transpose();
  }
  const double V = static_cast<double>(particles[columns::reference_volume][i]);
  if (dimension == 2) M(2, 2) = V;
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen;
  eigen.computeDirect(M, Eigen::EigenvaluesOnly);
  if (!(eigen.eigenvalues()[0] > static_cast<double>(least_moment) * V)) return Eigen::Matrix3d::Zero();
  return M.inverse();
}

Deformation deformation(const Particles& particles, Index i, int dimension, bool green) {
  const Eigen::Matrix3d inverse = inverse_moment(particles, i, dimension);
  Deformation result;
  if (!holds(inverse)) return result;
  const BondSet& bonds = particles.bonds(bond_set);
  const auto X = particles[columns::reference_position];
  const auto k = bonds[coefficient];
  const auto x = particles[columns::position];
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
    const Index j = bonds.neighbours()[b];
    const Vec3 X_ij = X[j] - X[i];
    sum += static_cast<double>(k[b]) * (x[j] - x[i] - X_ij).cast<double>() * X_ij.cast<double>().transpose();
  }
  result.known = true;
  result.F = Eigen::Matrix3d::Identity() + sum * inverse;
  result.R = green ? Eigen::Matrix3d::Identity() : rotation_of(result.F, dimension == 2);
  result.e = matrix_of(-particles[columns::stored_strain][i]) - Eigen::Matrix3d::Identity();
  if (green)
    result.e += 0.5 * (result.F.transpose() * result.F + Eigen::Matrix3d::Identity());
  else
    result.e += 0.5 * (result.R.transpose() * result.F + result.F.transpose() * result.R);
  for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
    const Index j = bonds.neighbours()[b];
    result.misfit += static_cast<double>(k[b]) *
                     (result.F * (X[j] - X[i]).cast<double>() - (x[j] - x[i]).cast<double>()).squaredNorm();
  }
  return result;
}

void rereference(Particles& particles, const std::vector<std::uint8_t>& objects, float support_ratio, int dimension,
                 const std::vector<std::uint8_t>& green) {
  BondSet& bonds = particles.bonds(bond_set);
  const auto x = particles[columns::position];
  const auto object = particles[columns::object];
  const auto V = particles[columns::reference_volume];
  const auto stored = particles[columns::stored_strain];
  const auto R = particles[columns::support];
  const auto begins = bonds.begins(), neighbours = bonds.neighbours();
  const auto X = particles[columns::reference_position];
  const auto k = bonds[coefficient];
  std::vector<Deformation> of(particles.size());
  parallel_for(particles.size(), [&](std::size_t at) {
    const Index i = static_cast<Index>(at);
    if (objects[object[i]] && begins[i] != begins[i + 1])
      of[i] = deformation(particles, i, dimension, green[object[i]]);
  });
  parallel_for(particles.size(), [&](std::size_t i) {
    if (!of[i].known) return;
    // With Green's strain F turns as well.
    const Eigen::Matrix3d turn = green[object[i]] ? rotation_of(of[i].F, dimension == 2) : of[i].R;
    stored[i] = vector_of(-turn * of[i].e * turn.transpose());
    V[i] *= static_cast<float>(std::clamp(of[i].F.determinant(), 0.2, 5.0));
  });
  const Kernel kernel(KernelShape::cubic_spline, dimension);
  parallel_for(particles.size(), [&](std::size_t i) {
    if (!objects[object[i]]) return;
    X[i] = x[i];
    for (Index b = begins[i]; b != begins[i + 1]; ++b) {
      const Index j = neighbours[b];
      k[b] = coefficient_of(kernel, x[j] - x[i], V[i] * V[j], std::max(R[i], R[j]) / support_ratio);
    }
  });
  bonds.values_changed();
}

void bond(Particles& particles, std::span<const Index> which, const std::vector<std::uint8_t>& bondable,
          float support_ratio, int dimension, const std::vector<std::uint8_t>& green) {
  BondSet& bonds = particles.bonds(bond_set);
  const auto x = particles[columns::position];
  const auto object = particles[columns::object];
  const auto R = particles[columns::support];
  const auto V = particles[columns::reference_volume];
  std::vector<float> reaches(particles.size());
  for (Index i = 0; i != particles.size(); ++i) reaches[i] = reach * R[i] / support_ratio;
  std::vector<std::uint8_t> is_new(particles.size(), 0);
  for (const Index i : which) {
    is_new[i] = 1;
    V[i] = particles[columns::volume][i];
    particles[columns::reference_position][i] = x[i];
    particles[columns::stored_strain][i].setZero();
  }
  NeighbourList around;
  find_neighbours({x, reaches, particles[columns::id], is_new}, around);
  std::vector<BondSet::Pair> pairs;
  std::vector<std::uint8_t> joined(object.empty() ? 0 : *std::ranges::max_element(object) + 1, 0);
  for (const Index i : which)
    for (const Index j : around.of(i)) {
      const float r = (x[i] - x[j]).norm();
      // Neighbours exactly at the edge of the support have no weight; rounding must not decide.
      if ((is_new[j] && j < i) || object[i] != object[j] || !bondable[j] || !(r > 0) ||
          !(r < 0.999f * std::max(reaches[i], reaches[j])))
        continue;
      pairs.push_back({i, j});
      if (!is_new[j]) joined[object[i]] = 1;
    }
  if (std::ranges::count(joined, 1) != 0) rereference(particles, joined, support_ratio, dimension, green);
  const std::vector<Index> made = bonds.add(pairs, particles[columns::id]);
  const Kernel kernel(KernelShape::cubic_spline, dimension);
  for (std::size_t p = 0; p != made.size(); ++p) {
    const auto [i, j] = pairs[p];
    const Index there = made[p], back = bonds.reverses()[there];
    bonds[coefficient][there] = bonds[coefficient][back] =
        coefficient_of(kernel, x[j] - x[i], V[i] * V[j], std::max(R[i], R[j]) / support_ratio);
  }
}

void unbond(Particles& particles, std::span<const Index> which) { remove_bonds_of(particles.bonds(bond_set), which); }

}  // namespace fondue::elastic_shape
