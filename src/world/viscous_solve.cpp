#include "world/viscous_solve.h"

#include <algorithm>
#include <cmath>

#include "behaviours/pair_formulas.h"
#include "core/parallel.h"

namespace fondue {

namespace {

/// The residual may be this part of the change of velocity that the other forces made in the step, and no less than
/// rounding leaves: this part of the velocities, times the diagonal.
constexpr double tolerance = 1e-1, rounding = 6e-8;
/// What is left then is solved for in the next steps; a hard blow on something very stiff takes that many.
constexpr int most_iterations = 60;

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

/// The mean of the residual over each object, which is how it would move on as a whole.
std::vector<Vec3> ViscousSolve::mean_residuals(const Slots& slots, std::span<const Index> object) const {
  std::vector<Vec3d> sum(1 + *std::ranges::max_element(object), Vec3d::Zero());
  std::vector<double> mass(sum.size(), 0);
  for (Index k = 0; k != slots.end; ++k) {
    const Index o = object[slots.particle(k)];
    sum[o] += static_cast<double>(mass_[k]) * residual_[k].cast<double>();
    mass[o] += mass_[k];
  }
  std::vector<Vec3> mean;
  for (std::size_t o = 0; o != sum.size(); ++o) mean.push_back((sum[o] / std::max(mass[o], 1e-300)).cast<float>());
  return mean;
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
  const auto given = particles[columns::velocity], a = particles[columns::acceleration];
  const auto change = particles[columns::viscous_change];
  for (auto* vector : {&v_, &residual_, &search_, &image_}) vector->resize(count);
  mass_.resize(count);
  const auto object = particles[columns::object];
  // Shows the loops over pairs a velocity for every slot.
  const auto show = [&](std::size_t k, const Vec3& velocity) {
    records[k].vx = velocity.x();
    records[k].vy = velocity.y();
    records[k].vz = velocity.z();
  };
  const auto preconditioned = [&](std::size_t k, const Vec3& r) {
    const auto entry = [&](int which) { return diagonal_[which][k]; };
    return Vec3(entry(0) * r.x() + entry(3) * r.y() + entry(4) * r.z(),
                entry(3) * r.x() + entry(1) * r.y() + entry(5) * r.z(),
                entry(4) * r.x() + entry(5) * r.y() + entry(2) * r.z());
  };
  const auto product = [&](std::size_t k, const Vec3& p, const Vec3& q) {
    return static_cast<double>(mass_[k]) * static_cast<double>(p.x() * q.x() + p.y() * q.y() + p.z() * q.z());
  };

  const auto m = particles[columns::mass];
  const Vec3d momentum = parallel_reduce(
      count, Vec3d(Vec3d::Zero()),
      [&](std::size_t k) {
        const Index i = slots.particle(static_cast<Index>(k));
        mass_[k] = m[i];
        return Vec3d(static_cast<double>(m[i]) * start_[i].cast<double>());
      },
      [](const Vec3d& p, const Vec3d& q) { return Vec3d(p + q); });
  double mass = 0;
  for (const float one : mass_) mass += one;
  frame_ = (momentum / mass).cast<float>();
  parallel_for(count, [&](std::size_t k) {
    v_[k] = start_[slots.particle(static_cast<Index>(k))] - frame_;
    show(k, v_[k]);
  });
  PairFormulas formulas;
  formulas.viscosity = formulas.implicit_viscosity = force;
  for (int axis = 0; axis != 3; ++axis) formulas.viscosity.frame[axis] = frame_[axis];
  // The first residual knows how walls move; the search directions are differences, for which they rest.
  apply(neighbourhood, formulas);
  formulas.viscosity.wall_motion = 0;
  const Products first = sum_over_blocks(neighbourhood, [&](Index k) {
    const Index i = slots.particle(k);
    residual_[k] = (given[i] - frame_) + dt * image_[k] - v_[k];
    const Vec3 by_others = dt * a[i];
    return Products{product(k, by_others, by_others), product(k, residual_[k], residual_[k])};
  });
  Result result;
  const auto error = [&](double square) { return first.first > 0 ? std::sqrt(square / first.first) : 0.0; };
  result.error = error(first.second);
  if (first.second <= tolerance * tolerance * first.first) return result;

  find_preconditioner(neighbourhood, formulas, dt);
  Products sums = sum_over_blocks(neighbourhood, [&](Index k) {
    const Vec3 rounded = 3 / (diagonal_[0][k] + diagonal_[1][k] + diagonal_[2][k]) * v_[k];
    return Products{product(k, residual_[k], preconditioned(k, residual_[k])), product(k, rounded, rounded)};
  });
  const double enough = tolerance * tolerance * first.first + rounding * rounding * sums.second;
  sums.second = first.second;
  // Moves v along a direction to where the residual is orthogonal to it; gives <r, z> and <r, r> there.
  const auto go_along = [&](auto&& direction) {
    parallel_for(count, [&](std::size_t k) {
      search_[k] = direction(k);
      show(k, search_[k]);
    });
    apply(neighbourhood, formulas);
    const Products slopes = sum_over_blocks(neighbourhood, [&](Index k) {
      image_[k] = search_[k] - dt * image_[k];
      return Products{product(k, search_[k], residual_[k]), product(k, search_[k], image_[k])};
    });
    const float along = slopes.second > 0 ? static_cast<float>(slopes.first / slopes.second) : 0.0f;
    return sum_over_blocks(neighbourhood, [&](Index k) {
      v_[k] += along * search_[k];
      residual_[k] -= along * image_[k];
      return Products{product(k, residual_[k], preconditioned(k, residual_[k])),
                      product(k, residual_[k], residual_[k])};
    });
  };
  if (sums.second > enough)
    sums = go_along([&](std::size_t k) { return change[slots.particle(static_cast<Index>(k))]; });
  if (sums.second > enough)
    sums = go_along([&, mean = mean_residuals(slots, object)](std::size_t k) {
      return mean[object[slots.particle(static_cast<Index>(k))]];
    });
  float turn = 0;
  for (; sums.second > enough && result.iterations != most_iterations; ++result.iterations) {
    const double before = sums.first;
    sums = go_along([&](std::size_t k) { return Vec3(preconditioned(k, residual_[k]) + turn * search_[k]); });
    turn = static_cast<float>(sums.first / before);
  }
  result.error = error(sums.second);
  return result;
}

}  // namespace fondue
