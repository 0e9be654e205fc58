#pragma once
// What is seen of a run, frame by frame: the surfaces of its objects, shapes carried along with their particles, grains
// of sand, and solids where they are.
//
// Objects of the same look and skin are one body with one surface, whatever their number: a drop that falls into a pool
// leaves no skin between them.

#include <mutex>

#include "cache/run_folder.h"
#include "surface/carried_mesh.h"
#include "surface/grain_flow.h"
#include "surface/reconstruction.h"

namespace fondue {

class RunSurfaces {
 public:
  /// Columns are wanted at the vertices beside those the scene names. Carried shapes are bound to the particles of the
  /// first frame.
  RunSurfaces(const Scene& scene, const RunLayout& layout, std::span<const std::string> columns = {});
  ~RunSurfaces();

  /// By object number; empty where an object has no particles or is part of another's body. Grains are points with the
  /// attributes radius and tint. May be called from several threads. InputError for a column the frame does not have.
  std::vector<Geometry> objects(const Frame& frame) const;
  /// The particles of each object instead.
  std::vector<Geometry> particles(const Frame& frame) const;
  /// The same in one piece, with the number of the object as an attribute.
  Geometry whole(const Frame& frame) const;
  /// Visible solids at a time, containers excluded; empty geometry for those that are not drawn.
  std::vector<Geometry> solids(const FrameHeader& frame) const;

 private:
  struct Grains;
  /// The objects that make up one body.
  std::vector<std::vector<Index>> bodies() const;
  Geometry extracted(const Frame& frame, std::span<const Index> members, std::span<const std::string> columns) const;
  Geometry carried(const Frame& frame, Index object, Geometry extracted) const;
  Geometry grains(const Frame& frame, Index object) const;
  std::vector<std::string> columns_of(const Frame& frame) const;
  void bind_shapes(const Frame& first);

  const Scene scene_;
  const RunLayout layout_;
  std::vector<std::string> columns_;
  /// By object; those that are carried.
  std::vector<std::unique_ptr<CarriedMesh>> carried_;
  /// By collider, in its own frame.
  std::vector<Geometry> solids_;
  std::unique_ptr<Grains> grains_;
};

/// Numbers of the particles that belong to one of the objects.
std::vector<Index> particles_of(const Particles& particles, std::span<const Index> objects);

/// Some of the points of a cloud.
Geometry part_of(const Geometry& points, std::span<const Index> which);

/// Everything in one piece; attributes that some have not are zero there.
Geometry joined(std::span<const Geometry> parts);

}  // namespace fondue
