#include "world/solve.h"

#include <algorithm>
#include <cmath>

#include "world/integrator.h"
#include "world/solve_sums.h"

namespace fondue {

namespace {

/// The residual may be this part of the change of velocity that the other forces made in the step, and no less than
/// rounding leaves: this part of the velocities, times the diagonal.
constexpr double tolerance = 0.2, rounding = 6e-8;
/// What is left then is solved for in the next steps; a hard blow on something very stiff takes that many.
constexpr int most_iterations = 60;
/// The motion of objects as a whole is taken out if it is this part of the square of the residual.
constexpr double worthwhile_mean = 0.25;
/// If the first residual is this many times too large, as after a blow or in the first step of all, it is taken out at
/// once: on what stands most of such a residual lies in the few particles at the wall, this part of all. Less is
/// rounding of a residual without a mean, which must not become a motion.
constexpr double far_off = 4, worthwhile_part = 1e-3;
/// At these iterations it is asked how many more would follow at the rate of the last one, and whether levels would
/// take less time. They are expected to make the residual smaller by this factor per iteration; one of theirs takes the
/// time of three others, and preparing them of four. If it turns out that they took too long, steps do without for a
/// while; what they were to save is no more than an estimate, so that is twice as long.
constexpr int asked_at[] = {4, 8, 16, 32};
constexpr double rate_with_levels = 0.75, time_with_levels = 3, time_to_prepare = 4, too_long = 2;
constexpr int steps_until_asked_again = 16;
/// With fewer particles that take part than this the work on levels is too small for several threads and took longer
/// than it saved (the 4,900 of wall-impact: 10 iterations a step instead of 14 in 1.1 times the time).
constexpr std::ptrdiff_t fewest_with_levels = 20000;

/// How many iterations follow if the square of the residual falls by `rate` in each and has to fall by `wanted`.
double iterations_left(double rate, double wanted) { return std::log(wanted) / std::min(std::log(rate), -1e-6); }

/// The same with levels.
double levels_expected(double wanted) { return iterations_left(rate_with_levels * rate_with_levels, wanted); }

/// In iterations without levels.
double time_of_levels(double iterations) { return time_to_prepare + time_with_levels * iterations; }

}  // namespace

void VelocitySolve::require(Particles& particles) {
  particles.require(columns::solved);
  particles.require(columns::solve_remainder);
}

void VelocitySolve::carry_over(Particles& particles) {
  const auto v = particles[columns::velocity], left = particles[columns::solve_remainder];
  const auto solved = particles[columns::solved];
  parallel_for(
      particles.size(),
      [&](std::size_t i) {
        v[i] += left[i];
        left[i].setZero();
        solved[i] = 0;
      },
      4096);
}

/// A particle takes part if some formula of the solve acts on it and its velocity is not given.
void VelocitySolve::find_members(const Problem& p) {
  const Slots slots = p.neighbourhood.slots();
  const auto m = p.particles[columns::mass];
  const GivenMotion given(p.particles);
  member_.resize(slots.end);
  mass_.resize(slots.end);
  const auto blocks = p.neighbourhood.blocks();
  parallel_chunks(blocks.size(), [&](std::size_t b) {
    const auto begin = member_.begin() + blocks[b].begin, end = member_.begin() + blocks[b].end;
    std::fill(begin, end, std::uint8_t{0});
    const auto add = [&](const auto& formula) {
      if (!formula.active) return;
      if (formula.full) return std::fill(begin, end, std::uint8_t{1});
      for (Index k = blocks[b].begin; k != blocks[b].end; ++k)
        if (formula.weight.values[k * formula.weight.stride] > 0) member_[k] = 1;
    };
    [&]<class... F>(TypeList<F...>) { (add(p.formulas.get<F>()), ...); }(FormulasOf<Pass::solve, PairFormulas::All>{});
    for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
      if (given.any() && given(slots.particle(k))) member_[k] = 0;
      mass_[k] = member_[k] ? m[slots.particle(k)] : 0.0f;
    }
  });
}

