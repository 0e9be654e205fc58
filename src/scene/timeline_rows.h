#pragma once
// What happens when in a scene: a row for every material of a list and for the weight of every track, and one for every
// value that is keyframed.

#include <functional>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace fondue {

struct TimelineRow {
  /// Whose it is, "object 'column'", and what: "material 'sand'", a behaviour, or "viscosity > dynamic_viscosity".
  std::string owner, name;
  /// Over time, from 0 at `least` to 1 at `most`; null: it runs over an attribute of the particles, see `text`.
  std::function<double(double time)> height;
  float least = 0, most = 1;
  /// Times of its keyframes.
  std::vector<double> keys;
  /// The curve over an attribute, "over temperature: 300: 0, 350: 1".
  std::string text;
};

std::vector<TimelineRow> timeline_rows(const Scene& scene);

/// As lines of text, with curves as bars.
std::string timeline_text(const Scene& scene);
/// As a drawing in SVG.
std::string timeline_svg(const Scene& scene);

}  // namespace fondue
