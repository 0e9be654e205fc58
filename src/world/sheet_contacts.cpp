#include "world/sheet_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <atomic>
#include <numeric>

#include "core/parallel.h"
#include "shapes/moving_triangle.h"

namespace fondue {

namespace {

/// Contacts of one particle after another in a substep.
constexpr int most_contacts = 6;
/// Passes over all impulses of a substep.
constexpr int sweeps = 4;
/// What is as close as this to a triangle, in radii, is on the side that it comes from.
constexpr double on_it = 1e-3;

Vec3d place_of(const SubstepRecord& r) {
  return {static_cast<double>(r.x) + static_cast<double>(r.ux), static_cast<double>(r.y) + static_cast<double>(r.uy),
          static_cast<double>(r.z) + static_cast<double>(r.uz)};
}

Vec3d weighted(const Vec3d& weights, const std::array<Vec3d, 3>& corners) {
  return weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
}

}  // namespace

bool SheetTriangles::follow(const Particles& particles) {
  if (!particles.has_bonds(sheets::bond_set)) return false;
  const BondSet& bonds = particles.bonds(sheets::bond_set);
  if (bonds.revision() != revision_ || particles_ != particles.size()) {
    triangles_ = sheets::triangles(particles);
    revision_ = bonds.revision();
    particles_ = particles.size();
  }
  return !triangles_.empty();
}

std::vector<float> SheetTriangles::gaps(const Particles& particles, float support_ratio, float reach) const {
  const auto x = particles[columns::position];
  const auto R = particles[columns::support], thickness = particles[columns::thickness];
  std::vector<Box> boxes(triangles_.size());
  for (std::size_t t = 0; t != boxes.size(); ++t)
    for (const Index corner : triangles_[t]) boxes[t].add(x[corner]);
  const TriangleCells cells(std::move(boxes));
  std::vector<float> result(x.size(), infinity);
  parallel_for(x.size(), [&](std::size_t i) {
    if (thickness[i] > 0) return;
    const float farthest = reach * R[i] / support_ratio;
    const Vec3d at = x[i].cast<double>();
    double least = farthest;
    cells.each(Box{x[i], x[i]}.grown(farthest), [&](Index t) {
      const std::array<Vec3d, 3> corners = {x[triangles_[t][0]].cast<double>(), x[triangles_[t][1]].cast<double>(),
                                            x[triangles_[t][2]].cast<double>()};
      least = std::min(least, (at - weighted(nearest_weights(at, corners), corners)).norm());
    });
    if (least < static_cast<double>(farthest)) result[i] = static_cast<float>(least);
  });
  return result;
}

void SheetContacts::begin(std::vector<Corners> triangles, double room, const Places& places) {
  triangles_ = std::move(triangles);
  room_ = room;
  points_.clear();
  begins_.assign(1, 0);
  reached_.clear();
  unresolved_ = 0;
  corner_places_.clear();
  std::vector<Box> boxes(triangles_.size());
  start_.resize(places.records.size());
  parallel_for(start_.size(), [&](std::size_t p) { start_[p] = place_of(places.records[p]); });
  for (std::size_t t = 0; t != boxes.size(); ++t) {
    for (const Index p : triangles_[t].place) {
      boxes[t].add(start_[p].cast<float>());
      corner_places_.push_back(p);
    }
    boxes[t] = boxes[t].grown(static_cast<float>(room));
  }
  std::ranges::sort(corner_places_);
  corner_places_.erase(std::ranges::unique(corner_places_).begin(), corner_places_.end());
  cells_ = TriangleCells(std::move(boxes));
}

bool SheetContacts::within_reach(const Vec3& x, double radius, double room, std::vector<Index>& triangles) const {
  triangles.clear();
  const Vec3d at = x.cast<double>();
  cells_.each(Box{x, x}.grown(static_cast<float>(radius + room)), [&](Index t) {
    const auto& p = triangles_[t].place;
    const std::array<Vec3d, 3> corners = {start_[p[0]], start_[p[1]], start_[p[2]]};
    const double distance = (at - weighted(nearest_weights(at, corners), corners)).norm();
    if (distance < radius + room + room_) triangles.push_back(t);
  });
  std::ranges::sort(triangles);
  return !triangles.empty();
}

void SheetContacts::add(const Point& point, std::span<const Index> triangles) {
  points_.push_back(point);
  reached_.insert(reached_.end(), triangles.begin(), triangles.end());
  begins_.push_back(static_cast<Index>(reached_.size()));
}

void SheetContacts::finish(const Places& places) {
  std::vector<Index> order(points_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index k) { return points_[k].id; });
  std::vector<Point> points;
  std::vector<Index> begins{0}, reached;
  for (const Index k : order) {
    points.push_back(points_[k]);
    reached.insert(reached.end(), reached_.begin() + begins_[k], reached_.begin() + begins_[k + 1]);
    begins.push_back(static_cast<Index>(reached.size()));
  }
  points_ = std::move(points);
  begins_ = std::move(begins);
  reached_ = std::move(reached);
  start_.resize(places.records.size());
  parallel_for(start_.size(), [&](std::size_t p) { start_[p] = place_of(places.records[p]); });
  from_ = to_ = start_;
  clear_.assign(points_.size(), 0);
  contacts_.assign(points_.size(), {});
  stuck_.assign(points_.size(), 0);
}

