#include "world/solve.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "world/integrator.h"

namespace fondue {

namespace {

/// The residual may be this part of the change of velocity that the other forces made in the step, and no less than
/// rounding leaves: this part of the velocities, times the diagonal.
constexpr double tolerance = 1e-1, rounding = 6e-8;
/// What is left then is solved for in the next steps; a hard blow on something very stiff takes that many.
constexpr int most_iterations = 60;

}  // namespace

void VelocitySolve::require(Particles& particles) {
  particles.require(columns::solved);
  particles.require(columns::solve_change);
  particles.require(columns::solve_remainder);
}

void VelocitySolve::carry_over(Particles& particles) {
  const auto v = particles[columns::velocity], left = particles[columns::solve_remainder];
  const auto solved = particles[columns::solved];
  parallel_for(particles.size(), [&](std::size_t i) {
    v[i] += left[i];
    left[i].setZero();
    solved[i] = 0;
  });
}

/// Calls body(slot) for all slots that take part, which returns two products; sums them block by block in a fixed
/// order.
template <class Body>
VelocitySolve::Products VelocitySolve::sum_over_blocks(const Neighbourhood& neighbourhood, Body&& body) {
  const std::span<const Block> blocks = neighbourhood.blocks();
  partial_.assign(blocks.size(), {});
  parallel_for(
      blocks.size(),
      [&](std::size_t b) {
        Products sum;
        for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
          if (!member_[k]) continue;
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

/// A particle takes part if some formula of the solve acts on it.
void VelocitySolve::find_members(const Slots& slots, const PairFormulas& formulas) {
  member_.assign(slots.end, 0);
  const auto add = [&](const auto& formula) {
    if (!formula.active) return;
    parallel_for(slots.end, [&](std::size_t k) {
      if (formula.full || formula.weight.values[k * formula.weight.stride] > 0) member_[k] = 1;
    });
  };
  [&]<class... F>(TypeList<F...>) { (add(formulas.get<F>()), ...); }(FormulasOf<Pass::solve, PairFormulas::All>{});
}

/// Gives a slot the velocity that the operator will be applied to.
void VelocitySolve::show(std::size_t slot, const Vec3& velocity) {
  records_[slot].vx = velocity.x();
  records_[slot].vy = velocity.y();
  records_[slot].vz = velocity.z();
}

double VelocitySolve::product(std::size_t slot, const Vec3& p, const Vec3& q) const {
  return static_cast<double>(mass_[slot]) * static_cast<double>(p.x() * q.x() + p.y() * q.y() + p.z() * q.z());
}

Vec3 VelocitySolve::preconditioned(std::size_t slot, const Vec3& r) const {
  const auto entry = [&](int which) { return diagonal_[which][slot]; };
  return {entry(0) * r.x() + entry(3) * r.y() + entry(4) * r.z(),
          entry(3) * r.x() + entry(1) * r.y() + entry(5) * r.z(),
          entry(4) * r.x() + entry(5) * r.y() + entry(2) * r.z()};
}

/// image = A(velocities shown)
void VelocitySolve::apply(const Neighbourhood& neighbourhood, const PairFormulas& formulas) {
  const std::span<const Block> blocks = neighbourhood.blocks();
  parallel_for(
      blocks.size(),
      [&](std::size_t b) {
        const Block& block = blocks[b];
        const AccelerationBuffer rates(block);
        neighbourhood.loops().apply(space_, formulas, block, rates.arrays);
        for (Index k = block.begin; k != block.end; ++k) {
          const Index at = k - block.begin;
          image_[k] = {rates.arrays.x[at], rates.arrays.y[at], rates.arrays.z[at]};
        }
      },
      1);
}

/// The mean of the residual over each object, which is how it would move on as a whole.
std::vector<Vec3> VelocitySolve::mean_residuals(const Slots& slots, std::span<const Index> object) const {
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

/// Inverts the blocks of I - dt A.
void VelocitySolve::find_preconditioner(const Neighbourhood& neighbourhood, const PairFormulas& formulas, float dt) {
  const std::span<const Block> blocks = neighbourhood.blocks();
  float* out[6];
  for (int k = 0; k != 6; ++k) {
    diagonal_[k].assign(v_.size(), 0.0f);
    out[k] = diagonal_[k].data();
  }
  parallel_for(
      blocks.size(),
      [&](std::size_t b) {
        neighbourhood.loops().diagonal(space_, formulas, blocks[b], out);
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

/// Begins with the velocities before the step, in the frame of their mean.
void VelocitySolve::start(const Neighbourhood& neighbourhood, const Particles& particles) {
  const Slots slots = neighbourhood.slots();
  const std::size_t count = slots.end;
  const std::span<const Record> before = neighbourhood.padded_records();
  records_.assign(before.begin(), before.end());
  for (auto* vector : {&v_, &residual_, &search_, &image_}) vector->resize(count);
  mass_.resize(count);
  const auto m = particles[columns::mass];
  const auto velocity = [&](std::size_t k) { return Vec3(before[k].vx, before[k].vy, before[k].vz); };
  const Vec3d momentum = parallel_reduce(
      count, Vec3d(Vec3d::Zero()),
      [&](std::size_t k) {
        mass_[k] = member_[k] ? m[slots.particle(static_cast<Index>(k))] : 0.0f;
        return Vec3d(static_cast<double>(mass_[k]) * velocity(k).cast<double>());
      },
      [](const Vec3d& p, const Vec3d& q) { return Vec3d(p + q); });
  double mass = 0;
  for (const float one : mass_) mass += one;
  frame_ = mass > 0 ? Vec3((momentum / mass).cast<float>()) : Vec3(Vec3::Zero());
  space_ = neighbourhood.pair_space();
  space_.records = records_.data();
  for (int axis = 0; axis != 3; ++axis) space_.frame[axis] = frame_[axis];
  parallel_for(count, [&](std::size_t k) {
    v_[k] = velocity(k) - frame_;
    residual_[k].setZero();
    show(k, v_[k]);
  });
}

/// Moves v along a direction to where the residual is orthogonal to it; gives <r, z> and <r, r> there, z being the
/// preconditioned residual.
template <class Direction>
VelocitySolve::Products VelocitySolve::minimise_along(const Neighbourhood& neighbourhood, const PairFormulas& formulas,
                                                      float dt, Direction&& direction) {
  parallel_for(v_.size(), [&](std::size_t k) {
    if (!member_[k]) return;
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
    return Products{product(k, residual_[k], preconditioned(k, residual_[k])), product(k, residual_[k], residual_[k])};
  });
}

VelocitySolve::Result VelocitySolve::solve(const Neighbourhood& neighbourhood, const PairFormulas& formulas,
                                           Particles& particles, float dt) {
  const Slots slots = neighbourhood.slots();
  const auto given = particles[columns::velocity], a = particles[columns::acceleration];
  const auto change = particles[columns::solve_change], left = particles[columns::solve_remainder];
  const auto object = particles[columns::object], solved = particles[columns::solved];
  find_members(slots, formulas);
  start(neighbourhood, particles);
  // The first residual knows how walls move; the search directions are differences, for which they rest.
  apply(neighbourhood, formulas);
  space_.wall_motion = 0;
  const Products first = sum_over_blocks(neighbourhood, [&](Index k) {
    const Index i = slots.particle(k);
    residual_[k] = (given[i] - frame_) + dt * image_[k] - v_[k];
    const Vec3 by_others = dt * a[i];
    return Products{product(k, by_others, by_others), product(k, residual_[k], residual_[k])};
  });
  Result result;
  Products sums{0, first.second};
  if (first.second > tolerance * tolerance * first.first) {
    find_preconditioner(neighbourhood, formulas, dt);
    sums = sum_over_blocks(neighbourhood, [&](Index k) {
      const Vec3 rounded = 3 / (diagonal_[0][k] + diagonal_[1][k] + diagonal_[2][k]) * v_[k];
      return Products{product(k, residual_[k], preconditioned(k, residual_[k])), product(k, rounded, rounded)};
    });
    const double enough = tolerance * tolerance * first.first + rounding * rounding * sums.second;
    sums.second = first.second;
    const auto minimise = [&](auto&& direction) { return minimise_along(neighbourhood, formulas, dt, direction); };
    const auto particle = [&](std::size_t k) { return slots.particle(static_cast<Index>(k)); };
    if (sums.second > enough) sums = minimise([&](std::size_t k) { return change[particle(k)]; });
    if (sums.second > enough)
      sums = minimise([&, mean = mean_residuals(slots, object)](std::size_t k) { return mean[object[particle(k)]]; });
    float conjugation = 0;
    for (; sums.second > enough && result.iterations != most_iterations; ++result.iterations) {
      const double before = sums.first;
      sums = minimise([&](std::size_t k) { return Vec3(preconditioned(k, residual_[k]) + conjugation * search_[k]); });
      conjugation = static_cast<float>(sums.first / before);
    }
  }
  result.error = first.first > 0 ? std::sqrt(sums.second / first.first) : 0.0;

  const std::span<const Record> before = neighbourhood.padded_records();
  const float inverse_step = 1 / dt;
  parallel_for(slots.end, [&](std::size_t k) {
    if (!member_[k]) return;
    const Index i = slots.particle(static_cast<Index>(k));
    const Vec3 now = v_[k] + frame_;
    a[i] += inverse_step * (now - given[i]);
    given[i] = now;
    change[i] = now - Vec3(before[k].vx, before[k].vy, before[k].vz);
    left[i] = residual_[k];
    solved[i] = 1;
  });
  return result;
}

PairSpace VelocitySolve::space_at_solution(const Neighbourhood& neighbourhood) {
  parallel_for(v_.size(), [&](std::size_t k) { show(k, v_[k]); });
  PairSpace space = neighbourhood.pair_space();
  space.records = records_.data();
  for (int axis = 0; axis != 3; ++axis) space.frame[axis] = frame_[axis];
  return space;
}

}  // namespace fondue
