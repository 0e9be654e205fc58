#include "world/sheet_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "core/parallel.h"
#include "shapes/moving_triangle.h"

namespace fondue {

namespace {

/// How often a particle is set off triangles, one after another, in a comparison.
constexpr int most_rounds = 6;
/// Sweeps over all impulses in a substep.
constexpr int sweeps = 4;
/// What is as close as this to a triangle, in radii, is on the side that it comes from.
constexpr double on_it = 1e-3;
/// What is nearer than a radius and this much of it is a contact, whatever its velocity.
constexpr double margin = 0.06;
/// Contacts of a point push in directions whose cosine is below this, and there are at most so many.
constexpr double same_direction = 0.8;
constexpr std::size_t most_contacts = 3;
/// Cosine between the normals of a contact and its triangle from which on a point is over the face of the triangle.
constexpr double faced = 0.95;
/// How fast sheets part that are too near, in radii per second.
constexpr double fastest_parting = 4;
/// Points that are treated one after another by one thread.
constexpr std::size_t points_together = 256;

Vec3d place_of(const SubstepRecord& r) {
  return {static_cast<double>(r.x) + static_cast<double>(r.ux), static_cast<double>(r.y) + static_cast<double>(r.uy),
          static_cast<double>(r.z) + static_cast<double>(r.uz)};
}

void put(SubstepRecord& record, Vec3d& at) {
  const Vec3d u = at - Vec3d(record.x, record.y, record.z);
  record.ux = static_cast<float>(u.x());
  record.uy = static_cast<float>(u.y());
  record.uz = static_cast<float>(u.z());
  at = place_of(record);
}

}  // namespace

void SheetContacts::begin(std::vector<Corners> triangles, double room) {
  triangles_ = std::move(triangles);
  room_ = room;
  leaks_ = 0;
  added_.clear();
}

void SheetContacts::add(const Point& point, std::span<const Pair> pairs, float reach) {
  added_.push_back({point, pairs, reach});
}

void SheetContacts::finish(const Places& places, std::vector<Vec3> carried, double substep, double seconds) {
  const std::size_t count = added_.size();
  std::vector<std::uint64_t> order(count);
  for (Index k = 0; k != count; ++k)
    order[k] = (static_cast<std::uint64_t>(!added_[k].point.of_sheet) << 63) |
               (static_cast<std::uint64_t>(added_[k].point.id) << 31) | k;
  std::ranges::sort(order);
  const auto added = [&](std::size_t k) -> const Added& { return added_[order[k] & 0x7fffffffu]; };
  points_.resize(count);
  begins_.assign(count + 1, 0);
  way_.assign(count, 0);
  clear_.assign(count, infinity);
  parallel_for(count, [&](std::size_t k) {
    const Added& from = added(k);
    points_[k] = from.point;
    begins_[k + 1] = static_cast<Index>(
        std::ranges::count_if(from.pairs, [&](const Pair& pair) { return pair.bound < from.reach; }));
  });
  for (std::size_t k = 0; k != count; ++k) begins_[k + 1] += begins_[k];
  pairs_.resize(begins_.back());
  parallel_for(count, [&](std::size_t k) {
    const Added& from = added(k);
    Index to = begins_[k];
    for (const Pair& pair : from.pairs) {
      if (!(pair.bound < from.reach)) continue;
      pairs_[to++] = pair;
      clear_[k] = std::min(clear_[k], static_cast<double>(pair.bound));
    }
  });
  of_sheets_ = static_cast<Index>(std::ranges::count(points_, true, &Point::of_sheet));
  start_.resize(places.records.size());
  parallel_for(
      start_.size(), [&](std::size_t p) { start_[p] = place_of(places.records[p]); }, 4096);
  from_ = to_ = start_;
  std::vector<std::uint8_t> is_corner(start_.size(), 0);
  for (const Corners& corners : triangles_)
    for (const Index p : corners.place) is_corner[p] = 1;
  corner_places_.clear();
  for (Index p = 0; p != is_corner.size(); ++p)
    if (is_corner[p]) corner_places_.push_back(p);
  carried_ = std::move(carried);
  substep_ = substep;
  impulses_.set(places.moving, {});
  find_contacts(places, seconds);
}

Vec3d SheetContacts::point_of(Index t, const Vec3d& weights, const std::vector<Vec3d>& at) const {
  const auto& p = triangles_[t].place;
  return blended(weights, {at[p[0]], at[p[1]], at[p[2]]});
}

Vec3d SheetContacts::normal_of(Index triangle) const {
  const auto& p = triangles_[triangle].place;
  return (to_[p[1]] - to_[p[0]]).cross(to_[p[2]] - to_[p[0]]).normalized();
}

/// Where a triangle is from a point at x; what is on it is on the side where its path begins.
SheetContacts::Candidate SheetContacts::measured(Index k, const Vec3d& x, Index t) const {
  const auto& p = triangles_[t].place;
  const std::array<Vec3d, 3> corners = {to_[p[0]], to_[p[1]], to_[p[2]]};
  const Vec3d weights = nearest_weights(x, corners), away = x - blended(weights, corners);
  const double d = away.norm();
  if (d > on_it * points_[k].radius) return {d, t, weights, away / d};
  const Vec3d start = from_[points_[k].place] - from_[p[0]];
  const Vec3d front = (from_[p[1]] - from_[p[0]]).cross(from_[p[2]] - from_[p[0]]);
  return {d, t, weights, std::copysign(1.0, start.dot(front)) * normal_of(t)};
}

/// Whether the path from the last comparison to here passes a triangle before all others.
void SheetContacts::cross(Index point, const Vec3d& end, Index t, Seen& seen) const {
  const auto& p = triangles_[t].place;
  const MovingTriangle triangle{{from_[p[0]], from_[p[1]], from_[p[2]]}, {to_[p[0]], to_[p[1]], to_[p[2]]}};
  const auto found = triangle.first_crossing(from_[points_[point].place], end);
  if (!found || !(found->time < seen.time)) return;
  seen.passed = true;
  seen.time = found->time;
  seen.crossing = {0, t, found->weights, found->side * normal_of(t)};
}

/// How far a point at x and a triangle have moved against each other, at most, since both were there.
double SheetContacts::moved_against(Index k, const Vec3d& x, Index t, const std::vector<Vec3d>& since) const {
  const Vec3d moved = x - since[points_[k].place];
  double most = 0;
  for (const Index p : triangles_[t].place) most = std::max(most, (moved - to_[p] + since[p]).squaredNorm());
  return (1 + 1e-9) * std::sqrt(most);
}

/// What a point at x meets.
void SheetContacts::look(Index k, const Vec3d& x, Seen& seen) {
  const double touching = points_[k].radius * (1 - 1e-6);
  // Pairs that have not come within reach of each other, however they moved.
  const double apart = (1 + 1e-9) * (way_[k] + std::max(touching, way_[k]));
  seen.passed = seen.touched = false;
  seen.time = 2;
  clear_[k] = infinity;
  for (Index b = begins_[k]; b != begins_[k + 1]; ++b) {
    Pair& pair = pairs_[b];
    if (static_cast<double>(pair.bound) > apart) {
      clear_[k] = std::min(clear_[k], static_cast<double>(pair.bound));
      continue;
    }
    const double nearer = moved_against(k, x, pair.triangle, start_);
    const double now = moved_against(k, x, pair.triangle, from_);
    if (static_cast<double>(pair.bound) - nearer <= std::max(touching, now)) {
      const Candidate found = measured(k, x, pair.triangle);
      pair.bound = std::max(pair.bound, static_cast<float>((1 - 1e-7) * (found.distance - nearer)));
      if (found.distance <= now) cross(k, x, pair.triangle, seen);
      if (found.distance < touching && !(seen.touched && seen.nearest.distance <= found.distance)) {
        seen.touched = true;
        seen.nearest = found;
      }
    }
    clear_[k] = std::min(clear_[k], static_cast<double>(pair.bound));
  }
}

void SheetContacts::keep_off(Index k, const Bodies& bodies, const Bodies::Nearby& nearby, double corners_moved) {
  const Point& point = points_[k];
  const Vec3d start = from_[point.place];
  Vec3d x = to_[point.place];
  const double moved = (x - start).norm() + corners_moved;
  way_[k] += moved;
  // Nothing within reach: neither passed nor touched.
  if (clear_[k] - way_[k] > std::max(point.radius, moved)) return;
  const auto go = [&](const Vec3d& there) {
    way_[k] += (there - x).norm();
    x = there;
  };
  Seen seen;
  bool free = false, corrected = false;
  for (int round = 0; round != most_rounds; ++round) {
    look(k, x, seen);
    free = !seen.passed && !seen.touched;
    if (free) break;
    const Candidate& met = seen.passed ? seen.crossing : seen.nearest;
    go(point_of(met.triangle, met.weights, to_) + point.radius * met.normal);
    corrected = true;
  }
  // Not into a solid; and if there is no room left at all, with the sheet.
  if (corrected && bodies.size() != 0) {
    Vec3 at = x.cast<float>(), v = Vec3::Zero();
    const Vec3 wanted = at;
    bodies.guard(nearby, start.cast<float>(), at, v);
    if (at != wanted) {
      go(at.cast<double>());
      free = false;
    }
  }
  for (int round = 0; !free; ++round) {
    look(k, x, seen);
    if (!seen.passed) break;
    if (round == most_rounds) {
      ++leaks_;
      break;
    }
    const Candidate& met = seen.crossing;
    const Vec3d carried = start + point_of(met.triangle, met.weights, to_) - point_of(met.triangle, met.weights, from_);
    go(carried + on_it * point.radius * met.normal);
  }
  to_[point.place] = x;
}

/// Sheets on sheets: what has passed a triangle is set back.
void SheetContacts::meet_sheets(const Places& places, double& corners_moved) {
  std::vector<std::pair<bool, Vec3d>> back(of_sheets_, {false, Vec3d::Zero()});
  parallel_blocks(of_sheets_, points_together, [&](std::size_t begin, std::size_t end) {
    Seen seen;
    for (std::size_t at = begin; at != end; ++at) {
      const Index k = static_cast<Index>(at);
      const Point& point = points_[k];
      const Vec3d x = to_[point.place];
      const double moved = (x - from_[point.place]).norm() + corners_moved;
      way_[k] += moved;
      if (clear_[k] - way_[k] > std::max(point.radius, moved)) continue;
      look(k, x, seen);
      if (seen.passed && places.moving.mobility[point.place] > 0)
        back[k] = {true, point_of(seen.crossing.triangle, seen.crossing.weights, to_) +
                             0.1 * point.radius * seen.crossing.normal};
    }
  });
  double farther = 0;
  for (Index k = 0; k != of_sheets_; ++k) {
    if (!back[k].first) continue;
    const Index p = points_[k].place;
    farther = std::max(farther, (back[k].second - to_[p]).norm());
    to_[p] = back[k].second;
    put(places.records[p], to_[p]);
  }
  corners_moved += farther;
  if (farther > 0)
    for (Index k = 0; k != of_sheets_; ++k) way_[k] += 2 * farther;
}

bool SheetContacts::meet_matter(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby,
                                double corners_moved) {
  std::atomic<bool> too_far = false;
  parallel_blocks(points_.size() - of_sheets_, points_together, [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at != end; ++at) {
      const Index k = of_sheets_ + static_cast<Index>(at), p = points_[k].place;
      const Vec3d moved = to_[p] = place_of(places.records[p]);
      if (!((moved - start_[p]).norm() <= points_[k].room)) {
        too_far = true;
        return;
      }
      keep_off(k, bodies, nearby, corners_moved);
      if (to_[p] != moved) put(places.records[p], to_[p]);
    }
  });
  return !too_far;
}

