#pragma once
// Keyframes of a curve over time in the text of a scene: { time = [0, 1], value = [2, 3] }. Numbers of keys begin at 0.

#include <string_view>

#include "scene/scene_text.h"

namespace fondue {

/// Adds a key, or changes the value of the one at this time. A constant becomes a curve that has its value at time 0.
void set_key(SceneText& scene, std::string_view path, double time, std::string_view value);
/// InputError if keys would change their order.
void move_key(SceneText& scene, std::string_view path, int number, double time);
/// The last key leaves its value as a constant.
void remove_key(SceneText& scene, std::string_view path, int number);

}  // namespace fondue
