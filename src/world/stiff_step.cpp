#include "world/stiff_step.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace fondue {

namespace {

constexpr std::size_t stiff_slices_per_block = 32;
/// Iterations end when what is left is this part of the change of velocity in the step, or of one that is this part
/// of what the held accelerations make.
constexpr double part_left = 0.05, least_change = 0.02;
/// How far a direction is tried, in supports.
constexpr float try_over_support = 0.01f;
/// The diagonal of B - 1 over (dt c/dx)^2, dx/c being two substeps.
constexpr float diagonal_of_stiffness = 2.3f / 4;
constexpr int most_iterations_of_stiff = 300, most_rounds = 8;
/// `automatic`: an iteration takes as long as this many substeps; what may be lost of elastic motions in a step, in
/// spacings; the height of bounces that are given up, in spacings.
constexpr float substeps_of_iteration = 1.5f, lost_over_spacing = 0.01f, bounce_over_spacing = 0.5f;
}  // namespace

void StiffStep::Hold::add(Vec3 normal, const Vec3& its_velocity, bool presses, Index of) {
  if (count == 3) return;
  for (int c = 0; c != count; ++c) normal -= normal.dot(direction[c]) * direction[c];
  const float length = normal.norm();
  if (length < 0.1f) return;
  direction[count] = normal / length;
  velocity[count] = its_velocity.dot(direction[count]);
  body[count] = of;
  ++count;
  if (presses) pressed = count;
}

StiffStep::StiffStep(const Matter& matter, std::vector<Hold> pinned, std::span<const Index> near, FindHold find)
    : m_(matter),
      first_(SliceOrder::width * matter.part.begin),
      size_(SliceOrder::width * (matter.part.end - matter.part.begin)),
      holds_(std::move(pinned)),
      near_(near),
      find_(std::move(find)) {
  for (Vectors* values : {&displacement_, &before_, &pushed_to_, &forces_, &w_, &residual_, &free_, &next_, &direction_,
                          &image_, &tried_})
    values->assign(size_, Vec3::Zero());
  mass_.assign(size_, 0.0f);
  const SubstepSpace& s = m_.space;
  parallel_for(size_, [&](std::size_t k) {
    const std::size_t p = first_ + k;
    displacement_[k] = Vec3(s.u[0][p], s.u[1][p], s.u[2][p]);
    if (!(s.inverse_mass[p] > 0)) return;
    mass_[k] = 1 / s.inverse_mass[p];
    before_[k] = Vec3(s.v[0][p], s.v[1][p], s.v[2][p]);
    pushed_to_[k] = before_[k] + m_.dt * Vec3(s.held[0][p], s.held[1][p], s.held[2][p]);
  });
}

Vec3d StiffStep::place_of(std::size_t k) const {
  const SubstepSpace& s = m_.space;
  const std::size_t p = first_ + k;
  return {s.x[0][p], s.x[1][p], s.x[2][p]};
}

void StiffStep::show(const Vectors& velocity, const Vectors& displacement) const {
  const SubstepSpace& s = m_.space;
  parallel_for(size_, [&](std::size_t k) {
    const std::size_t p = first_ + k;
    const Vec3 &u = displacement[k], &v = velocity[k];
    SubstepRecord& record = s.records[p];
    record.ux = u.x();
    record.uy = u.y();
    record.uz = u.z();
    record.vx = v.x();
    record.vy = v.y();
    record.vz = v.z();
    for (int c = 0; c != 3; ++c) {
      s.u[c][p] = u[c];
      s.v[c][p] = v[c];
      s.a[c][p] = 0;
    }
  });
}

