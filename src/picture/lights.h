#pragma once
// Lamps and bright panels of finished pictures, in POV-Ray's language, in units of a tenth of the picture's height.

#include <string>

#include "core/vec.h"

namespace fondue {

/// <x, y, z>
std::string povray_vector(const Vec3& v);

/// How much of a lamp is tried at first, and all of it only where that differs: `fine` removes the grain of
/// half-shadows, at twice the time.
enum class Shadows { coarse = 1, fine = 2 };
/// A round lamp that faces the origin, made of lights x lights point lights that are moved at random for every shadow:
/// fixed ones would draw as many faint copies of each small thing on the floor.
std::string lamp(const Vec3& direction, float distance, float side, const Vec3& colour, int lights, Shadows shadows);
/// A light without shadows, far away.
std::string plain_light(const Vec3& direction, const Vec3& colour);
/// A bright rectangle that is visible only in reflections.
std::string panel(const Vec3& centre, const Vec3& half_across, const Vec3& half_along, const Vec3& brightness);
/// What reflections show: colours of light from straight below (0) to straight above (1), by place.
std::string reflected_room(const Vec3& up, const std::string& colours);

}  // namespace fondue
