#include "world/sheet_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <numeric>

#include "core/parallel.h"
#include "shapes/moving_triangle.h"

namespace fondue {

namespace {

/// How often a particle is set off triangles, one after another, in a substep.
constexpr int most_rounds = 6;
/// Sweeps over all impulses in the first substep of a step and in the others.
constexpr int first_sweeps = 24, sweeps = 3;
/// What is as close as this to a triangle, in radii, is on the side that it comes from.
constexpr double on_it = 1e-3;
/// What is nearer than a radius and this much of it is a contact.
constexpr double margin = 0.04;
/// Contacts of a point push in directions whose cosine is below this, and there are at most so many.
constexpr double same_direction = 0.8;
constexpr std::size_t most_contacts = 3;
/// How fast sheets part that are too near: this part of what is missing in a substep, and radii per second.
constexpr double parted = 0.1, fastest_parting = 4;

/// A triangle that is near enough.
struct Candidate {
  double distance;
  Index triangle;
  Vec3d weights, normal;
};

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

void SheetContacts::begin(std::vector<Corners> triangles, double room, const Places& places) {
  triangles_ = std::move(triangles);
  room_ = room;
  points_.clear();
  begins_.assign(1, 0);
  pairs_.clear();
  start_.resize(places.records.size());
  parallel_for(start_.size(), [&](std::size_t p) { start_[p] = place_of(places.records[p]); });
  std::vector<Box> boxes(triangles_.size());
  std::vector<std::uint8_t> is_corner(start_.size(), 0);
  for (std::size_t t = 0; t != boxes.size(); ++t) {
    for (const Index p : triangles_[t].place) {
      boxes[t].add(start_[p].cast<float>());
      is_corner[p] = 1;
    }
    boxes[t] = boxes[t].grown(static_cast<float>(room));
  }
  corner_places_.clear();
  for (Index p = 0; p != is_corner.size(); ++p)
    if (is_corner[p]) corner_places_.push_back(p);
  cells_ = TriangleCells(std::move(boxes));
}

void SheetContacts::add(const Point& point, std::span<const Pair> pairs) {
  points_.push_back(point);
  pairs_.insert(pairs_.end(), pairs.begin(), pairs.end());
  begins_.push_back(static_cast<Index>(pairs_.size()));
}

void SheetContacts::finish(const Places& places) {
  std::vector<Index> order(points_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index k) { return std::pair(!points_[k].of_sheet, points_[k].id); });
  std::vector<Point> points;
  std::vector<Index> begins{0};
  std::vector<Pair> pairs;
  points.reserve(points_.size());
  pairs.reserve(pairs_.size());
  for (const Index k : order) {
    points.push_back(points_[k]);
    pairs.insert(pairs.end(), pairs_.begin() + begins_[k], pairs_.begin() + begins_[k + 1]);
    begins.push_back(static_cast<Index>(pairs.size()));
  }
  points_ = std::move(points);
  begins_ = std::move(begins);
  pairs_ = std::move(pairs);
  of_sheets_ = static_cast<Index>(std::ranges::count(points_, true, &Point::of_sheet));
  start_.resize(places.records.size());
  parallel_for(start_.size(), [&](std::size_t p) { start_[p] = place_of(places.records[p]); });
  from_ = to_ = start_;
  way_.assign(points_.size(), 0);
  clear_.assign(points_.size(), infinity);
  for (Index k = 0; k != points_.size(); ++k)
    for (Index b = begins_[k]; b != begins_[k + 1]; ++b) clear_[k] = std::min(clear_[k], pairs_[b].bound);
  if (contacts_.size() < points_.size()) contacts_.resize(points_.size());
  for (std::vector<SheetContact>& some : contacts_) some.clear();
  fresh_ = true;
}

double SheetContacts::distance(const Vec3d& x, Index triangle, const std::vector<Vec3d>& at) const {
  const auto& p = triangles_[triangle].place;
  const std::array<Vec3d, 3> corners = {at[p[0]], at[p[1]], at[p[2]]};
  return (x - blended(nearest_weights(x, corners), corners)).norm();
}

Vec3d SheetContacts::corner_point(const SheetContact& contact, const std::vector<Vec3d>& at) const {
  return blended(contact.weights, {at[contact.corner[0]], at[contact.corner[1]], at[contact.corner[2]]});
}

Vec3d SheetContacts::normal_of(Index triangle) const {
  const auto& p = triangles_[triangle].place;
  return (to_[p[1]] - to_[p[0]]).cross(to_[p[2]] - to_[p[0]]).normalized();
}

/// Whether the path from the last comparison to here passes a triangle before all others.
void SheetContacts::cross(Index point, const Vec3d& end, Index t, Seen& seen) const {
  const auto& p = triangles_[t].place;
  const MovingTriangle triangle{{from_[p[0]], from_[p[1]], from_[p[2]]}, {to_[p[0]], to_[p[1]], to_[p[2]]}};
  const auto found = triangle.first_crossing(from_[points_[point].place], end);
  if (!found || !(found->time < seen.time)) return;
  seen.passed = true;
  seen.time = found->time;
  seen.crossing = {.point = points_[point].place,
                   .corner = p,
                   .weights = found->weights,
                   .normal = found->side * normal_of(t),
                   .gap = 0,
                   .friction = 0};
}

/// What a point at x meets that has moved, together with the sheets, by so much since the last comparison.
void SheetContacts::look(Index k, const Vec3d& x, double moved, Seen& seen) {
  const Point& point = points_[k];
  const double touching = (1 + margin) * point.radius;
  seen.passed = false;
  seen.time = 2;
  seen.least = infinity;
  thread_local std::vector<Candidate> candidates;
  candidates.clear();
  clear_[k] = infinity;
  for (Index b = begins_[k]; b != begins_[k + 1]; ++b) {
    Pair& pair = pairs_[b];
    if (pair.bound - way_[k] <= std::max(touching, moved)) {
      const auto& p = triangles_[pair.triangle].place;
      const std::array<Vec3d, 3> corners = {to_[p[0]], to_[p[1]], to_[p[2]]};
      const Vec3d weights = nearest_weights(x, corners), away = x - blended(weights, corners);
      const double d = away.norm();
      pair.bound = d + way_[k];
      if (d <= moved) cross(k, x, pair.triangle, seen);
      seen.least = std::min(seen.least, d);
      if (d < touching) {
        Vec3d normal = away / std::max(d, 1e-300);
        if (!(d > on_it * point.radius)) {
          const Vec3d start = from_[point.place] - from_[p[0]];
          const Vec3d front = (from_[p[1]] - from_[p[0]]).cross(from_[p[2]] - from_[p[0]]);
          normal = std::copysign(1.0, start.dot(front)) * normal_of(pair.triangle);
        }
        candidates.push_back({d, pair.triangle, weights, normal});
      }
    }
    clear_[k] = std::min(clear_[k], pair.bound);
  }
  // The nearest first, then the nearest of those that push in another direction.
  seen.near.clear();
  while (seen.near.size() != most_contacts && !candidates.empty()) {
    const Candidate found = *std::ranges::min_element(candidates, {}, &Candidate::distance);
    const Corners& triangle = triangles_[found.triangle];
    seen.near.push_back(
        {.point = point.place,
         .corner = triangle.place,
         .weights = found.weights,
         .normal = found.normal,
         .gap = found.distance - point.radius,
         .friction = std::sqrt(static_cast<double>(point.friction) * static_cast<double>(triangle.friction))});
    std::erase_if(candidates, [&](const Candidate& c) { return c.normal.dot(found.normal) > same_direction; });
  }
}

/// What touches a point now, with the impulses of what did before.
void SheetContacts::remember(Index k, Seen& seen) {
  std::vector<SheetContact>& before = contacts_[k];
  for (SheetContact& contact : seen.near)
    for (SheetContact& old : before)
      if (old.normal.dot(contact.normal) > same_direction) {
        contact.impulse = std::exchange(old.impulse, Vec3d::Zero());
        break;
      }
  before.assign(seen.near.begin(), seen.near.end());
}

void SheetContacts::keep_off(Index k, const Bodies& bodies, const Bodies::Nearby& nearby, double corners_moved,
                             Seen& seen) {
  const Point& point = points_[k];
  const Vec3d start = from_[point.place];
  Vec3d x = to_[point.place];
  const auto moved = [&] { return (x - start).norm() + corners_moved; };
  const auto go = [&](const Vec3d& there) {
    way_[k] += (there - x).norm();
    x = there;
  };
  way_[k] += moved();
  // Nothing within reach: neither passed nor touched.
  if (clear_[k] - way_[k] > std::max((1 + margin) * point.radius, moved())) {
    contacts_[k].clear();
    return;
  }
  bool free = false, corrected = false;
  for (int round = 0; round != most_rounds; ++round) {
    look(k, x, moved(), seen);
    free = !seen.passed && !(seen.least < point.radius * (1 - 1e-6));
    if (free) break;
    const SheetContact& contact = seen.passed ? seen.crossing : seen.near.front();
    go(corner_point(contact, to_) + point.radius * contact.normal);
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
  for (int round = 0; !free && round != most_rounds; ++round) {
    look(k, x, moved(), seen);
    if (!seen.passed) break;
    const Vec3d carried = start + corner_point(seen.crossing, to_) - corner_point(seen.crossing, from_);
    go(carried + on_it * point.radius * seen.crossing.normal);
  }
  to_[point.place] = x;
  remember(k, seen);
}

/// Sheets on sheets: contacts, and what has passed a triangle all the same is set back.
void SheetContacts::meet_sheets(const Places& places, double& corners_moved) {
  std::vector<std::pair<Index, Vec3d>> back(of_sheets_, {0, Vec3d::Zero()});
  parallel_blocks(of_sheets_, 64, [&](std::size_t begin, std::size_t end) {
    Seen seen;
    for (std::size_t at = begin; at != end; ++at) {
      const Index k = static_cast<Index>(at);
      const Point& point = points_[k];
      const Vec3d x = to_[point.place];
      const double moved = (x - from_[point.place]).norm() + corners_moved;
      way_[k] += moved;
      if (clear_[k] - way_[k] > std::max((1 + margin) * point.radius, moved)) {
        contacts_[k].clear();
        continue;
      }
      look(k, x, moved, seen);
      if (seen.passed && places.moving.mobility[point.place] > 0)
        back[k] = {1, corner_point(seen.crossing, to_) + 0.1 * point.radius * seen.crossing.normal};
      remember(k, seen);
    }
  });
  double farther = 0;
  for (Index k = 0; k != of_sheets_; ++k) {
    if (!back[k].first) continue;
    const Index p = points_[k].place;
    farther = std::max(farther, (back[k].second - to_[p]).norm());
    to_[p] = back[k].second;
    put(places.records[p], to_[p]);
    contacts_[k].clear();
  }
  corners_moved += farther;
  if (farther > 0)
    for (Index k = 0; k != of_sheets_; ++k) way_[k] += 2 * farther;
}

bool SheetContacts::meet_matter(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby,
                                double corners_moved) {
  std::atomic<bool> too_far = false;
  parallel_blocks(points_.size() - of_sheets_, 64, [&](std::size_t begin, std::size_t end) {
    Seen seen;
    for (std::size_t at = begin; at != end; ++at) {
      const Index k = of_sheets_ + static_cast<Index>(at), p = points_[k].place;
      const Vec3d moved = to_[p] = place_of(places.records[p]);
      if (!((moved - start_[p]).norm() <= points_[k].room)) {
        too_far = true;
        return;
      }
      keep_off(k, bodies, nearby, corners_moved, seen);
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

void SheetContacts::solve(const Places& places, std::span<const SheetContact> touches, double seconds) {
  pressing_.assign(touches.begin(), touches.end());
  for (Index k = 0; k != points_.size(); ++k)
    for (SheetContact contact : contacts_[k]) {
      if (points_[k].of_sheet && contact.gap < 0)
        contact.parting = std::min(-parted * contact.gap / seconds, fastest_parting * points_[k].radius);
      pressing_.push_back(contact);
    }
  impulses_.exchange(places.moving, pressing_, seconds, std::exchange(fresh_, false) ? first_sweeps : sweeps);
  std::size_t next = touches.size();
  for (Index k = 0; k != points_.size(); ++k)
    for (SheetContact& contact : contacts_[k]) contact.impulse = pressing_[next++].impulse;
}

}  // namespace fondue
