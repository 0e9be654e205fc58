// Substeps of sheets and of what may touch them.

#include <fmt/format.h>

#include <algorithm>

#include "behaviours/surface_grip.h"
#include "behaviours/viscosity_column.h"
#include "core/error.h"
#include "core/parallel.h"
#include "world/substeps.h"

namespace fondue {

namespace {

constexpr double spare_room = static_cast<double>(SheetTriangles::spare_room);
/// What moves farther than this, in spacings, is compared with sheets once more within the step.
constexpr double longest_way = 0.25;
/// What needs more room than this, times what its velocity asks for, runs away or is not a number.
constexpr double most_room = 1 << 16;

}  // namespace

/// Taken again with more room if something moves farther than was allowed for.
void Substeps::advance_with_sheets(Particles& particles, const Setting& setting, double from, double to) {
  const std::size_t impulses = setting.confinement.impulses.count();
  const bool with_bodies = !setting.rigid.indices().empty();
  most_ = substeps_of(setting, order_.parts, to - from, with_bodies);
  for (double room = 1;; room *= 2) {
    if (room > most_room)
      throw SimulationError(fmt::format(
          "a sheet, or what touches it, runs away at time {} s; a smaller time.step_factor or a lower stretch may help",
          from));
    find_companions(particles, setting, from, to, room);
    if (advance_parts(particles, setting, order_.parts, from, to, with_bodies)) break;
    setting.confinement.impulses.forget_after(impulses);
    std::ranges::fill(pin_impulses_, Vec3d::Zero());
    // Clearances are of where they came to.
    if (const auto clearance = optional_column(particles, columns::clearance); !clearance.empty())
      for (Index p = 0; p != places(); ++p)
        if (const Index i = particle_in(p); i != none) clearance[i] = 0;
    load(particles, setting);
  }
  const std::span<const Vec3> force = contacts_.forces();
  const auto carried = particles[columns::contact_force];
  const auto pressing = particles[columns::contact_pressing];
  std::ranges::fill(carried, Vec3::Zero());
  std::ranges::fill(pressing, 0.0f);
  for (Index p = 0; p != places(); ++p)
    if (const Index i = particle_in(p); i != none) {
      carried[i] = force[p];
      pressing[i] = contacts_.pressing()[p];
    }
}

void Substeps::find_companions(Particles& particles, const Setting& setting, double from, double to, double room) {
  const auto x = particles[columns::position], v = particles[columns::velocity], a = particles[columns::acceleration];
  const auto R = particles[columns::support], thickness = particles[columns::thickness];
  const auto id = particles[columns::id];
  const SurfaceGrip grip(particles, setting.friction);
  const auto more = optional_column(particles, columns::drift);
  const auto pin = optional_column(particles, columns::pin);
  const auto pin_place = optional_column(particles, columns::pin_place);
  const std::vector<Pose> poses = setting.pins.poses(to);
  const double dt = to - from;
  const auto motion_of = [&](Index i) {
    if (!pin.empty() && pin[i] != 0)
      return static_cast<double>((poses[pin[i] - 1].to_world(pin_place[i]) - x[i]).norm());
    const double drifting = more.empty() ? 0 : static_cast<double>(more[i].norm());
    return dt * (static_cast<double>(v[i].norm()) + drifting + dt * static_cast<double>(a[i].norm()));
  };

  std::vector<Index> place(particles.size(), none);
  const auto radius_of = [&](Index i) {
    return (thickness[i] > 0   ? SheetTriangles::radius_of_sheets
            : place[i] == none ? SheetTriangles::radius_of_fluids
                               : SheetTriangles::radius_of_solids) *
           R[i] / setting.support_ratio;
  };
  // Of fluids, which have no bonds.
  const auto viscosity = optional_column(particles, columns::viscosity);
  const auto V = particles[columns::volume];
  const auto film_of = [&](Index i) {
    const bool flows = !viscosity.empty() && viscosity[i] > 0 && !(thickness[i] > 0) &&
                       (place[i] == none || place[i] >= order_.places());
    return flows ? viscosity[i] * std::cbrt(V[i] * V[i]) : 0.0f;
  };
  for (Index p = 0; p != order_.places(); ++p)
    if (order_.particle[p] != none) place[order_.particle[p]] = p;
  const auto join = [&](Index i) {
    place[i] = places();
    companions_.push_back(i);
  };

  // Sheets whose particles have no bonds that hold them come along too.
  double fastest = 0, finest = infinity;
  std::vector<SheetContacts::Corners> triangles;
  triangles.reserve(setting.sheets->all().size());
  sheet_places_.clear();
  for (Index i = 0; i != particles.size(); ++i) {
    if (!(thickness[i] > 0)) continue;
    if (place[i] == none) join(i);
    fastest = std::max(fastest, motion_of(i));
    finest = std::min(finest, static_cast<double>(R[i] / setting.support_ratio));
    sheet_places_.push_back(i);
  }
  std::ranges::sort(sheet_places_, {}, [&](Index i) { return id[i]; });
  for (Index& i : sheet_places_) i = place[i];
  for (const SheetTriangle& t : setting.sheets->all())
    triangles.push_back({{place[t[0]], place[t[1]], place[t[2]]}, grip.friction(t[0])});
  contacts_.begin(std::move(triangles), room * (2 * fastest + spare_room * finest));

  const GivenMotion given(particles);
  double longest = fastest;
  // How far each may move, and up to which distance it may touch triangles.
  std::vector<float> room_of(particles.size()), reach_of(particles.size());
  parallel_for(
      particles.size(),
      [&](std::size_t at) {
        const Index i = static_cast<Index>(at);
        const double spacing = static_cast<double>(R[i] / setting.support_ratio);
        room_of[i] = static_cast<float>(room * (2 * std::max(motion_of(i), fastest) + spare_room * spacing));
        reach_of[i] = radius_of(i) + room_of[i] + static_cast<float>(contacts_.room());
        if (film_of(i) > 0)
          reach_of[i] = std::max(reach_of[i], static_cast<float>(SheetContacts::film_reach) * radius_of(i));
      },
      2048);
  SheetTriangles::Near searched, again;
  const SheetTriangles::Near* near = setting.near_sheets;
  if (!near) near = &(searched = setting.sheets->near(particles, setting.support_ratio, reach_of));
  // Those that may go farther than triangles are known.
  std::vector<Index> far;
  for (Index i = 0; i != particles.size(); ++i)
    if (reach_of[i] > near->reach[i]) far.push_back(i);
  if (!far.empty()) again = setting.sheets->near_again(particles, setting.support_ratio, reach_of, far);

  const auto consider = [&](Index i, float gap, std::span<const SheetTriangles::Pair> found) {
    if (place[i] == none && given.any() && given(i)) return;
    const bool of_sheet = thickness[i] > 0;
    // What joins depends on distances and not on how far was searched.
    const auto within = [&](const SheetTriangles::Pair& pair) { return pair.bound < reach_of[i]; };
    if (of_sheet ? std::ranges::none_of(found, within) : !(gap < reach_of[i])) return;
    const float radius = radius_of(i);
    if (place[i] == none) join(i);
    longest = std::max(longest, fastest + motion_of(i));
    contacts_.add({.place = place[i],
                   .id = id[i],
                   .radius = static_cast<double>(radius),
                   .room = static_cast<double>(room_of[i]),
                   .friction = grip.friction(i),
                   .of_sheet = of_sheet,
                   .film = film_of(i)},
                  found, reach_of[i]);
  };
  const auto row = [](const SheetTriangles::Near& of, std::size_t k) {
    return std::span(of.pairs).subspan(of.begins[k], of.begins[k + 1] - of.begins[k]);
  };
  std::size_t next = 0, next_again = 0;
  const auto take_until = [&](Index i) {
    for (; next != near->particle.size() && near->particle[next] < i; ++next)
      consider(near->particle[next], near->gap[near->particle[next]], row(*near, next));
  };
  for (std::size_t k = 0; k != far.size(); ++k) {
    const Index i = far[k];
    take_until(i);
    next += next != near->particle.size() && near->particle[next] == i;
    if (next_again == again.particle.size() || again.particle[next_again] != k) continue;
    consider(i, again.gap[k], row(again, next_again++));
  }
  take_until(static_cast<Index>(particles.size()));
  load_places(particles, setting);

  // How often sheets and what is near them are compared.
  const Index n = substeps_of(setting, order_.parts, dt, !setting.rigid.indices().empty());
  const double comparisons = std::clamp(std::ceil(longest / (longest_way * finest)), 1.0, n + 1.0);
  between_comparisons_ = static_cast<Index>(std::ceil((n + 1) / comparisons));
  const auto force = particles[columns::contact_force];
  std::vector<Vec3> carried(places(), Vec3::Zero());
  for (Index p = 0; p != places(); ++p)
    if (const Index i = particle_in(p); i != none) carried[p] = force[i];
  contacts_.finish(moving(), std::move(carried), dt / n, std::min(dt, between_comparisons_ * dt / n));
}

void Substeps::give_to_pin(const Particles& particles, Index place, const Vec3d& impulse) {
  if (pin_impulses_.empty()) return;
  const Index by = particles[columns::pin][particle_in(place)];
  if (by != 0) pin_impulses_[by - 1] += impulse;
}

void Substeps::touch(Index place, const std::vector<Touch>& touches) {
  if (!touches.empty() || !touches_[place].empty()) touches_[place] = touches;
}

/// What touches bodies is part of the contacts: a sheet on a body carries what lies on it.
void Substeps::press_on_sheets(const Particles& particles, const Setting& setting, double drift, Index number) {
  if (!setting.sheets) return;
  const auto id = particles[columns::id];
  const auto m = particles[columns::mass];
  const SurfaceGrip grip(particles, setting.friction);
  std::vector<BodyTouch> touches;
  for (const Index p : sheet_places_)
    for (const Touch& touch : touches_[p])
      touches.push_back({.point = p,
                         .body = touch.body,
                         .normal = touch.normal,
                         .velocity = touch.velocity,
                         .friction = grip.friction(particle_in(p)),
                         .pull = grip.pull(particle_in(p))});
  contacts_.press(moving(), touches, drift);
  contacts_.each_held([&](Index place, const Vec3& impulse) { give_to_pin(particles, place, impulse.cast<double>()); });
  Impacts impacts;
  for (const BodyTouch& touch : touches) {
    if (touch.impulse.isZero(0)) continue;
    const Index i = particle_in(touch.point);
    const SubstepRecord& r = records_[touch.point];
    impacts.push_back({touch.body, touch.impulse / m[i], Vec3(r.x + r.ux, r.y + r.uy, r.z + r.uz)});
    setting.confinement.impulses.add(impacts, id[i], m[i], number);
  }
}

void Substeps::take_from_contacts() {
  parallel_for(
      places(),
      [&](std::size_t p) {
        SubstepRecord& record = records_[p];
        u_[0][p] = record.ux;
        u_[1][p] = record.uy;
        u_[2][p] = record.uz;
        record.vx = v_[0][p];
        record.vy = v_[1][p];
        record.vz = v_[2][p];
      },
      8192);
}

/// From the last comparison on; so much of the step is left.
bool Substeps::keep_apart(const Setting& setting, double from, double to, double left) {
  if (!setting.sheets) return true;
  const Bodies& bodies = setting.confinement.bodies;
  const Bodies::Interval interval = bodies.interval(from, to);
  if (!contacts_.keep_apart(moving(), bodies, bodies.all(interval))) return false;
  if (left > 0) contacts_.find_contacts(moving(), std::min(left, to - from));
  return true;
}

}  // namespace fondue
