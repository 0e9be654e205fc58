#include "world/emitters.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/kernel.h"
#include "core/parallel.h"
#include "core/random.h"
#include "particles/bounds.h"
#include "particles/neighbours.h"
#include "particles/sheets.h"
#include "shapes/surface_sampling.h"

namespace fondue {

namespace {

/// Entry of the state: how many strays there were.
const std::string strays_key = "strays";

/// Two unit vectors across a direction; in two dimensions the first lies in the plane.
std::pair<Vec3, Vec3> across(const Vec3& direction, int dimension) {
  if (dimension == 2) return {Vec3(-direction.y(), direction.x(), 0), Vec3::UnitZ()};
  const Vec3 helper = std::abs(direction.z()) < 0.9f ? Vec3::UnitZ() : Vec3::UnitX();
  const Vec3 u = direction.cross(helper).normalized();
  return {u, direction.cross(u)};
}

/// Lattice points of a disc of the given radius (2D: of a line), in units of the spacing across the jet.
std::vector<Eigen::Vector2f> disc_lattice(float radius, float spacing, int dimension) {
  std::vector<Eigen::Vector2f> points;
  const int n = std::max(1, static_cast<int>(std::lround(2 * radius / spacing)));
  for (int a = 0; a != n; ++a)
    for (int b = 0; b != (dimension == 3 ? n : 1); ++b) {
      const Eigen::Vector2f p(spacing * (a + 0.5f - 0.5f * n), dimension == 3 ? spacing * (b + 0.5f - 0.5f * n) : 0.0f);
      if (p.norm() <= radius) points.push_back(p);
    }
  return points;
}

/// How far a place of a disc lags behind, in spacings. Together with sheets one spacing apart this is a lattice again,
/// in which every place is surrounded alike; no two neighbours lag alike (Roberts 2018, the R2 sequence).
float lag_of(const Eigen::Vector2f& place, float spacing) {
  const double lag = (0.7548776662466927 * place.x() + 0.5698402909980532 * place.y()) / spacing;
  return static_cast<float>(lag - std::floor(lag));
}

bool on_surface_of_body(const EmitterSetup& setup) { return setup.kind == EmitterKind::surface && setup.body; }

bool on_sheet(const EmitterSetup& setup) { return setup.kind == EmitterKind::surface && setup.sheet; }

/// Its opening moves as a whole.
bool moves(const EmitterSetup& setup) {
  return setup.kind == EmitterKind::disc && (setup.body || !setup.centre.constant());
}

/// The state of a body at the end of a step. One that follows keyframes is moved there only after emission.
BodyState moment_of(const Body& body, double time) {
  return body.rigid() ? body.state() : state_at(body.setup().motion, time);
}

/// Where the surface of an emitter is sampled, in its own frame; a container's solid has no end.
Box sampled_region(const EmitterSetup& emitter, const WorldSetup& setup, float margin) {
  const Box container = emitter.body ? setup.colliders[*emitter.body].container : Box{};
  const bool own = emitter.body && setup.colliders[*emitter.body].shape == emitter.shape;
  return (own && !container.empty() ? container : emitter.shape->bounds()).grown(margin);
}

/// Area of a shape's surface within a box: the volume of a layer about it over the thickness of the layer.
float surface_area(const Shape& shape, const Box& within, float spacing, int dimension) {
  constexpr float most_cells = 64;
  const Vec3 extent = within.size();
  const float longest = std::max({extent.x(), extent.y(), dimension == 3 ? extent.z() : 0.0f});
  const float cell = std::max(0.5f * spacing, longest / most_cells);
  const Box region = within.grown(2 * cell);
  int cells[3];
  for (int axis = 0; axis != 3; ++axis)
    cells[axis] = axis < dimension ? static_cast<int>(std::ceil(region.size()[axis] / cell)) : 1;
  double near = 0;
  for (int k = 0; k != cells[2]; ++k)
    for (int j = 0; j != cells[1]; ++j)
      for (int i = 0; i != cells[0]; ++i) {
        Vec3 x = region.min + cell * (Vec3(i, j, k) + Vec3::Constant(0.5f));
        if (dimension == 2) x.z() = 0;
        // A cell at the edge of the layer counts by the part of it that is inside.
        near += std::clamp(1.5 - std::abs(shape.distance(x)) / cell, 0.0, 1.0);
      }
  return static_cast<float>(near * std::pow(cell, dimension) / (2 * cell));
}

/// Places on the front side of a sheet, about a spacing apart: the centres of its triangles, or of parts of them where
/// they are larger, set off as far as fluid comes to a sheet.
template <class Add>
void for_places_on(const Particles& particles, Index object, float spacing, Add&& add) {
  constexpr float clearance = 0.95f, edge_in_spacings = 1.5f;
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const auto of = particles[columns::object];
  for (const SheetTriangle& t : sheets::triangles(particles)) {
    if (of[t[0]] != object) continue;
    const Vec3 &a = x[t[0]], u = x[t[1]] - a, w = x[t[2]] - a, n = u.cross(w);
    const float area = 0.5f * n.norm();
    if (!(area > 0)) continue;
    const float longest = std::max({u.norm(), w.norm(), (w - u).norm()});
    const int parts = std::max(1, static_cast<int>(std::ceil(longest / (edge_in_spacings * spacing))));
    const float part = 1 / static_cast<float>(parts);
    for (int i = 0; i != parts; ++i)
      for (int j = 0; j != 2 * (parts - i) - 1; ++j) {
        // Small triangles that stand on their base and, between them, those that stand on their tip.
        const float third = part * (j % 2 == 0 ? 1.0f / 3 : 2.0f / 3);
        const float s = part * static_cast<float>(i) + third, r = part * static_cast<float>(j / 2) + third;
        add(Vec3(a + s * u + r * w + clearance * spacing * n.normalized()), Vec3(n.normalized()),
            Vec3((1 - s - r) * v[t[0]] + s * v[t[1]] + r * v[t[2]]), area * part * part);
      }
  }
}

/// What a rate per area is to be multiplied with.
float opening_area(const EmitterSetup& emitter, const WorldSetup& setup, float spacing, float area_of_sheet) {
  if (emitter.kind == EmitterKind::box) return area_of_sheet;
  if (emitter.kind == EmitterKind::surface)
    return surface_area(*emitter.shape, sampled_region(emitter, setup, 0), spacing, setup.dimension);
  return setup.dimension == 3 ? std::numbers::pi_v<float> * emitter.radius * emitter.radius : 2 * emitter.radius;
}

Keyable<float> times(const Keyable<float>& keyable, float factor) {
  std::vector<float> values = keyable.values();
  for (float& value : values) value *= factor;
  return keyable.constant() ? Keyable<float>(values.front())
                            : Keyable<float>(keyable.curve().with(values), keyable.over());
}

}  // namespace

Emitters::Emitters(const WorldSetup& setup, const Box& extent, float stray_distance, const ProgressReport& report)
    : sinks_(setup.sinks),
      domain_(setup.domain),
      periodic_(setup.periodic),
      dimension_(setup.dimension),
      seed_(setup.seed) {
  if (!domain_ && !extent.empty()) {
    stray_distance_ = stray_distance;
    near_ = extent.grown(stray_distance);
  }
  const Kernel kernel(setup.kernel, dimension_);
  for (const EmitterSetup& given : setup.emitters) {
    Emitter emitter{given, setup.objects[given.object].spacing, 0, 0, {}, {}, 0};
    const float spacing = emitter.spacing;
    emitter.support = setup.support_ratio * spacing;
    emitter.volume = lattice_volume(kernel, spacing, emitter.support);
    if (given.kind == EmitterKind::disc)
      for (const Eigen::Vector2f& p : disc_lattice(given.radius, spacing, dimension_)) {
        emitter.sheet.push_back({Vec3(p.x(), p.y(), 0), Vec3::Zero()});
        emitter.lags.push_back(lag_of(p, spacing));
      }
    if (given.kind == EmitterKind::surface && !given.sheet)
      for (const SurfaceSample& sample :
           sample_surface(*given.shape, spacing, -0.5f * spacing, sampled_region(given, setup, spacing), dimension_,
                          report.task("openings of '" + given.name + "'")))
        emitter.sheet.push_back({sample.position, sample.normal});
    emitter.area = static_cast<float>(emitter.sheet.size()) * emitter.volume / spacing;
    if (given.kind == EmitterKind::box) {
      const Vec3 size = given.shape->bounds().size();
      emitter.area = dimension_ == 3 ? size.x() * size.y() : size.x();
    }
    if (given.rate_per_area && !given.sheet) {
      emitter.setup.rate = times(given.rate, opening_area(given, setup, spacing, emitter.area));
      emitter.setup.rate_per_area = false;
    }
    emitters_.push_back(std::move(emitter));
  }
}

void Emitters::require(Particles& particles) const {
  if (std::ranges::none_of(emitters_, guides)) return;
  particles.require(columns::opening);
  particles.require(columns::way_to_go);
}

Emitters::Place Emitters::opening_at(const EmitterSetup& setup, const Bodies& colliders, double time) {
  const Vec3 centre = setup.centre.at(time), direction = setup.direction.at(time).normalized();
  if (!setup.body) return {centre, direction};
  const Pose pose = colliders[*setup.body].pose_at(time);
  return {pose.to_world(centre), (pose.rotation * direction.cast<double>()).cast<float>()};
}

/// During a step: exactly what takes its centre from one end to the other. A body whose motion is solved for has not
/// moved yet when this is asked; its present velocity is taken.
Vec3 Emitters::opening_velocity(const EmitterSetup& setup, const Bodies& colliders, double from, double to) {
  if (!moves(setup) || !(to > from)) return Vec3::Zero();
  const Vec3 begin = opening_at(setup, colliders, from).position;
  if (setup.body && colliders[*setup.body].dynamic())
    return colliders[*setup.body].state().velocity_at(begin.cast<double>()).cast<float>();
  return (opening_at(setup, colliders, to).position - begin) / static_cast<float>(to - from);
}

Vec3 Emitters::carried_velocity(const EmitterSetup& setup, const Bodies& colliders, const Vec3& x, float speed,
                                double from, double to) {
  const Body& body = colliders[*setup.body];
  const Pose begin = body.pose_at(from);
  const Vec3 local = begin.to_local(x), normal = setup.shape->normal(local);
  const double seconds = to - from;
  if (body.dynamic())
    return (body.state().velocity_at(x.cast<double>()) + speed * (begin.rotation * normal.cast<double>()))
        .cast<float>();
  // Exactly what takes it to where its place in the frame of the body will be.
  const Pose end = body.pose_at(to);
  const Vec3d way = end.rotation * (local + static_cast<float>(speed * seconds) * normal).cast<double>() +
                    end.position - x.cast<double>();
  return (way / seconds).cast<float>();
}

void Emitters::guide(Particles& particles, const Bodies& colliders, double from, double to) {
  const auto opening = optional_column(particles, columns::opening);
  if (opening.empty()) return;
  const auto x = particles[columns::position];
  const auto v = particles[columns::velocity];
  const auto left = particles[columns::way_to_go];
  std::vector<float> before, now;
  std::vector<Vec3> moved, moves;
  for (Emitter& emitter : emitters_) {
    before.push_back(emitter.setup.speed.at(from));
    now.push_back(emitter.setup.speed.at(to));
    moved.push_back(emitter.velocity);
    moves.push_back(opening_velocity(emitter.setup, colliders, from, to));
    emitter.velocity = moves.back();
  }
  const float step = static_cast<float>(to - from);
  for (Index i = 0; i != particles.size(); ++i) {
    if (opening[i] == 0) continue;
    const Index e = opening[i] - 1;
    const float change = now[e] != before[e] && before[e] > 0 ? now[e] / before[e] : 1.0f;
    if (on_surface_of_body(emitters_[e].setup)) {
      if (to > from) v[i] = carried_velocity(emitters_[e].setup, colliders, x[i], now[e], from, to);
    } else if (emitters_[e].setup.body)
      v[i] = now[e] * opening_at(emitters_[e].setup, colliders, to).direction + moves[e];
    else if (change != 1 || moves[e] != moved[e])
      v[i] = change * (v[i] - moved[e]) + moves[e];
    left[i] -= step * now[e];
    if (now[e] <= 0 || left[i] <= 0) opening[i] = 0;
  }
}

std::vector<Emitters::Place> Emitters::sheet_at(const Emitter& emitter, const Particles& particles,
                                                const Bodies& colliders, double time) const {
  std::vector<Place> places;
  if (on_sheet(emitter.setup)) {
    for_places_on(particles, *emitter.setup.sheet, emitter.spacing,
                  [&](const Vec3& x, const Vec3& n, const Vec3& v, float) {
                    places.push_back({x, n, v});
                  });
    return places;
  }
  if (emitter.setup.kind == EmitterKind::surface) {
    const Pose pose = emitter.setup.body ? colliders[*emitter.setup.body].pose_at(time) : Pose{};
    for (const Place& p : emitter.sheet)
      places.push_back(
          {emitter.setup.body ? pose.to_world(p.position) : p.position,
           emitter.setup.body ? Vec3((pose.rotation * p.direction.cast<double>()).cast<float>()) : p.direction});
    return places;
  }
  const Place opening = opening_at(emitter.setup, colliders, time);
  const auto [u, w] = across(opening.direction, dimension_);
  for (const Place& p : emitter.sheet)
    places.push_back({opening.position + p.position.x() * u + p.position.y() * w, opening.direction});
  return places;
}

std::vector<Emitters::Place> Emitters::passed(const Emitter& emitter, const Particles& particles,
                                              const Bodies& colliders, double time, double from_way,
                                              double to_way) const {
  const double spacing = emitter.spacing;
  const auto for_ways_since = [&](float lag, auto&& add) {
    for (double at = (lag > 0 ? lag : 1) * spacing; at <= to_way; at += spacing)
      if (at > from_way) add(static_cast<float>(to_way - at));
  };
  const auto any = [&](float lag) {
    bool found = false;
    for_ways_since(lag, [&](float) { found = true; });
    return found;
  };
  if (emitter.lags.empty() ? !any(0) : std::ranges::none_of(emitter.lags, any)) return {};
  std::vector<Place> places;
  const std::vector<Place> sheet = sheet_at(emitter, particles, colliders, time);
  for (std::size_t k = 0; k != sheet.size(); ++k)
    for_ways_since(emitter.lags.empty() ? 0 : emitter.lags[k], [&](float ahead) {
      places.push_back({sheet[k].position + ahead * sheet[k].direction, sheet[k].direction, sheet[k].velocity});
    });
  return places;
}

std::vector<Emitters::Place> Emitters::thinned(const Emitter& emitter, const std::vector<Place>& places,
                                               double part) const {
  const std::uint64_t salt = seed_ + static_cast<std::uint64_t>(emitter.made);
  std::vector<Place> chosen;
  if (!emitter.lags.empty()) {
    // They come a few at a time: each by chance, so that it is not the same ones in every sheet, and with a better
    // chance the more is owed, so that the volume is right.
    constexpr double settled_within = 8;
    const std::uint64_t moment = salt + std::bit_cast<std::uint64_t>(emitter.travelled);
    double owed = emitter.owed / emitter.volume;
    for (std::size_t k = 0; k != places.size(); ++k) {
      if (part + owed / settled_within <= static_cast<double>(random_unit(moment, k))) continue;
      chosen.push_back(places[k]);
      owed -= 1;
    }
    return chosen;
  }
  // The places in a random order, as many as are owed.
  std::vector<Index> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return random_bits(salt, a) < random_bits(salt, b); });
  order.resize(std::min<std::size_t>(order.size(), static_cast<std::size_t>(emitter.owed / emitter.volume)));
  std::sort(order.begin(), order.end());
  for (const Index k : order) chosen.push_back(places[k]);
  return chosen;
}

