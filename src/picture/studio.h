#pragma once
// The stage of a finished picture, in POV-Ray's language: camera, light, floor and background.
//
//   studio         a bright room: a large lamp at the upper left behind the viewer, a larger, weaker one overhead, a
//                  shadowless fill light from the right. The unshaded floor is as bright as the background and fades
//                  into it. Reflections show an environment that is not directly visible: a light ceiling and panels.
//   kitchen table  a wooden table top in front of a warm, blurred wall, lit by a window from the left
//   outdoor        sunlight on pale ground under a blue sky
//
// Light and surroundings are placed by the camera at the beginning of the run, and stay there when it moves.

#include <optional>
#include <string>

#include "picture/camera.h"
#include "picture/lights.h"
#include "picture/view.h"
#include "scene/scene.h"

namespace fondue {

/// From metres to scene units: the picture is ten units high at its target, which is the origin.
struct Units {
  Units(const Camera& camera, const ViewFrame& view) : origin(camera.target), scale(10 / view.picture_height) {}
  Vec3 to_scene(const Vec3& x) const { return scale * (x - origin); }
  Vec3 origin;
  float scale;
};

/// What a picture is taken of and with.
struct Stage {
  Camera camera, home;
  ViewFrame view, home_view;
  Units units;
  Surroundings surroundings;
  /// Height of the floor along the camera's up vector [m].
  std::optional<float> floor;
  /// Transparent matter is in the picture: the overhead light casts no shadows then, since shadow rays through
  /// transparent matter dominate the render time.
  bool clear;
  /// Diameter of the lens and the point that is sharp [m].
  float aperture;
  Vec3 focus;

  Shadows shadows() const { return clear ? Shadows::coarse : Shadows::fine; }
  /// Axes of the first picture: to the right, up, and from the scene to the viewer along the floor.
  Vec3 right() const { return home_view.rotation.row(0); }
  Vec3 up() const { return home.up.normalized(); }
  Vec3 behind() const { return right().cross(up()); }
  /// Height of the floor in scene units; nothing if there is none.
  std::optional<float> floor_height() const;
};

std::string stage_text(const Stage& stage);
/// Two-dimensional scenes: plain colours on white.
std::string flat_stage(const Stage& stage);

/// Nothing but the camera.
std::string dark_stage(const Stage& stage);

// The surroundings: lights, background, floor (surroundings.cpp).
std::string kitchen_table(const Stage& stage);
std::string outdoor(const Stage& stage);

/// texture { ... } of colliders without a look.
std::string solid_texture(const Vec3& colour);

}  // namespace fondue
