#include "shapes/volume.h"

#include "shapes/cell_integral.h"

namespace fondue {

double volume(const Shape& shape, int dimension, float resolution, std::size_t most_cells) {
  return cell_integral(shape, dimension, resolution, most_cells, 0.0, [&](const Vec3&, float size, double fraction) {
    return std::pow(double(size), dimension) * fraction;
  });
}

}  // namespace fondue