bool SheetContacts::keep_apart(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby) {
  struct Moved {
    double since_start = 0, now = 0;
  };
  const auto farther = [](const Moved& a, const Moved& b) {
    return Moved{std::max(a.since_start, b.since_start), std::max(a.now, b.now)};
  };
  Moved corners = parallel_reduce(
      corner_places_.size(), Moved{},
      [&](std::size_t k) {
        const Index p = corner_places_[k];
        to_[p] = place_of(places.records[p]);
        return Moved{(to_[p] - start_[p]).norm(), (to_[p] - from_[p]).norm()};
      },
      farther);
  if (!(corners.since_start <= room_)) return false;
  meet_sheets(places, corners.now);
  if (!meet_matter(places, bodies, nearby, corners.now)) return false;
  for (const Index p : corner_places_) from_[p] = to_[p];
  for (const Point& point : points_) from_[point.place] = to_[point.place];
  return true;
}

/// The gradients of the weights of a triangle, along its plane for steps across the normal of the contact.
void SheetContacts::add_film(const Point& point, const Candidate& found, SheetContact& contact) const {
  constexpr double most_aslant = 0.5, least_distance = 0.1;
  const auto& p = triangles_[found.triangle].place;
  const Vec3d u = to_[p[1]] - to_[p[0]], w = to_[p[2]] - to_[p[0]], front = u.cross(w);
  const double doubled = front.squaredNorm(), upright = front.dot(found.normal);
  if (!(std::abs(upright) > most_aslant * std::sqrt(doubled))) return;
  const auto along = [&](const Vec3d& gradient) {
    return Vec3d(gradient - gradient.dot(found.normal) / upright * front);
  };
  contact.friction = 0;
  contact.film = point.film / static_cast<float>(std::max(found.distance, least_distance * point.radius));
  contact.tilt[0] = (found.distance * along(w.cross(front) / doubled)).cast<float>();
  contact.tilt[1] = (found.distance * along(front.cross(u) / doubled)).cast<float>();
}