/// f/m of the header after a step with these velocities.
void StiffStep::find_accelerations(const Vectors& velocity, Vectors& into) {
  const SubstepSpace& s = m_.space;
  parallel_for(size_, [&](std::size_t k) { image_[k] = displacement_[k] + m_.dt * velocity[k]; });
  show(velocity, image_);
  const auto for_all_slices = [&](auto&& loop) {
    parallel_blocks(m_.part.end - m_.part.begin, stiff_slices_per_block, [&](std::size_t begin, std::size_t end) {
      loop(s, m_.formulas, m_.part.begin + static_cast<Index>(begin), m_.part.begin + static_cast<Index>(end));
    });
  };
  for_all_slices(m_.loops.gather);
  for_all_slices(m_.loops.forces);
  parallel_for(size_, [&](std::size_t k) {
    const std::size_t p = first_ + k;
    into[k] = mass_[k] > 0 ? Vec3(s.a[0][p], s.a[1][p], s.a[2][p]) : Vec3(Vec3::Zero());
  });
}

/// B d
void StiffStep::apply(const Vectors& d, Vectors& image) {
  const float fastest = largest(d);
  const float scale = fastest > 0 ? try_over_support * m_.support / (m_.dt * fastest) : 0.0f;
  parallel_for(size_, [&](std::size_t k) { tried_[k] = before_[k] + scale * d[k]; });
  find_accelerations(tried_, image);
  const float factor = scale > 0 ? m_.dt / scale : 0.0f;
  parallel_for(size_, [&](std::size_t k) { image[k] = d[k] - factor * (image[k] - forces_[k]); });
}

void StiffStep::prepare_levels() {
  const float diagonal = 1 + diagonal_of_stiffness * m_.substeps * m_.substeps;
  inverse_diagonal_.assign(size_, 1 / diagonal);
  no_walls_.assign(size_, 0.0f);
  records_.resize(size_);
  for (std::size_t k = 0; k != size_; ++k) {
    const Vec3d x = place_of(k);
    records_[k].x = static_cast<float>(x.x());
    records_[k].y = static_cast<float>(x.y());
    records_[k].z = static_cast<float>(x.z());
  }
  for (int c = 0; c != 3; ++c) {
    from_[c].resize(size_);
    into_[c].resize(size_);
  }
  level_matter_ = {records_, mass_.data(), inverse_diagonal_.data(), {}, m_.dt, m_.support};
  level_matter_.walls.fill(no_walls_.data());
  levels_.prepare(level_matter_);
}

void StiffStep::precondition(const Vectors& from, Vectors& into) {
  parallel_for(size_, [&](std::size_t k) {
    for (int c = 0; c != 3; ++c) {
      from_[c][k] = from[k][c];
      into_[c][k] = inverse_diagonal_[k] * from[k][c];
    }
  });
  const float* const residual[3] = {from_[0].data(), from_[1].data(), from_[2].data()};
  float* const direction[3] = {into_[0].data(), into_[1].data(), into_[2].data()};
  levels_.add(level_matter_, residual, direction);
  parallel_for(size_, [&](std::size_t k) {
    into[k] = mass_[k] > 0 ? Vec3(into_[0][k], into_[1][k], m_.space.plane ? 0.0f : into_[2][k]) : Vec3(Vec3::Zero());
  });
  leave_free(into);
}

/// Takes out what is held.
void StiffStep::leave_free(Vectors& values) const {
  for (const Hold& hold : holds_) {
    Vec3& value = values[hold.place - first_];
    for (int c = 0; c != hold.count; ++c) value -= value.dot(hold.direction[c]) * hold.direction[c];
  }
}

void StiffStep::give_held_velocities(Vectors& to) const {
  for (const Hold& hold : holds_) {
    Vec3& v = to[hold.place - first_];
    for (int c = 0; c != hold.count; ++c) v += (hold.velocity[c] - v.dot(hold.direction[c])) * hold.direction[c];
  }
}

bool StiffStep::hold_what_enters(const Vectors& velocity) {
  std::vector<std::uint8_t> held(size_, 0);
  for (const Hold& hold : holds_) held[hold.place - first_] = 1;
  const std::size_t before = holds_.size();
  for (const Index place : near_) {
    if (held[place - first_]) continue;
    Hold hold{.place = place};
    const Vec3& v = velocity[place - first_];
    find_(displacement_[place - first_] + m_.dt * v, v, hold);
    if (hold.count != 0) holds_.push_back(hold);
  }
  return holds_.size() != before;
}

