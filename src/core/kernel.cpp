#include "core/kernel.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/error.h"

namespace fondue {

namespace {

// sigma = 1 / integral of f over the unit ball or disc. The two-dimensional values that the sources do not give are
// derived here:
//   poly6      1 / (2 pi int (1-q^2)^3 q dq) = 4/pi
//   spiky      1 / (2 pi int (1-q)^3 q dq) = 10/pi
//   viscosity  Laplacian 1 - q with f(1) = f'(1) = 0: (q f')' = q - q^2 gives
//              f' = q/2 - q^2/3 - 1/(6q),  f = q^2/4 - q^3/9 - ln(q)/6 - 5/36,  integral over the disc pi/40
double kernel_constant(KernelShape shape, int dimension) {
  const bool plane = dimension == 2;
  constexpr double pi = std::numbers::pi;
  switch (shape) {
    case KernelShape::cubic_spline:
      return plane ? 40 / (7 * pi) : 8 / pi;
    case KernelShape::desbrun:
    case KernelShape::spiky:
      return plane ? 10 / pi : 15 / pi;
    case KernelShape::quartic:
      return plane ? 60 / (7 * pi) : 315 / (26 * pi);
    case KernelShape::quintic:
      return plane ? 63 / (478 * pi) : 27 / (120 * pi);
    case KernelShape::poly6:
      return plane ? 4 / pi : 315 / (64 * pi);
    case KernelShape::viscosity:
      return plane ? 40 / pi : 15 / (2 * pi);
  }
  return 0;
}

}  // namespace

Kernel::Kernel(KernelShape shape, int dimension) : shape_(shape), dimension_(dimension) {
  if (dimension != 2 && dimension != 3) {
    throw InputError(fmt::format("a kernel of dimension {}: dimension must be 2 or 3", dimension));
  }
  sigma_ = static_cast<float>(kernel_constant(shape, dimension));
}

float lattice_volume(const Kernel& kernel, float spacing, float support) {
  if (!(spacing > 0) || !std::isfinite(spacing) || !(support > 0) || !std::isfinite(support)) {
    throw InputError(
        fmt::format("a lattice of spacing {} m with support {} m: both must be above 0", spacing, support));
  }
  if (kernel.shape() == KernelShape::viscosity) {
    throw InputError("the viscosity kernel is infinite at r = 0 and cannot be used for density: choose another kernel");
  }
  const double dx = double(spacing) / support;
  const int reach = static_cast<int>(std::floor(1 / dx));
  const int reach_z = kernel.dimension() == 3 ? reach : 0;
  double sum = 0;
  for (int k = -reach_z; k <= reach_z; ++k) {
    for (int j = -reach; j <= reach; ++j) {
      for (int i = -reach; i <= reach; ++i) {
        const double q = dx * std::sqrt(double(i) * i + double(j) * j + double(k) * k);
        if (q < 1) sum += kernel_shape::value(kernel.shape(), kernel.dimension(), q);
      }
    }
  }
  const double scale = kernel_constant(kernel.shape(), kernel.dimension()) / std::pow(support, kernel.dimension());
  return static_cast<float>(1 / (scale * sum));
}

float half_lattice(const Kernel& kernel, float support_over_spacing) {
  const int reach = static_cast<int>(std::ceil(support_over_spacing));
  const int reach_z = kernel.dimension() == 3 ? reach : 0;
  float sum = 0;
  for (int row = 1; row <= reach; ++row)
    for (int a = -reach; a <= reach; ++a)
      for (int b = -reach_z; b <= reach_z; ++b)
        sum += kernel.W(std::sqrt(static_cast<float>(row * row + a * a + b * b)), support_over_spacing);
  return lattice_volume(kernel, 1, support_over_spacing) * sum;
}

}  // namespace fondue