/// Adds the contacts of a point: the nearest first, then the nearest of those that push in another direction.
void SheetContacts::approach(const Places& places, Index k, double seconds, double fastest,
                             std::vector<Candidate>& near, std::vector<SheetContact>& contacts) {
  const Point& point = points_[k];
  const double closing = (point.film > 0 ? film_reach : 1 + margin) * point.radius;
  const auto velocity = [&](Index p) {
    return Vec3d(places.moving.v[0][p], places.moving.v[1][p], places.moving.v[2][p]);
  };
  const Vec3d x = to_[point.place], v = velocity(point.place);
  // No part of a triangle is faster than its fastest corner.
  if (clear_[k] - way_[k] > closing + 2 * seconds * (v.norm() + fastest)) return;
  near.clear();
  // Pairs that stay apart however they move.
  const double apart = (1 + 1e-9) * (way_[k] + closing + 2 * seconds * (v.norm() + fastest));
  for (Index b = begins_[k]; b != begins_[k + 1]; ++b) {
    Pair& pair = pairs_[b];
    if (static_cast<double>(pair.bound) > apart) continue;
    const auto& p = triangles_[pair.triangle].place;
    const double nearer = way_[k] > 0 ? moved_against(k, x, pair.triangle, start_) : 0;
    const double spare = static_cast<double>(pair.bound) - nearer - closing;
    if (spare > 0) {
      const double quickest = std::max(
          {(velocity(p[0]) - v).squaredNorm(), (velocity(p[1]) - v).squaredNorm(), (velocity(p[2]) - v).squaredNorm()});
      if (spare * spare > 4 * seconds * seconds * quickest) continue;
    }
    const Candidate found = measured(k, x, pair.triangle);
    pair.bound = std::max(pair.bound, static_cast<float>((1 - 1e-7) * (found.distance - nearer)));
    const Vec3d u =
        found.weights[0] * velocity(p[0]) + found.weights[1] * velocity(p[1]) + found.weights[2] * velocity(p[2]);
    const double approaching = std::max(0.0, (u - v).dot(found.normal));
    if (found.distance < closing + 2 * seconds * approaching) near.push_back(found);
  }
  for (std::size_t count = 0; count != most_contacts && !near.empty(); ++count) {
    const Candidate found = *std::ranges::min_element(near, {}, &Candidate::distance);
    const Corners& triangle = triangles_[found.triangle];
    contacts.push_back({.point = point.place,
                        .corner = triangle.place,
                        .weights = found.weights.cast<float>(),
                        .normal = found.normal.cast<float>(),
                        .gap = static_cast<float>(found.distance - point.radius),
                        .parting = point.of_sheet ? static_cast<float>(fastest_parting * point.radius) : 0,
                        .friction = std::sqrt(point.friction * triangle.friction)});
    // Beside the nearest one only what it faces: a flat sheet drags once.
    if (point.film > 0 && (count == 0 || std::abs(normal_of(found.triangle).dot(found.normal)) > faced))
      add_film(point, found, contacts.back());
    std::erase_if(near, [&](const Candidate& c) { return c.normal.dot(found.normal) > same_direction; });
  }
}

