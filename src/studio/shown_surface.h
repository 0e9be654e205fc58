#pragma once
// The surfaces of a frame as they are sent to the page:
//
//   4 bytes   n, length of the header
//   n bytes   header: JSON with the numbers of vertices and triangles, padded to a multiple of 4
//  12 bytes   per vertex: x, y, z [m]
//   4 bytes   per vertex: normal in 127ths, and 0
//   4 bytes   per vertex: red, green, blue, 255
//  12 bytes   per triangle: its vertices
//
// All numbers are little-endian.

#include <string>

#include "cache/run_folder.h"
#include "scene/scene.h"

namespace fondue {

/// The surfaces of all objects and solids in the colours of their looks; empty if the frame has none (two dimensions,
/// grains). May take seconds.
std::string packed_surface(const Scene& scene, const RunLayout& layout, int frame);

}  // namespace fondue
