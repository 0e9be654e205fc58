#pragma once
// The shaders of the preview, in the order in which they draw a picture. All work in view space: the eye at the origin
// looking along -z. A surface is known by its depth, its colour and its normal at two by two samples a pixel; light
// comes last.

namespace fondue::shaders {

/// The View block (its twin in C++ is ViewBlock) and the projection both ways.
extern const char* const prelude;

/// Colour, normal and depth of the spheres.
extern const char* const sphere_vertex;
extern const char* const sphere_fragment;
/// The floor, after the spheres.
extern const char* const floor_vertex;
extern const char* const floor_fragment;
/// Discs turned to the light, for the shadow map.
extern const char* const shadow_vertex;
extern const char* const shadow_fragment;
/// A triangle that covers the picture.
extern const char* const picture_vertex;
/// Ambient occlusion, light that arrives, and distance at every pixel, with noise that repeats every four by four
/// pixels.
extern const char* const occlusion_fragment;
/// Smooths that noise along surfaces, lights the samples and averages them.
extern const char* const light_fragment;
/// Edges of containers over the lit picture.
extern const char* const edge_vertex;
extern const char* const edge_fragment;

}  // namespace fondue::shaders
