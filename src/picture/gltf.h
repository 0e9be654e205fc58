#pragma once
// Everything of a run that is not matter, as one binary glTF 2.0 file (Khronos): colliders and rigid bodies as meshes
// with materials, their motion, the camera with its motion, and the materials of the matter, for Blender, Houdini,
// three.js and whatever else reads it. Surfaces of the matter are files of their own; the extras of the first node say
// which material the vertices of which `object` have.
//
//   12 bytes   "glTF", version, length
//   chunk      JSON: nodes, meshes, materials, animations, cameras
//   chunk      BIN: positions, normals, indices, times, translations, rotations
//
// Lengths are in metres, times in seconds. The nodes are in Fondue's coordinates (z up) below one that turns them to
// glTF's (y up). A solid that moves and the camera have a key per frame, between which is interpolated linearly. Meshes
// that change their shape are as they are at the start; a field of view that changes is that of the start.

#include <cstddef>
#include <string>
#include <vector>

#include "picture/run_view.h"
#include "surface/run_surfaces.h"

namespace fondue {

/// The bytes of the file. `frames` are the headers of the frames of the run, in order.
std::vector<std::byte> gltf_image(const Scene& scene, const RunSurfaces& surfaces, const RunView& view,
                                  const std::vector<FrameHeader>& frames);

}  // namespace fondue
