// Estimates made before a run: how large, how fast, how much memory.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/memory.h"
#include "shapes/filling.h"
#include "shapes/mesh_sequence.h"
#include "world/world.h"

namespace fondue {

namespace {

Box flat(Box box, int dimension) {
  if (dimension == 2) {
    box.min.z() = 0;
    box.max.z() = 0;
  }
  return box;
}

/// Box around a body where it is at the start.
Box placed_bounds(const ColliderSetup& body, int dimension) {
  const Box box = flat(body.shape->bounds(), dimension);
  const Pose pose = pose_at(body.motion, 0);
  Box placed;
  for (const float x : {box.min.x(), box.max.x()})
    for (const float y : {box.min.y(), box.max.y()})
      for (const float z : {box.min.z(), box.max.z()}) placed.add(pose.to_world(Vec3(x, y, z)));
  return placed;
}

}  // namespace

Box extent_of(const WorldSetup& setup) {
  Box extent;
  const auto add = [&](const Box& box) {
    const Box part = flat(box, setup.dimension);
    if (part.finite()) extent.add(part);
  };
  for (const ObjectSetup& object : setup.objects)
    if (object.shape) add(object.shape->bounds());
  for (const EmitterSetup& emitter : setup.emitters) {
    if (emitter.shape && !emitter.body) add(emitter.shape->bounds());
    if (const Box own = emitter.shape ? flat(emitter.shape->bounds(), setup.dimension) : Box{};
        emitter.body && !own.empty() && own.finite()) {
      // Fixed to a body, it is where that is at the start.
      const Vec3 middle = pose_at(setup.colliders[*emitter.body].motion, 0).to_world(0.5f * (own.min + own.max));
      add(Box{middle, middle}.grown(0.5f * own.size().norm()));
    }
    if (emitter.kind == EmitterKind::disc)
      for (const Vec3& centre : emitter.centre.values()) {
        const Vec3 at = emitter.body ? pose_at(setup.colliders[*emitter.body].motion, 0).to_world(centre) : centre;
        add(Box{at, at}.grown(emitter.radius));
      }
  }
  for (const ColliderSetup& collider : setup.colliders)
    if (!collider.container.empty())
      add(collider.container);
    else if (collider.rigid)
      add(placed_bounds(collider, setup.dimension));
  return extent;
}

Box reach_of(const WorldSetup& setup, const Box& extent) {
  if (setup.domain || extent.empty()) return setup.domain.value_or(extent);
  float reach = extent.size().maxCoeff();
  Vec3 down = Vec3::Zero();
  for (const ObjectSetup& object : setup.objects)
    if (const Vec3 a = common_acceleration(object.tracks, 0, setup.dimension); a.squaredNorm() > down.squaredNorm())
      down = a;
  for (const ColliderSetup& collider : setup.colliders) {
    const Pose pose = pose_at(collider.motion, 0);
    const Nearest surface = collider.shape->nearest(pose.to_local(extent.centre()));
    const Vec3 normal = (pose.rotation * surface.normal.cast<double>()).cast<float>();
    const float gap = surface.distance - 0.5f * extent.size().norm();
    if (normal.dot(down) < 0) reach = std::max(reach, 2 * gap);
  }
  return extent.grown(reach);
}

float expected_speed(const WorldSetup& setup, const Box& extent) {
  float gravity = 0, speed = 0;
  for (const ObjectSetup& object : setup.objects) {
    const float reach = object.shape ? 0.5f * flat(object.shape->bounds(), setup.dimension).size().norm() : 0;
    speed = std::max(speed, object.velocity.norm() + object.angular_velocity.norm() * reach);
    for (const Track& track : object.tracks) {
      const BehaviourInfo* info = find_behaviour(track.behaviour);
      if (!info || !info->common_acceleration) continue;
      const Keyable<Vec3> acceleration = track.values.vector(*info->common_acceleration);
      for (const Vec3& value : acceleration.values()) gravity = std::max(gravity, value.norm());
    }
  }
  for (const EmitterSetup& emitter : setup.emitters)
    for (const float value : emitter.speed.values()) speed = std::max(speed, value);
  // Things may fall further than the box around them: down to the nearest solid.
  float height = extent.empty() ? 0 : extent.size()[setup.dimension - 1];
  for (const ObjectSetup& object : setup.objects)
    for (const ColliderSetup& collider : setup.colliders)
      if (object.shape && collider.container.empty()) {
        const Vec3 lowest = flat(object.shape->bounds(), setup.dimension).min;
        const float drop = collider.shape->distance(pose_at(collider.motion, 0).to_local(lowest));
        if (std::isfinite(drop))
          height = std::max(
              height, std::max(drop, 0.0f) + flat(object.shape->bounds(), setup.dimension).size()[setup.dimension - 1]);
      }
  for (const ColliderSetup& collider : setup.colliders) {
    if (const auto sequence = collider.shape->sequence()) speed = std::max(speed, sequence->fastest());
    if (collider.rigid) {
      const float reach = 0.5f * flat(collider.shape->bounds(), setup.dimension).size().norm();
      speed = std::max(speed, collider.rigid->velocity.norm() + collider.rigid->angular_velocity.norm() * reach);
      for (const Vec3& value : collider.rigid->gravity.values()) gravity = std::max(gravity, value.norm());
    }
    for (const Vec3& velocity : collider.surface_velocity.values()) speed = std::max(speed, velocity.norm());
    const auto& curve = collider.motion.position.curve();
    for (std::size_t k = 1; k < curve.keys().size(); ++k) {
      const double seconds = curve.keys()[k] - curve.keys()[k - 1];
      speed = std::max(speed, (curve.values()[k] - curve.values()[k - 1]).norm() / static_cast<float>(seconds));
    }
  }
  // A scene without any motion still needs some stiffness: a spacing a hundredth of a second.
  return std::max(std::sqrt(speed * speed + 2 * gravity * height), 100 * setup.spacing * 0.01f);
}

float stray_distance_of(const Box& extent, float expected_speed) {
  constexpr float gravity = 9.81f;
  return 5 * std::max(extent.size().maxCoeff(), 0.5f * expected_speed * expected_speed / gravity);
}

double particles_at_start(const WorldSetup& setup) {
  double count = 0;
  for (const ObjectSetup& object : setup.objects) {
    if (!object.shape) continue;
    if (!object.sheet())
      count += estimate_count(*object.shape, object.spacing, setup.dimension);
    else if (const std::optional<Layer> layer = object.shape->layer(object.spacing))
      count += static_cast<double>(layer->mesh.vertices.size());
  }
  return count;
}

void check_memory(const WorldSetup& setup) {
  const double count = particles_at_start(setup);
  const double needed = count * bytes_per_particle;
  const double available = static_cast<double>(available_memory());
  if (needed > available)
    throw InputError(fmt::format(
        "the scene has about {:.3g} million particles and needs about {:.1f} GB of memory, but this machine has "
        "{:.1f} GB free; a spacing of {:.3g} m would fit",
        count / 1e6, needed / 1e9, available / 1e9,
        setup.spacing * std::pow(needed / (0.8 * available), 1.0 / setup.dimension)));
}

}  // namespace fondue
