// Motion of matter through a substep: pinned particles with their pins, the others freely but for the bodies they meet.

#include "behaviours/surface_grip.h"
#include "world/stiff_step.h"
#include "world/substeps.h"

namespace fondue {

namespace {

/// How far from solids matter is stopped, and the last guard against passing them, in spacings.
constexpr float stop_of_solids = 0.5f, stop_of_sheets = 0.3f, guard_over_stop = 0.8f;
/// How far a film of water reaches that holds a sheet, over the distance at which it is stopped.
constexpr float film_over_stop = 1.5f;
/// Fewer substeps are better than an implicit step, which knows less of the motion in between.
constexpr float fewest_in_place = 24;

}  // namespace

/// Everything that the motion from one time to another depends on.
struct Substeps::Mover {
  Substeps& of;
  const Setting& setting;
  const Bodies& bodies;
  const Bodies::Interval interval;
  const Bodies::Nearby all_bodies;
  const std::vector<Pose> poses;
  const float h;
  const Index number;
  const std::span<const float> R, m, thickness;
  const std::span<const Index> id, pin;
  const SurfaceGrip grip;
  const std::span<const Vec3> additional, pin_place;
  const std::span<float> clearance;
  /// No body moves or changes its shape.
  bool at_rest = true;

  Mover(Substeps& substeps, Particles& particles, const Setting& with, double from, double to, Index which)
      : of(substeps),
        setting(with),
        bodies(with.confinement.bodies),
        interval(bodies.interval(from, to)),
        all_bodies(bodies.all(interval)),
        poses(with.pins.poses(to)),
        h(static_cast<float>(to - from)),
        number(which),
        R(particles[columns::support]),
        m(particles[columns::mass]),
        thickness(optional_column(particles, columns::thickness)),
        id(particles[columns::id]),
        pin(optional_column(particles, columns::pin)),
        grip(particles, with.friction),
        additional(optional_column(particles, columns::drift)),
        pin_place(optional_column(particles, columns::pin_place)),
        clearance(optional_column(particles, columns::clearance)) {
    for (std::size_t b = 0; b != bodies.size(); ++b)
      at_rest &= bodies[static_cast<Index>(b)].still() && !interval.swept[b];
  }

  Vec3 velocity(Index p) const { return {of.v_[0][p], of.v_[1][p], of.v_[2][p]}; }
  Vec3 path(Index p, Index i) const {
    return additional.empty() ? Vec3(h * velocity(p)) : Vec3(h * velocity(p) + h * additional[i]);
  }
  void set(Index p, Vec3 u, Vec3 v) const {
    if (setting.confinement.dimension == 2) u.z() = v.z() = 0;
    SubstepRecord& record = of.records_[p];
    record.ux = u.x();
    record.uy = u.y();
    record.uz = u.z();
    record.vx = v.x();
    record.vy = v.y();
    record.vz = v.z();
    for (int c = 0; c != 3; ++c) {
      of.u_[c][p] = u[c];
      of.v_[c][p] = v[c];
    }
  }

  Vec3 start_of(Index p) const { return {of.records_[p].x, of.records_[p].y, of.records_[p].z}; }
  /// Displacement of a pinned particle at the end.
  Vec3 on_pin(Index p, Index i) const {
    const Pose& pose = poses[pin[i] - 1];
    return (pose.rotation * pin_place[i].cast<double>() + pose.position - start_of(p).cast<double>()).cast<float>();
  }

  /// Where particles of consecutive places start, and how far they reach from there.
  struct Around {
    Box starts;
    float farthest = 0;
  };
  Around around(Index begin, Index end) const {
    Around result;
    for (Index p = begin; p != end; ++p) {
      const Index i = of.particle_in(p);
      if (i == none) continue;
      const SubstepRecord& record = of.records_[p];
      result.starts.add(Vec3(record.x + record.ux, record.y + record.uy, record.z + record.uz));
      result.farthest = std::max(result.farthest, path(p, i).norm() + R[i]);
    }
    return result;
  }
  /// The bodies that they may meet or come near to.
  Bodies::Nearby nearby(Index begin, Index end) const {
    if (!interval.worth_selecting) return all_bodies;
    const Around these = around(begin, end);
    return bodies.nearby(interval, these.starts, these.farthest);
  }
  /// Moves the particles of some slices if no body and no pin is near; false if one is.
  bool move_freely(Index begin, Index end) const {
    float largest = 0;
    for (Index slice = begin; slice != end; ++slice) {
      if (of.pinned_[slice]) return false;
      largest = std::max(largest, of.largest_support_[slice]);
    }
    if (bodies.size() != 0) {
      const SubstepReach reach = setting.loops.reach(of.space_, begin, end);
      const Box box{Vec3(reach.least[0], reach.least[1], reach.least[2]),
                    Vec3(reach.most[0], reach.most[1], reach.most[2])};
      const float farthest = h * std::sqrt(reach.fastest2) + largest + interval.farthest;
      if (!bodies.free_of_bodies(interval, box.grown(farthest))) return false;
    }
    setting.loops.drift(of.space_, begin, end, h);
    for (Index slice = begin; slice != end; ++slice) {
      if (thickness.empty() && (clearance.empty() || !of.clearance_known_[slice])) continue;
      of.clearance_known_[slice] = 0;
      for (Index p = width * slice; p != width * (slice + 1); ++p) {
        const Index i = of.order_.particle[p];
        if (i == none) continue;
        // It is found anew when a body is near.
        if (!clearance.empty()) clearance[i] = 0;
        if (is_sheet(i)) of.touch(p, {});
      }
    }
    return true;
  }

