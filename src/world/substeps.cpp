#include "world/substeps.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/parallel.h"

namespace fondue {

namespace {

constexpr Index width = SliceOrder::width;
/// One thread takes this many slices at a time.
constexpr Index slices_per_block = 32;

template <class Body>
void for_slices(const SliceOrder::Part& part, Body&& body) {
  parallel_blocks(part.end - part.begin, slices_per_block, [&](std::size_t begin, std::size_t end) {
    body(part.begin + static_cast<Index>(begin), part.begin + static_cast<Index>(end));
  });
}

/// How far from solids matter is stopped, and the last guard against passing them, in spacings.
constexpr float stop_of_solids = 0.5f, stop_of_sheets = 0.3f, guard_over_stop = 0.8f;

}  // namespace

void Substeps::prepare(Particles& particles, std::span<const Actor> actors, const Setting& setting) {
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

void Substeps::load(Particles& particles, const Setting& setting) {
  companions_.clear();
  records_.clear();
  load_places(particles, setting);
}

/// Places that are not loaded yet.
void Substeps::load_places(Particles& particles, const Setting& setting) {
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
  lengthen(touches_, std::vector<SheetContact>());
  for (int c = 0; c != 3; ++c) {
    lengthen(v_[c], 0.0f);
    lengthen(f_[c], 0.0f);
  }
  parallel_for(size - loaded, [&](std::size_t k) {
    const std::size_t p = loaded + k;
    const Index i = particle_in(static_cast<Index>(p));
    if (i == none) return;
    const Vec3 lost = p < order_.places() ? rest[i] : Vec3(Vec3::Zero());
    records_[p] = {x[i].x(), x[i].y(), x[i].z(), 0, lost.x(), lost.y(), lost.z(), 0};
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

void Substeps::evaluate(const Setting& setting, const SliceOrder::Part& part) {
  for_slices(part, [&](Index begin, Index end) { setting.loops.gather(space_, formulas_, begin, end); });
  for_slices(part, [&](Index begin, Index end) {
    for (std::vector<float>& f : f_) std::fill(f.begin() + width * begin, f.begin() + width * end, 0.0f);
    setting.loops.forces(space_, formulas_, begin, end);
  });
}

void Substeps::drift(Particles& particles, const Setting& setting, std::span<const SliceOrder::Part> parts, double from,
                     double to) {
  const auto R = particles[columns::support], m = particles[columns::mass];
  const auto id = particles[columns::id], object = particles[columns::object];
  const auto additional = optional_column(particles, columns::drift);
  const auto clearance = optional_column(particles, columns::clearance);
  const auto thickness = optional_column(particles, columns::thickness);
  const auto pin = optional_column(particles, columns::pin);
  const auto pin_place = optional_column(particles, columns::pin_place);
  const std::vector<Pose> poses = setting.pins.poses(to);
  const Bodies& bodies = setting.confinement.bodies;
  const bool solids = bodies.size() != 0;
  const Bodies::Interval interval = bodies.interval(from, to);
  const float h = static_cast<float>(to - from);
  const Index number = ++drifts_;
  const Bodies::Nearby all_bodies = bodies.all(interval);
  /// The bodies that particles of consecutive places may meet or come near to.
  const auto nearby = [&](Index begin, Index end) {
    if (!interval.worth_selecting) return all_bodies;
    Box starts;
    float farthest = 0;
    for (Index p = begin; p != end; ++p) {
      const Index i = particle_in(p);
      if (i == none) continue;
      const SubstepRecord& record = records_[p];
      starts.add(Vec3(record.x + record.ux, record.y + record.uy, record.z + record.uz));
      Vec3 path = h * Vec3(v_[0][p], v_[1][p], v_[2][p]);
      if (!additional.empty()) path += h * additional[i];
      farthest = std::max(farthest, path.norm() + R[i]);
    }
    return bodies.nearby(interval, starts, farthest);
  };
  const auto move = [&](Index p, Index i, const Bodies::Nearby& near, Impacts& impacts, std::vector<Touch>& touches) {
    SubstepRecord& record = records_[p];
    const Vec3 x(record.x, record.y, record.z), before(record.ux, record.uy, record.uz);
    Vec3 u = before, v(v_[0][p], v_[1][p], v_[2][p]);
    if (!pin.empty() && pin[i] != 0) {
      const Pose& pose = poses[pin[i] - 1];
      u = (pose.rotation * pin_place[i].cast<double>() + pose.position - x.cast<double>()).cast<float>();
      v = (u - before) / h;
    } else {
      const Vec3 more = additional.empty() ? Vec3(Vec3::Zero()) : Vec3(h * additional[i]);
      const bool sheet = !thickness.empty() && thickness[i] > 0;
      // Fluids are kept off solids by their pressure.
      const bool stopped = p < order_.places() || sheet;
      const float distance = (stopped ? (sheet ? stop_of_sheets : stop_of_solids) : 0) * R[i] / setting.support_ratio;
      u += h * v + more;
      if (solids && stopped && (clearance.empty() || !(clearance[i] > distance + (u - before).norm()))) {
        // In a corner it is passed from wall to wall.
        for (int round = 0; round != 3; ++round) {
          touches.clear();
          if (!bodies.stop(near, x + u, v, distance, &impacts, sheet ? setting.friction[object[i]] : 0,
                           sheet ? &touches : nullptr))
            break;
          u = before + h * v + more;
        }
        if (sheet) touch(p, touches);
      } else if (sheet) {
        touch(p, {});
      }
      if (solids) {
        const Vec3 start = x + before, free = x + u;
        Vec3 at = free;
        if (clearance.empty())
          bodies.guard(near, start, at, v, guard_over_stop * distance, &impacts);
        else
          bodies.guard_with_clearance(near, start, at, v, clearance[i], guard_over_stop * distance, &impacts);
        if (at != free) u = at - x;
        setting.confinement.impulses.add(impacts, id[i], m[i], number);
      }
    }
    if (setting.confinement.dimension == 2) u.z() = v.z() = 0;
    record.ux = u.x();
    record.uy = u.y();
    record.uz = u.z();
    for (int c = 0; c != 3; ++c) v_[c][p] = v[c];
  };
  for (const SliceOrder::Part& part : parts)
    for_slices(part, [&](Index begin, Index end) {
      Impacts impacts;
      std::vector<Touch> touches;
      const Bodies::Nearby near = nearby(width * begin, width * end);
      for (Index p = width * begin; p != width * end; ++p)
        if (const Index i = order_.particle[p]; i != none) move(p, i, near, impacts, touches);
    });
  parallel_blocks(companions_.size(), width * slices_per_block, [&](std::size_t begin, std::size_t end) {
    Impacts impacts;
    std::vector<Touch> touches;
    const Index first = order_.places();
    const Bodies::Nearby near = nearby(first + static_cast<Index>(begin), first + static_cast<Index>(end));
    for (std::size_t k = begin; k != end; ++k)
      move(first + static_cast<Index>(k), companions_[k], near, impacts, touches);
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
    if (allowed < limit_.seconds) limit_ = {allowed, part.object, limit_.substep};
    limit_.substep = std::min(limit_.substep, longest);
  }
}

void Substeps::find_limit(Particles& particles, std::span<const Actor> actors, const Setting& setting) {
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
  if (order_.places() == 0 && setting.sheets.empty()) return true;
  if (!setting.sheets.empty())
    advance_with_sheets(particles, setting, from, to);
  else
    for (const SliceOrder::Part& part : order_.parts) advance_parts(particles, setting, {&part, 1}, from, to);
  moved_.assign(particles.size(), 0);
  for (Index p = 0; p != places(); ++p)
    if (const Index i = particle_in(p); i != none) moved_[i] = 1;
  return store(particles, setting, static_cast<float>(to - from));
}

bool Substeps::advance_parts(Particles& particles, const Setting& setting, std::span<const SliceOrder::Part> parts,
                             double from, double to) {
  double longest = infinity;
  for (const SliceOrder::Part& part : parts)
    longest = std::min(longest, static_cast<double>(setting.step_factor * longest_[part.object]));
  const Index n = static_cast<Index>(std::max(1.0, std::ceil((to - from) / longest - 1e-6)));
  const auto time = [&](double substep) { return substep == n ? to : from + (to - from) * substep / n; };
  const float h = static_cast<float>((to - from) / n);
  most_ = std::max(most_, n);
  drift(particles, setting, parts, from, time(0.5));
  if (!keep_apart(setting, from, time(0.5))) return false;
  for (Index k = 0; k != n; ++k) {
    for (const SliceOrder::Part& part : parts) evaluate(setting, part);
    kick(particles, parts, h);
    press_on_sheets(particles, setting, static_cast<double>(h));
    const double begin = time(k + 0.5), end = time(std::min(k + 1.5, static_cast<double>(n)));
    drift(particles, setting, parts, begin, end);
    if (!keep_apart(setting, begin, end)) return false;
  }
  return true;
}

std::vector<Vec3> Substeps::accelerations(Particles& particles, std::span<const Actor> actors, const Setting& setting) {
  prepare(particles, actors, setting);
  std::vector<Vec3> result(particles.size(), Vec3::Zero());
  for (const SliceOrder::Part& part : order_.parts) evaluate(setting, part);
  for (Index p = 0; p != order_.places(); ++p)
    if (const Index i = order_.particle[p]; i != none && mobility_[p] > 0)
      result[i] = Vec3(f_[0][p], f_[1][p], f_[2][p]);
  return result;
}

}  // namespace fondue
