#pragma once
// Keyframes of a curve over time in the text of a scene: { time = [0, 1], value = [2, 3] }, or with keys in frames:
// { frame = [0, 25], value = [2, 3] }. Times are given in seconds and written as the curve has them. Numbers of keys
// begin at 0.

#include <string_view>

#include "scene/scene_text.h"

namespace fondue {

/// Adds a key, or changes the value of the one at this time. A constant becomes a curve that has its value at time 0.
void set_key(SceneText& scene, std::string_view path, double time, std::string_view value, double frames_per_second);
/// InputError if keys would change their order.
void move_key(SceneText& scene, std::string_view path, int number, double time, double frames_per_second);
/// The last key leaves its value as a constant.
void remove_key(SceneText& scene, std::string_view path, int number);

}  // namespace fondue