/// Where particles would be made now; takes the way and the volume they need from the emitter's accounts.
std::vector<Emitters::Place> Emitters::places_due(Emitter& emitter, const Particles& particles, const Bodies& colliders,
                                                  double from, double to) const {
  const EmitterSetup& setup = emitter.setup;
  const double seconds = to - from;
  const float speed = setup.speed.at(to);
  float rate = setup.rate.at(to);
  if (on_sheet(setup)) {
    float area = 0;
    for_places_on(particles, *setup.sheet, emitter.spacing,
                  [&](const Vec3&, const Vec3&, const Vec3&, float part) { area += part; });
    emitter.area = area;
    if (setup.rate_per_area) rate *= area;
  }
  emitter.owed += (rate >= 0 ? rate : emitter.area * speed) * seconds;
  std::vector<Place> places;
  if (setup.kind == EmitterKind::box) {
    const Box bounds = setup.shape->bounds();
    const Vec3 direction = setup.direction.at(to).normalized();
    const auto due = static_cast<std::uint64_t>(emitter.owed / emitter.volume);
    for (std::uint64_t k = 0; k != 4 * due && places.size() != due; ++k) {
      const std::uint64_t counter = static_cast<std::uint64_t>(emitter.made) * 64 + k;
      Vec3 x = bounds.min + random_point(seed_, counter).cwiseProduct(bounds.size());
      if (dimension_ == 2) x.z() = 0;
      if (setup.shape->contains(x)) places.push_back({x, direction});
    }
    return places;
  }
  // Sheets one spacing apart, or a new try at the opening every step when nothing moves away from it.
  const double before = emitter.travelled, now = before + speed * seconds;
  emitter.travelled = std::fmod(now, static_cast<double>(emitter.spacing));
  if (speed <= 0) return sheet_at(emitter, particles, colliders, to);
  places = passed(emitter, particles, colliders, to, before, now);
  return rate >= 0 ? thinned(emitter, places, rate / (emitter.area * speed)) : places;
}

