#pragma once
// OpenVDB volumes, for Blender, Houdini and whatever else shows smoke: one file a frame with the fog of its particles
// (cache/fog.h). Grids are named density (a fog volume), velocity and as the columns; their metadata name the unit, the
// file's the scene, the frame and its time. World space is ours: metres, z up.
//
// OpenVDB is optional. A build without it says so when it is asked.

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

/// What is in a grid, for whoever wants to know without OpenVDB's headers.
struct VdbGrid {
  std::string name, unit;
  int components = 1;
  float voxel = 0;
  /// Voxels that hold matter, and the sum over them.
  std::uint64_t active = 0;
  std::array<double, 3> sum = {};
  /// The box around their centres [m].
  Box bounds;
};

/// The grids of numbers and vectors of a file; InputError if it is not a VDB file.
std::vector<VdbGrid> read_vdb(const std::filesystem::path& path);

}  // namespace fondue
