#pragma once
// What surrounds the things in a finished picture: camera, light, floor and background, in POV-Ray's words.
//
// The light is the camera's: a large lamp at the upper left behind the viewer and a larger, weaker one overhead, both
// with soft shadows; a shadowless fill from the right. The floor is as bright as the background where nothing shades
// it, and fades into it. Mirrors see a studio of their own, which is in no picture directly: a light ceiling and two
// bright panels.

#include <optional>
#include <string>

#include "picture/camera.h"
#include "picture/view.h"

namespace fondue {

/// From metres to the units of the scene: the picture is ten high at its target, which is the origin.
struct Units {
  Units(const Camera& camera, const ViewFrame& view) : origin(camera.target), scale(10 / view.picture_height) {}
  Vec3 place(const Vec3& x) const { return scale * (x - origin); }
  Vec3 origin;
  float scale;
};

/// <x, y, z>
std::string povray_vector(const Vec3& v);

/// The floor's height is along the camera's up [m]. With clear matter in the picture the overhead light casts no
/// shadows: shadow rays through clear matter are most of the time a picture takes.
std::string studio(const Camera& camera, const ViewFrame& view, std::optional<float> floor, bool clear);
std::string flat_studio(const Camera& camera, const ViewFrame& view);

/// texture { ... } of colliders.
std::string solid_texture(const Vec3& colour);

}  // namespace fondue