bool StiffStep::let_go_what_is_pulled() {
  return std::erase_if(holds_, [&](const Hold& hold) {
           for (int c = 0; c != hold.pressed; ++c)
             if (residual_[hold.place - first_].dot(hold.direction[c]) > 0) return true;
           return false;
         }) != 0;
}

double StiffStep::product(const Vectors& a, const Vectors& b) const {
  return parallel_reduce(
      size_, 0.0, [&](std::size_t k) { return static_cast<double>(mass_[k]) * static_cast<double>(a[k].dot(b[k])); },
      std::plus<>());
}

float StiffStep::largest(const Vectors& values) const {
  return std::sqrt(parallel_reduce(
      size_, 0.0f, [&](std::size_t k) { return values[k].squaredNorm(); },
      [](float a, float b) { return std::max(a, b); }));
}

std::vector<StiffStep::RigidMotion> StiffStep::rigid_motions(const Vectors& velocity) const {
  struct Sums {
    bool held = false;
    double mass = 0;
    Vec3d moved = Vec3d::Zero(), momentum = Vec3d::Zero(), moment = Vec3d::Zero();
    Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  };
  std::vector<Sums> sums;
  for (std::size_t k = 0; k != size_; ++k) {
    const Index piece = m_.pieces[first_ + k];
    if (piece == SliceOrder::none) continue;
    if (piece >= sums.size()) sums.resize(piece + 1);
    Sums& sum = sums[piece];
    const double m = mass_[k];
    const Vec3d x = place_of(k), v = velocity[k].cast<double>();
    sum.mass += m;
    sum.moved += m * x;
    sum.momentum += m * v;
    sum.moment += m * x.cross(v);
    sum.second += m * x * x.transpose();
  }
  for (const Hold& hold : holds_) sums[m_.pieces[hold.place]].held = true;
  std::vector<RigidMotion> motions;
  for (const Sums& sum : sums) {
    RigidMotion& motion = motions.emplace_back(RigidMotion{Vec3d::Zero(), Vec3d::Zero(), Vec3d::Zero()});
    if (sum.held || !(sum.mass > 0)) continue;
    motion.centre = sum.moved / sum.mass;
    motion.velocity = sum.momentum / sum.mass;
    Vec3d moment = sum.moment - motion.centre.cross(sum.momentum);
    const Eigen::Matrix3d second = sum.second - sum.mass * motion.centre * motion.centre.transpose();
    if (m_.space.plane) {
      motion.spin = Vec3d(0, 0, moment.z() / (second(0, 0) + second(1, 1)));
      continue;
    }
    // A straight row of particles has no inertia about itself, and no moment.
    Eigen::Matrix3d inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
    inertia.diagonal().array() += 1e-9 * inertia.trace();
    motion.spin = inertia.ldlt().solve(moment);
  }
  return motions;
}

/// Gives what nothing holds the momenta of v*, about the places before the step: with the motion by w that follows,
/// both stay exact.
void StiffStep::keep_momenta() {
  parallel_for(size_, [&](std::size_t k) { tried_[k] = pushed_to_[k] - w_[k]; });
  const std::vector<RigidMotion> motions = rigid_motions(tried_);
  parallel_for(size_, [&](std::size_t k) {
    if (!(mass_[k] > 0)) return;
    const Vec3 v = motions[m_.pieces[first_ + k]].at(place_of(k));
    w_[k] += v;
    residual_[k] -= v;
  });
}

/// Whether something held meets what holds it fast enough to bounce visibly.
bool StiffStep::meets_fast() const {
  float fastest = 0;
  for (const Hold& hold : holds_)
    for (int c = 0; c != hold.pressed; ++c)
      fastest = std::max(fastest, hold.velocity[c] - before_[hold.place - first_].dot(hold.direction[c]));
  const double mass = parallel_reduce(
      size_, 0.0, [&](std::size_t k) { return static_cast<double>(mass_[k]); }, std::plus<>());
  const double acceleration = std::sqrt(pushed_ / std::max(mass, 1e-300)) / static_cast<double>(m_.dt);
  return static_cast<double>(fastest * fastest) >
         2 * acceleration * static_cast<double>(bounce_over_spacing * m_.spacing);
}

