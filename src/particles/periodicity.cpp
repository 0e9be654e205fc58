#include "particles/periodicity.h"

#include <algorithm>
#include <cmath>

namespace fondue {

Vec3 Periodicity::shortest(Vec3 x_ij) const {
  for (int a = 0; a != 3; ++a)
    if (axis[a]) {
      const float length = domain.max[a] - domain.min[a];
      x_ij[a] -= length * std::nearbyint(x_ij[a] / length);
    }
  return x_ij;
}

Vec3 Periodicity::wrapped(Vec3 x) const {
  for (int a = 0; a != 3; ++a)
    if (axis[a]) {
      const float length = domain.max[a] - domain.min[a];
      x[a] -= length * std::floor((x[a] - domain.min[a]) / length);
      // Rounding may put a value just below the minimum onto the maximum, which is the minimum's image.
      if (x[a] >= domain.max[a]) x[a] = domain.min[a];
    }
  return x;
}

/// Axis after axis, so that corners are repeated too.
void add_images(const Periodicity& periodicity, float reach, const ImagePoints& to) {
  const std::size_t real = to.positions.size();
  to.source.resize(real);
  for (std::size_t k = 0; k != real; ++k) to.source[k] = static_cast<Index>(k);
  Index next_id = to.ids.empty() ? 0 : *std::max_element(to.ids.begin(), to.ids.end()) + 1;
  for (int a = 0; a != 3; ++a) {
    if (!periodicity.axis[a]) continue;
    const float low = periodicity.domain.min[a], high = periodicity.domain.max[a];
    const std::size_t before = to.positions.size();
    for (std::size_t k = 0; k != before; ++k) {
      const float x = to.positions[k][a];
      for (const float shift : {high - low, low - high}) {
        if (x + shift < low - reach || x + shift > high + reach) continue;
        Vec3 image = to.positions[k];
        image[a] += shift;
        to.positions.push_back(image);
        to.supports.push_back(to.supports[k]);
        to.source.push_back(to.source[k]);
        to.ids.push_back(next_id++);
      }
    }
  }
}

}  // namespace fondue