Index Emitters::emit(Particles& particles, const Bodies& colliders, double from, double to) {
  Index total = 0;
  recoils_.clear();
  for (Emitter& emitter : emitters_) {
    if (emitter.setup.on.at(to) <= 0.5f || emitter.made >= emitter.setup.most) continue;
    std::vector<Place> places = places_due(emitter, particles, colliders, from, to);
    if (places.empty()) continue;
    std::vector<Vec3> wanted;
    for (const Place& place : places) wanted.push_back(place.position);
    NeighbourList blocking;
    find_around({particles[columns::position], particles[columns::support], particles[columns::id], {}}, wanted,
                0.75f * emitter.spacing, blocking);
    // Also free of those made in the same moment, which a box may put anywhere, and a sheet too close together.
    NeighbourList together;
    if (emitter.setup.kind == EmitterKind::box || on_sheet(emitter.setup)) {
      std::vector<Index> numbers(wanted.size());
      std::iota(numbers.begin(), numbers.end(), Index(0));
      const std::vector<float> none(wanted.size(), 0.0f);
      find_around({wanted, none, numbers, {}}, wanted, 0.75f * emitter.spacing, together);
    }
    std::vector<Place> free;
    std::vector<std::uint8_t> taken(places.size(), 0);
    for (std::size_t k = 0; k != places.size(); ++k) {
      const bool crowded = !together.offsets.empty() &&
                           std::ranges::any_of(together.of(k), [&](Index other) { return taken[other] != 0; });
      const bool room = emitter.made + static_cast<double>(free.size()) < emitter.setup.most;
      if (!room || !blocking.of(k).empty() || crowded || !(colliders.distance(wanted[k], to) > 0.25f * emitter.spacing))
        continue;
      taken[k] = 1;
      free.push_back(places[k]);
    }
    emitter.made += static_cast<double>(free.size());
    emitter.owed -= static_cast<double>(free.size()) * emitter.volume;
    // What could not be made for want of room is not owed for ever.
    const std::size_t most = emitter.lags.empty() ? places.size() : emitter.sheet.size();
    emitter.owed = std::min(emitter.owed, static_cast<double>(most) * emitter.volume);
    if (free.empty()) continue;

    Index next = particles.create(static_cast<Index>(free.size()));
    total += static_cast<Index>(free.size());
    const float speed = emitter.setup.speed.at(to);
    std::optional<BodyState> body;
    if (on_surface_of_body(emitter.setup)) body = moment_of(colliders[*emitter.setup.body], to);
    const auto opening = optional_column(particles, columns::opening);
    for (const Place& place : free) {
      particles[columns::position][next] = place.position;
      particles[columns::velocity][next] =
          speed * place.direction + place.velocity +
          (body ? Vec3(body->velocity_at(place.position.cast<double>()).cast<float>()) : emitter.velocity);
      particles[columns::object][next] = emitter.setup.object;
      particles[columns::volume][next] = emitter.volume;
      particles[columns::support][next] = emitter.support;
      for (const InitialValues::Entry& entry : emitter.setup.initial.entries())
        particles[*entry.column][next] = entry.value.at(to);
      if (body && colliders[*emitter.setup.body].dynamic())
        recoils_.push_back({static_cast<Index>(*emitter.setup.body), next, speed * place.direction});
      const Vec3 end = place.position + emitter.support * place.direction;
      if (guides(emitter) && !on_sheet(emitter.setup) && speed > 0 && colliders.distance(end, to) > emitter.support) {
        opening[next] = static_cast<Index>(&emitter - emitters_.data()) + 1;
        particles[columns::way_to_go][next] = emitter.support;
      }
      ++next;
    }
  }
  return total;
}

