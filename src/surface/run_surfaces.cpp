#include "surface/run_surfaces.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "behaviours/behaviour.h"
#include "cache/column_choice.h"
#include "cache/particle_geometry.h"
#include "core/error.h"
#include "particles/sheets.h"
#include "shapes/facets.h"
#include "shapes/point_grid.h"
#include "surface/faded.h"
#include "surface/mud.h"
#include "surface/sharp_edges.h"
#include "surface/sheet_mesh.h"
#include "surface/vertex_normals.h"
#include "world/world.h"

namespace fondue {

namespace {

/// Columns that looks always use: temperature for glow, saturation for darkening when wet.
constexpr const char* used_by_looks[] = {"temperature", "saturation"};
/// Cell size for carried shapes and solids, in spacings, and the maximum number of cells along the longest side.
constexpr float shape_cell = 0.4f, most_cells = 250;

float cell_for(const Box& box, float spacing) {
  return std::max(shape_cell * spacing, box.size().maxCoeff() / most_cells);
}

template <class T>
std::vector<std::remove_const_t<T>> picked(std::span<T> values, std::span<const Index> which) {
  std::vector<std::remove_const_t<T>> result;
  result.reserve(which.size());
  for (const Index i : which) result.push_back(values[i]);
  return result;
}

/// With only the velocity if no columns are requested.
Geometry points_of(const Frame& frame, std::span<const std::string> columns) {
  const std::string velocity = columns::velocity.name;
  return particle_geometry(frame, columns.empty() ? std::span(&velocity, 1) : columns);
}

bool drawn_as_grains(const LookSetup& look) { return look.skin == Skin::grains || look.skin == Skin::fixed_grains; }

SurfaceParticles surface_particles(const Particles& particles, std::span<const Index> which, int dimension) {
  return {picked(particles[columns::position], which), picked(particles[columns::support], which),
          picked(particles[columns::volume], which), dimension};
}

}  // namespace

std::vector<Index> particles_of(const Particles& particles, std::span<const Index> objects) {
  std::vector<Index> which;
  const auto object = particles[columns::object];
  for (Index i = 0; i != particles.size(); ++i)
    if (std::ranges::find(objects, object[i]) != objects.end()) which.push_back(i);
  return which;
}

Geometry part_of(const Geometry& points, std::span<const Index> which) {
  Geometry part;
  part.mesh.vertices = picked(std::span(points.mesh.vertices), which);
  if (!points.ids.empty()) part.ids = picked(std::span(points.ids), which);
  for (const Geometry::Attribute& attribute : points.attributes) {
    Geometry::Attribute& own = part.attributes.emplace_back();
    own = {attribute.name, attribute.unit, attribute.components, {}};
    const auto n = static_cast<std::size_t>(attribute.components);
    for (const Index i : which)
      for (std::size_t c = 0; c != n; ++c) own.values.push_back(attribute.values[n * i + c]);
  }
  return part;
}

/// Gives grains what the nearest particle has, so that they get dark where sand is wet; nothing where none is near.
void take_from_particles(Geometry& grains, const Geometry& particles, float reach) {
  const PointGrid grid(particles.mesh.vertices, reach);
  const std::size_t none = particles.mesh.vertices.size(), count = grains.mesh.vertices.size();
  std::vector<std::size_t> nearest(count, none);
  parallel_for(count, [&](std::size_t g) {
    float least = infinity;
    grid.visit(grains.mesh.vertices[g], reach, [&](Index i, float squared) {
      if (!(squared < least)) return;
      least = squared;
      nearest[g] = i;
    });
  });
  for (const Geometry::Attribute& from : particles.attributes) {
    if (grains.find(from.name)) continue;
    const auto n = static_cast<std::size_t>(from.components);
    Geometry::Attribute to{from.name, from.unit, from.components, std::vector<float>(n * count, 0.0f)};
    for (std::size_t g = 0; g != count; ++g)
      for (std::size_t c = 0; nearest[g] != none && c != n; ++c) to.values[n * g + c] = from.values[n * nearest[g] + c];
    grains.attributes.push_back(std::move(to));
  }
}

Geometry joined(std::span<const Geometry> parts) {
  Geometry all;
  for (const Geometry& part : parts)
    for (const Geometry::Attribute& attribute : part.attributes)
      if (!all.find(attribute.name))
        all.attributes.push_back({attribute.name, attribute.unit, attribute.components, {}});
  const bool normals = std::ranges::any_of(parts, [](const Geometry& part) { return !part.normals.empty(); });
  for (const Geometry& part : parts) {
    const Index first = static_cast<Index>(all.mesh.vertices.size());
    all.mesh.vertices.insert(all.mesh.vertices.end(), part.mesh.vertices.begin(), part.mesh.vertices.end());
    if (normals) {
      all.normals.insert(all.normals.end(), part.normals.begin(), part.normals.end());
      all.normals.resize(all.mesh.vertices.size(), Vec3::UnitZ());
    }
    for (const auto& t : part.mesh.triangles) all.mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    for (Geometry::Attribute& attribute : all.attributes) {
      const Geometry::Attribute* own = part.find(attribute.name);
      if (own) attribute.values.insert(attribute.values.end(), own->values.begin(), own->values.end());
      attribute.values.resize(all.mesh.vertices.size() * static_cast<std::size_t>(attribute.components), 0.0f);
    }
  }
  return all;
}

/// Those that belong to no sheet any more.
std::vector<Index> loose(const Particles& particles, std::span<const Index> members) {
  std::vector<Index> result;
  const auto thickness = optional_column(particles, columns::thickness);
  for (const Index i : members)
    if (!thickness.empty() && !(thickness[i] > 0)) result.push_back(i);
  return result;
}

std::vector<Geometry> solid_shapes(const Scene& scene) {
  const Box around = extent_of(scene.world).grown(scene.world.spacing);
  std::vector<Geometry> solids;
  for (const ColliderSetup& collider : scene.world.colliders) {
    Geometry& solid = solids.emplace_back();
    if (!collider.visible || !collider.container.empty() || !collider.shape) continue;
    Box box = collider.shape->bounds();
    // In two dimensions, a plate as thick as the matter.
    if (scene.world.dimension == 2) {
      box.min.z() = -0.5f * scene.world.spacing;
      box.max.z() = 0.5f * scene.world.spacing;
    }
    // Shapes without end are clipped.
    const Box clip = around.grown(4 * around.size().maxCoeff());
    for (int a = 0; a != 3; ++a) {
      if (!std::isfinite(box.min[a])) box.min[a] = clip.min[a];
      if (!std::isfinite(box.max[a])) box.max[a] = clip.max[a];
    }
    const auto made = scene.world.dimension == 3 ? collider.shape->construction() : std::nullopt;
    if (std::optional<Geometry> facets = made ? facets_of(*made) : std::nullopt)
      solid = std::move(*facets);
    else if (!box.empty() && box.finite())
      part_at_edges(solid = tessellate(*collider.shape, box, cell_for(box, scene.world.spacing)));
  }
  return solids;
}

/// The grains at the last requested frame. Frames are usually requested in order; an earlier one restarts from the
/// beginning.
struct RunSurfaces::Grains {
  struct Flow {
    std::unique_ptr<GrainFlow> flow;
    int frame = -1;
    double time = 0;
  };
  std::mutex mutex;
  std::map<Index, Flow> by_object;
  std::unique_ptr<Bodies> colliders;
};

RunSurfaces::RunSurfaces(const Scene& scene, const RunLayout& layout, std::span<const std::string> columns,
                         const ProgressReport& report)
    : scene_(scene),
      layout_(layout),
      columns_(columns.begin(), columns.end()),
      report_(report.task("moving grains")),
      carried_(scene.world.objects.size()),
      tearing_(scene.world.objects.size()),
      grains_(std::make_unique<Grains>()) {
  for (const std::string& name : scene.surface.attributes)
    if (std::ranges::find(columns_, name) == columns_.end()) columns_.push_back(name);
  const auto has = [&](Skin skin) {
    return std::ranges::any_of(scene.looks, [&](const LookSetup& look) { return look.skin == skin; });
  };
  if (has(Skin::carried)) bind_shapes(read_frame(layout.frame(0)));
  const Box around = extent_of(scene.world).grown(scene.world.spacing);
  if (has(Skin::grains))
    grains_->colliders = std::make_unique<Bodies>(scene.world.colliders, scene.world.wall_lattice(), around);
  solids_ = solid_shapes(scene);
}

RunSurfaces::~RunSurfaces() = default;

void RunSurfaces::bind_shapes(const Frame& first) {
  for (Index o = 0; o != carried_.size(); ++o) {
    const ObjectSetup& object = scene_.world.objects[o];
    if (scene_.looks[o].skin != Skin::carried || !object.shape) continue;
    std::vector<Index> members = particles_of(first.particles, std::span(&o, 1));
    const auto id = first.particles[columns::id];
    std::ranges::sort(members, {}, [&](Index i) { return id[i]; });
    const Box box = object.shape->bounds();
    Tearing& rest = tearing_[o];
    rest.positions = picked(first.particles[columns::position], members);
    rest.supports = picked(first.particles[columns::support], members);
    rest.ids = picked(id, members);
    carried_[o] = std::make_unique<CarriedMesh>(tessellate(*object.shape, box, cell_for(box, object.spacing)),
                                                rest.positions, rest.supports, rest.ids);
    rest.links = links(first, o).others.size();
    if (rest.links != 0)
      rest.mesh =
          std::make_unique<TornMesh>(*object.shape, box, cell_for(box, object.spacing), rest.positions, rest.supports);
  }
}

BodyLinks RunSurfaces::links(const Frame& frame, Index object) const {
  const Tearing& rest = tearing_[object];
  BodyLinks result;
  result.begins.assign(rest.ids.size() + 1, 0);
  const BondSet* bonds = nullptr;
  for (const Track& track : scene_.world.objects[object].tracks)
    if (const char* name = find_behaviour(track.behaviour)->substep_bonds; name && frame.particles.has_bonds(name))
      bonds = &frame.particles.bonds(name);
  if (!bonds) return result;
  const auto id = frame.particles[columns::id];
  constexpr Index nobody = ~Index(0);
  const auto number = [&](Index i) {
    const auto at = std::ranges::lower_bound(rest.ids, id[i]);
    return at != rest.ids.end() && *at == id[i] ? static_cast<Index>(at - rest.ids.begin()) : nobody;
  };
  std::vector<Index> particle(rest.ids.size(), nobody);
  for (Index i = 0; i != frame.particles.size(); ++i)
    if (const Index n = number(i); n != nobody) particle[n] = i;
  for (Index n = 0; n != particle.size(); ++n) {
    if (const Index i = particle[n]; i != nobody)
      for (Index b = bonds->begins()[i]; b != bonds->begins()[i + 1]; ++b)
        if (const Index other = number(bonds->neighbours()[b]); other != nobody) result.others.push_back(other);
    result.begins[n + 1] = static_cast<Index>(result.others.size());
    std::sort(result.others.begin() + result.begins[n], result.others.end());
  }
  return result;
}

std::vector<std::vector<Index>> RunSurfaces::bodies() const {
  std::vector<std::vector<Index>> bodies;
  for (Index o = 0; o != scene_.looks.size(); ++o) {
    const LookSetup& look = scene_.looks[o];
    const auto same = [&](const std::vector<Index>& body) {
      const LookSetup& other = scene_.looks[body.front()];
      if (scene_.world.objects[o].sheet() || scene_.world.objects[body.front()].sheet()) return false;
      return look.skin == Skin::extracted && other.skin == Skin::extracted && look.look == other.look &&
             look.colour == other.colour && look.clarity == other.clarity && look.sequence == other.sequence &&
             look.sequence_colours == other.sequence_colours && look.sequence_clarities == other.sequence_clarities &&
             look.place.over() == other.place.over() && look.place.curve().keys() == other.place.curve().keys() &&
             look.place.curve().repeats() == other.place.curve().repeats();
    };
    const auto found = std::ranges::find_if(bodies, same);
    found == bodies.end() ? bodies.push_back({o}) : found->push_back(o);
  }
  return bodies;
}

std::vector<std::string> RunSurfaces::columns_of(const Frame& frame) const {
  std::vector<std::string> names = columns_, known;
  for (const ColumnView& column : frame.particles.columns()) known.push_back(column.name);
  // A frame without particles has no columns that were made again.
  if (frame.particles.size() != 0) check_columns(names, known);
  std::erase_if(names, [&](const std::string& name) { return std::ranges::find(known, name) == known.end(); });
  std::vector<std::string> used(std::begin(used_by_looks), std::end(used_by_looks));
  for (const LookSetup& look : scene_.looks)
    if (look.place.over_attribute()) used.push_back(look.place.over());
  for (const std::string& name : used)
    if (frame.particles.has(name) && std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

Geometry RunSurfaces::extracted(const Frame& frame, std::span<const Index> members,
                                std::span<const std::string> columns) const {
  const Geometry points = part_of(points_of(frame, columns), members);
  return reconstruct(surface_particles(frame.particles, members, scene_.world.dimension), scene_.surface,
                     points.attributes);
}

Geometry RunSurfaces::carried(const Frame& frame, Index object, Geometry extracted) const {
  const std::vector<Index> members = particles_of(frame.particles, std::span(&object, 1));
  const std::vector<Vec3> positions = picked(frame.particles[columns::position], members);
  const std::vector<Index> ids = picked(frame.particles[columns::id], members);
  const float reach = 2 * scene_.world.objects[object].spacing;
  if (const Tearing& rest = tearing_[object]; rest.mesh) {
    if (const BodyLinks now = links(frame, object); now.others.size() < rest.links) {
      TornMesh::Torn torn = rest.mesh->cut(now);
      // What has no bonds left is drawn as what its particles fill.
      std::vector<float> intact;
      for (const Index owner : torn.owners) intact.push_back(now.of(owner).empty() ? 0.0f : 1.0f);
      const CarriedMesh mesh(std::move(torn.surface), rest.positions, rest.supports, rest.ids);
      return faded(mesh.carried(positions, ids, now, torn.owners), intact, extracted, reach);
    }
  }
  const CarriedMesh& mesh = *carried_[object];
  return faded(mesh.carried(positions, ids), mesh.intactness(positions, ids), extracted, reach);
}

/// The sand of a frame.
struct RunSurfaces::SandOf {
  std::vector<Vec3> x, v;
  std::vector<float> R;
  std::vector<Index> ids;
  SandOf(const Frame& frame, Index object) {
    const std::vector<Index> members = particles_of(frame.particles, std::span(&object, 1));
    x = picked(frame.particles[columns::position], members);
    v = picked(frame.particles[columns::velocity], members);
    R = picked(frame.particles[columns::support], members);
    ids = picked(frame.particles[columns::id], members);
  }
  SandParticles view() const { return {x, v, R, ids}; }
};

Geometry RunSurfaces::grains(const Frame& frame, Index object) const {
  GrainSettings each;
  each.per_particle = scene_.looks[object].grains_per_particle;
  each.dimension = scene_.world.dimension;
  each.support_ratio = scene_.world.support_ratio;
  if (scene_.looks[object].skin == Skin::fixed_grains)
    return grain_points(fixed_grains(SandOf(frame, object).view(), each));
  const std::scoped_lock lock(grains_->mutex);
  Grains::Flow& state = grains_->by_object[object];
  const int wanted = frame.header.frame;
  if (!state.flow || state.frame > wanted) {
    GrainFlowSettings settings;
    settings.grains = each;
    settings.gravity =
        common_acceleration(scene_.world.objects[object].tracks, frame.header.time, scene_.world.dimension);
    settings.still = std::ranges::all_of(scene_.world.colliders, [](const ColliderSetup& c) { return c.still(); });
    settings.collider = [this](const Vec3& x, double time) { return grains_->colliders->distance(x, time); };
    state = {std::make_unique<GrainFlow>(settings), -1, 0};
  }
  const auto advance = [&](const Frame& next) {
    state.flow->advance(SandOf(next, object).view(), state.frame < 0 ? 0 : next.header.time - state.time);
    state.frame = next.header.frame;
    state.time = next.header.time;
  };
  const int before = std::max(state.frame, 0);
  for (const int number : list_frames(layout_))
    if (number > state.frame && number < wanted) {
      report_(static_cast<double>(number - before) / (wanted - before));
      try {
        advance(read_frame(layout_.frame(number)));
      } catch (const InputError&) {
        // A damaged frame is reported when it is requested itself; the grains skip it.
      }
    }
  if (state.frame < wanted) advance(frame);
  return grain_points(state.flow->grains());
}

std::vector<Geometry> RunSurfaces::objects(const Frame& frame) const {
  const std::vector<std::string> columns = columns_of(frame);
  std::vector<Geometry> result(scene_.world.objects.size());
  for (const std::vector<Index>& body : bodies()) {
    const Index first = body.front();
    const std::vector<Index> members = particles_of(frame.particles, body);
    if (members.empty()) continue;
    if (drawn_as_grains(scene_.looks[first])) {
      result[first] = grains(frame, first);
      if (!columns.empty())
        take_from_particles(result[first], part_of(points_of(frame, columns), members),
                            scene_.world.support_ratio * scene_.world.objects[first].spacing);
      continue;
    }
    if (scene_.world.objects[first].sheet()) {
      const Geometry sheet = sheet_mesh(frame.particles, first, points_of(frame, columns));
      const std::vector<Index> melted = loose(frame.particles, members);
      result[first] = melted.empty() ? sheet : joined(std::array{sheet, extracted(frame, melted, columns)});
      continue;
    }
    result[first] = extracted(frame, members, columns);
    if (carried_[first]) result[first] = carried(frame, first, std::move(result[first]));
  }
  return result;
}

std::vector<Geometry> RunSurfaces::drawn(const Frame& frame) const {
  std::vector<Geometry> result = objects(frame);
  const Index count = static_cast<Index>(result.size());
  result.resize(2 * result.size());
  if (!frame.particles.has("saturation") || scene_.world.dimension == 2) return result;
  const std::vector<std::string> columns = columns_of(frame);
  for (Index o = 0; o != count; ++o) {
    if (!drawn_as_grains(scene_.looks[o]) || result[o].mesh.vertices.empty()) continue;
    const std::vector<Index> members = particles_of(frame.particles, std::span(&o, 1));
    const Geometry points = part_of(points_of(frame, columns), members);
    const Geometry::Attribute* saturation = points.find("saturation");
    if (!saturation) continue;
    result[count + o] = mud_surface(surface_particles(frame.particles, members, scene_.world.dimension),
                                    saturation->values, scene_.surface, points.attributes);
    sink_into_mud(result[o]);
  }
  return result;
}

std::vector<Geometry> RunSurfaces::particles(const Frame& frame) const {
  const Geometry all = points_of(frame, columns_of(frame));
  std::vector<Geometry> result;
  for (Index o = 0; o != scene_.world.objects.size(); ++o)
    result.push_back(part_of(all, particles_of(frame.particles, std::span(&o, 1))));
  return result;
}

Geometry RunSurfaces::whole(const Frame& frame) const {
  std::vector<Geometry> parts = objects(frame);
  for (std::size_t o = 0; o != parts.size(); ++o)
    parts[o].attributes.push_back(
        {columns::object.name, "", 1, std::vector<float>(parts[o].mesh.vertices.size(), static_cast<float>(o))});
  return joined(parts);
}

std::vector<Geometry> RunSurfaces::solids(const FrameHeader& frame) const {
  std::vector<Geometry> placed = solids_;
  for (std::size_t c = 0; c != placed.size(); ++c) {
    if (placed[c].mesh.triangles.empty()) continue;
    if (const auto sequence = scene_.world.colliders[c].shape->sequence()) {
      placed[c].mesh = sequence->mesh(frame.time);
      placed[c].normals = vertex_normals(placed[c].mesh);
    }
    const Pose pose = saved_pose(frame.state, scene_.world.colliders[c], frame.time);
    for (Vec3& x : placed[c].mesh.vertices) x = pose.to_world(x);
    for (Vec3& normal : placed[c].normals) normal = (pose.rotation.cast<float>() * normal);
  }
  return placed;
}

}  // namespace fondue
