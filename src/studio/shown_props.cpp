#include "studio/shown_props.h"

#include <functional>
#include <numbers>

#include "behaviours/behaviour.h"
#include "bodies/body.h"
#include "picture/colouring.h"
#include "picture/look.h"
#include "shapes/mesh_sequence.h"
#include "studio/packed_mesh.h"
#include "surface/run_surfaces.h"

namespace fondue {

using nlohmann::json;

namespace {

/// Cells along the longest side of a ghost.
constexpr float ghost_cells = 56;
const Vec3 region_colour(0.95f, 0.55f, 0.20f), source_colour(0.25f, 0.60f, 0.95f), sink_colour(0.80f, 0.25f, 0.30f),
    pin_colour(0.55f, 0.45f, 0.85f);

struct Prop {
  const char* section;
  std::string name;
  bool ghost;
  Vec3 colour;
  /// Makes its triangles, or takes them from those of all colliders.
  std::function<Geometry(std::span<const Geometry> solids)> geometry;
  std::function<Pose(const FrameHeader&)> pose;
  Keyable<float> on = 1.0f;
  /// Its shape over time, if that changes.
  std::shared_ptr<const MeshSequence> sequence = {};
};

Geometry shape_at(const MeshSequence& sequence, double time) {
  Geometry shape;
  shape.mesh = sequence.mesh(time);
  return shape;
}

Geometry ghost_of(const ShapePtr& shape, const Scene& scene) {
  Box box = shape->bounds();
  const Box clip = extent_of(scene.world).grown(extent_of(scene.world).size().maxCoeff());
  for (int a = 0; a != 3; ++a) {
    if (!std::isfinite(box.min[a])) box.min[a] = clip.min[a];
    if (!std::isfinite(box.max[a])) box.max[a] = clip.max[a];
  }
  if (box.empty() || !box.finite()) return {};
  return tessellate(*shape, box, std::max(0.3f * scene.world.spacing, box.size().maxCoeff() / ghost_cells));
}

/// A ring with an arrow along z: the opening of a jet.
Geometry opening(float radius) {
  Geometry made;
  constexpr int parts = 32;
  const auto corner = [&](float r, float z, int k) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k % parts) / parts;
    made.mesh.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    return static_cast<Index>(made.mesh.vertices.size() - 1);
  };
  const auto band = [&](float r0, float z0, float r1, float z1) {
    for (int k = 0; k != parts; ++k) {
      const Index a = corner(r0, z0, k), b = corner(r0, z0, k + 1), c = corner(r1, z1, k), d = corner(r1, z1, k + 1);
      made.mesh.triangles.push_back({a, b, c});
      made.mesh.triangles.push_back({b, d, c});
    }
  };
  band(radius, 0, 0.85f * radius, 0);
  band(0.1f * radius, 0, 0.1f * radius, radius);
  band(0.3f * radius, radius, 0, 1.6f * radius);
  return made;
}

/// A rotation that turns z into this direction.
Eigen::Quaterniond towards(const Vec3& direction) {
  return Eigen::Quaterniond::FromTwoVectors(Vec3d::UnitZ(), direction.cast<double>());
}

Pose on_body(const Scene& scene, const std::optional<Index>& body, const FrameHeader& frame, const Pose& own) {
  if (!body) return own;
  const Pose at = saved_pose(frame.state, scene.world.colliders[*body], frame.time);
  return {at.rotation * own.rotation, at.rotation * own.position + at.position};
}

Pose moved(const Motion& motion, const FrameHeader& frame) { return pose_at(motion, frame.time); }

