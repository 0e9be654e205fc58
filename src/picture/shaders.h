#pragma once
// The shaders of the preview, in the order in which they draw a picture. All work in view space: the eye at the origin
// looking along -z. Deferred shading: a surface is stored as depth, normal and colour at 2 x 2 samples per pixel and
// lit last.
//
// Depth is near/distance in perspective (reversed, equally precise at all distances) and linear in orthographic
// projection; it is larger for nearer surfaces and 0 for the background. The depth of the floor is then an affine
// function of the position in the picture, so that the floor is never drawn: shaders compare with it.
//
// A loop that runs at most once replaces an if: software rasterisers skip a loop that no pixel needs, but execute both
// branches of an if.

namespace fondue::shaders {

/// The View block (ViewBlock in C++), the projection and its inverse, and the packing of surface samples.
extern const char* const prelude;

/// Normal, colour and depth of the spheres.
extern const char* const sphere_vertex;
extern const char* const sphere_fragment;
/// The same for meshes.
extern const char* const mesh_vertex;
extern const char* const mesh_fragment;
/// Meshes seen from the light, for the shadow map.
extern const char* const shadow_vertex;
extern const char* const shadow_fragment;
/// A full-screen triangle.
extern const char* const picture_vertex;
/// Distance of the visible surface at every pixel, including the floor.
extern const char* const distance_fragment;
/// Ambient occlusion and incoming light at every pixel, with noise that repeats every 4 x 4 pixels.
extern const char* const occlusion_fragment;
/// Removes that noise by an edge-preserving filter, lights the samples and averages them.
extern const char* const light_fragment;
/// Edges of containers over the lit picture.
extern const char* const edge_vertex;
extern const char* const edge_fragment;

}  // namespace fondue::shaders