void VelocitySolve::choose_frame(const Problem& p) {
  const auto blocks = p.neighbourhood.blocks();
  const auto records = p.neighbourhood.padded_records();
  struct Sum {
    Vec3d momentum = Vec3d::Zero();
    double mass = 0;
  };
  const Sum all = sum_over_blocks<Sum>(
      blocks.size(),
      [&](std::size_t b) {
        Sum sum;
        for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
          sum.momentum += static_cast<double>(mass_[k]) * velocity_of(records[k]).cast<double>();
          sum.mass += mass_[k];
        }
        return sum;
      },
      [](Sum& sum, const Sum& part) {
        sum.momentum += part.momentum;
        sum.mass += part.mass;
      });
  frame_ = all.mass > 0 ? Vec3((all.momentum / all.mass).cast<float>()) : Vec3(Vec3::Zero());
}

SolveCoefficients VelocitySolve::coefficients(std::size_t block) {
  SolveCoefficients all;
  all.pairs = pairs_[block].data();
  for (int k = 0; k != 6; ++k) all.walls[k] = walls_[k].data();
  for (int k = 0; k != 3; ++k) all.drive[k] = drive_[k].data();
  all.diagonal = diagonal_.data();
  return all;
}

SolveVectors VelocitySolve::vectors() {
  SolveVectors all;
  all.mass = mass_.data();
  all.inverse_diagonal = diagonal_.data();
  const auto set = [](float*(&to)[3], Vectors& from) {
    to[0] = from.x.data();
    to[1] = from.y.data();
    to[2] = from.z.data();
  };
  set(all.velocity, v_);
  set(all.residual, residual_);
  set(all.direction, direction_);
  set(all.image, image_);
  set(all.search, search_);
  set(all.search_image, search_image_);
  all.records = records_.data();
  return all;
}

/// Coefficients, and the residual of the velocities before the step. Neighbours read those in the neighbourhood's
/// records, so the first direction can be shown in its own.
VelocitySolve::Squares VelocitySolve::start(const Problem& p, std::size_t b) {
  const Block& block = p.neighbourhood.blocks()[b];
  const PairLoops& loops = p.neighbourhood.loops();
  const std::span<const Record> before = p.neighbourhood.padded_records();
  const Slots slots = p.neighbourhood.slots();
  const auto given = p.particles[columns::velocity], a = p.particles[columns::acceleration];
  for (Vectors* vectors : {&image_, &search_, &search_image_})
    for (auto* component : {&vectors->x, &vectors->y, &vectors->z})
      std::fill(component->begin() + block.begin, component->begin() + block.end, 0.0f);
  std::fill(diagonal_.begin() + block.begin, diagonal_.begin() + block.end, 0.0f);
  Index entries = 0;
  for (Index g = 0; g != block.group_count; ++g) entries = std::max(entries, block.groups[g].pairs_end);
  pairs_[b].resize(std::size_t{entries} * loops.width);
  PairSpace space = p.neighbourhood.pair_space();
  for (int axis = 0; axis != 3; ++axis) space.frame[axis] = frame_[axis];
  loops.prepare(space, p.formulas, block, coefficients(b),
                {image_.x.data() + block.begin, image_.y.data() + block.begin, image_.z.data() + block.begin});
  Squares sum;
  for (Index k = block.begin; k != block.end; ++k) {
    const Vec3 v = velocity_of(before[k]) - frame_;
    Vec3 r = Vec3::Zero();
    // Zero for those that do not take part: what the operator says of them is never a direction.
    diagonal_[k] = member_[k] ? 1 / (1 + p.dt * diagonal_[k]) : 0.0f;
    if (member_[k]) {
      const Index i = slots.particle(k);
      r = (given[i] - frame_) + p.dt * (image_[k] + Vec3(drive_[0][k], drive_[1][k], drive_[2][k])) - v;
      const double m = mass_[k];
      sum.residual += m * static_cast<double>(r.squaredNorm());
      sum.change += m * static_cast<double>((p.dt * a[i]).squaredNorm());
      sum.rounding += m * static_cast<double>((v / diagonal_[k]).squaredNorm());
    }
    v_.set(k, v);
    residual_.set(k, r);
    const Vec3 d = diagonal_[k] * r;
    direction_.set(k, d);
    records_[k] = before[k];
    show(records_[k], d);
  }
  return sum;
}

