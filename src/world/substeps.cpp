#include "world/substeps.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/parallel.h"

namespace fondue {

namespace {

/// Whether an active formula finds something before the substeps of a step (StartSums of substep_formula.h).
bool find_something(const SubstepFormulas& formulas) {
  bool any = false, all_idle = true;
  [&]<class... G>(TypeList<G...>) {
    ((
         all_idle &= !formulas.get<G>().active,
         any |= formulas.get<G>().active && requires { typename G::template StartSums<float>; }),
     ...);
  }(SubstepFormulas::All{});
  return any || all_idle;
}

Index few_of(const Substeps::Setting& setting) { return setting.sheets ? few_slices_of_sheets : few_slices; }

}  // namespace

void Substeps::prepare(const Particles& particles, std::span<const Actor> actors, const Setting& setting) {
  std::vector<const BondSet*> sets;
  std::vector<std::uint64_t> revisions;
  for (const Actor& actor : actors) {
    sets.push_back(&particles.bonds(actor.behaviour->info().substep_bonds));
    revisions.push_back(sets.back()->revision());
  }
  const bool renewed = revisions != revisions_;
  if (renewed) {
    order_ = SliceOrder(sets, particles[columns::object], particles[columns::id]);
    slices_.clear();
    for (const BondSet* set : sets) slices_.emplace_back(*set, order_);
    revisions_ = revisions;
    pieces_.clear();
  }
  longest_.assign(setting.friction.size(), infinity);
  schemes_.assign(setting.friction.size(), SubstepScheme::substeps);
  formulas_ = {};
  bool restart = renewed;
  for (std::size_t k = 0; k != actors.size(); ++k)
    actors[k].behaviour->begin_substeps(
        {particles, *actors[k].properties, setting.confinement.dimension, setting.support_ratio, order_, slices_[k],
         renewed, longest_, schemes_, restart},
        formulas_);
  if (restart) started_ = false;
  load(particles, setting);
}

void Substeps::load(const Particles& particles, const Setting& setting) {
  const auto x = particles[columns::position];
  const auto R = particles[columns::support];
  const auto pin = optional_column(particles, columns::pin);
  pinned_.assign(order_.slices(), 0);
  clearance_known_.assign(order_.slices(), 1);
  largest_support_.assign(order_.slices(), 0.0f);
  std::atomic<bool> moved = x_[0].size() < order_.places();
  parallel_for(order_.slices(), [&](std::size_t slice) {
    for (Index p = width * static_cast<Index>(slice); p != width * (slice + 1); ++p) {
      const Index i = order_.particle[p];
      if (i == none) continue;
      if (!pin.empty() && pin[i] != 0) pinned_[slice] = 1;
      largest_support_[slice] = std::max(largest_support_[slice], R[i]);
      if (started_ && !moved && Vec3(x_[0][p], x_[1][p], x_[2][p]) != x[i]) moved = true;
    }
  });
  if (moved) started_ = false;
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
  const auto additional = optional_column(particles, columns::drift);
  const std::size_t loaded = records_.size(), size = places();
  const auto lengthen = [&](auto& values, const auto& with) {
    values.resize(loaded);
    values.resize(size, with);
  };
  lengthen(records_, SubstepRecord{});
  lengthen(inverse_mass_, 0.0f);
  lengthen(mobility_, 0.0f);
  if (setting.sheets) lengthen(touches_, std::vector<Touch>());
  for (int c = 0; c != 3; ++c)
    for (std::vector<float>* values : {&x_[c], &u_[c], &v_[c], &f_[c], &held_[c], &additional_[c]})
      lengthen(*values, 0.0f);
  parallel_for(size - loaded, [&](std::size_t k) {
    const std::size_t p = loaded + k;
    Index i = particle_in(static_cast<Index>(p));
    if (i == none) {
      // It is where another one of its slice is, so that it reaches nowhere else.
      i = order_.particle[p / width * width];
      if (i != none)
        for (int c = 0; c != 3; ++c) x_[c][p] = x[i][c];
      return;
    }
    const Vec3 lost = p < order_.places() ? rest[i] : Vec3(Vec3::Zero());
    records_[p] = {x[i].x(), x[i].y(), x[i].z(), 0, lost.x(), lost.y(), lost.z(), 0, v[i].x(), v[i].y(), v[i].z(), 0};
    for (int c = 0; c != 3; ++c) {
      x_[c][p] = x[i][c];
      u_[c][p] = lost[c];
      v_[c][p] = v[i][c];
      // Where velocities are solved for, nothing is predicted (integrator.h).
      if (solved.empty() || !solved[i]) held_[c][p] = a[i][c];
      if (!additional.empty()) additional_[c][p] = additional[i][c];
    }
    inverse_mass_[p] = 1 / m[i];
    if (pin.empty() || pin[i] == 0) mobility_[p] = inverse_mass_[p];
  });
  bind_space(setting);
  if (additional.empty())
    for (const float*& values : space_.additional) values = nullptr;
}

void Substeps::bind_space(const Setting& setting) {
  const Periodicity& periodicity = setting.confinement.periodicity;
  space_.records = records_.data();
  space_.inverse_mass = inverse_mass_.data();
  space_.mobility = mobility_.data();
  space_.plane = setting.confinement.dimension == 2;
  space_.periodic = periodicity.any();
  for (int c = 0; c != 3; ++c) {
    space_.x[c] = x_[c].data();
    space_.u[c] = u_[c].data();
    space_.v[c] = v_[c].data();
    space_.a[c] = f_[c].data();
    space_.held[c] = held_[c].data();
    space_.additional[c] = additional_[c].data();
    space_.length[c] = periodicity.axis[c] ? periodicity.domain.size()[c] : 0;
    space_.inverse_length[c] = periodicity.axis[c] ? 1 / space_.length[c] : 0;
  }
}

void Substeps::start(const Setting& setting) {
  if (started_) return;
  for_slices(order_.parts, [&](Index begin, Index end) { setting.loops.start(space_, formulas_, begin, end); });
  for_slices(order_.parts, [&](Index begin, Index end) { setting.loops.start_forces(space_, formulas_, begin, end); });
  started_ = true;
}

void Substeps::gather(const Setting& setting, std::span<const SliceOrder::Part> parts) {
  for_slices(
      parts, [&](Index begin, Index end) { setting.loops.gather(space_, formulas_, begin, end); }, few_of(setting));
}

void Substeps::accelerate(const Setting& setting, Index begin, Index end) {
  for (std::vector<float>& f : f_) std::fill(f.begin() + width * begin, f.begin() + width * end, 0.0f);
  setting.loops.forces(space_, formulas_, begin, end);
}

void Substeps::kick(const Setting& setting, std::span<const SliceOrder::Part> parts, float h) {
  for_slices(
      parts,
      [&](Index begin, Index end) {
        accelerate(setting, begin, end);
        setting.loops.kick(space_, begin, end, h);
      },
      few_of(setting));
  parallel_for(
      companions_.size(),
      [&](std::size_t k) {
        const Index p = order_.places() + static_cast<Index>(k);
        if (mobility_[p] > 0)
          for (int c = 0; c != 3; ++c) v_[c][p] += h * held_[c][p];
      },
      8192);
}

void Substeps::give_to_pins(const Particles& particles, std::span<const SliceOrder::Part> parts, float h) {
  if (pin_impulses_.empty()) return;
  const auto pin = particles[columns::pin];
  for (const SliceOrder::Part& part : parts)
    for (Index slice = part.begin; slice != part.end; ++slice) {
      if (!pinned_[slice]) continue;
      for (Index p = width * slice; p != width * (slice + 1); ++p)
        if (const Index i = order_.particle[p]; i != none && pin[i] != 0)
          pin_impulses_[pin[i] - 1] += static_cast<double>(h / inverse_mass_[p]) * Vec3d(f_[0][p], f_[1][p], f_[2][p]);
    }
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
  most_ = most_iterations_ = 0;
  moved_.clear();
  pin_impulses_.assign(setting.pins.count(), Vec3d::Zero());
  find_limit(particles, actors, setting);
  if (order_.places() == 0 && !setting.sheets) return true;
  start(setting);
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
  const std::vector<SliceOrder::Part> near = near_rigid_bodies(setting, from, to);
  if (!near.empty()) {
    most_ = substeps_of(setting, near, to - from, true);
    advance_parts(particles, setting, near, from, to, true);
  }
  std::vector<SliceOrder::Part> others;
  for (const SliceOrder::Part& part : order_.parts) {
    if (std::ranges::find(near, part.begin, &SliceOrder::Part::begin) != near.end()) continue;
    others.push_back(part);
  }
  // By part: substeps, or iterations of an implicit step.
  std::vector<Index> substeps(others.size(), 0), iterations(others.size(), 0);
  if (pieces_.empty() && std::ranges::any_of(schemes_, [](SubstepScheme s) { return s != SubstepScheme::substeps; }))
    find_pieces();
  const auto advance_one = [&](std::size_t k) {
    if (advance_stiff(particles, setting, others[k], from, to, iterations[k])) return;
    iterations[k] = 0;
    substeps[k] = substeps_of(setting, {&others[k], 1}, to - from, false);
    advance_parts(particles, setting, {&others[k], 1}, from, to, false);
  };
  // What pins feel is added up part by part.
  if (pin_impulses_.empty())
    parallel_for(others.size(), advance_one, 1);
  else
    for (std::size_t k = 0; k != others.size(); ++k) advance_one(k);
  for (std::size_t k = 0; k != others.size(); ++k) {
    most_ = std::max({most_, substeps[k], std::min(iterations[k], Index{1})});
    most_iterations_ = std::max(most_iterations_, iterations[k]);
  }
}

/// The pieces of each object: places are joined along bonds, and named in the order of their first places.
void Substeps::find_pieces() {
  std::vector<Index> root(order_.places());
  for (Index p = 0; p != order_.places(); ++p) root[p] = p;
  const auto find = [&](Index p) {
    while (root[p] != p) p = root[p] = root[root[p]];
    return p;
  };
  for (const BondSlices& slices : slices_)
    for (Index slice = 0; slice != order_.slices(); ++slice)
      for (Index entry = width * slices.begins[slice]; entry != width * slices.begins[slice + 1]; ++entry) {
        if (slices.bonds[entry] == none) continue;
        const Index a = find(width * slice + entry % width), b = find(slices.neighbours[entry]);
        root[std::max(a, b)] = std::min(a, b);
      }
  pieces_.assign(order_.places(), none);
  for (const SliceOrder::Part& part : order_.parts) {
    Index count = 0;
    for (Index p = width * part.begin; p != width * part.end; ++p) {
      if (order_.particle[p] == none) continue;
      const Index first = find(p);
      pieces_[p] = first == p ? count++ : pieces_[first];
    }
  }
}

std::vector<SliceOrder::Part> Substeps::near_rigid_bodies(const Setting& setting, double from, double to) const {
  const Bodies& bodies = setting.confinement.bodies;
  std::vector<Index> dynamic;
  for (const Index b : setting.rigid.indices())
    if (bodies[b].dynamic()) dynamic.push_back(b);
  std::vector<SliceOrder::Part> near;
  if (dynamic.empty()) return near;
  const Bodies::Interval interval = bodies.interval(from, to);
  const float dt = static_cast<float>(to - from);
  for (const SliceOrder::Part& part : order_.parts) {
    const SubstepReach reach = setting.loops.reach(space_, part.begin, part.end);
    const float support = *std::max_element(largest_support_.begin() + part.begin, largest_support_.begin() + part.end);
    Box box{Vec3(reach.least[0], reach.least[1], reach.least[2]), Vec3(reach.most[0], reach.most[1], reach.most[2])};
    box = box.grown(support + 2 * dt * std::sqrt(reach.fastest2) + interval.farthest);
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

void Substeps::find_energies(const Particles& particles, std::span<const Actor> actors, const Setting& setting) {
  // Mostly those of the last step are still in force, and none of them has anything to find.
  const auto known = [&](std::size_t k) {
    return particles.bonds(actors[k].behaviour->info().substep_bonds).revision() == revisions_[k];
  };
  bool same = revisions_.size() == actors.size();
  for (std::size_t k = 0; same && k != actors.size(); ++k) same = known(k);
  if (same && !find_something(formulas_)) return;
  prepare(particles, actors, setting);
  start(setting);
}

std::vector<Vec3> Substeps::accelerations(const Particles& particles, std::span<const Actor> actors,
                                          const Setting& setting) {
  prepare(particles, actors, setting);
  start(setting);
  gather(setting, order_.parts);
  std::vector<Vec3> result(particles.size(), Vec3::Zero());
  for (const SliceOrder::Part& part : order_.parts) accelerate(setting, part.begin, part.end);
  for (Index p = 0; p != order_.places(); ++p)
    if (const Index i = order_.particle[p]; i != none && mobility_[p] > 0)
      result[i] = Vec3(f_[0][p], f_[1][p], f_[2][p]);
  return result;
}

}  // namespace fondue
