#pragma once
// OpenVDB volumes for Blender, Houdini and other programs that render smoke: one file per frame with the fog volume of
// its particles (cache/fog.h). Grids are named density, velocity and as the columns; their metadata contain the unit,
// and the file's metadata the scene, the frame and its time. World coordinates are unchanged: metres, z up.
//
// OpenVDB is optional. A build without it reports an error when it is used.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cache/fog.h"

namespace fondue {

bool has_openvdb();
/// OutputError in a build without OpenVDB, with what to install.
void require_openvdb();

/// Writes the file atomically.
void write_vdb(const std::filesystem::path& path, const Frame& frame, const FogOptions& options);

/// Summary of a grid, usable without OpenVDB's headers.
struct VdbGrid {
  std::string name, unit;
  int components = 1;
  float voxel = 0;
  /// Number of voxels that contain matter, and the sum over them.
  std::uint64_t active = 0;
  std::array<double, 3> sum = {};
  /// Bounding box of their centres [m].
  Box bounds;
};

/// The scalar and vector grids of a file; InputError if it is not a VDB file.
std::vector<VdbGrid> read_vdb(const std::filesystem::path& path);

}  // namespace fondue
