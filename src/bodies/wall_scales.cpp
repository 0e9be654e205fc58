#include "bodies/wall_scales.h"

#include <algorithm>
#include <cmath>

namespace fondue {

namespace {

/// Sum over one flat layer of the lattice, `depth` spacings from a point beside it: of term(r, t), t the distance along
/// x.
template <class Term>
float layer_sum(const Lattice& lattice, int depth, const Term& term) {
  const int reach = static_cast<int>(std::ceil(lattice.support_ratio));
  const int reach_z = lattice.dimension == 3 ? reach : 0;
  float sum = 0;
  for (int a = -reach; a <= reach; ++a)
    for (int b = -reach_z; b <= reach_z; ++b)
      sum += term(lattice.spacing * std::sqrt(static_cast<float>(a * a + b * b + depth * depth)),
                  lattice.spacing * static_cast<float>(a));
  return sum;
}

}  // namespace

WallScales wall_scales(const Lattice& lattice) {
  const Kernel kernel(lattice.kernel, lattice.dimension);
  const float R = lattice.support();
  const int reach = static_cast<int>(std::ceil(lattice.support_ratio));
  const auto density = [&](float r, float) { return kernel.W(r, R); };
  const auto drag = [&](float r, float t) { return -kernel.dW(r, R) / r * t * t / (r * r); };
  const auto flow = [&](float r, float) { return -kernel.dW(r, R) * r / (r * r + 0.01f * R * R); };
  // Half space over one layer, of a force in proportion to the distance k.
  const auto scale = [&](const auto& force) {
    float one_layer = 0, half_space = 0;
    for (int k = 1; k <= reach; ++k) {
      const float of_layers = static_cast<float>(k) * layer_sum(lattice, k, force);
      one_layer += of_layers;
      half_space += static_cast<float>(k) * of_layers;
    }
    return half_space / one_layer;
  };
  const auto profile = [&](float r, float) { return r / R * std::pow(std::max(1 - r / R, 0.0f), 2.0f); };
  float missing = 0, pull = 0;
  for (int k = 1; k <= reach; ++k) {
    missing += layer_sum(lattice, k, density);
    pull += static_cast<float>(k) * lattice.spacing / R * layer_sum(lattice, k, profile);
  }
  const float V = lattice_volume(kernel, lattice.spacing, R);
  const float volume_ratio = missing / layer_sum(lattice, 1, density);
  const float area = lattice.dimension == 3 ? lattice.spacing * lattice.spacing : lattice.spacing;
  return {V * volume_ratio * layer_sum(lattice, 0, density), scale(drag) / volume_ratio, scale(flow) / volume_ratio,
          area / (V * V * volume_ratio * pull)};
}

}  // namespace fondue