Vec3d SheetContacts::corner_point(const Contact& contact, const std::vector<Vec3d>& at) const {
  const auto& p = triangles_[contact.triangle].place;
  return weighted(contact.weights, {at[p[0]], at[p[1]], at[p[2]]});
}

Vec3d SheetContacts::normal_of(Index triangle) const {
  const auto& p = triangles_[triangle].place;
  return (to_[p[1]] - to_[p[0]]).cross(to_[p[2]] - to_[p[0]]).normalized();
}

/// The first triangle that a path from the last comparison to here passes.
std::optional<SheetContacts::Contact> SheetContacts::crossing(Index point, const Vec3d& end) const {
  const Vec3d start = from_[points_[point].place];
  std::optional<Contact> first;
  double time = 2;
  for (Index k = begins_[point]; k != begins_[point + 1]; ++k) {
    const auto& p = triangles_[reached_[k]].place;
    const MovingTriangle triangle{{from_[p[0]], from_[p[1]], from_[p[2]]}, {to_[p[0]], to_[p[1]], to_[p[2]]}};
    const auto found = triangle.first_crossing(start, end);
    if (!found || !(found->time < time)) continue;
    time = found->time;
    first = Contact{point, reached_[k], found->weights, found->side * normal_of(reached_[k])};
  }
  return first;
}

std::optional<SheetContacts::Contact> SheetContacts::nearest(Index point, const Vec3d& x, double& distance) const {
  std::optional<Contact> found;
  distance = points_[point].radius + points_[point].room + room_;
  for (Index k = begins_[point]; k != begins_[point + 1]; ++k) {
    const auto& p = triangles_[reached_[k]].place;
    const std::array<Vec3d, 3> corners = {to_[p[0]], to_[p[1]], to_[p[2]]};
    const Vec3d weights = nearest_weights(x, corners), away = x - weighted(weights, corners);
    const double d = away.norm();
    if (!(d < distance)) continue;
    distance = d;
    Vec3d normal = away / std::max(d, 1e-300);
    if (!(d > on_it * points_[point].radius)) {
      const Vec3d start = from_[points_[point].place] - from_[p[0]];
      const Vec3d front = (from_[p[1]] - from_[p[0]]).cross(from_[p[2]] - from_[p[0]]);
      normal = std::copysign(1.0, start.dot(front)) * normal_of(reached_[k]);
    }
    found = Contact{point, reached_[k], weights, normal};
  }
  return found;
}

void SheetContacts::keep_off(Index k, const Bodies& bodies, const Bodies::Nearby& nearby, double corners_moved,
                             std::vector<Contact>& contacts) {
  contacts.clear();
  const Point& point = points_[k];
  const Vec3d start = from_[point.place];
  const double clear_at_start = clear_[k];
  Vec3d x = to_[point.place];
  clear_[k] -= (x - start).norm() + corners_moved;
  // Nothing within reach: neither passed nor touched.
  if (clear_[k] > point.radius) return;
  const auto passed = [&](const Vec3d& end) {
    return (end - start).norm() + corners_moved < clear_at_start ? std::nullopt : crossing(k, end);
  };
  double distance = 0;
  bool free = false;
  for (int round = 0; round != most_contacts; ++round) {
    std::optional<Contact> contact = passed(x);
    if (!contact) {
      contact = nearest(k, x, distance);
      free = !contact || !(distance < point.radius * (1 - 1e-6));
      if (free) break;
    }
    x = corner_point(*contact, to_) + point.radius * contact->normal;
    contacts.push_back(*contact);
  }
  // Not into a solid; and if there is no room left at all, with the sheet.
  if (!contacts.empty() && bodies.size() != 0) {
    Vec3 at = x.cast<float>(), v = Vec3::Zero();
    const Vec3 wanted = at;
    bodies.guard(nearby, start.cast<float>(), at, v);
    if (at != wanted) {
      x = at.cast<double>();
      free = false;
    }
  }
  if (!free) {
    for (int round = 0; round != most_contacts; ++round) {
      const std::optional<Contact> contact = passed(x);
      if (!contact) break;
      stuck_[k] = round + 1 == most_contacts;
      const Vec3d carried = start + corner_point(*contact, to_) - corner_point(*contact, from_);
      x = carried + on_it * point.radius * contact->normal;
    }
    nearest(k, x, distance);
  }
  clear_[k] = distance;
  to_[point.place] = x;
}

