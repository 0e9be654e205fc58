#include "shapes/volume.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "shapes/cells.h"

namespace fondue {
namespace {

/// The fraction of a cell that is inside, for a flat surface at the distance of its centre.
double part_inside(float distance, float size) { return std::clamp(0.5 - double(distance) / size, 0.0, 1.0); }

}  // namespace

double volume(const Shape& shape, int dimension, float resolution, std::size_t most_cells) {
  Box box = shape.bounds();
  if (box.empty()) return 0;
  if (dimension == 2) box.min.z() = box.max.z() = 0;
  if (!box.finite()) {
    throw InputError("an unbounded shape cannot be filled: limit it, for example by an intersection with a box");
  }
  float size = box.size().maxCoeff() / 16;
  std::vector<Vec3> cells = cells_over(box, size, dimension);
  double sum = 0;
  while (true) {
    std::vector<float> distance(cells.size());
    parallel_for(
        cells.size(), [&](std::size_t c) { distance[c] = shape.distance(cells[c]); }, 64);
    const float reach = 0.5f * size * std::sqrt(static_cast<float>(dimension));
    const double cell_volume = std::pow(double(size), dimension);
    std::vector<Vec3> uncertain;
    double estimate = sum;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const double inside = cell_volume * part_inside(distance[c], size);
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
