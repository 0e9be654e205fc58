#pragma once
// Integrals over the inside of a shape by adaptive refinement: cells whose centre is farther from the surface than
// their corners are entirely inside or outside; the others are divided until they reach the resolution or there are
// too many of them. What is left of those counts by the fraction that is inside.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "shapes/cells.h"
#include "shapes/shape.h"

namespace fondue {

/// Sum over all cells of part(centre, size, fraction inside), in m^d; of the cross-section z = 0 in two dimensions.
/// InputError if the bounds are not finite.
template <class Sum, class Part>
Sum cell_integral(const Shape& shape, int dimension, float resolution, std::size_t most_cells, Sum sum, Part&& part) {
  Box box = shape.bounds();
  if (box.empty()) return sum;
  if (dimension == 2) box.min.z() = box.max.z() = 0;
  if (!box.finite()) {
    throw InputError("an unbounded shape cannot be filled: limit it, for example by an intersection with a box");
  }
  float size = box.size().maxCoeff() / 16;
  std::vector<Vec3> cells = cells_over(box, size, dimension);
  while (true) {
    std::vector<float> distance(cells.size());
    parallel_for(
        cells.size(), [&](std::size_t c) { distance[c] = shape.distance(cells[c]); }, 64);
    const float reach = 0.5f * size * std::sqrt(static_cast<float>(dimension));
    std::vector<Vec3> uncertain;
    Sum estimate = sum;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      // For a flat surface at the distance of the centre.
      const double fraction = std::clamp(0.5 - double(distance[c]) / size, 0.0, 1.0);
      const Sum inside = part(cells[c], size, fraction);
      estimate += inside;
      if (std::abs(distance[c]) < reach)
        uncertain.push_back(cells[c]);
      else
        sum += inside;
    }
    if (uncertain.empty() || size <= resolution || uncertain.size() << dimension > most_cells) return estimate;
    cells = halved(uncertain, size, dimension);
    size /= 2;
  }
}

}  // namespace fondue