VelocitySolve::Squares VelocitySolve::start(const Problem& p) {
  const std::span<const Record> before = p.neighbourhood.padded_records();
  const std::size_t count = before.size(), blocks = p.neighbourhood.blocks().size();
  // A group is read whole, also beyond the last slot.
  records_.resize(count);
  std::copy(before.begin() + p.neighbourhood.slots().end, before.end(), records_.begin() + p.neighbourhood.slots().end);
  for (Vectors* vectors : {&v_, &residual_, &direction_, &image_, &search_, &search_image_}) vectors->resize(count);
  for (auto& array : walls_) array.resize(count);
  for (auto& array : drive_) array.resize(count);
  diagonal_.resize(count);
  pairs_.resize(blocks);
  search_square_ = 0;
  return sum_over_blocks<Squares>(
      blocks, [&](std::size_t b) { return start(p, b); },
      [](Squares& sum, const Squares& part) {
        sum.residual += part.residual;
        sum.change += part.change;
        sum.rounding += part.rounding;
      });
}

/// Alpha and beta of the header.
VelocitySolve::Search VelocitySolve::next_search(const SolveProducts& products) {
  Search search;
  search.conjugation = search_square_ > 0 ? -products.image_search / search_square_ : 0;
  search_square_ = products.image_image + search.conjugation * products.image_search;
  // The direction is hardly a new one: begin anew.
  if (!(search_square_ > 1e-6 * products.image_image)) {
    search.conjugation = 0;
    search_square_ = products.image_image;
  }
  search.along = search_square_ > 0 ? products.residual_image / search_square_ : 0;
  return search;
}

/// Goes along the direction, turned so that its image is orthogonal to the last one, to where the residual is smallest;
/// returns the square of the residual there.
double VelocitySolve::minimise(const Problem& p) {
  const std::span<const Block> blocks = p.neighbourhood.blocks();
  const PairLoops& loops = p.neighbourhood.loops();
  const SolveVectors all = vectors();
  PairSpace space = p.neighbourhood.pair_space();
  space.records = records_.data();
  const SolveProducts products = sum_over_blocks<SolveProducts>(
      blocks.size(),
      [&](std::size_t b) {
        const Index begin = blocks[b].begin;
        loops.multiply(space, blocks[b], coefficients(b),
                       {image_.x.data() + begin, image_.y.data() + begin, image_.z.data() + begin});
        return loops.project(blocks[b], all, p.dt);
      },
      add_products);
  const Search search = next_search(products);
  return sum_over_blocks<double>(
      blocks.size(),
      [&](std::size_t b) {
        return loops.advance(blocks[b], all, static_cast<float>(search.along), static_cast<float>(search.conjugation));
      },
      [](double& sum, double part) { sum += part; });
}

/// Makes the mean residual of each object the next direction, if its square is worthwhile.
void VelocitySolve::take_mean_motion(const Problem& p, double worthwhile) {
  const std::span<const Block> blocks = p.neighbourhood.blocks();
  const Slots slots = p.neighbourhood.slots();
  const auto object = p.particles[columns::object];
  /// Sums over consecutive particles of one object.
  struct Run {
    Index object;
    Vec3d sum = Vec3d::Zero();
    double mass = 0;
  };
  std::vector<std::vector<Run>> runs(blocks.size());
  parallel_chunks(blocks.size(), [&](std::size_t b) {
    for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
      const Index o = object[slots.particle(k)];
      if (runs[b].empty() || runs[b].back().object != o) runs[b].push_back({o});
      runs[b].back().sum += static_cast<double>(mass_[k]) * residual_[k].cast<double>();
      runs[b].back().mass += mass_[k];
    }
  });
  std::vector<Run> all;
  for (const auto& of_block : runs)
    for (const Run& run : of_block) {
      if (run.object >= all.size()) all.resize(run.object + 1);
      all[run.object].sum += run.sum;
      all[run.object].mass += run.mass;
    }
  double of_means = 0;
  for (const Run& run : all) of_means += run.sum.squaredNorm() / std::max(run.mass, 1e-300);
  if (!(of_means > worthwhile)) return;
  parallel_chunks(blocks.size(), [&](std::size_t b) {
    for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
      const Run& of_object = all[object[slots.particle(k)]];
      const Vec3 mean = (of_object.sum / std::max(of_object.mass, 1e-300)).cast<float>();
      direction_.set(k, member_[k] ? mean : Vec3(Vec3::Zero()));
      show(records_[k], direction_[k]);
    }
  });
}