/// Whether what the preconditioner makes of the residual is small enough.
bool StiffStep::converged() const {
  const double change = parallel_reduce(
      size_, 0.0,
      [&](std::size_t k) {
        return static_cast<double>(mass_[k]) * static_cast<double>((w_[k] - before_[k]).squaredNorm());
      },
      std::plus<>());
  const double enough = part_left * part_left * std::max(change, least_change * least_change * pushed_);
  return product(next_, next_) <= enough;
}

/// Conjugate gradients until what is left is small; false if substeps are better.
bool StiffStep::iterate(bool automatic) {
  const float most = automatic ? std::min(m_.substeps / substeps_of_iteration, 1.0f * most_iterations_of_stiff)
                               : 1.0f * most_iterations_of_stiff;
  const auto find_next = [&] {
    free_ = residual_;
    leave_free(free_);
    precondition(free_, next_);
    return product(free_, next_);
  };
  double square = find_next();
  if (automatic && iterations_ == 0 && 0.5f * m_.dt * largest(next_) > lost_over_spacing * m_.spacing) return false;
  if (converged()) return true;
  direction_ = next_;
  while (square > 0) {
    if (static_cast<float>(iterations_) >= most) return !automatic;
    apply(direction_, image_);
    ++iterations_;
    const double curvature = product(direction_, image_);
    if (!(curvature > 0)) break;
    const float along = static_cast<float>(square / curvature);
    parallel_for(size_, [&](std::size_t k) {
      w_[k] += along * direction_[k];
      residual_[k] -= along * image_[k];
    });
    const double last = square;
    square = find_next();
    if (converged()) break;
    const float conjugation = static_cast<float>(square / last);
    parallel_for(size_, [&](std::size_t k) { direction_[k] = next_[k] + conjugation * direction_[k]; });
  }
  return true;
}

bool StiffStep::solve(bool automatic) {
  const Vectors v = before_;
  const auto undo = [&] {
    show(v, displacement_);
    return false;
  };
  parallel_for(size_, [&](std::size_t k) { tried_[k] = pushed_to_[k] - before_[k]; });
  pushed_ = product(tried_, tried_);
  hold_what_enters(pushed_to_);
  if (automatic && meets_fast()) return false;
  give_held_velocities(before_);
  w_ = before_;
  find_accelerations(before_, forces_);
  parallel_for(size_, [&](std::size_t k) {
    if (mass_[k] > 0) residual_[k] = pushed_to_[k] - before_[k] + m_.dt * forces_[k];
  });
  keep_momenta();
  prepare_levels();
  for (int round = 0; round != most_rounds; ++round) {
    if (!iterate(automatic)) return undo();
    const bool gone = let_go_what_is_pulled(), come = hold_what_enters(w_);
    if (!gone && !come) break;
    if (automatic && come && meets_fast()) return undo();
    tried_ = w_;
    give_held_velocities(w_);
    parallel_for(size_, [&](std::size_t k) { direction_[k] = w_[k] - tried_[k]; });
    apply(direction_, image_);
    parallel_for(size_, [&](std::size_t k) { residual_[k] -= image_[k]; });
  }
  before_ = v;
  finish();
  return true;
}

void StiffStep::finish() {
  keep_momenta();
  parallel_for(size_, [&](std::size_t k) { tried_[k] = w_[k] - before_[k]; });
  const std::vector<RigidMotion> gained = rigid_motions(tried_);
  parallel_for(size_, [&](std::size_t k) {
    if (mass_[k] > 0) displacement_[k] -= 0.5f * m_.dt * gained[m_.pieces[first_ + k]].at(place_of(k));
  });
  show(w_, displacement_);
  const SubstepSpace& s = m_.space;
  parallel_for(size_, [&](std::size_t k) {
    for (int c = 0; c != 3; ++c) s.a[c][first_ + k] = (residual_[k][c] + w_[k][c] - pushed_to_[k][c]) / m_.dt;
  });
}

}  // namespace fondue
