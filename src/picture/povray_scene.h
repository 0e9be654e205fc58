#pragma once
// A finished picture as POV-Ray is told it: surfaces in their looks, solids, containers, a floor and soft studio light.
//
// The scene is written in units in which the picture is ten high at its target, with the target at the origin:
// POV-Ray's tolerances are fixed lengths, and light, floor and grain of the looks are then the same for a teaspoon and
// a lake. Vertices that differ in colour, wetness or heat share at most 64 textures, between which POV-Ray blends
// across each triangle.

#include <optional>
#include <string>
#include <vector>

#include "picture/camera.h"
#include "picture/legend.h"
#include "picture/look.h"
#include "picture/preview.h"
#include "shapes/geometry.h"

namespace fondue {

/// Vertices take the colours of an attribute (vectors by their length) by the legend's map and range.
struct Colouring {
  std::string attribute;
  Legend legend;
};

/// Matter in its look. Without triangles its points are spheres: of the radius in the attribute "radius", or of
/// `radius`, smaller where there is an "opacity" below 1. An attribute "saturation" makes it wet, "temperature" makes
/// lava glow, "tint" makes grains differ. When it is coloured, water and lava are drawn opaque and unlit from within,
/// so that the colours can be read.
struct DrawnObject {
  Geometry geometry;
  LookSetup look;
  std::optional<Colouring> colouring;
  float radius = 0;
  /// Temperatures [K] where lava begins to glow and where it is brightest.
  float cold = 900, hot = 1500;
};

struct PovrayScene {
  std::vector<DrawnObject> objects;
  /// Neutral and matt.
  std::vector<Geometry> solids;
  /// Slender rods along their edges.
  std::vector<PlacedBox> containers;
  Camera camera;
  /// Height of the floor [m] along the camera's up.
  std::optional<float> floor;
  /// Two-dimensional scenes: plain colours on paper, seen in parallel along -z.
  bool flat = false;
};

/// The whole scene file. The same scene gives the same text. Points without a finite place are left out, and triangles
/// with such a corner.
std::string povray_text(const PovrayScene& scene, int width, int height);

}  // namespace fondue