  bool is_sheet(Index i) const { return !thickness.empty() && thickness[i] > 0; }

  void move(Index p, Index i, const Bodies::Nearby& near, Impacts& impacts, std::vector<Touch>& touches) const {
    const SubstepRecord& record = of.records_[p];
    const Vec3 x = start_of(p), before(record.ux, record.uy, record.uz);
    if (!pin.empty() && pin[i] != 0) {
      const Vec3 u = on_pin(p, i);
      return set(p, u, (u - before) / h);
    }
    Vec3 u = before, v = velocity(p);
    const Vec3 more = additional.empty() ? Vec3(Vec3::Zero()) : Vec3(h * additional[i]);
    const bool solids = bodies.size() != 0, sheet = is_sheet(i);
    // Fluids are kept off solids by their pressure.
    const bool stopped = p < of.order_.places() || sheet;
    const float distance = (stopped ? (sheet ? stop_of_sheets : stop_of_solids) : 0) * R[i] / setting.support_ratio;
    const bool sticks = sheet && grip.pull(i) > 0;
    const float reach = sticks ? film_over_stop * distance : distance;
    const Vec3 path = h * v + more;
    u += path;
    if (solids && at_rest && !clearance.empty()) {
      // No body is near.
      const float length = path.norm();
      if (length + 1.1f * reach < clearance[i]) {
        clearance[i] -= 1.001f * length;
        if (sheet) of.touch(p, {});
        return set(p, u, v);
      }
    }
    if (solids && stopped && (clearance.empty() || !(clearance[i] > reach + (u - before).norm()))) {
      // In a corner it is passed from wall to wall.
      for (int round = 0; round != 3; ++round) {
        touches.clear();
        if (!bodies.stop(near, x + u, v, distance, &impacts, sheet ? grip.friction(i) : 0, sheet ? &touches : nullptr))
          break;
        u = before + h * v + more;
      }
      if (sticks && touches.empty()) {
        Vec3 unchanged = v;
        bodies.stop(near, x + u, unchanged, reach, nullptr, 0, &touches);
      }
      if (sheet) of.touch(p, touches);
    } else if (sheet) {
      of.touch(p, {});
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
    set(p, u, v);
  }
};

void Substeps::drift(const Mover& mover, std::span<const SliceOrder::Part> parts, float kicked) {
  for_slices(parts, [&](Index begin, Index end) {
    if (kicked > 0) {
      accelerate(mover.setting, begin, end);
      mover.setting.loops.kick(space_, begin, end, kicked);
    }
    if (mover.move_freely(begin, end)) return;
    Impacts impacts;
    std::vector<Touch> touches;
    std::optional<Bodies::Nearby> near;
    for (Index slice = begin; slice != end; ++slice) {
      if (mover.move_freely(slice, slice + 1)) continue;
      if (!near) near.emplace(mover.nearby(width * begin, width * end));
      clearance_known_[slice] = 1;
      for (Index p = width * slice; p != width * (slice + 1); ++p)
        if (const Index i = order_.particle[p]; i != none) mover.move(p, i, *near, impacts, touches);
    }
  });
  parallel_blocks(companions_.size(), 256, [&](std::size_t begin, std::size_t end) {
    Impacts impacts;
    std::vector<Touch> touches;
    const Index first = order_.places();
    const Bodies::Nearby near = mover.nearby(first + static_cast<Index>(begin), first + static_cast<Index>(end));
    for (std::size_t k = begin; k != end; ++k)
      mover.move(first + static_cast<Index>(k), companions_[k], near, impacts, touches);
  });
}

/// Held by their pins, or by bodies that they may meet, which StiffStep finds out.
bool Substeps::advance_stiff(Particles& particles, const Setting& setting, const SliceOrder::Part& part, double from,
                             double to, Index& iterations) {
  const SubstepScheme scheme = schemes_[part.object];
  const float dt = static_cast<float>(to - from), substeps = dt / longest_[part.object];
  const bool automatic = scheme == SubstepScheme::automatic;
  if (scheme == SubstepScheme::substeps || space_.periodic || (automatic && substeps < fewest_in_place)) return false;
  const Mover mover(*this, particles, setting, from, to, 1);
  std::vector<StiffStep::Hold> pinned;
  std::vector<Index> near;
  float support = 0;
  for (Index slice = part.begin; slice != part.end; ++slice) {
    support = std::max(support, largest_support_[slice]);
    const auto around = mover.around(width * slice, width * (slice + 1));
    const float farthest = 2 * around.farthest + mover.interval.farthest;
    const bool meets =
        mover.bodies.size() != 0 && !mover.bodies.free_of_bodies(mover.interval, around.starts.grown(farthest));
    for (Index p = width * slice; p != width * (slice + 1); ++p) {
      const Index i = order_.particle[p];
      if (i == none) continue;
      if (!mover.pin.empty() && mover.pin[i] != 0) {
        const Vec3 velocity = (mover.on_pin(p, i) - Vec3(u_[0][p], u_[1][p], u_[2][p])) / dt;
        StiffStep::Hold& hold = pinned.emplace_back(StiffStep::Hold{.place = p});
        for (int c = 0; c != 3; ++c) hold.add(Vec3::Unit(c), velocity, false, none);
      } else if (meets) {
        near.push_back(p);
      }
    }
  }
  const Bodies::Nearby nearby = mover.bodies.all(mover.interval);
  std::vector<Touch> touches;
  const auto find = [&](const Vec3& displacement, const Vec3& velocity, StiffStep::Hold& hold) {
    const Vec3 end = mover.start_of(hold.place) + displacement;
    const float distance = stop_of_solids * mover.R[order_.particle[hold.place]] / setting.support_ratio;
    Vec3 unused = velocity;
    touches.clear();
    mover.bodies.stop(nearby, end, unused, distance, nullptr, 0, &touches);
    std::erase_if(touches, [&](const Touch& touch) { return !((velocity - touch.velocity).dot(touch.normal) < 0); });
    for (const Touch& touch : touches) hold.add(touch.normal, touch.velocity, true, touch.body);
    for (const Touch& touch : touches)
      if (mover.interval.roughness[touch.body] > 0)
        for (int c = 0; c != 3; ++c) hold.add(Vec3::Unit(c), touch.velocity, false, touch.body);
  };
  const StiffStep::Matter matter{setting.loops, formulas_, space_, part, pieces_, dt, support / setting.support_ratio,
                                 support,       substeps};
  StiffStep step(matter, std::move(pinned), near, find);
  if (!step.solve(automatic)) return false;
  iterations = std::max(step.iterations(), 1);
  Impacts impacts;
  for (const StiffStep::Hold& hold : step.holds()) {
    if (hold.body[0] == none) continue;
    const Index i = order_.particle[hold.place];
    const Vec3 change = step.reaction(hold);
    for (int c = 0; c != hold.count; ++c)
      impacts.push_back({hold.body[c], change.dot(hold.direction[c]) * hold.direction[c], mover.start_of(hold.place)});
    setting.confinement.impulses.add(impacts, mover.id[i], mover.m[i], 1);
  }
  drift(Mover(*this, particles, setting, from, to, 2), {&part, 1}, 0);
  give_to_pins(particles, {&part, 1}, dt);
  return true;
}

bool Substeps::advance_parts(Particles& particles, const Setting& setting, std::span<const SliceOrder::Part> parts,
                             double from, double to, bool with_bodies) {
  const Index n = substeps_of(setting, parts, to - from, with_bodies);
  const auto time = [&](double substep) { return substep == n ? to : from + (to - from) * substep / n; };
  const float h = static_cast<float>((to - from) / n);
  const bool with_sheets = setting.sheets != nullptr;
  Index number = 0;
  double compared = from;
  const auto move = [&](Index moves, double begin, double end, float seconds) {
    const std::size_t before = with_bodies ? setting.confinement.impulses.count() : 0;
    drift(Mover(*this, particles, setting, begin, end, ++number), parts, with_sheets ? 0.0f : seconds);
    if (moves == n || (moves + 1) % between_comparisons_ == 0) {
      if (!keep_apart(setting, compared, end, to - end)) return false;
      compared = end;
    }
    if (!with_bodies) return true;
    const auto pushed = setting.confinement.impulses.since(before, setting.confinement.bodies.size());
    for (const Index b : setting.rigid.indices())
      setting.rigid.push_within(b, pushed[b].impulse, pushed[b].moment, end, seconds);
    return true;
  };
  if (with_bodies) setting.rigid.begin_substeps(from);
  if (!move(0, from, time(0.5), 0)) return false;
  for (Index k = 0; k != n; ++k) {
    if (with_sheets) take_from_contacts();
    gather(setting, parts);
    const double begin = time(k + 0.5), end = time(std::min(k + 1.5, static_cast<double>(n)));
    if (with_sheets) {
      kick(setting, parts, h);
      press_on_sheets(particles, setting, end - begin, ++number);
    }
    if (!move(k + 1, begin, end, h)) return false;
    give_to_pins(particles, parts, h);
  }
  if (with_bodies) setting.rigid.end_substeps();
  return true;
}

}  // namespace fondue
