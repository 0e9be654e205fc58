#pragma once
// Smoothing kernels of the sources, all as functions of distance r with a support radius R beyond which they vanish.
//
//   kernel        source          R in the source's h
//   cubic_spline  DC96 s. 3.2     2h      (the default)
//   desbrun       DC96 s. 3.2     2h      (2 - r/h)^3: no clustering, for cohesive matter
//   quartic       P09 (5)         2h
//   quintic       P06 (4)         3h
//   poly6         L09 (2.4)       h
//   spiky         L09 (3.16)      h
//   viscosity     L09 (3.17)      h       singular at r = 0: only its Laplacian is for use there
//
// W(r, R) = sigma_d / R^d f(r/R): every kernel is a polynomial f of q = r/R and one constant a dimension.

#include <array>
#include <string_view>

namespace fondue {

enum class KernelShape { cubic_spline, desbrun, quartic, quintic, poly6, spiky, viscosity };

inline constexpr std::array<std::string_view, 7> kernel_names = {"cubic_spline", "desbrun", "quartic",  "quintic",
                                                                 "poly6",        "spiky",   "viscosity"};

class Kernel {
 public:
  Kernel(KernelShape shape, int dimension);

  /// Value [m^-d]; zero for r >= R.
  float W(float r, float R) const;
  /// dW/dr [m^-d-1]; negative inside the support, so grad W = dW x_ij / r.
  float dW(float r, float R) const;
  /// Laplacian W'' + (d-1)/r W' [m^-d-2].
  float laplacian(float r, float R) const;

  KernelShape shape() const { return shape_; }
  int dimension() const { return dimension_; }

 private:
  KernelShape shape_;
  int dimension_;
  float sigma_;
};

/// Rest volume of a particle on an endless square or cubic lattice of this spacing: 1 / sum W, so that the lattice measures
/// exactly its rest density whatever the kernel and support.
float lattice_volume(const Kernel& kernel, float spacing, float support);

}  // namespace fondue