bool SheetContacts::keep_apart(const Places& places, const Bodies& bodies, const Bodies::Nearby& nearby) {
  struct Moved {
    double since_start = 0, now = 0;
  };
  const auto farther = [](const Moved& a, const Moved& b) {
    return Moved{std::max(a.since_start, b.since_start), std::max(a.now, b.now)};
  };
  const Moved corners = parallel_reduce(
      corner_places_.size(), Moved{},
      [&](std::size_t k) {
        const Index p = corner_places_[k];
        to_[p] = place_of(places.records[p]);
        return Moved{(to_[p] - start_[p]).norm(), (to_[p] - from_[p]).norm()};
      },
      farther);
  if (!(corners.since_start <= room_)) return false;
  std::atomic<bool> too_far = false;
  parallel_for(
      points_.size(),
      [&](std::size_t k) {
        const Index p = points_[k].place;
        to_[p] = place_of(places.records[p]);
        if (!((to_[p] - start_[p]).norm() <= points_[k].room)) {
          too_far = true;
          return;
        }
        keep_off(static_cast<Index>(k), bodies, nearby, corners.now, contacts_[k]);
        if (contacts_[k].empty()) return;
        SubstepRecord& record = places.records[p];
        const Vec3d u = to_[p] - Vec3d(record.x, record.y, record.z);
        record.ux = static_cast<float>(u.x());
        record.uy = static_cast<float>(u.y());
        record.uz = static_cast<float>(u.z());
        to_[p] = place_of(record);
      },
      32);
  if (too_far) return false;
  std::swap(from_, to_);
  for (const Index p : corner_places_) to_[p] = from_[p];
  for (const Point& point : points_) to_[point.place] = from_[point.place];
  for (std::uint8_t& stuck : stuck_) unresolved_ += std::exchange(stuck, 0);
  return true;
}

const std::vector<SheetContacts::Hit>& SheetContacts::exchange(const Places& places) {
  hits_.clear();
  const auto velocity = [&](Index p) { return Vec3d(places.v[0][p], places.v[1][p], places.v[2][p]); };
  const auto push = [&](Index p, const Vec3d& impulse) {
    if (!(places.mobility[p] > 0)) {
      hits_.push_back({p, impulse});
      return;
    }
    const Vec3d change = static_cast<double>(places.mobility[p]) * impulse;
    for (int c = 0; c != 3; ++c) places.v[c][p] = static_cast<float>(static_cast<double>(places.v[c][p]) + change[c]);
  };
  for (int sweep = 0; sweep != sweeps; ++sweep)
    for (const std::vector<Contact>& all : contacts_)
      for (const Contact& contact : all) {
        const Point& point = points_[contact.point];
        const Corners& triangle = triangles_[contact.triangle];
        const Vec3d& w = contact.weights;
        Vec3d v = velocity(point.place);
        double inverse = static_cast<double>(places.mobility[point.place]);
        for (int c = 0; c != 3; ++c) {
          v -= w[c] * velocity(triangle.place[c]);
          inverse += w[c] * w[c] * static_cast<double>(places.mobility[triangle.place[c]]);
        }
        const double approach = v.dot(contact.normal);
        if (!(approach < 0) || !(inverse > 0)) continue;
        Vec3d impulse = -approach / inverse * contact.normal;
        const Vec3d along = v - approach * contact.normal;
        const double mu = std::sqrt(static_cast<double>(point.friction) * static_cast<double>(triangle.friction));
        if (mu > 0 && !along.isZero(0)) impulse -= std::min(mu * -approach / along.norm(), 1.0) / inverse * along;
        push(point.place, impulse);
        for (int c = 0; c != 3; ++c) push(triangle.place[c], -w[c] * impulse);
      }
  return hits_;
}

}  // namespace fondue
