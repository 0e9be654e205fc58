#pragma once
// Overrides of a scene from the command line: --set objects.column.velocity=[1, 0, 0]. A path descends into tables by
// key and into lists by index or by name.

#include <vector>

#include "scene/mistakes.h"

namespace fondue {

void apply_overrides(Node& scene, const std::vector<Override>& overrides, Mistakes& mistakes);

}  // namespace fondue
