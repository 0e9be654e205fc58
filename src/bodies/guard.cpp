#include "bodies/guard.h"

#include <algorithm>
#include <cmath>

namespace fondue {

namespace {

/// A box around a box in a pose.
Box box_of(const Pose& pose, const Box& local) {
  const Eigen::Matrix3d turn = pose.rotation.toRotationMatrix();
  const Vec3d centre = pose.position + turn * (0.5 * (local.min + local.max).cast<double>());
  const Vec3d half = turn.cwiseAbs() * (0.5 * (local.max - local.min).cast<double>());
  // A hair more, for rounding to single precision.
  const Vec3d more = half + 1e-6 * (half + centre.cwiseAbs());
  return {(centre - more).cast<float>(), (centre + more).cast<float>()};
}

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
  constexpr std::size_t few = 4;
  Interval result;
  result.seconds = to - from;
  for (std::size_t c = 0; c != bodies_.size(); ++c) {
    const Body& body = bodies_[c];
    const Pose before = body.pose_at(from), pose = body.pose_at(to);
    const bool in_place = body.setup().motion.still() && !body.rigid() && pose.position.isZero(0) &&
                          pose.rotation.coeffs() == Eigen::Quaterniond::Identity().coeffs();
    const MeshSequence* sequence = body.sequence();
    result.from.push_back(before);
    result.to.push_back(pose);
    result.in_place.push_back(in_place);
    result.swept.push_back(
        sequence ? std::make_unique<SweptMesh>(sequence->mesh(from), sequence->mesh(to), sequence->one_sided())
                 : nullptr);
    result.carry.push_back(static_cast<float>(to - from) * body.setup().surface_velocity.at(to));
    result.roughness.push_back(body.setup().roughness.at(to));
    result.shift.push_back(static_cast<float>((pose.position - before.position).norm()));
    result.turn.push_back(static_cast<float>(before.rotation.angularDistance(pose.rotation)));

    const Box everywhere{Vec3::Constant(-infinity), Vec3::Constant(infinity)}, own = clear_[c].box;
    const bool bounded = !clear_[c].inside && !sequence && own.finite();
    Box reach = bounded ? own : everywhere;
    if (bounded && !in_place) {
      reach = box_of(before, own);
      reach.add(box_of(pose, own));
      const float size = own.min.cwiseAbs().cwiseMax(own.max.cwiseAbs()).norm();
      const float moved = result.shift.back() + result.turn.back() * size;
      // On its way a corner leaves the straight line by less than it moves.
      reach = reach.grown(moved);
      result.farthest = std::max(result.farthest, moved);
    }
    result.reach.push_back(reach);
    result.worth_selecting |= !body.still() || bodies_.size() > few;
  }
  return result;
}

CollisionGuard::Nearby CollisionGuard::all(const Interval& interval) const {
  return nearby(interval, Box{Vec3::Constant(-infinity), Vec3::Constant(infinity)}, 0);
}

CollisionGuard::Nearby CollisionGuard::nearby(const Interval& interval, const Box& starts, float path) const {
  Nearby result{interval, {}, {}};
  // What a moving body pushes goes on with it.
  const Box around = starts.grown(path + interval.farthest);
  for (std::size_t c = 0; c != bodies_.size(); ++c) {
    const bool apart = !overlap(interval.reach[c], around);
    (apart ? result.far : result.near).push_back(static_cast<Index>(c));
    if (apart && !bodies_[c].still()) {
      const Vec3 origin = interval.from[c].position.cast<float>();
      const Vec3 farthest = (starts.max - origin).cwiseAbs().cwiseMax((starts.min - origin).cwiseAbs());
      result.far_motion = std::max(result.far_motion, interval.shift[c] + interval.turn[c] * farthest.norm());
    }
  }
  return result;
}

bool CollisionGuard::free_of_bodies(const Interval& interval, const Box& box) const {
  for (Index c = 0; c != bodies_.size(); ++c)
    if (!is_apart(interval, c, box.min, box.max, 0)) return false;
  return true;
}

void CollisionGuard::deflect_by_all(const Nearby& nearby, const Vec3& start, Vec3& x, Vec3& v, float distance,
                                    Impacts* impacts) const {
  const Interval& interval = nearby.interval;
  // A particle in a corner is passed from wall to wall.
  for (int round = 0; round != 4; ++round) {
    bool deflected = false;
    for (const Index c : nearby.near) deflected |= deflect(c, interval, start, x, v, distance, impacts);
    if (!deflected) return;
  }
  // After a few rounds it stays where it was, or with a collider that moves: the first such place that none objects to,
  // and between two that close on it the last.
  const auto is_free = [&](const Vec3& place) {
    Vec3 end = place, velocity = v;
    for (const Index c : nearby.near)
      if (deflect(c, interval, start, end, velocity, distance)) return false;
    return true;
  };
  x = start;
  for (const Index c : nearby.near) {
    if (is_free(x)) return;
    if (bodies_[c].still()) continue;
    x = interval.to[c].to_world(interval.from[c].to_local(start));
    Vec3 velocity = v;
    if (bodies_[c].sequence()) deflect(c, interval, start, x, velocity, distance);
  }
}

void CollisionGuard::guard_with_clearance(const Nearby& nearby, const Vec3& start, Vec3& x, Vec3& v, float& clearance,
                                          float distance, Impacts* impacts) const {
  const Interval& interval = nearby.interval;
  float path_length = (x - start).norm() + nearby.far_motion, farther = 0;
  bool sequences = false;
  for (const Index c : nearby.near) {
    sequences |= interval.swept[c] != nullptr;
    if (!bodies_[c].still())
      path_length = std::max(path_length, Vec3(interval.to[c].to_local(x) - interval.from[c].to_local(start)).norm());
    farther = std::max(farther, 1.02f * (margin(c, distance) - margin_[c]));
  }
  // Of far bodies, the distance to their boxes; nothing of theirs is nearer.
  const auto nearest = [&](const Vec3& at) {
    float free = infinity;
    for (const Index c : nearby.near) {
      const float away = bodies_[c].setup().shape->distance(interval.in_place[c] ? at : interval.from[c].to_local(at));
      free = std::min(free, away - 1.02f * margin_[c]);
    }
    for (const Index c : nearby.far) {
      const Box& box = interval.reach[c];
      free = std::min(free, Vec3((box.min - at).cwiseMax(at - box.max).cwiseMax(0.0f)).norm());
    }
    return free;
  };
  if (!sequences) {
    if (!(path_length + farther < clearance)) clearance = nearest(start);
    if (path_length + farther < clearance) {
      clearance -= 1.001f * path_length;
      return;
    }
  }
  guard(nearby, start, x, v, distance, impacts);
  clearance = 0;
}

/// One collider, in its own frame; the velocity into the surface is taken out, and part of that along a rough one.
bool CollisionGuard::deflect(std::size_t c, const Interval& interval, const Vec3& start, Vec3& x, Vec3& v,
                             float distance, Impacts* impacts) const {
  if (is_apart(interval, static_cast<Index>(c), start, x, distance)) return false;
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
  rebound(c, interval.roughness[c], 0, normal, wall_velocity, x, v, impacts);
  if (dimension_ == 2) {
    x.z() = 0;
    v.z() = 0;
  }
  return true;
}

bool CollisionGuard::rebound(std::size_t c, float roughness, float friction, const Vec3& normal,
                             const Vec3& wall_velocity, const Vec3& x, Vec3& v, Impacts* impacts) const {
  const float approach = (v - wall_velocity).dot(normal);
  if (!(approach < 0)) return false;
  const Vec3 tangential = v - wall_velocity - approach * normal;
  const float stopped = (1 + bodies_[c].setup().bounce) * approach, sliding = tangential.norm();
  // Both kinds of friction stop it at most.
  const float taken = sliding > 0 ? std::min(roughness - friction * stopped / sliding, 1.0f) : 0.0f;
  const Vec3 change = stopped * normal + std::max(roughness, taken) * tangential;
  v -= change;
  if (impacts) impacts->push_back({static_cast<Index>(c), -change, x});
  return true;
}

bool CollisionGuard::stop(const Nearby& nearby, const Vec3& x, Vec3& v, float distance, Impacts* impacts,
                          float friction, std::vector<Touch>* touches) const {
  const Interval& interval = nearby.interval;
  bool stopped = false;
  for (const Index c : nearby.near) {
    if (interval.swept[c] || is_apart(interval, c, x, x, distance)) continue;
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
    if (touches) touches->push_back({c, normal, wall_velocity});
    stopped |= rebound(c, interval.roughness[c], friction, normal, wall_velocity, x, v, impacts);
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