std::vector<Prop> props_of(const Scene& scene) {
  std::vector<Prop> props;
  const WorldSetup& world = scene.world;
  if (world.dimension == 2) return props;
  for (std::size_t c = 0; solids_are_props(scene) && c != world.colliders.size(); ++c) {
    const ColliderSetup& collider = world.colliders[c];
    if (!collider.visible || !collider.container.empty() || !collider.shape) continue;
    const std::shared_ptr<const MeshSequence> sequence = collider.shape->sequence();
    const bool own = c < scene.solid_looks.size() && scene.solid_looks[c];
    props.push_back(
        {collider.rigid ? "bodies" : "colliders", collider.name, false,
         own ? look_colour(*scene.solid_looks[c]) : solid_grey,
         [c, sequence](std::span<const Geometry> solids) { return sequence ? shape_at(*sequence, 0) : solids[c]; },
         [&collider](const FrameHeader& f) { return saved_pose(f.state, collider, f.time); }, 1.0f, sequence});
  }
  const auto ghost = [&](const char* section, const std::string& name, const Vec3& colour, const ShapePtr& shape,
                         std::function<Pose(const FrameHeader&)> pose, const Keyable<float>& on) {
    if (shape)
      props.push_back({section, name, true, colour,
                       [&scene, shape](std::span<const Geometry>) { return ghost_of(shape, scene); }, std::move(pose),
                       on});
  };
  for (const RegionSetup& region : world.regions)
    ghost(
        find_behaviour(region.behaviour)->regions.section, region.name, region_colour, region.shape,
        [&region](const FrameHeader& f) { return moved(region.motion, f); }, region.on);
  for (const SinkSetup& sink : world.sinks)
    ghost(
        "sinks", sink.name, sink_colour, sink.shape, [](const FrameHeader&) { return Pose{}; }, sink.on);
  for (const PinSetup& pin : world.pins)
    ghost(
        "pins", pin.name, pin_colour, pin.shape, [&pin](const FrameHeader& f) { return moved(pin.motion, f); }, pin.on);
  for (const EmitterSetup& emitter : world.emitters) {
    if (emitter.kind == EmitterKind::disc)
      props.push_back({"emitters", emitter.name, true, source_colour,
                       [radius = emitter.radius](std::span<const Geometry>) { return opening(radius); },
                       [&scene, &emitter](const FrameHeader& f) {
                         const Vec3 centre = emitter.centre.at(f.time), direction = emitter.direction.at(f.time);
                         return on_body(scene, emitter.body, f, {towards(direction), centre.cast<double>()});
                       },
                       emitter.on});
    else
      ghost(
          "emitters", emitter.name, source_colour, emitter.shape,
          [&scene, &emitter](const FrameHeader& f) { return on_body(scene, emitter.body, f, {}); }, emitter.on);
  }
  return props;
}

}  // namespace

bool solids_are_props(const Scene& scene) { return scene.world.dimension == 3; }

std::string packed_props(const Scene& scene) {
  PackedMesh mesh;
  json list = json::array();
  const std::vector<Geometry> solids = solids_are_props(scene) ? solid_shapes(scene) : std::vector<Geometry>{};
  for (const Prop& prop : props_of(scene)) {
    const std::size_t first = mesh.triangles(), vertex = mesh.vertices();
    mesh.add(prop.geometry(solids), prop.colour);
    list.push_back({{"section", prop.section},
                    {"name", prop.name},
                    {"ghost", prop.ghost},
                    {"vertex", vertex},
                    {"first", first},
                    {"triangles", mesh.triangles() - first}});
  }
  if (mesh.triangles() == 0) return {};
  return mesh.bytes({{"props", std::move(list)}});
}

json poses_of_props(const Scene& scene, const FrameHeader& frame) {
  json poses = json::array();
  for (const Prop& prop : props_of(scene)) {
    const Pose pose = prop.pose(frame);
    const Eigen::Matrix3d rotation = pose.rotation.toRotationMatrix();
    json numbers = json::array();
    for (int c = 0; c != 3; ++c)
      for (int r = 0; r != 3; ++r) numbers.push_back(static_cast<float>(rotation(r, c)));
    for (int r = 0; r != 3; ++r) numbers.push_back(static_cast<float>(pose.position[r]));
    numbers.push_back(prop.on.at(frame.time) > 0.5f ? 1 : 0);
    poses.push_back(std::move(numbers));
  }
  return poses;
}

DeformedProps deformed_props(const Scene& scene, double time) {
  DeformedProps result;
  const std::vector<Prop> props = props_of(scene);
  for (std::size_t k = 0; k != props.size(); ++k) {
    if (!props[k].sequence) continue;
    PackedMesh mesh;
    mesh.add(shape_at(*props[k].sequence, time), props[k].colour);
    result.list.push_back({{"prop", k}, {"vertices", mesh.vertices()}});
    result.bytes += mesh.vertex_bytes();
  }
  return result;
}

}  // namespace fondue
