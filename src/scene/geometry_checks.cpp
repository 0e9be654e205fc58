#include "scene/geometry_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "behaviours/behaviour.h"
#include "bodies/motion.h"
#include "core/error.h"
#include "shapes/filling.h"

namespace fondue {

namespace {

/// Number of cells along each side of an object's bounds whose centres are tested, and the fraction of those inside it
/// that may lie in another object.
constexpr int cells_a_side[] = {0, 0, 64, 16};
constexpr double tolerated_overlap = 0.03;
/// The same for bodies that are moved apart: what is deeper in another finds no way out.
constexpr double relaxed_overlap = 0.3;
/// A lattice over the bounds with more points than this is not searched for a point inside.
constexpr double most_searched = 2e6;

struct Filled {
  Index object;
  Box bounds;
  /// Points inside it; each represents the same volume [m^d].
  std::vector<Vec3> points;
  double point_volume = 0;
  double volume() const { return static_cast<double>(points.size()) * point_volume; }
};

Filled filled(const Shape& shape, int dimension, Index o) {
  Filled result{o, shape.bounds(), {}, 1};
  const int n = cells_a_side[dimension];
  const Vec3 cell = result.bounds.size() / static_cast<float>(n);
  for (int axis = 0; axis != dimension; ++axis) result.point_volume *= cell[axis];
  for (int z = 0; z != (dimension == 3 ? n : 1); ++z)
    for (int y = 0; y != n; ++y)
      for (int x = 0; x != n; ++x) {
        Vec3 point = result.bounds.min + cell.cwiseProduct(Vec3(x + 0.5f, y + 0.5f, z + 0.5f));
        if (dimension == 2) point.z() = 0;
        if (shape.contains(point)) result.points.push_back(point);
      }
  return result;
}

/// Diameter of the largest sphere found in a shape.
float thickness_of(const Shape& shape, const std::vector<Vec3>& points) {
  float thickness = 0;
  for (const Vec3& point : points) thickness = std::max(thickness, -2 * shape.distance(point));
  return thickness;
}

/// Whether its lattice has a particle: next to one of the points, or found by filling the shape.
bool has_lattice(const WorldSetup& world, const Filled& object) {
  const ObjectSetup& setup = world.objects[object.object];
  for (const Vec3& point : object.points) {
    Vec3 particle = Vec3::Zero();
    for (int axis = 0; axis != world.dimension; ++axis) {
      const float low = object.bounds.min[axis];
      particle[axis] = low + (std::floor((point[axis] - low) / setup.spacing) + 0.5f) * setup.spacing;
    }
    if (setup.shape->contains(particle)) return true;
  }
  double places = 1;
  for (int axis = 0; axis != world.dimension; ++axis) places *= object.bounds.size()[axis] / setup.spacing + 1.0;
  return places > most_searched || !fill_lattice(*setup.shape, setup.spacing, world.dimension).empty();
}

bool has_particles(const WorldSetup& world, const Filled& object) {
  const ObjectSetup& setup = world.objects[object.object];
  if (setup.filling == Filling::lattice) return has_lattice(world, object);
  return object.volume() > std::pow(static_cast<double>(setup.spacing), world.dimension) ||
         estimate_count(*setup.shape, setup.spacing, world.dimension) >= 0.5;
}

/// What is wrong with an object that is too thin for one of its behaviours; empty if nothing.
std::string too_thin(const WorldSetup& world, const Filled& object) {
  const ObjectSetup& setup = world.objects[object.object];
  const BehaviourInfo* needs = nullptr;
  for (const Track& track : setup.tracks)
    if (const BehaviourInfo* info = find_behaviour(track.behaviour); info && info->least_layers > 0)
      if (!needs || info->least_layers > needs->least_layers) needs = info;
  if (!needs) return {};
  const float thickness = thickness_of(*setup.shape, object.points);
  // The sphere found is a little smaller than the largest.
  if (thickness > 0.9f * needs->least_layers * setup.spacing) return {};
  return fmt::format(
      "object '{}' is too thin for '{}': it is about {:.3g} m thick, which takes a spacing of at most "
      "{:.2g} m instead of {} m",
      setup.name, needs->name, thickness, thickness / needs->least_layers, setup.spacing);
}

/// What is wrong with an object that is to be a sheet; empty if nothing.
std::string no_sheet(const WorldSetup& world, const ObjectSetup& object) {
  if (world.dimension == 2) return "is a sheet, which there are in three dimensions only; remove its 'thickness'";
  if (world.periodic[0] || world.periodic[1] || world.periodic[2])
    return "is a sheet, and sheets do not reach through the sides of a periodic domain yet; make the domain open";
  if (object.thickness > object.spacing)
    return fmt::format("is a sheet {} m thick, which is more than its spacing of {} m; make it thinner or fill a solid",
                       object.thickness, object.spacing);
  try {
    if (!object.shape->layer(object.spacing))
      return "is to be a sheet, and its shape is not a surface; take a rectangle, disc, bowl, sphere, height_field or "
             "mesh, or "
             "remove its 'thickness'";
  } catch (const InputError& error) {
    return fmt::format("cannot be a sheet: {}", error.what());
  }
  return {};
}

/// A solid that has all of an object inside at the start; null if none.
const ColliderSetup* solid_around(const WorldSetup& world, const Filled& object) {
  if (object.points.empty()) return nullptr;
  for (const ColliderSetup& collider : world.colliders) {
    if (!collider.shape) continue;
    const Pose pose = pose_at(collider.motion, 0);
    const auto in_it = [&](const Vec3& x) { return collider.shape->distance(pose.to_local(x)) < 0; };
    if (std::ranges::all_of(object.points, in_it)) return &collider;
  }
  return nullptr;
}

bool apart(const Box& a, const Box& b) {
  return (a.min.array() >= b.max.array()).any() || (b.min.array() >= a.max.array()).any();
}

bool moves_apart(const ObjectSetup& object) {
  return std::ranges::any_of(behaviour_registry(), [&](const RegisteredBehaviour& entry) {
    return entry.info->relaxes_overlaps && !tracks_of(object.tracks, *entry.info).empty();
  });
}

bool overlap(const WorldSetup& world, const Filled& a, const Filled& b) {
  if (apart(a.bounds, b.bounds)) return false;
  const Filled& smaller = a.volume() < b.volume() ? a : b;
  const Filled& larger = a.volume() < b.volume() ? b : a;
  const Shape& other = *world.objects[larger.object].shape;
  const auto inside = std::count_if(smaller.points.begin(), smaller.points.end(),
                                    [&](const Vec3& point) { return other.contains(point); });
  const bool relaxed = moves_apart(world.objects[a.object]) && moves_apart(world.objects[b.object]);
  return static_cast<double>(inside) >
         (relaxed ? relaxed_overlap : tolerated_overlap) * static_cast<double>(smaller.points.size());
}

}  // namespace

void check_geometry(const WorldSetup& world, const std::vector<Place>& places, Mistakes& mistakes) {
  std::vector<Filled> objects;
  for (Index o = 0; o != world.objects.size(); ++o) {
    const ObjectSetup& object = world.objects[o];
    if (!object.shape || !(object.spacing > 0)) continue;
    if (!object.shape->bounds().size().head(world.dimension).allFinite()) continue;
    if (object.sheet()) {
      if (const std::string what = no_sheet(world, object); !what.empty())
        mistakes.add(places[o], fmt::format("object '{}' {}", object.name, what));
      continue;
    }
    Filled one = filled(*object.shape, world.dimension, o);
    if (one.points.empty() && object.shape->triangles() && object.shape->layer(object.spacing))
      mistakes.add(places[o], fmt::format("object '{}' has no inside to fill; give it a 'thickness' if it is a sheet",
                                          object.name));
    else if (!has_particles(world, one))
      mistakes.add(places[o],
                   fmt::format("object '{}' would have no particles: it is empty or too thin for a spacing of {} m",
                               object.name, object.spacing));
    else if (const std::string thin = too_thin(world, one); !thin.empty())
      mistakes.add(places[o], thin);
    else if (const ColliderSetup* solid = solid_around(world, one))
      mistakes.add(places[o],
                   solid->container.empty()
                       ? fmt::format("object '{}' lies wholly in the solid '{}'; move one of them, or make it a "
                                     "container if matter is meant to be inside",
                                     object.name, solid->name)
                       : fmt::format("object '{}' lies wholly outside the container '{}', where all is solid",
                                     object.name, solid->name));
    else if (world.domain && apart(one.bounds, *world.domain))
      mistakes.add(places[o], fmt::format("object '{}' lies outside the domain", object.name));
    for (const Filled& other : objects)
      if (overlap(world, one, other))
        mistakes.add(places[o],
                     fmt::format("object '{}' overlaps object '{}'", object.name, world.objects[other.object].name));
    objects.push_back(std::move(one));
  }
}

std::string unfit_for_a_body(const ColliderSetup& body, const WorldSetup& world) {
  const Shape& shape = *body.shape;
  if (!shape.bounds().size().head(world.dimension).allFinite()) return "has no end; a rigid body must have one";
  if (shape.sequence()) return "changes over time; a rigid body keeps its shape";
  const std::vector<Vec3> points = filled(shape, world.dimension, 0).points;
  const float thickness = shape.one_sided() ? 0 : thickness_of(shape, points);
  if (!(thickness > 0)) return "has no volume; a rigid body must have one";
  const float spacing = body.spacing > 0 ? body.spacing : world.wall_lattice().spacing;
  // The sphere found is a little smaller than the largest.
  if (thickness > 0.9f * spacing || !(spacing > 0)) return {};
  return fmt::format(
      "is too thin: it is about {:.3g} m thick, which takes a spacing of at most {:.2g} m instead of {} m", thickness,
      thickness, spacing);
}

void check_pins(const WorldSetup& world, const std::vector<Place>& places, Mistakes& mistakes) {
  for (std::size_t p = 0; p != world.pins.size(); ++p) {
    const PinSetup& pin = world.pins[p];
    const Shape* shape = pin.collider ? world.colliders[*pin.collider].shape.get() : pin.shape.get();
    if (!shape || !(pin.on.at(0) > 0.5f)) continue;
    const Pose pose = pose_at(pin.collider ? world.colliders[*pin.collider].motion : pin.motion, 0);
    bool unknown = false, holds = false;
    for (Index o = 0; o != world.objects.size() && !holds; ++o) {
      const ObjectSetup& object = world.objects[o];
      if ((pin.object && o != *pin.object) || !object.shape || !(object.spacing > 0)) continue;
      const float reach = pin.collider ? object.spacing : 0;
      const auto hold = [&](const std::vector<Vec3>& points) {
        for (const Vec3& x : points) holds |= shape->distance(pose.to_local(x)) < reach;
      };
      if (object.sheet()) {
        // What is no sheet is told above, and says nothing about pins.
        if (no_sheet(world, object).empty())
          hold(object.shape->layer(object.spacing)->mesh.vertices);
        else
          unknown = true;
        continue;
      }
      const Vec3 size = object.shape->bounds().size();
      double count = 1;
      for (int axis = 0; axis != world.dimension; ++axis) count *= size[axis] / object.spacing + 1.0;
      // Blue noise is known only when the object is filled.
      unknown |= !(count <= most_searched) || object.filling != Filling::lattice;
      if (unknown) continue;
      hold(fill_lattice(*object.shape, object.spacing, world.dimension));
    }
    if (!holds && !unknown)
      mistakes.add(places[p], fmt::format("pin '{}' holds nothing: at the start no particle{} is {}", pin.name,
                                          pin.object ? " of object '" + world.objects[*pin.object].name + "'" : "",
                                          pin.collider ? "within one spacing of its collider" : "inside its shape"));
  }
}

}  // namespace fondue
