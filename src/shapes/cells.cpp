#include "shapes/cells.h"

#include <algorithm>
#include <cmath>

namespace fondue {

std::vector<Vec3> cells_over(const Box& box, float size, int dimension) {
  Eigen::Vector3i count = Eigen::Vector3i::Ones();
  // A side that is n times the size, within rounding, gets exactly n cells.
  for (int a = 0; a < dimension; ++a) count[a] = std::max(1, static_cast<int>(std::ceil(box.size()[a] / size - 1e-3f)));
  std::vector<Vec3> centres;
  for (int k = 0; k < count[2]; ++k) {
    for (int j = 0; j < count[1]; ++j) {
      for (int i = 0; i < count[0]; ++i) {
        Vec3 centre = box.min + size * (Vec3(float(i), float(j), float(k)) + Vec3::Constant(0.5f));
        if (dimension == 2) centre.z() = 0;
        centres.push_back(centre);
      }
    }
  }
  return centres;
}

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

}  // namespace fondue
