#pragma once
// A flame in a finished picture, in POV-Ray's language: a glowing cloud in the shape of a drop that hides what is
// behind it, and a lamp in its middle.
//
// The cloud fills two half ellipsoids that share their widest circle, the upper one four times as long. It is densest
// in their middle and thins out towards their surface, so that the tip is pointed and the edge soft. Emission and
// absorption together make the flame as bright before a white wall as in the dark; blue where it is lowest, where
// there is no soot.

#include <string>

#include "core/vec.h"

namespace fondue {

/// Lengths in units of the scene. The lamp lights what is around it and is left out where only the glow is drawn.
std::string povray_flame(const Vec3& lower_end, const Vec3& up, float height, bool with_lamp);

}  // namespace fondue
