#include "bodies/guard.h"

#include <algorithm>
#include <cmath>

namespace fondue {

namespace {

/// The part of a vector along a surface.
Vec3 along(const Vec3& vector, const Vec3& normal) { return vector - vector.dot(normal) * normal; }

}  // namespace

CollisionGuard::Clear CollisionGuard::clear_of(const Shape& shape, float margin) {
  const std::optional<FlatSides> sides = shape.flat_sides();
  if (sides && sides->inverted && sides->rotation == Mat3::Identity()) {
    Box box = sides->local;
    box.min += sides->translation + Vec3::Constant(margin);
    box.max += sides->translation - Vec3::Constant(margin);
    return {box, true};
  }
  return {shape.bounds().grown(margin), false};
}

CollisionGuard::CollisionGuard(const std::vector<Body>& bodies, int dimension)
    : bodies_(bodies), dimension_(dimension) {
  for (const Body& body : bodies_) {
    margin_.push_back(0.1f * body.spacing());
    clear_.push_back(clear_of(*body.setup().shape, 1.01f * margin_.back()));
    worth_remembering_ |= !body.setup().shape->flat_sides();
  }
}

CollisionGuard::Interval CollisionGuard::interval(double from, double to) const {
  Interval result{{}, {}, to - from, {}, {}, {}, {}, true};
  for (const Body& body : bodies_) {
    result.from.push_back(body.pose_at(from));
    result.to.push_back(body.pose_at(to));
    const Pose& pose = result.to.back();
    result.in_place.push_back(body.setup().motion.still() && !body.rigid() && pose.position.isZero(0) &&
                              pose.rotation.coeffs() == Eigen::Quaterniond::Identity().coeffs());
    const MeshSequence* sequence = body.sequence();
    result.swept.push_back(
        sequence ? std::make_unique<SweptMesh>(sequence->mesh(from), sequence->mesh(to), sequence->one_sided())
                 : nullptr);
    result.carry.push_back(static_cast<float>(to - from) * body.setup().surface_velocity.at(to));
    result.roughness.push_back(body.setup().roughness.at(to));
    result.all_in_place &= result.in_place.back() && !sequence;
  }
  return result;
}

void CollisionGuard::deflect_by_all(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v, float distance,
                                    Impacts* impacts) const {
  // A particle in a corner is passed from wall to wall.
  for (int round = 0; round != 4; ++round) {
    bool deflected = false;
    for (std::size_t c = 0; c != bodies_.size(); ++c) deflected |= deflect(c, interval, start, x, v, distance, impacts);
    if (!deflected) return;
  }
  // After a few rounds it stays where it was, or with a collider that moves: the first such place that none objects to,
  // and between two that close on it the last.
  const auto is_free = [&](const Vec3& place) {
    Vec3 end = place, velocity = v;
    for (std::size_t c = 0; c != bodies_.size(); ++c)
      if (deflect(c, interval, start, end, velocity, distance)) return false;
    return true;
  };
  x = start;
  for (std::size_t c = 0; c != bodies_.size() && !is_free(x); ++c) {
    if (bodies_[c].still()) continue;
    x = interval.to[c].to_world(interval.from[c].to_local(start));
    Vec3 velocity = v;
    if (bodies_[c].sequence()) deflect(c, interval, start, x, velocity, distance);
  }
}

void CollisionGuard::guard_with_clearance(const Interval& interval, const Vec3& start, Vec3& x, Vec3& v,
                                          float& clearance, float distance, Impacts* impacts) const {
  float path_length = 0, farther = 0;
  bool sequences = false;
  for (std::size_t c = 0; c != bodies_.size(); ++c) {
    sequences |= interval.swept[c] != nullptr;
    const Vec3 path =
        bodies_[c].still() ? x - start : Vec3(interval.to[c].to_local(x) - interval.from[c].to_local(start));
    path_length = std::max(path_length, path.norm());
    farther = std::max(farther, 1.02f * (margin(c, distance) - margin_[c]));
  }
  const auto nearest = [&](const std::vector<Pose>& poses, const Vec3& at) {
    float free = infinity;
    for (std::size_t c = 0; c != bodies_.size(); ++c) {
      if (interval.swept[c]) continue;
      const float away = bodies_[c].setup().shape->distance(interval.in_place[c] ? at : poses[c].to_local(at));
      free = std::min(free, away - 1.02f * margin_[c]);
    }
    return free;
  };
  if (!sequences) {
    if (!(path_length + farther < clearance)) clearance = nearest(interval.from, start);
    if (path_length + farther < clearance) {
      clearance -= 1.001f * path_length;
      return;
    }
  }
  guard(interval, start, x, v, distance, impacts);
  clearance = 0;
}

/// One collider, in its own frame; the velocity into the surface is taken out, and part of that along a rough one.
bool CollisionGuard::deflect(std::size_t c, const Interval& interval, const Vec3& start, Vec3& x, Vec3& v,
                             float distance, Impacts* impacts) const {
  const Pose& from = interval.from[c];
  const Pose& to = interval.to[c];
  const bool in_place = interval.in_place[c];
  const Vec3 local_start = in_place ? start : from.to_local(start), local_end = in_place ? x : to.to_local(x);
  std::optional<Contact> contact;
  if (const SweptMesh* swept = interval.swept[c].get()) {
    if (const auto deflected = swept->deflect(local_start, local_end, margin(c, distance), 1 - interval.roughness[c]))
      contact = Contact{deflected->end, deflected->normal, deflected->end - deflected->carried, deflected->end};
  } else if (!clear_[c].holds(local_start, local_end, 1.01f * (margin(c, distance) - margin_[c]))) {
    contact = meet(c, interval, local_start, local_end, distance);
  }
  if (!contact) return false;
  x = to.to_world(contact->end);

  const Vec3 normal = (to.rotation * contact->normal.cast<double>()).cast<float>();
  Vec3 travelled = to.to_world(contact->surface_to) - from.to_world(contact->surface_from);
  if (bodies_[c].has_surface_velocity())
    travelled += (to.rotation * along(interval.carry[c], contact->normal).cast<double>()).cast<float>();
  const Vec3 wall_velocity = (travelled.cast<double>() / std::max(interval.seconds, 1e-12)).cast<float>();
  rebound(c, interval.roughness[c], normal, wall_velocity, x, v, impacts);
  if (dimension_ == 2) {
    x.z() = 0;
    v.z() = 0;
  }
  return true;
}

bool CollisionGuard::rebound(std::size_t c, float roughness, const Vec3& normal, const Vec3& wall_velocity,
                             const Vec3& x, Vec3& v, Impacts* impacts) const {
  const float approach = (v - wall_velocity).dot(normal);
  if (!(approach < 0)) return false;
  const Vec3 tangential = v - wall_velocity - approach * normal;
  const Vec3 change = (1 + bodies_[c].setup().bounce) * approach * normal + roughness * tangential;
  v -= change;
  if (impacts) impacts->push_back({static_cast<Index>(c), -change, x});
  return true;
}

bool CollisionGuard::stop(const Interval& interval, const Vec3& x, Vec3& v, float distance, Impacts* impacts) const {
  bool stopped = false;
  for (std::size_t c = 0; c != bodies_.size(); ++c) {
    if (interval.swept[c]) continue;
    const Pose& to = interval.to[c];
    const Vec3 local = interval.in_place[c] ? x : to.to_local(x);
    const float nearer = margin(c, distance);
    if (clear_[c].holds(local, local, 1.01f * (nearer - margin_[c]))) continue;
    const Nearest surface = bodies_[c].setup().shape->nearest(local);
    if (!(surface.distance < nearer)) continue;
    const Vec3 normal =
        interval.in_place[c] ? surface.normal : (to.rotation * surface.normal.cast<double>()).cast<float>();
    Vec3 travelled = Vec3::Zero();
    if (!bodies_[c].still()) travelled = to.to_world(local) - interval.from[c].to_world(local);
    if (bodies_[c].has_surface_velocity())
      travelled += (to.rotation * along(interval.carry[c], surface.normal).cast<double>()).cast<float>();
    const Vec3 wall_velocity = (travelled.cast<double>() / std::max(interval.seconds, 1e-12)).cast<float>();
    stopped |= rebound(c, interval.roughness[c], normal, wall_velocity, x, v, impacts);
  }
  return stopped;
}

/// On contact the motion goes on along the surface, in an edge along the edge, in a corner it ends.
std::optional<CollisionGuard::Contact> CollisionGuard::meet(std::size_t c, const Interval& interval, const Vec3& start,
                                                            const Vec3& end, float distance) const {
  const float margin = this->margin(c, distance);
  const Shape& shape = *bodies_[c].setup().shape;
  Vec3 way = end - start;
  std::optional<Hit> hit = shape.sweep(start, end, margin);
  if (!hit) return std::nullopt;
  const Vec3 surface = start + hit->fraction * way;
  const Vec3 normal = hit->normal;
  Vec3 slid = start, first = Vec3::Zero();
  for (int surfaces = 0; hit; ++surfaces) {
    slid += hit->fraction * way;
    way *= 1 - hit->fraction;
    // A rough surface takes it along, relative to which it slides.
    const Vec3 carried =
        surfaces == 0 ? Vec3((1 - hit->fraction) * along(interval.carry[c], normal)) : Vec3(Vec3::Zero());
    if (surfaces == 0) way = (1 - interval.roughness[c]) * (way - carried) + carried;
    const Vec3 edge = first.cross(hit->normal);
    if (surfaces == 0 || edge.norm() < 0.01f)
      way -= way.dot(hit->normal) * hit->normal;
    else
      way = way.dot(edge) / edge.squaredNorm() * edge;
    // A hair off the surface, so that rounding does not make it a contact again.
    way += 0.01f * margin * (hit->normal + first);
    first = hit->normal;
    if (surfaces == 3) way.setZero();
    hit = surfaces == 3 ? std::nullopt : shape.sweep(slid, slid + way, margin);
  }
  slid += way;
  // What starts too deep is lifted towards the margin, slower than sound, so that others can make room.
  const float depth = margin - shape.distance(slid);
  if (depth > 0) slid += std::min(depth, margin) * normal;
  return Contact{slid, normal, surface, surface};
}

}  // namespace fondue