/// The part of the force of the last substep that a contact with this normal can have.
Vec3 SheetContacts::take_over(Index place, const Vec3& normal, float friction, float pull) {
  Vec3& force = carried_[place];
  const float pressing = force.dot(normal);
  if (!(pressing > -pull)) return Vec3::Zero();
  Vec3 along = force - pressing * normal;
  const float size = along.norm(), most = friction * (pressing + pull);
  if (size > most) along *= size > 0 ? most / size : 0;
  const Vec3 taken = pressing * normal + along;
  force -= taken;
  return taken;
}

/// The same of a film, which drags also where nothing is pressed.
Vec3 SheetContacts::take_over_film(Index place, const Vec3& normal) {
  Vec3& force = carried_[place];
  const Vec3 taken = force - std::min(force.dot(normal), 0.0f) * normal;
  force -= taken;
  return taken;
}

void SheetContacts::find_contacts(const Places& places, double seconds) {
  forces();
  const auto speed2 = [&](std::size_t k) {
    const auto& v = places.moving.v;
    const Index p = corner_places_[k];
    return v[0][p] * v[0][p] + v[1][p] * v[1][p] + v[2][p] * v[2][p];
  };
  const double fastest = std::sqrt(static_cast<double>(
      parallel_reduce(corner_places_.size(), 0.0f, speed2, [](float a, float b) { return std::max(a, b); })));
  std::vector<std::vector<SheetContact>> found((points_.size() + points_together - 1) / points_together);
  parallel_blocks(points_.size(), points_together, [&](std::size_t begin, std::size_t end) {
    std::vector<Candidate> near;
    for (std::size_t k = begin; k != end; ++k)
      approach(places, static_cast<Index>(k), seconds, fastest, near, found[begin / points_together]);
  });
  std::vector<SheetContact> contacts;
  for (const std::vector<SheetContact>& some : found) contacts.insert(contacts.end(), some.begin(), some.end());
  for (SheetContact& contact : contacts)
    contact.impulse =
        static_cast<float>(substep_) * (contact.film > 0 ? take_over_film(contact.point, contact.normal)
                                                         : take_over(contact.point, contact.normal, contact.friction));
  impulses_.set(places.moving, contacts);
}

void SheetContacts::press(const Places& places, std::span<BodyTouch> touches, double drift) {
  const float h = static_cast<float>(substep_);
  for (BodyTouch& touch : touches) touch.impulse = h * take_over(touch.point, touch.normal, touch.friction, touch.pull);
  std::ranges::fill(carried_, Vec3::Zero());
  impulses_.exchange(places.moving, touches, substep_, drift, sweeps);
  for (const BodyTouch& touch : touches) carried_[touch.point] += touch.impulse / h;
}

/// What contacts carried, for others to begin with.
std::span<const Vec3> SheetContacts::forces() {
  pressing_.resize(carried_.size());
  for (std::size_t p = 0; p != carried_.size(); ++p) pressing_[p] = carried_[p].norm();
  for (std::size_t k = 0; k != impulses_.contacts(); ++k) {
    const Vec3 force = impulses_.impulse(k) / static_cast<float>(substep_);
    carried_[impulses_.point(k)] += force;
    pressing_[impulses_.point(k)] += force.norm();
  }
  for (std::size_t p = 0; p != carried_.size(); ++p) pressing_[p] = 0.5f * (pressing_[p] + carried_[p].norm());
  return carried_;
}

}  // namespace fondue
