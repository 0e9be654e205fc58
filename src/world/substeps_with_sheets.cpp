// Substeps of sheets and of what may touch them.

#include <algorithm>

#include "core/parallel.h"
#include "world/substeps.h"

namespace fondue {

namespace {

/// How close matter comes to a sheet, in spacings (sheet_contacts.h).
constexpr double radius_of_fluids = 0.9, radius_of_solids = 0.5, radius_of_sheets = 0.6;
/// How far something may move beyond twice its velocity, in spacings.
constexpr double spare_room = 0.1;

/// Whether a particle with this gap (SheetTriangles::gaps) is farther than that from all sheets.
bool out_of_reach(float gap, double reach, double spacing) {
  return gap < infinity ? static_cast<double>(gap) > 1.001 * reach + 1e-6 * spacing
                        : 0.99 * static_cast<double>(SheetTriangles::known) * spacing > reach;
}

}  // namespace

/// Taken again with more room if something moves farther than was allowed for.
void Substeps::advance_with_sheets(Particles& particles, const Setting& setting, double from, double to) {
  const std::size_t impulses = setting.confinement.impulses.count();
  const bool with_bodies = !setting.rigid.indices().empty();
  most_ = substeps_of(setting, order_.parts, to - from, with_bodies);
  for (double room = 1;; room *= 2) {
    find_companions(particles, setting, from, to, room);
    if (advance_parts(particles, setting, order_.parts, from, to, with_bodies)) return;
    setting.confinement.impulses.forget_after(impulses);
    std::ranges::fill(pin_impulses_, Vec3d::Zero());
    // Clearances are of where they came to.
    if (const auto clearance = optional_column(particles, columns::clearance); !clearance.empty())
      for (Index p = 0; p != places(); ++p)
        if (const Index i = particle_in(p); i != none) clearance[i] = 0;
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
  const auto moving = [&] { return SheetContacts::Places{records_, {{v_[0], v_[1], v_[2]}, mobility_}}; };

  // Sheets whose particles have no bonds that hold them come along too.
  double fastest = 0, finest = infinity;
  std::vector<SheetContacts::Corners> triangles;
  for (const SheetTriangle& t : setting.sheets) {
    for (const Index i : t) {
      if (place[i] == none) join(i);
      fastest = std::max(fastest, motion_of(i));
      finest = std::min(finest, static_cast<double>(R[i] / setting.support_ratio));
    }
    triangles.push_back({{place[t[0]], place[t[1]], place[t[2]]}, setting.friction[object[t[0]]]});
  }
  load_places(particles, setting);
  contacts_.begin(std::move(triangles), room * (2 * fastest + spare_room * finest), moving());

  sheet_places_.clear();
  for (Index i = 0; i != particles.size(); ++i)
    if (thickness[i] > 0 && place[i] != none) sheet_places_.push_back(i);
  std::ranges::sort(sheet_places_, {}, [&](Index i) { return id[i]; });
  for (Index& i : sheet_places_) i = place[i];

  struct Near {
    SheetContacts::Point point;
    Index particle, pairs;
  };
  struct Found {
    std::vector<Near> near;
    std::vector<SheetContacts::Pair> pairs;
  };
  constexpr std::size_t block = 1024;
  std::vector<Found> found((particles.size() + block - 1) / block);
  const GivenMotion given(particles);
  const BondSet& edges = particles.bonds(sheets::bond_set);
  parallel_blocks(particles.size(), block, [&](std::size_t begin, std::size_t end) {
    std::vector<SheetContacts::Pair> reached;
    std::vector<Index> beside(places(), none);
    Found& own = found[begin / block];
    for (std::size_t at = begin; at != end; ++at) {
      const Index i = static_cast<Index>(at);
      const bool of_sheet = thickness[i] > 0;
      if (place[i] == none && (of_sheet || (given.any() && given(i)))) continue;
      const double spacing = static_cast<double>(R[i] / setting.support_ratio);
      const double radius = (of_sheet           ? radius_of_sheets
                             : place[i] == none ? radius_of_fluids
                                                : radius_of_solids) *
                            spacing;
      const double free = room * (2 * std::max(motion_of(i), fastest) + spare_room * spacing);
      if (!setting.sheet_gaps.empty() && !of_sheet &&
          out_of_reach(setting.sheet_gaps[i], radius + free + contacts_.room(), spacing))
        continue;
      // Triangles of a sheet that the particle or one of its neighbours belongs to are not wanted.
      if (of_sheet) {
        beside[place[i]] = i;
        for (Index b = edges.begins()[i]; b != edges.begins()[i + 1]; ++b)
          if (const Index p = place[edges.neighbours()[b]]; p != none) beside[p] = i;
      }
      const auto wanted = [&](const std::array<Index, 3>& corners) {
        return !of_sheet || (beside[corners[0]] != i && beside[corners[1]] != i && beside[corners[2]] != i);
      };
      contacts_.reach(x[i], radius, free, wanted, reached);
      if (reached.empty()) continue;
      own.near.push_back({{place[i], id[i], radius, free, setting.friction[object[i]], of_sheet},
                          i,
                          static_cast<Index>(reached.size())});
      own.pairs.insert(own.pairs.end(), reached.begin(), reached.end());
    }
  });
  for (Found& some : found) {
    std::span<const SheetContacts::Pair> rest = some.pairs;
    for (Near& near : some.near) {
      if (near.point.place == none) {
        join(near.particle);
        near.point.place = place[near.particle];
      }
      contacts_.add(near.point, rest.first(near.pairs));
      rest = rest.subspan(near.pairs);
    }
  }
  load_places(particles, setting);
  contacts_.finish(moving());
}

void Substeps::give_to_pin(const Particles& particles, Index place, const Vec3d& impulse) {
  if (pin_impulses_.empty()) return;
  const Index by = particles[columns::pin][particle_in(place)];
  if (by != 0) pin_impulses_[by - 1] += impulse;
}

void Substeps::touch(Index place, const std::vector<Touch>& touches) {
  std::vector<SheetContact>& own = touches_[place];
  if (touches.empty() && own.empty()) return;
  std::vector<SheetContact> now;
  for (const Touch& touch : touches) {
    SheetContact& contact = now.emplace_back(SheetContact{.point = place,
                                                          .corner = {place, place, place},
                                                          .weights = Vec3d::Zero(),
                                                          .normal = touch.normal.cast<double>(),
                                                          .gap = 0,
                                                          .friction = 0,
                                                          .velocity = touch.velocity.cast<double>(),
                                                          .body = touch.body});
    for (const SheetContact& before : own)
      if (before.body == touch.body) contact.impulse = before.impulse;
  }
  own = std::move(now);
}

/// What touches bodies is part of the contacts: a sheet on a body carries what lies on it.
void Substeps::press_on_sheets(const Particles& particles, const Setting& setting, double seconds, Index number) {
  if (setting.sheets.empty()) return;
  const auto object = particles[columns::object], id = particles[columns::id];
  const auto m = particles[columns::mass];
  std::vector<SheetContact> touches;
  for (const Index p : sheet_places_)
    for (SheetContact contact : touches_[p]) {
      contact.friction = static_cast<double>(setting.friction[object[particle_in(p)]]);
      touches.push_back(contact);
    }
  Impacts impacts;
  contacts_.press(
      {records_, {{v_[0], v_[1], v_[2]}, mobility_}}, touches, seconds,
      [&](Index place, const Vec3d& impulse) { give_to_pin(particles, place, impulse); },
      [&](const SheetContact& contact, const Vec3d& impulse) {
        const Index i = particle_in(contact.point);
        for (SheetContact& touch : touches_[contact.point])
          if (touch.body == contact.body) touch.impulse = impulse;
        const SubstepRecord& r = records_[contact.point];
        impacts.push_back({contact.body, (impulse / static_cast<double>(m[i])).cast<float>(),
                           Vec3(r.x + r.ux, r.y + r.uy, r.z + r.uz)});
        setting.confinement.impulses.add(impacts, id[i], m[i], number);
      });
}

void Substeps::take_from_contacts() {
  parallel_for(places(), [&](std::size_t p) {
    SubstepRecord& record = records_[p];
    u_[0][p] = record.ux;
    u_[1][p] = record.uy;
    u_[2][p] = record.uz;
    record.vx = v_[0][p];
    record.vy = v_[1][p];
    record.vz = v_[2][p];
  });
}

bool Substeps::keep_apart(const Setting& setting, double from, double to) {
  if (setting.sheets.empty()) return true;
  const Bodies& bodies = setting.confinement.bodies;
  const Bodies::Interval interval = bodies.interval(from, to);
  return contacts_.keep_apart({records_, {{v_[0], v_[1], v_[2]}, mobility_}}, bodies, bodies.all(interval));
}

}  // namespace fondue