VelocitySolve::Result VelocitySolve::solve(const Neighbourhood& neighbourhood, const PairFormulas& formulas,
                                           Particles& particles, float dt) {
  const Problem problem{neighbourhood, formulas, particles, dt};
  find_members(problem);
  choose_frame(problem);
  Squares squares = start(problem);
  const double enough = tolerance * tolerance * squares.change + rounding * rounding * squares.rounding;
  const bool may_have_levels = std::ranges::count(member_, 1) >= fewest_with_levels &&
                               !neighbourhood.pair_space().periodic && steps_with_levels_ >= 0;
  bool levels = may_have_levels && steps_with_levels_ > 0 && squares.residual > enough;
  int without = 0;
  steps_with_levels_ -= (steps_with_levels_ > 0) - (steps_with_levels_ < 0);
  if (levels) begin_levels(problem);
  Result result;
  while (result.iterations != most_iterations && squares.residual > 0) {
    const double before = squares.residual;
    if (levels) {
      squares.residual = minimise_with_levels(problem);
    } else {
      const bool far = squares.residual > far_off * far_off * enough;
      if (result.iterations == 0 && far) take_mean_motion(problem, worthwhile_part * squares.residual);
      if (result.iterations == 1) take_mean_motion(problem, worthwhile_mean * squares.residual);
      squares.residual = minimise(problem);
      ++without;
    }
    ++result.iterations;
    if (squares.residual <= enough) break;
    if (levels || !may_have_levels || std::ranges::find(asked_at, without) == std::end(asked_at)) continue;
    iterations_saved_ = iterations_left(squares.residual / before, enough / squares.residual);
    if (iterations_saved_ > time_of_levels(levels_expected(enough / squares.residual))) {
      levels = true;
      steps_with_levels_ = steps_until_asked_again;
      begin_levels(problem);
    }
  }
  if (levels && time_of_levels(result.iterations - without) > too_long * iterations_saved_)
    steps_with_levels_ = -steps_until_asked_again;
  result.error = squares.change > 0 ? std::sqrt(squares.residual / squares.change) : 0.0;
  finish(problem, result);
  return result;
}

void VelocitySolve::finish(const Problem& p, Result& result) const {
  const Slots slots = p.neighbourhood.slots();
  const std::span<const Record> before = p.neighbourhood.padded_records();
  const auto given = p.particles[columns::velocity], a = p.particles[columns::acceleration];
  const auto left = p.particles[columns::solve_remainder];
  const auto solved = p.particles[columns::solved];
  const auto R = p.particles[columns::support];
  const auto blocks = p.neighbourhood.blocks();
  const float inverse_step = 1 / p.dt;
  /// Largest square of a velocity's change over the support.
  struct Fastest {
    float change = 0;
    Index particle = 0;
  };
  const Fastest fastest = sum_over_blocks<Fastest>(
      blocks.size(),
      [&](std::size_t b) {
        Fastest of_block;
        for (Index k = blocks[b].begin; k != blocks[b].end; ++k) {
          if (!member_[k]) continue;
          const Index i = slots.particle(k);
          const Vec3 now = v_[k] + frame_, r = residual_[k];
          // By all forces at the new velocities: v + r = v* + dt A(v).
          a[i] += inverse_step * ((now - given[i]) + r);
          given[i] = now;
          left[i] = r;
          solved[i] = 1;
          const float change = (now - velocity_of(before[k])).squaredNorm() / (R[i] * R[i]);
          if (change > of_block.change) of_block = {change, i};
        }
        return of_block;
      },
      [](Fastest& all, const Fastest& block) {
        if (block.change > all.change) all = block;
      });
  if (fastest.change > 0) result.longest_step = acceleration_step * std::sqrt(p.dt / std::sqrt(fastest.change));
  result.fastest = fastest.particle;
}

PairSpace VelocitySolve::space_at_solution(const Neighbourhood& neighbourhood) {
  parallel_for(mass_.size(), [&](std::size_t k) { show(records_[k], v_[k]); });
  PairSpace space = neighbourhood.pair_space();
  space.records = records_.data();
  for (int axis = 0; axis != 3; ++axis) space.frame[axis] = frame_[axis];
  return space;
}

}  // namespace fondue
