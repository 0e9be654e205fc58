#include "world/solve.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "world/integrator.h"

namespace fondue {

namespace {

/// The residual may be this part of the change of velocity that the other forces made in the step, and no less than
/// rounding leaves: this part of the velocities, times the diagonal.
constexpr double tolerance = 0.2, rounding = 6e-8;
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

/// Calls body(block number) for all blocks, which returns two products; sums them in a fixed order.
template <class Body>
VelocitySolve::Products VelocitySolve::sum_over_blocks(const Neighbourhood& neighbourhood, Body&& body) {
  partial_.assign(neighbourhood.blocks().size(), {});
  parallel_for(
      partial_.size(), [&](std::size_t b) { partial_[b] = body(b); }, 1);
  Products sum;
  for (const Products& part : partial_) {
    sum.first += part.first;
    sum.second += part.second;
  }
  return sum;
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

/// sum m p.q over a block, in eight partial sums that the processor adds at once.
double VelocitySolve::product(const Block& block, const Vectors& p, const Vectors& q) const {
  constexpr Index width = 8;
  float sums[width] = {};
  const auto term = [&](Index k) { return mass_[k] * (p.x[k] * q.x[k] + p.y[k] * q.y[k] + p.z[k] * q.z[k]); };
  Index k = block.begin;
  for (; k + width <= block.end; k += width)
    for (Index lane = 0; lane != width; ++lane) sums[lane] += term(k + lane);
  for (; k != block.end; ++k) sums[0] += term(k);
  double total = 0;
  for (const float sum : sums) total += sum;
  return total;
}

/// The residual times the inverse blocks of the diagonal.
void VelocitySolve::precondition(const Block& block) {
  const float *xx = diagonal_[0].data(), *yy = diagonal_[1].data(), *zz = diagonal_[2].data();
  const float *xy = diagonal_[3].data(), *xz = diagonal_[4].data(), *yz = diagonal_[5].data();
  const float *x = residual_.x.data(), *y = residual_.y.data(), *z = residual_.z.data();
  float *to_x = preconditioned_.x.data(), *to_y = preconditioned_.y.data(), *to_z = preconditioned_.z.data();
  for (Index k = block.begin; k != block.end; ++k) {
    to_x[k] = xx[k] * x[k] + xy[k] * y[k] + xz[k] * z[k];
    to_y[k] = xy[k] * x[k] + yy[k] * y[k] + yz[k] * z[k];
    to_z[k] = xz[k] * x[k] + yz[k] * y[k] + zz[k] * z[k];
  }
}

/// image = A(velocities shown), for one block.
void VelocitySolve::apply(const Neighbourhood& neighbourhood, std::size_t b) {
  const Block& block = neighbourhood.blocks()[b];
  neighbourhood.loops().multiply(
      space_, block, coefficients(b),
      {image_.x.data() + block.begin, image_.y.data() + block.begin, image_.z.data() + block.begin});
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

SolveCoefficients VelocitySolve::coefficients(std::size_t block) {
  SolveCoefficients all;
  all.pairs = pairs_[block].data();
  for (int k = 0; k != 6; ++k) {
    all.walls[k] = walls_[k].data();
    all.diagonal[k] = diagonal_[k].data();
  }
  for (int k = 0; k != 3; ++k) all.drive[k] = drive_[k].data();
  return all;
}

/// Of the operator, in the frame of the mean velocity.
void VelocitySolve::find_coefficients(const Neighbourhood& neighbourhood, const PairFormulas& formulas) {
  const std::span<const Block> blocks = neighbourhood.blocks();
  const PairLoops& loops = neighbourhood.loops();
  pairs_.resize(blocks.size());
  // A group is read whole, also beyond the last slot.
  for (auto* arrays : {walls_, diagonal_})
    for (int k = 0; k != 6; ++k) arrays[k].assign(records_.size(), 0.0f);
  for (auto& array : drive_) array.assign(records_.size(), 0.0f);
  parallel_for(
      blocks.size(),
      [&](std::size_t b) {
        Index entries = 0;
        for (Index g = 0; g != blocks[b].group_count; ++g) entries = std::max(entries, blocks[b].groups[g].pairs_end);
        pairs_[b].resize(std::size_t{entries} * loops.width);
        loops.prepare(space_, formulas, blocks[b], coefficients(b));
      },
      1);
}

/// Inverts the blocks of I - dt A.
void VelocitySolve::find_preconditioner(float dt) {
  parallel_for(mass_.size(), [&](std::size_t k) {
    const auto entry = [&](int which) { return static_cast<double>(dt) * static_cast<double>(diagonal_[which][k]); };
    const double a = 1 + entry(0), b = 1 + entry(1), c = 1 + entry(2), d = entry(3), e = entry(4), f = entry(5);
    const double aa = b * c - f * f, bb = a * c - e * e, cc = a * b - d * d;
    const double dd = e * f - d * c, ee = d * f - b * e, ff = d * e - a * f;
    const double over = 1 / (a * aa + d * dd + e * ee);
    const double inverse[6] = {aa, bb, cc, dd, ee, ff};
    for (int which = 0; which != 6; ++which) diagonal_[which][k] = static_cast<float>(over * inverse[which]);
  });
}

/// Begins with the velocities before the step, in the frame of their mean.
void VelocitySolve::start(const Neighbourhood& neighbourhood, const Particles& particles) {
  const Slots slots = neighbourhood.slots();
  const std::size_t count = slots.end;
  const std::span<const Record> before = neighbourhood.padded_records();
  records_.assign(before.begin(), before.end());
  for (auto* vectors : {&v_, &residual_, &preconditioned_, &search_, &image_}) vectors->resize(count);
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
    v_.set(k, velocity(k) - frame_);
    show(k, v_[k]);
  });
}

/// Moves v along the direction of search to where the residual is orthogonal to it; gives <r, z> and <r, r> there, z
/// being the preconditioned residual.
VelocitySolve::Products VelocitySolve::minimise(const Neighbourhood& neighbourhood, float dt) {
  const std::span<const Block> blocks = neighbourhood.blocks();
  const Products slopes = sum_over_blocks(neighbourhood, [&](std::size_t b) {
    apply(neighbourhood, b);
    for (auto [image, search] : {std::pair{image_.x.data(), search_.x.data()},
                                 {image_.y.data(), search_.y.data()},
                                 {image_.z.data(), search_.z.data()}})
      for (Index k = blocks[b].begin; k != blocks[b].end; ++k) image[k] = search[k] - dt * image[k];
    return Products{product(blocks[b], search_, residual_), product(blocks[b], search_, image_)};
  });
  const float along = slopes.second > 0 ? static_cast<float>(slopes.first / slopes.second) : 0.0f;
  return sum_over_blocks(neighbourhood, [&](std::size_t b) {
    const auto move = [&](std::vector<float>& what, const std::vector<float>& by, float times) {
      float* const to = what.data();
      const float* const from = by.data();
      for (Index k = blocks[b].begin; k != blocks[b].end; ++k) to[k] += times * from[k];
    };
    move(v_.x, search_.x, along);
    move(v_.y, search_.y, along);
    move(v_.z, search_.z, along);
    move(residual_.x, image_.x, -along);
    move(residual_.y, image_.y, -along);
    move(residual_.z, image_.z, -along);
    precondition(blocks[b]);
    return Products{product(blocks[b], residual_, preconditioned_), product(blocks[b], residual_, residual_)};
  });
}

/// search <- z + conjugation search
void VelocitySolve::search_anew(const Block& block, float conjugation) {
  const auto turn = [&](std::vector<float>& search, const std::vector<float>& z) {
    float* const to = search.data();
    const float* const from = z.data();
    for (Index k = block.begin; k != block.end; ++k) to[k] = from[k] + conjugation * to[k];
  };
  turn(search_.x, preconditioned_.x);
  turn(search_.y, preconditioned_.y);
  turn(search_.z, preconditioned_.z);
  for (Index k = block.begin; k != block.end; ++k) show(k, search_[k]);
}

VelocitySolve::Result VelocitySolve::solve(const Neighbourhood& neighbourhood, const PairFormulas& formulas,
                                           Particles& particles, float dt) {
  const Slots slots = neighbourhood.slots();
  const auto given = particles[columns::velocity], a = particles[columns::acceleration];
  const auto change = particles[columns::solve_change], left = particles[columns::solve_remainder];
  const auto object = particles[columns::object], solved = particles[columns::solved];
  find_members(slots, formulas);
  start(neighbourhood, particles);
  find_coefficients(neighbourhood, formulas);
  const std::span<const Block> blocks = neighbourhood.blocks();
  // The first residual knows how walls move; the search directions are differences, for which they rest.
  const Products first = sum_over_blocks(neighbourhood, [&](std::size_t b) {
    apply(neighbourhood, b);
    for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
      if (!member_[k]) continue;
      const Index i = slots.particle(k);
      residual_.set(k, (given[i] - frame_) + dt * image_[k] - v_[k]);
      search_.set(k, dt * a[i]);
    }
    return Products{product(blocks[b], search_, search_), product(blocks[b], residual_, residual_)};
  });
  space_.wall_motion = 0;
  Result result;
  Products sums{0, first.second};
  if (first.second > tolerance * tolerance * first.first) {
    find_preconditioner(dt);
    sums = sum_over_blocks(neighbourhood, [&](std::size_t b) {
      for (Index k = blocks[b].begin; k != blocks[b].end; ++k)
        if (member_[k]) search_.set(k, 3 / (diagonal_[0][k] + diagonal_[1][k] + diagonal_[2][k]) * v_[k]);
      precondition(blocks[b]);
      return Products{product(blocks[b], residual_, preconditioned_), product(blocks[b], search_, search_)};
    });
    const double enough = tolerance * tolerance * first.first + rounding * rounding * sums.second;
    sums.second = first.second;
    const auto minimise_along = [&](auto&& direction) {
      parallel_for(slots.end, [&](std::size_t k) {
        if (!member_[k]) return;
        search_.set(k, direction(slots.particle(static_cast<Index>(k))));
        show(k, search_[k]);
      });
      return minimise(neighbourhood, dt);
    };
    if (sums.second > enough) sums = minimise_along([&](Index i) { return change[i]; });
    if (sums.second > enough)
      sums = minimise_along([&, mean = mean_residuals(slots, object)](Index i) { return mean[object[i]]; });
    float conjugation = 0;
    for (; sums.second > enough && result.iterations != most_iterations; ++result.iterations) {
      parallel_for(
          blocks.size(), [&](std::size_t b) { search_anew(blocks[b], conjugation); }, 1);
      const double before = sums.first;
      sums = minimise(neighbourhood, dt);
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
  parallel_for(mass_.size(), [&](std::size_t k) { show(k, v_[k]); });
  PairSpace space = neighbourhood.pair_space();
  space.records = records_.data();
  for (int axis = 0; axis != 3; ++axis) space.frame[axis] = frame_[axis];
  return space;
}

}  // namespace fondue
