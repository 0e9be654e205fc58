#include "behaviours/history.h"

#include <cmath>

#include "behaviours/porous.h"
#include "core/parallel.h"
#include "particles/bounds.h"
#include "particles/neighbours.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&History::reach};
constexpr const Parameter* region_parameters[] = {&History::zone_value, &History::zone_rate, &History::zone_body};
constexpr std::string_view reads[] = {"position"};
constexpr std::string_view writes[] = {"age", "touched", "wetted", "mark"};

}  // namespace

const BehaviourInfo History::description{
    .name = "history",
    .help = "Remembers what has happened to matter: its age, and whether it touched a body, got wet or was in a zone.",
    .source = "L09 7.2 (forces keyed over any attribute)",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    // It moves nothing: no momentum to conserve.
    .laws = {.galilean = true, .rotation = true, .rigid_rotation = true},
    .regions = {"zones", "zone", "Where matter with the behaviour history gets a mark, which weights can run over.",
                region_parameters}};

void History::require(Particles& particles) const {
  particles.require(columns::age);
  particles.require(columns::touched);
  particles.require(columns::wetted);
  particles.require(columns::mark);
}

History::Flags History::near(std::span<const Vec3> points, const Flags& seeking) const {
  std::vector<Index> who;
  std::vector<Vec3> where;
  float farthest = 0;
  for (Index i = 0; i != seeking.size(); ++i)
    if (seeking[i]) {
      who.push_back(i);
      where.push_back(x_[i]);
      farthest = std::max(farthest, reach_(i) * R_[i] / support_ratio_);
    }
  Flags result(seeking.size(), 0);
  if (who.empty() || points.empty()) return result;
  // Points that nobody can reach make the search no slower.
  const Box around = bounds_of(where).grown(farthest);
  std::vector<Vec3> close;
  for (const Vec3& point : points)
    if (around.contains(point)) close.push_back(point);
  if (close.empty()) return result;
  std::vector<Index> number(close.size());
  for (Index k = 0; k != number.size(); ++k) number[k] = k;
  const std::vector<float> support(close.size(), 0.0f);
  NeighbourList list;
  find_around({close, support, number, {}}, where, farthest, list);
  parallel_for(who.size(), [&](std::size_t k) {
    const Index i = who[k];
    const float reach = reach_(i) * R_[i] / support_ratio_;
    for (const Index c : list.of(k))
      if ((close[c] - x_[i]).norm() < reach) result[i] = 1;
  });
  return result;
}

History::Flags History::touching_fluid(const Evaluation& e, const Flags& seeking) const {
  const auto object = e.particles[columns::object];
  const auto S = optional_column(e.particles, columns::saturation);
  Flags result(seeking.size(), 0);
  for (Index own = 0; own != e.properties.objects(); ++own) {
    if (!e.properties.acts_on()[own]) continue;
    Flags of_object(seeking.size(), 0);
    std::vector<Vec3> fluid;
    for (Index i = 0; i != object.size(); ++i) {
      if (object[i] == own)
        of_object[i] = seeking[i];
      else if (e.is_fluid(i))
        fluid.push_back(x_[i]);
    }
    const Flags touching = near(fluid, of_object);
    for (Index i = 0; i != object.size(); ++i) result[i] |= touching[i] || (of_object[i] && !S.empty() && S[i] > 0);
  }
  return result;
}

void History::begin(const Evaluation& e) {
  reach_ = e.properties.number(reach);
  weight_ = e.properties.weight();
  elapsed_ = e.elapsed;
  support_ratio_ = e.support_ratio;
  x_ = e.particles[columns::position];
  R_ = e.particles[columns::support];
  age_ = e.particles[columns::age];
  touched_ = e.particles[columns::touched];
  wetted_ = e.particles[columns::wetted];
  mark_ = e.particles[columns::mark];
  const auto seeking = [&](auto&& wants) {
    Flags flags(x_.size(), 0);
    for (Index i = 0; i != x_.size(); ++i) flags[i] = weight_(i) > 0 && wants(i);
    return flags;
  };
  touching_ = near(e.walls.position, seeking([&](Index i) { return touched_[i] == 0; }));
  wet_ = touching_fluid(e, seeking([&](Index i) { return wetted_[i] == 0; }));
  zones_.clear();
  for (const Region& region : e.regions) {
    Zone& zone = zones_.emplace_back(
        Zone{region, region.values->number(zone_value).at(e.time), region.values->number(zone_rate).at(e.time), {}});
    if (region.shape) continue;
    const auto body = static_cast<Index>(region.values->constant(zone_body));
    std::vector<Vec3> points;
    for (std::size_t w = 0; w != e.walls.size(); ++w)
      if (e.walls.collider[w] == body) points.push_back(e.walls.position[w]);
    zone.touching = near(points, seeking([](Index) { return true; }));
  }
}

bool History::advance(const Slots& slots) {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const float dt = elapsed_(i);
    if (!slots.due(k) || !(weight_(i) > 0) || !(dt > 0)) continue;
    age_[i] += dt;
    if (touched_[i] > 0 || touching_[i]) touched_[i] += dt;
    if (wetted_[i] > 0 || wet_[i]) wetted_[i] += dt;
    for (const Zone& zone : zones_) {
      const bool inside = zone.place.shape ? zone.place.contains(x_[i]) : zone.touching[i] != 0;
      if (inside) mark_[i] += (1 - std::exp(-zone.rate * dt)) * (zone.value - mark_[i]);
    }
  }
  return true;
}

}  // namespace fondue
