#include "shapes/volume.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"

namespace fondue {
namespace {

/// The part of a cell that is inside, seen from its centre as if the surface were flat.
double part_inside(float distance, float size) { return std::clamp(0.5 - double(distance) / size, 0.0, 1.0); }

/// Cuts every cell into 2^d.
std::vector<Vec3> halved(const std::vector<Vec3>& centres, float size, int dimension) {
  std::vector<Vec3> parts;
  parts.reserve(centres.size() << dimension);
  for (const Vec3& centre : centres) {
    for (int corner = 0; corner < 1 << dimension; ++corner) {
      Vec3 shift = Vec3::Zero();
      for (int a = 0; a < dimension; ++a) shift[a] = (corner >> a & 1 ? 0.25f : -0.25f) * size;
      parts.push_back(centre + shift);
    }
  }
  return parts;
}

}  // namespace

double volume(const Shape& shape, int dimension, float resolution, std::size_t most_cells) {
  Box box = shape.bounds();
  if (box.empty()) return 0;
  if (dimension == 2) box.min.z() = box.max.z() = 0;
  if (!box.finite()) {
    throw InputError("a shape without end cannot be filled: limit it, for example by an intersection with a box");
  }
  const Vec3 extent = box.size();
  float size = extent.maxCoeff() / 16;
  std::vector<Vec3> cells;
  Eigen::Vector3i count = Eigen::Vector3i::Ones();
  for (int a = 0; a < dimension; ++a) count[a] = std::max(1, static_cast<int>(std::ceil(extent[a] / size - 1e-3f)));
  for (int k = 0; k < count[2]; ++k) {
    for (int j = 0; j < count[1]; ++j) {
      for (int i = 0; i < count[0]; ++i) {
        Vec3 centre = box.min + size * (Vec3(float(i), float(j), float(k)) + Vec3::Constant(0.5f));
        if (dimension == 2) centre.z() = 0;
        cells.push_back(centre);
      }
    }
  }
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
