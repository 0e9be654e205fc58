#pragma once
// Camera, light, floor and background of a finished picture, in POV-Ray's language.
//
// The light is fixed to the camera: a large lamp at the upper left behind the viewer and a larger, weaker one overhead,
// both with soft shadows; a shadowless fill light from the right. The unshaded floor is as bright as the background and
// fades into it. Reflections show a separate environment that is not directly visible: a light ceiling and two bright
// panels.

#include <optional>
#include <string>

#include "picture/camera.h"
#include "picture/view.h"

namespace fondue {

/// From metres to scene units: the picture is ten units high at its target, which is the origin.
struct Units {
  Units(const Camera& camera, const ViewFrame& view) : origin(camera.target), scale(10 / view.picture_height) {}
  Vec3 to_scene(const Vec3& x) const { return scale * (x - origin); }
  Vec3 origin;
  float scale;
};

/// <x, y, z>
std::string povray_vector(const Vec3& v);

/// The floor's height is along the camera's up vector [m]. With transparent matter in the picture the overhead light
/// casts no shadows, since shadow rays through transparent matter dominate the render time.
std::string studio(const Camera& camera, const ViewFrame& view, std::optional<float> floor, bool clear);
std::string flat_studio(const Camera& camera, const ViewFrame& view);

/// texture { ... } of colliders.
std::string solid_texture(const Vec3& colour);

}  // namespace fondue
