#pragma once
// Geometry as files that other programs open. Lengths are in metres, z is up; the formats do not say either.
//
//   .ply  Stanford PLY 1.0, binary little endian. vertex: x y z, nx ny nz, every attribute as float properties
//         (several components as name_x name_y name_z or name_xx ... of cache/component_names.h, but velocity as vx vy
//         vz), id as uint; face: vertex_indices, if there are triangles
//   .obj  Wavefront OBJ: v, vn, f. Holds neither attributes nor ids
//   .vtp  VTK XML PolyData 1.0, raw appended little endian: points as Verts or triangles as Polys; PointData with
//         Normals, every attribute and id
//
// PLY and VTP keep every bit of a number, OBJ as many digits as bring it back. An empty geometry is an empty, valid
// file.

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "shapes/geometry.h"

namespace fondue {

/// Writes the file atomically, in the format its extension tells. InputError for another extension or a point that is
/// nowhere (not a number, infinite).
void write_geometry(const std::filesystem::path& path, const Geometry& geometry);

std::vector<std::byte> ply_file(const Geometry& geometry);
std::vector<std::byte> obj_file(const Geometry& geometry);
std::vector<std::byte> vtp_file(const Geometry& geometry);

/// One file of a series and the time it shows.
struct SeriesEntry {
  double time = 0;
  std::filesystem::path file;
};

/// Writes the index (.pvd) that ParaView opens as one series over time. Files are named relative to it, so that a
/// folder can be moved.
void write_pvd(const std::filesystem::path& path, std::span<const SeriesEntry> entries);

}  // namespace fondue
