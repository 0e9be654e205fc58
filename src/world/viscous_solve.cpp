#include "world/viscous_solve.h"

#include <Eigen/LU>
#include <cmath>

#include "behaviours/pair_formulas.h"
#include "core/parallel.h"

namespace fondue {

namespace {

/// The residual may be this part of the change of velocity that the other forces made in the step, and this part of the
/// velocities where there is no such change (rounding allows no less).
constexpr double tolerance = 1e-3, rounding = 2e-7;
constexpr int most_iterations = 300;

}  // namespace

/// Calls body(slot) for all slots, which returns two products; sums them block by block in a fixed order.
template <class Body>
ViscousSolve::Products ViscousSolve::sum_over_blocks(const Neighbourhood& neighbourhood, Body&& body) {
  const std::span<const Block> blocks = neighbourhood.blocks();
  partial_.assign(blocks.size(), {});
  parallel_for(
      blocks.size(),
      [&](std::size_t b) {
        Products sum;
        for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
          const Products one = body(k);
          sum.first += one.first;
          sum.second += one.second;
        }
        partial_[b] = sum;
      },
      4);
  Products total;
  for (const Products& part : partial_) {
    total.first += part.first;
    total.second += part.second;
  }
  return total;
}

/// image = L(velocities in the records)
void ViscousSolve::apply(const Neighbourhood& neighbourhood, const PairFormulas& formulas) {
  const std::span<const Block> blocks = neighbourhood.blocks();
  parallel_for(
      blocks.size(),
      [&](std::size_t b) {
        const Block& block = blocks[b];
        const RateBuffer rates(block);
        neighbourhood.loops().rates(neighbourhood.pair_space(), formulas, block, rates.arrays);
        for (Index k = block.begin; k != block.end; ++k) {
          const Index at = k - block.begin;
          image_[k] = {rates.arrays.ax[at], rates.arrays.ay[at], rates.arrays.az[at]};
        }
      },
      1);
}

/// Inverts the blocks of I - dt L.
void ViscousSolve::find_preconditioner(const Neighbourhood& neighbourhood, const PairFormulas& formulas, float dt) {
  const std::span<const Block> blocks = neighbourhood.blocks();
  float* out[6];
  for (int k = 0; k != 6; ++k) {
    diagonal_[k].resize(v_.size());
    out[k] = diagonal_[k].data();
  }
  parallel_for(
      blocks.size(),
      [&](std::size_t b) {
        neighbourhood.loops().viscous_diagonal(neighbourhood.pair_space(), formulas, blocks[b], out);
        for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
          const auto entry = [&](int which) { return static_cast<double>(dt) * static_cast<double>(out[which][k]); };
          const double a = 1 + entry(0), b2 = 1 + entry(1), c = 1 + entry(2), d = entry(3), e = entry(4), f = entry(5);
          const double aa = b2 * c - f * f, bb = a * c - e * e, cc = a * b2 - d * d;
          const double dd = e * f - d * c, ee = d * f - b2 * e, ff = d * e - a * f;
          const double over = 1 / (a * aa + d * dd + e * ee);
          const double inverse[6] = {aa, bb, cc, dd, ee, ff};
          for (int which = 0; which != 6; ++which) out[which][k] = static_cast<float>(over * inverse[which]);
        }
      },
      1);
}

ViscousSolve::Result ViscousSolve::solve(Neighbourhood& neighbourhood, const ViscousForce& force,
                                         const Particles& particles, float dt) {
  const Slots slots = neighbourhood.slots();
  const std::size_t count = slots.end;
  const std::span<Record> records = neighbourhood.records();
  const auto given = particles[columns::velocity], before = particles[columns::viscous_acceleration];
  const auto a = particles[columns::acceleration];
  const auto m = particles[columns::mass];
  for (auto* vector : {&v_, &residual_, &search_, &image_}) vector->resize(count);
  mass_.resize(count);
  const auto show = [&](std::size_t k, const Vec3& v) {
    records[k].vx = v.x();
    records[k].vy = v.y();
    records[k].vz = v.z();
  };
  const auto preconditioned = [&](std::size_t k, const Vec3& r) {
    const float *const xx = diagonal_[0].data(), *const yy = diagonal_[1].data(), *const zz = diagonal_[2].data(),
                       *const xy = diagonal_[3].data(), *const xz = diagonal_[4].data(),
                       *const yz = diagonal_[5].data();
    return Vec3(xx[k] * r.x() + xy[k] * r.y() + xz[k] * r.z(), xy[k] * r.x() + yy[k] * r.y() + yz[k] * r.z(),
                xz[k] * r.x() + yz[k] * r.y() + zz[k] * r.z());
  };
  const auto product = [&](std::size_t k, const Vec3& p, const Vec3& q) {
    return static_cast<double>(mass_[k]) * static_cast<double>(p.x() * q.x() + p.y() * q.y() + p.z() * q.z());
  };

  parallel_for(count, [&](std::size_t k) {
    const Index i = slots.particle(static_cast<Index>(k));
    mass_[k] = m[i];
    v_[k] = given[i] + dt * before[i];
    show(k, v_[k]);
  });
  PairFormulas formulas;
  formulas.viscosity = formulas.implicit_viscosity = force;
  find_preconditioner(neighbourhood, formulas, dt);

  // The first residual knows how walls move; the search directions are differences, for which they rest.
  apply(neighbourhood, formulas);
  formulas.viscosity.wall_motion = 0;
  const Products scale = sum_over_blocks(neighbourhood, [&](Index k) {
    const Index i = slots.particle(k);
    residual_[k] = given[i] + dt * image_[k] - v_[k];
    const Vec3 change = dt * a[i];
    return Products{product(k, change, change), product(k, v_[k], v_[k])};
  });
  const double enough = tolerance * tolerance * scale.first + rounding * rounding * scale.second;
  Products sums = sum_over_blocks(neighbourhood, [&](Index k) {
    search_[k] = preconditioned(k, residual_[k]);
    return Products{product(k, residual_[k], search_[k]), product(k, residual_[k], residual_[k])};
  });

  Result result;
  for (; sums.second > enough && result.iterations != most_iterations; ++result.iterations) {
    parallel_for(count, [&](std::size_t k) { show(k, search_[k]); });
    apply(neighbourhood, formulas);
    const double steepness = sum_over_blocks(neighbourhood, [&](Index k) {
                               image_[k] = search_[k] - dt * image_[k];
                               return Products{product(k, search_[k], image_[k]), 0};
                             }).first;
    if (!(steepness > 0)) break;
    const float along = static_cast<float>(sums.first / steepness);
    const double old = sums.first;
    sums = sum_over_blocks(neighbourhood, [&](Index k) {
      v_[k] += along * search_[k];
      residual_[k] -= along * image_[k];
      const Vec3 z = preconditioned(k, residual_[k]);
      return Products{product(k, residual_[k], z), product(k, residual_[k], residual_[k])};
    });
    const float turn = static_cast<float>(sums.first / old);
    parallel_for(count, [&](std::size_t k) { search_[k] = preconditioned(k, residual_[k]) + turn * search_[k]; });
  }
  result.error = scale.first > 0 ? std::sqrt(sums.second / scale.first) : 0;
  parallel_for(count, [&](std::size_t k) { v_[k] += residual_[k]; });
  return result;
}

}  // namespace fondue
