#include "picture/shadows.h"

#include <algorithm>

#include "core/parallel.h"
#include "picture/hidden.h"

namespace fondue {

std::vector<float> sphere_shadows(const Spheres& spheres, const ViewBlock& block) {
  const Eigen::Matrix4f to_shadow = Eigen::Map<const Eigen::Matrix4f>(block.to_shadow.data());
  const Mat3 linear = to_shadow.topLeftCorner<3, 3>();
  const Vec3 shift = to_shadow.topRightCorner<3, 1>();
  std::vector<Outline> discs(spheres.places.size());
  parallel_for(discs.size(), [&](std::size_t i) {
    const auto [x, y, z, radius] = spheres.places[i];
    const Vec3 q = linear * Vec3(x, y, z) + shift;
    discs[i] = {q.x() * shadow_size, q.y() * shadow_size, radius * block.shadow_scale * shadow_size,
                std::clamp(q.z(), 0.0f, 1.0f), radius};
  });
  return nearest_discs(discs, shadow_size, shadow_size, 1);
}

}  // namespace fondue
