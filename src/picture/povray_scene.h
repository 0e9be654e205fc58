#pragma once
// The POV-Ray scene of a finished picture: surfaces in their looks, solids, containers, a floor and soft studio light.
//
// The scene is written in units of a tenth of the picture's height at its target when the run begins, with that target
// at the origin:
// POV-Ray's tolerances are fixed lengths, and light, floor and grain of the looks are then independent of the size of
// the scene. Vertices that differ in colour, wetness or heat share at most 64 textures, between which POV-Ray blends
// across each triangle.

#include <optional>
#include <string>
#include <vector>

#include "picture/camera.h"
#include "picture/legend.h"
#include "picture/look.h"
#include "picture/preview.h"
#include "shapes/construction.h"
#include "shapes/geometry.h"

namespace fondue {

/// Vertices are coloured by an attribute (vectors by their magnitude) with the legend's map and range.
struct ColumnColouring {
  std::string attribute;
  Legend legend;
};

/// An object in its look. Without triangles its points are drawn as spheres with the attribute "radius", or `radius`,
/// smaller where there is an "opacity" below 1. The attribute "saturation" makes it wet, "temperature" makes lava glow,
/// "tint" varies grains. When coloured by a quantity, water and lava are drawn opaque and without emission, so that the
/// colours are readable.
struct DrawnObject {
  Geometry geometry;
  LookSetup look;
  std::optional<ColumnColouring> colouring;
  float radius = 0;
  /// Temperatures [K] at which lava begins to glow and at which it is brightest.
  float cold = 900, hot = 1500;
  /// The place between looks that follow time.
  float place = 0;
};

/// A collider or rigid body: exactly as it is constructed, or its triangles where they are.
struct DrawnSolid {
  Geometry geometry;
  std::optional<Construction> construction = {};
  /// What is endless ends at this box, in its own coordinates; not used unless it is finite.
  Box within = {};
  /// Where it is: its construction, and the grain of its look.
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();
  /// Grey and matt without one.
  std::optional<LookSetup> look = {};
  /// Of the origin of its frame [m/s], and of its rotation [rad/s].
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
};

/// A flame: its lower end and its height [m].
struct DrawnFlame {
  Vec3 position;
  float height;
};

struct PovrayScene {
  std::vector<DrawnObject> objects;
  std::vector<DrawnSolid> solids;
  std::vector<DrawnFlame> flames;
  /// Drawn as thin rods along their edges.
  std::vector<PlacedBox> containers;
  Camera camera;
  /// The camera at the beginning of the run: light, surroundings and grain do not move with the other one.
  std::optional<Camera> home;
  Surroundings surroundings = Surroundings::studio;
  /// Diameter of the lens and the point that is sharp [m]; 0: everything is.
  float aperture = 0;
  Vec3 focus = Vec3::Zero();
  /// Height of the floor [m] along the camera's up vector.
  std::optional<float> floor;
  /// Two-dimensional scenes: plain colours on white, orthographic along -z.
  bool flat = false;
  /// Only what glows, in the dark (picture/glow.h).
  bool only_glow = false;
};

/// Everything some seconds later or earlier: surfaces go on with their attribute "velocity", solids with theirs.
PovrayScene moved(PovrayScene scene, float seconds);

/// The whole scene file. The same scene gives the same text. Points without a finite position, and triangles with such
/// a corner, are omitted.
std::string povray_text(const PovrayScene& scene, int width, int height);

}  // namespace fondue
