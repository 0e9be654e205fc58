#include "world/substeps.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/parallel.h"

namespace fondue {

void Substeps::prepare(const Particles& particles, std::span<const Actor> actors, const Setting& setting) {
  std::vector<const BondSet*> sets;
  std::vector<std::uint64_t> revisions;
  for (const Actor& actor : actors) {
    sets.push_back(&particles.bonds(actor.behaviour->info().substep_bonds));
    revisions.push_back(sets.back()->revision());
  }
  const bool renewed = revisions != revisions_;
  if (renewed) {
    order_ = SliceOrder(sets, particles[columns::object]);
    slices_.clear();
    for (const BondSet* set : sets) slices_.emplace_back(*set, order_);
    revisions_ = revisions;
  }
  longest_.assign(setting.friction.size(), infinity);
  formulas_ = {};
  for (std::size_t k = 0; k != actors.size(); ++k)
    actors[k].behaviour->begin_substeps({particles, *actors[k].properties, setting.confinement.dimension,
                                         setting.support_ratio, order_, slices_[k], renewed, longest_},
                                        formulas_);
  load(particles, setting);
}

void Substeps::load(const Particles& particles, const Setting& setting) {
  companions_.clear();
  records_.clear();
  load_places(particles, setting);
}

/// Places that are not loaded yet.
void Substeps::load_places(const Particles& particles, const Setting& setting) {
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const auto a = particles[columns::acceleration], rest = particles[columns::position_rest];
  const auto m = particles[columns::mass];
  const auto solved = optional_column(particles, columns::solved);
  const auto pin = optional_column(particles, columns::pin);
  const std::size_t loaded = records_.size(), size = places();
  const auto lengthen = [&](auto& values, const auto& with) {
    values.resize(loaded);
    values.resize(size, with);
  };
  lengthen(records_, SubstepRecord{});
  lengthen(held_, Vec3(Vec3::Zero()));
  lengthen(inverse_mass_, 0.0f);
  lengthen(mobility_, 0.0f);
  lengthen(touches_, std::vector<Touch>());
  for (int c = 0; c != 3; ++c) {
    lengthen(v_[c], 0.0f);
    lengthen(f_[c], 0.0f);
  }
  parallel_for(size - loaded, [&](std::size_t k) {
    const std::size_t p = loaded + k;
    const Index i = particle_in(static_cast<Index>(p));
    if (i == none) return;
    const Vec3 lost = p < order_.places() ? rest[i] : Vec3(Vec3::Zero());
    records_[p] = {x[i].x(), x[i].y(), x[i].z(), 0, lost.x(), lost.y(), lost.z(), 0, 0, 0, 0, 0};
    for (int c = 0; c != 3; ++c) v_[c][p] = v[i][c];
    // Where velocities are solved for, nothing is predicted (integrator.h).
    if (solved.empty() || !solved[i]) held_[p] = a[i];
    inverse_mass_[p] = 1 / m[i];
    if (pin.empty() || pin[i] == 0) mobility_[p] = inverse_mass_[p];
  });
  bind_space(setting);
}

void Substeps::bind_space(const Setting& setting) {
  const Periodicity& periodicity = setting.confinement.periodicity;
  space_ = {records_.data(),
            v_[0].data(),
            v_[1].data(),
            v_[2].data(),
            inverse_mass_.data(),
            f_[0].data(),
            f_[1].data(),
            f_[2].data(),
            periodicity.any(),
            {},
            {}};
  for (int axis = 0; axis != 3; ++axis) {
    space_.length[axis] = periodicity.axis[axis] ? periodicity.domain.size()[axis] : 0;
    space_.inverse_length[axis] = periodicity.axis[axis] ? 1 / space_.length[axis] : 0;
  }
}

void Substeps::start(const Setting& setting, const SliceOrder::Part& part) {
  for_slices(part, [&](Index begin, Index end) { setting.loops.start(space_, formulas_, begin, end); });
  for_slices(part, [&](Index begin, Index end) { setting.loops.start_forces(space_, formulas_, begin, end); });
}

void Substeps::evaluate(const Setting& setting, const SliceOrder::Part& part) {
  for_slices(part, [&](Index begin, Index end) {
    for (Index p = width * begin; p != width * end; ++p) {
      records_[p].vx = v_[0][p];
      records_[p].vy = v_[1][p];
      records_[p].vz = v_[2][p];
    }
  });
  for_slices(part, [&](Index begin, Index end) { setting.loops.gather(space_, formulas_, begin, end); });
  for_slices(part, [&](Index begin, Index end) {
    for (std::vector<float>& f : f_) std::fill(f.begin() + width * begin, f.begin() + width * end, 0.0f);
    setting.loops.forces(space_, formulas_, begin, end);
  });
}

void Substeps::kick(const Particles& particles, std::span<const SliceOrder::Part> parts, float h) {
  for (const SliceOrder::Part& part : parts)
    for_slices(part, [&](Index begin, Index end) {
      for (Index p = width * begin; p != width * end; ++p)
        if (mobility_[p] > 0)
          for (int c = 0; c != 3; ++c) v_[c][p] += h * (f_[c][p] + held_[p][c]);
    });
  parallel_for(companions_.size(), [&](std::size_t k) {
    const Index p = order_.places() + static_cast<Index>(k);
    if (mobility_[p] > 0)
      for (int c = 0; c != 3; ++c) v_[c][p] += h * held_[p][c];
  });
  if (pin_impulses_.empty()) return;
  const auto pin = particles[columns::pin];
  for (const SliceOrder::Part& part : parts)
    for (Index p = width * part.begin; p != width * part.end; ++p)
      if (const Index i = order_.particle[p]; i != none && pin[i] != 0)
        pin_impulses_[pin[i] - 1] += static_cast<double>(h / inverse_mass_[p]) * Vec3d(f_[0][p], f_[1][p], f_[2][p]);
}

bool Substeps::store(Particles& particles, const Setting& setting, float dt) {
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const auto rest = particles[columns::position_rest];
  const auto R = particles[columns::support];
  const Periodicity& periodicity = setting.confinement.periodicity;
  std::atomic<bool> runaway = false;
  parallel_for(places(), [&](std::size_t p) {
    const Index i = particle_in(static_cast<Index>(p));
    if (i == none) return;
    const Vec3 start = x[i], u(records_[p].ux, records_[p].uy, records_[p].uz);
    x[i] = start + u;
    if (p < order_.places()) rest[i] = u - (x[i] - start);
    if (periodicity.any()) x[i] = periodicity.wrapped(x[i]);
    v[i] = Vec3(v_[0][p], v_[1][p], v_[2][p]);
    const float most = 50 * R[i];
    if (!(dt * dt * v[i].squaredNorm() < most * most)) runaway = true;
  });
  return !runaway;
}

void Substeps::take_limits(const Setting& setting) {
  limit_ = {};
  for (const SliceOrder::Part& part : order_.parts) {
    const float longest = setting.step_factor * longest_[part.object];
    const float allowed = std::max(8 * longest, std::sqrt(0.02f * longest));
    if (allowed < limit_.seconds) limit_ = {allowed, part.object};
  }
}

void Substeps::find_limit(const Particles& particles, std::span<const Actor> actors, const Setting& setting) {
  prepare(particles, actors, setting);
  take_limits(setting);
}

bool Substeps::advance(Particles& particles, std::span<const Actor> actors, const Setting& setting, double from,
                       double to) {
  most_ = 0;
  drifts_ = 0;
  moved_.clear();
  pin_impulses_.assign(setting.pins.count(), Vec3d::Zero());
  find_limit(particles, actors, setting);
  if (order_.places() == 0 && !setting.sheets) return true;
  if (setting.sheets)
    advance_with_sheets(particles, setting, from, to);
  else
    advance_apart(particles, setting, from, to);
  moved_.assign(particles.size(), 0);
  for (Index p = 0; p != places(); ++p)
    if (const Index i = particle_in(p); i != none) moved_[i] = 1;
  return store(particles, setting, static_cast<float>(to - from));
}

/// Every object by itself, but for those that meet rigid bodies.
void Substeps::advance_apart(Particles& particles, const Setting& setting, double from, double to) {
  const std::vector<SliceOrder::Part> near = near_rigid_bodies(particles, setting, from, to);
  if (!near.empty()) advance_parts(particles, setting, near, from, to, true);
  for (const SliceOrder::Part& part : order_.parts)
    if (std::ranges::find(near, part.begin, &SliceOrder::Part::begin) == near.end())
      advance_parts(particles, setting, {&part, 1}, from, to, false);
}

std::vector<SliceOrder::Part> Substeps::near_rigid_bodies(const Particles& particles, const Setting& setting,
                                                          double from, double to) const {
  const Bodies& bodies = setting.confinement.bodies;
  std::vector<Index> dynamic;
  for (const Index b : setting.rigid.indices())
    if (bodies[b].dynamic()) dynamic.push_back(b);
  std::vector<SliceOrder::Part> near;
  if (dynamic.empty()) return near;
  const Bodies::Interval interval = bodies.interval(from, to);
  const auto R = particles[columns::support];
  const float dt = static_cast<float>(to - from);
  for (const SliceOrder::Part& part : order_.parts) {
    Box box;
    float farthest = 0;
    for (Index p = width * part.begin; p != width * part.end; ++p) {
      const Index i = order_.particle[p];
      if (i == none) continue;
      box.add(Vec3(records_[p].x, records_[p].y, records_[p].z));
      farthest = std::max(farthest, R[i] + 2 * dt * Vec3(v_[0][p], v_[1][p], v_[2][p]).norm());
    }
    box = box.grown(farthest + interval.farthest);
    if (std::ranges::any_of(dynamic, [&](Index b) { return overlap(box, interval.reach[b]); })) near.push_back(part);
  }
  return near;
}

Index Substeps::substeps_of(const Setting& setting, std::span<const SliceOrder::Part> parts, double seconds,
                            bool with_bodies) const {
  double longest = infinity;
  for (const SliceOrder::Part& part : parts)
    longest = std::min(longest, static_cast<double>(setting.step_factor * longest_[part.object]));
  if (with_bodies) longest *= setting.rigid.substep_factor();
  return static_cast<Index>(std::max(1.0, std::ceil(seconds / longest - 1e-6)));
}

bool Substeps::advance_parts(Particles& particles, const Setting& setting, std::span<const SliceOrder::Part> parts,
                             double from, double to, bool with_bodies) {
  const Index n = substeps_of(setting, parts, to - from, with_bodies);
  const auto time = [&](double substep) { return substep == n ? to : from + (to - from) * substep / n; };
  const float h = static_cast<float>((to - from) / n);
  most_ = std::max(most_, n);
  for (const SliceOrder::Part& part : parts) start(setting, part);
  double compared = from;
  const auto move = [&](Index number, double begin, double end, float kicked) {
    const std::size_t before = setting.confinement.impulses.count();
    drift(particles, setting, parts, begin, end);
    if (number == n || (number + 1) % between_comparisons_ == 0) {
      if (!keep_apart(setting, compared, end, to - end)) return false;
      compared = end;
    }
    if (!with_bodies) return true;
    const auto pushed = setting.confinement.impulses.since(before, setting.confinement.bodies.size());
    for (const Index b : setting.rigid.indices())
      setting.rigid.push_within(b, pushed[b].impulse, pushed[b].moment, end, kicked);
    return true;
  };
  if (with_bodies) setting.rigid.begin_substeps(from);
  if (!move(0, from, time(0.5), 0)) return false;
  for (Index k = 0; k != n; ++k) {
    for (const SliceOrder::Part& part : parts) evaluate(setting, part);
    kick(particles, parts, h);
    const double begin = time(k + 0.5), end = time(std::min(k + 1.5, static_cast<double>(n)));
    press_on_sheets(particles, setting, end - begin);
    if (!move(k + 1, begin, end, h)) return false;
  }
  if (with_bodies) setting.rigid.end_substeps();
  return true;
}

void Substeps::find_energies(const Particles& particles, std::span<const Actor> actors, const Setting& setting) {
  prepare(particles, actors, setting);
  for (const SliceOrder::Part& part : order_.parts) {
    start(setting, part);
    for_slices(part, [&](Index begin, Index end) { setting.loops.energies(space_, formulas_, begin, end); });
  }
}

std::vector<Vec3> Substeps::accelerations(const Particles& particles, std::span<const Actor> actors,
                                          const Setting& setting) {
  prepare(particles, actors, setting);
  std::vector<Vec3> result(particles.size(), Vec3::Zero());
  for (const SliceOrder::Part& part : order_.parts) {
    start(setting, part);
    evaluate(setting, part);
  }
  for (Index p = 0; p != order_.places(); ++p)
    if (const Index i = order_.particle[p]; i != none && mobility_[p] > 0)
      result[i] = Vec3(f_[0][p], f_[1][p], f_[2][p]);
  return result;
}

}  // namespace fondue
