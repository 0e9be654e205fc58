#pragma once
// The visible geometry of a run, frame by frame: reconstructed surfaces of its objects, meshes carried by their
// particles, sheets, grains of sand, and solids at their current positions.
//
// Objects with the same look and surface settings share one surface, so that a drop that falls into a pool merges with
// it.

#include <mutex>

#include "cache/run_folder.h"
#include "core/progress_report.h"
#include "surface/carried_mesh.h"
#include "surface/grain_flow.h"
#include "surface/reconstruction.h"
#include "surface/torn_mesh.h"

namespace fondue {

class RunSurfaces {
 public:
  /// `columns` are attributes needed at the vertices in addition to those the scene names. Carried meshes are bound to
  /// the particles of the first frame. Report: how far grains have been moved, from the first frame to the wanted one.
  RunSurfaces(const Scene& scene, const RunLayout& layout, std::span<const std::string> columns = {},
              const ProgressReport& report = {});
  ~RunSurfaces();

  /// One geometry per object; empty where an object has no particles or shares the surface of another. Grains are
  /// points with the attributes radius and tint. May be called from several threads. InputError for a column that the
  /// frame does not have.
  std::vector<Geometry> objects(const Frame& frame) const;
  /// What pictures show: one geometry per object, as objects() has it, and after these one more per object: the mud of
  /// wet sand that is drawn as grains, which sink into it (surface/mud.h); empty for all else.
  std::vector<Geometry> drawn(const Frame& frame) const;
  /// One point cloud per object: its particles.
  std::vector<Geometry> particles(const Frame& frame) const;
  /// All objects as one geometry, with the index of the object as an attribute.
  Geometry whole(const Frame& frame) const;
  /// Visible solids at a time, containers excluded; empty geometry for those that are not drawn.
  std::vector<Geometry> solids(const FrameHeader& frame) const;
  /// The same in their own coordinates, before they move.
  const std::vector<Geometry>& shapes() const { return solids_; }

 private:
  struct Grains;
  /// Groups of objects that share one surface.
  std::vector<std::vector<Index>> bodies() const;
  Geometry extracted(const Frame& frame, std::span<const Index> members, std::span<const std::string> columns) const;
  Geometry carried(const Frame& frame, Index object, Geometry extracted) const;
  struct SandOf;
  Geometry grains(const Frame& frame, Index object) const;
  std::vector<std::string> columns_of(const Frame& frame) const;
  void bind_shapes(const Frame& first);

  const Scene scene_;
  const RunLayout layout_;
  std::vector<std::string> columns_;
  ProgressReport report_;
  /// BodyLinks of the particles of a carried object, in the order of their ids at rest.
  BodyLinks links(const Frame& frame, Index object) const;
  /// By object; null for those that are not carried.
  std::vector<std::unique_ptr<CarriedMesh>> carried_;
  /// What a carried object is cut from when it tears; without links it does not.
  struct Tearing {
    std::vector<Vec3> positions;
    std::vector<float> supports;
    std::vector<Index> ids;
    std::size_t links = 0;
    std::unique_ptr<TornMesh> mesh;
  };
  std::vector<Tearing> tearing_;
  /// By collider, in its local coordinates.
  std::vector<Geometry> solids_;
  std::unique_ptr<Grains> grains_;
};

/// The visible solids of a scene, one per collider in its own coordinates, before it moves; empty for those that are
/// not drawn and for containers.
std::vector<Geometry> solid_shapes(const Scene& scene);

/// Indices of the particles that belong to one of the objects.
std::vector<Index> particles_of(const Particles& particles, std::span<const Index> objects);

/// A subset of a point cloud.
Geometry part_of(const Geometry& points, std::span<const Index> which);

/// All parts as one geometry; attributes that a part lacks are zero there.
Geometry joined(std::span<const Geometry> parts);

}  // namespace fondue