/// Few particles far from everything are strays. If most are there, the scene has moved, and none of them is.
void Emitters::mark_strays(std::span<const Vec3> x, const Bodies& colliders, double time,
                           std::vector<std::uint8_t>& marked) {
  std::vector<Index> outside;
  for (Index i = 0; i != x.size(); ++i)
    if (!near_.contains(x[i])) outside.push_back(i);
  if (2 * outside.size() > x.size()) return;
  for (const Index i : outside)
    if (!marked[i] && colliders.distance(x[i], time) > stray_distance_) {
      marked[i] = 1;
      ++strays_;
    }
}

Index Emitters::mark_leaving(const Particles& particles, const Box& matter, const Bodies& colliders, double time,
                             std::vector<std::uint8_t>& marked) {
  const auto x = particles[columns::position];
  // In most steps nothing leaves, and the box around all tells.
  if (matter.empty()) return 0;
  const auto inside = [&](const Vec3& at) {
    for (int a = 0; a != dimension_; ++a)
      if (!periodic_[a] && !(at[a] >= domain_->min[a] && at[a] <= domain_->max[a])) return false;
    return true;
  };
  const bool beyond_domain = domain_ && !(inside(matter.min) && inside(matter.max));
  const bool far_away = std::isfinite(stray_distance_) && !(near_.contains(matter.min) && near_.contains(matter.max));
  const bool in_sinks = std::ranges::any_of(sinks_, [&](const SinkSetup& sink) { return sink.on.at(time) > 0.5f; });
  if (!beyond_domain && !far_away && !in_sinks) return 0;
  marked.assign(particles.size(), 0);
  if (beyond_domain) parallel_for(x.size(), [&](std::size_t i) { marked[i] = !inside(x[i]); });
  for (const SinkSetup& sink : sinks_)
    if (sink.on.at(time) > 0.5f)
      parallel_for(x.size(), [&](std::size_t i) {
        if (sink.shape->contains(x[i])) marked[i] = 1;
      });
  if (far_away) mark_strays(x, colliders, time, marked);
  return static_cast<Index>(std::count(marked.begin(), marked.end(), 1));
}

void Emitters::save(std::map<std::string, std::vector<double>>& state) const {
  if (strays_ != 0) state[strays_key] = {static_cast<double>(strays_)};
  for (const Emitter& emitter : emitters_) {
    std::vector<double>& numbers = state["emitter." + emitter.setup.name];
    numbers = {emitter.travelled, emitter.owed, emitter.made};
    if (!moves(emitter.setup)) continue;
    for (const float component : emitter.velocity) numbers.push_back(component);
  }
}

void Emitters::restore(const std::map<std::string, std::vector<double>>& state) {
  if (const auto strays = state.find(strays_key); strays != state.end())
    strays_ = static_cast<std::uint64_t>(strays->second.at(0));
  for (Emitter& emitter : emitters_) {
    const auto found = state.find("emitter." + emitter.setup.name);
    if (found == state.end() || found->second.size() < 3) continue;
    emitter.travelled = found->second[0];
    emitter.owed = found->second[1];
    emitter.made = found->second[2];
    if (found->second.size() == 6)
      for (int a = 0; a != 3; ++a) emitter.velocity[a] = static_cast<float>(found->second[3 + a]);
  }
}

}  // namespace fondue
