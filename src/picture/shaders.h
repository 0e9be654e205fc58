#pragma once
// The shaders of the preview, in the order in which they draw a picture. All work in view space: the eye at the origin
// looking along -z. A surface is known by its depth, its normal and its colour at two by two samples a pixel; light
// comes last.
//
// Depth is near/distance in perspective (as precise far away as nearby) and falls evenly in parallel projection; it is
// larger for what is nearer and 0 where nothing is. The depth of the floor is then an affine function of the place in
// the picture, so that the floor is never drawn: shaders compare with it.
//
// A loop that runs at most once stands for an if: software rasterisers jump over a loop no pixel needs, but walk
// through both sides of an if.

namespace fondue::shaders {

/// The View block (its twin in C++ is ViewBlock), the projection both ways, and how a surface is kept.
extern const char* const prelude;

/// Normal, colour and depth of the spheres.
extern const char* const sphere_vertex;
extern const char* const sphere_fragment;
/// The same of meshes.
extern const char* const mesh_vertex;
extern const char* const mesh_fragment;
/// Meshes turned to the light, for the shadow map.
extern const char* const shadow_vertex;
extern const char* const shadow_fragment;
/// A triangle that covers the picture.
extern const char* const picture_vertex;
/// Distance of what is seen at every pixel, the floor among it.
extern const char* const distance_fragment;
/// Ambient occlusion and light that arrives at every pixel, with noise that repeats every four by four pixels.
extern const char* const occlusion_fragment;
/// Smooths that noise along surfaces, lights the samples and averages them.
extern const char* const light_fragment;
/// Edges of containers over the lit picture.
extern const char* const edge_vertex;
extern const char* const edge_fragment;

}  // namespace fondue::shaders
