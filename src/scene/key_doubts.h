#pragma once
// Keyframes that can have no effect: notes, not mistakes. Each curve is named once.

#include "scene/tracks.h"

namespace fondue {

/// Keyframes of a curve over time outside of the run.
template <class T>
void doubt_keys_outside_run(const Curve<T>& curve, const Node& keys, const Parameter& parameter,
                            const std::string& where, Reading& reading);

/// Keyframes of parameters while the weight of their track is 0, and tracks whose weights add up to more than 1.
void doubt_keys(const TrackSet& set, const std::string& where, Reading& reading);

/// Keyframes of what a table gives for these parameters, while what they belong to is off. `off` is the rest of a
/// sentence about it: "it is off". The values at the start may count also then.
void doubt_keys_while_off(const Node& table, const std::string& where, std::span<const Parameter* const> parameters,
                          const Values& values, const Keyable<float>& on, const std::string& off, Reading& reading,
                          bool start_counts = false);

}  // namespace fondue
