// Substeps of sheets and of what may touch them.

#include <algorithm>

#include "core/parallel.h"
#include "world/substeps.h"

namespace fondue {

namespace {

constexpr Index none = SliceOrder::none;
/// How close matter comes to a sheet, in spacings (sheet_contacts.h).
constexpr double radius_of_fluids = 0.9, radius_of_solids = 0.5;
/// How far something may move beyond twice its velocity, in spacings.
constexpr double spare_room = 0.1;

}  // namespace

/// Taken again with more room if something moves farther than was allowed for.
void Substeps::advance_with_sheets(Particles& particles, const Setting& setting, double from, double to) {
  const std::size_t impulses = setting.confinement.impulses.count();
  for (double room = 1;; room *= 2) {
    find_companions(particles, setting, from, to, room);
    if (advance_parts(particles, setting, order_.parts, from, to, !setting.rigid.indices().empty())) return;
    setting.confinement.impulses.forget_after(impulses);
    std::ranges::fill(pin_impulses_, Vec3d::Zero());
    // Clearances are of where they came to.
    if (const auto clearance = optional_column(particles, columns::clearance); !clearance.empty())
      for (Index p = 0; p != places(); ++p)
        if (const Index i = particle_in(p); i != none) clearance[i] = 0;
    drifts_ = 0;
    load(particles, setting);
  }
}

void Substeps::find_companions(Particles& particles, const Setting& setting, double from, double to, double room) {
  const auto x = particles[columns::position], v = particles[columns::velocity], a = particles[columns::acceleration];
  const auto R = particles[columns::support], thickness = particles[columns::thickness];
  const auto id = particles[columns::id], object = particles[columns::object];
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
  for (Index p = 0; p != order_.places(); ++p)
    if (order_.particle[p] != none) place[order_.particle[p]] = p;
  const auto join = [&](Index i) {
    place[i] = places();
    companions_.push_back(i);
  };
  const auto moving = [&] { return SheetContacts::Places{records_, {v_[0], v_[1], v_[2]}, mobility_}; };

  // Sheets whose particles have no bonds that hold them come along too.
  double fastest = 0, finest = infinity;
  std::vector<SheetContacts::Corners> triangles;
  for (const SheetTriangle& t : setting.sheets) {
    for (const Index i : t) {
      if (place[i] == none) join(i);
      fastest = std::max(fastest, motion_of(i));
      finest = std::min(finest, static_cast<double>(R[i] / setting.support_ratio));
    }
    triangles.push_back({{place[t[0]], place[t[1]], place[t[2]]}, friction_[object[t[0]]]});
  }
  load_places(particles, setting);
  contacts_.begin(std::move(triangles), room * (2 * fastest + spare_room * finest), moving());

  struct Near {
    SheetContacts::Point point;
    Index particle;
    std::vector<Index> triangles;
  };
  constexpr std::size_t block = 1024;
  std::vector<std::vector<Near>> found((particles.size() + block - 1) / block);
  const GivenMotion given(particles);
  parallel_blocks(particles.size(), block, [&](std::size_t begin, std::size_t end) {
    std::vector<Index> reached;
    for (std::size_t at = begin; at != end; ++at) {
      const Index i = static_cast<Index>(at);
      if (thickness[i] > 0 || (place[i] == none && given.any() && given(i))) continue;
      const double spacing = static_cast<double>(R[i] / setting.support_ratio);
      const double radius = (place[i] == none ? radius_of_fluids : radius_of_solids) * spacing;
      const double own = room * (2 * std::max(motion_of(i), fastest) + spare_room * spacing);
      if (contacts_.within_reach(x[i], radius, own, reached))
        found[begin / block].push_back({{place[i], id[i], radius, own, friction_[object[i]]}, i, reached});
    }
  });
  for (std::vector<Near>& some : found)
    for (Near& near : some) {
      if (near.point.place == none) {
        join(near.particle);
        near.point.place = place[near.particle];
      }
      contacts_.add(near.point, near.triangles);
    }
  load_places(particles, setting);
  contacts_.finish(moving());
}

void Substeps::give_to_pin(const Particles& particles, Index place, const Vec3d& impulse) {
  if (pin_impulses_.empty()) return;
  const Index by = particles[columns::pin][particle_in(place)];
  if (by != 0) pin_impulses_[by - 1] += impulse;
}

void Substeps::press_on_sheets(const Particles& particles, const Setting& setting) {
  if (setting.sheets.empty()) return;
  contacts_.press({records_, {v_[0], v_[1], v_[2]}, mobility_},
                  [&](Index place, const Vec3d& impulse) { give_to_pin(particles, place, impulse); });
}

bool Substeps::keep_apart(const Particles& particles, const Setting& setting, double from, double to) {
  if (setting.sheets.empty()) return true;
  const Bodies& bodies = setting.confinement.bodies;
  const Bodies::Interval interval = bodies.interval(from, to);
  return contacts_.resolve({records_, {v_[0], v_[1], v_[2]}, mobility_}, bodies, bodies.all(interval),
                           [&](Index place, const Vec3d& impulse) { give_to_pin(particles, place, impulse); });
}

}  // namespace fondue
