#pragma once
// Smoothing kernels, all as functions of the distance r with a support radius R beyond which they vanish.
//
//   kernel        source          R in the source's h
//   cubic_spline  DC96 s. 3.2     2h      (the default)
//   desbrun       DC96 s. 3.2     2h      (2 - r/h)^3: no clustering, for cohesive matter
//   quartic       P09 s. 3        2h      slightly negative (0.24 % of W(0)) between 0.848 R and R
//   quintic       P06 (4)         3h
//   poly6         L09 (2.4)       h
//   spiky         L09 (3.16)      h       identical to desbrun when both are written in R
//   viscosity     L09 (3.17)      h       singular at r = 0, where only its Laplacian is usable
//
// W(r, R) = sigma / R^d f(q) with q = r/R; f and its derivatives are below, sigma is in kernel.cpp. Near q = 0 the
// derivatives of the smooth kernels are written as q times a polynomial, so that dW/r stays accurate for particles
// almost at the same position. Functions singular at q = 0 (the viscosity kernel, the Laplacian of spiky) are evaluated
// at q >= 1e-6: large, but finite.

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/lanes.h"

namespace fondue {

enum class KernelShape { cubic_spline, desbrun, quartic, quintic, poly6, spiky, viscosity };

inline constexpr std::array<std::string_view, 7> kernel_names = {"cubic_spline", "desbrun", "quartic",  "quintic",
                                                                 "poly6",        "spiky",   "viscosity"};

/// The profiles f(q), 0 <= q <= 1, in the precision of T: float or lanes for pairs, double where sums must be exact.
namespace kernel_shape {

inline constexpr float smallest_q = 1e-6f;

template <class T>
FONDUE_INLINE T value(KernelShape shape, int dimension, T q) {
  const T t = 1 - q;
  switch (shape) {
    case KernelShape::cubic_spline:
      return select(q < T(0.5f), 1 - 6 * (q * q) * t, 2 * (t * t) * t);
    case KernelShape::desbrun:
    case KernelShape::spiky:
      return t * t * t;
    case KernelShape::quartic:  // (2-u)^2 (1/6 + u/6 - 5/32 u^2) with u = 2q: P09's polynomial, factored
      return t * t * (T(2) / 3 + q * (T(4) / 3 - T(2.5f) * q));
    case KernelShape::quintic: {
      const T u = 3 * q, u2 = u * u;
      const T a = 3 * t, b = max(2 - u, T(0)), a2 = a * a, b2 = b * b;
      return select(u < T(1), 66 - u2 * (60 - u2 * (30 - 10 * u)), a2 * a2 * a - 6 * b2 * b2 * b);
    }
    case KernelShape::poly6: {
      const T s = 1 - q * q;
      return s * s * s;
    }
    case KernelShape::viscosity:
      q = max(q, T(smallest_q));
      if (dimension == 3) return t * t * t * (1 + q) / (2 * q);
      return max(q * q * (T(1) / 4 - q / 9) - logarithm(q) / 6 - T(5) / 36, T(0));
  }
  return 0;
}

/// f'(q)/q, with 1/q given; used by gradients, since grad W = W'(r)/r x_ij. Smooth kernels do not divide by q near
/// q = 0 and so stay accurate there.
template <class T>
FONDUE_INLINE T slope_over_q(KernelShape shape, int dimension, T q, T inverse_q) {
  const T t = 1 - q;
  switch (shape) {
    case KernelShape::cubic_spline:
      return select(q < T(0.5f), 18 * q - 12, (t * t) * (-6 * inverse_q));
    case KernelShape::desbrun:
    case KernelShape::spiky:
      return (t * t) * (-3 * inverse_q);
    case KernelShape::quartic:
      return -t * (9 - 10 * q);
    case KernelShape::quintic: {
      const T u = 3 * q, u2 = u * u;
      const T a = 3 * t, b = max(2 - u, T(0)), a2 = a * a, b2 = b * b;
      return select(u < T(1), -9 * (120 - u2 * (120 - 50 * u)), (90 * b2 * b2 - 15 * a2 * a2) * inverse_q);
    }
    case KernelShape::poly6: {
      const T s = 1 - q * q;
      return -6 * s * s;
    }
    case KernelShape::viscosity:
      q = max(q, T(smallest_q));
      inverse_q = 1 / q;
      if (dimension == 3) return -t * t * (1 + q * (2 + 3 * q)) / 2 * (inverse_q * inverse_q * inverse_q);
      return -t * t * (1 + 2 * q) / 6 * (inverse_q * inverse_q);
  }
  return 0;
}

/// f'(q)
template <class T>
T slope(KernelShape shape, int dimension, T q) {
  const T clamped = std::max(q, T(smallest_q));
  const bool singular = shape == KernelShape::desbrun || shape == KernelShape::spiky || shape == KernelShape::viscosity;
  return (singular ? clamped : q) * slope_over_q(shape, dimension, q, 1 / clamped);
}

/// f'' + (d-1)/q f'
template <class T>
T laplacian(KernelShape shape, int dimension, T q) {
  q = std::max(q, T(smallest_q));
  const T t = 1 - q;
  const T angular = (dimension - 1) * slope(shape, dimension, q) / q;
  switch (shape) {
    case KernelShape::cubic_spline:
      return angular + (q < T(0.5) ? 36 * q - 12 : 12 * t);
    case KernelShape::desbrun:
    case KernelShape::spiky:
      return angular + 6 * t;
    case KernelShape::quartic:
      return angular - 9 + q * (38 - 30 * q);
    case KernelShape::quintic: {
      const T u = 3 * q, u2 = u * u;
      if (u < 1) return angular - 9 * (120 - u2 * (360 - 200 * u));
      const T a = 3 * t, b = std::max(2 - u, T(0));
      return angular + 180 * a * a * a - 1080 * b * b * b;
    }
    case KernelShape::poly6: {
      const T s = 1 - q * q;
      return angular - 6 * s * (s - 4 * q * q);
    }
    case KernelShape::viscosity:
      return dimension == 3 ? 6 * t : t;
  }
  return 0;
}

}  // namespace kernel_shape

class Kernel {
 public:
  Kernel(KernelShape shape, int dimension);

  /// Value [m^-d]; zero for r >= R.
  float W(float r, float R) const {
    if (!(r < R)) return 0;
    const float inverse_R = 1 / R;
    return scale(inverse_R) * kernel_shape::value(shape_, dimension_, std::min(r * inverse_R, 1.0f));
  }
  /// dW/dr [m^-d-1]; negative inside the support (except near the edge of the quartic); grad W = dW x_ij / r.
  float dW(float r, float R) const {
    if (!(r < R)) return 0;
    const float inverse_R = 1 / R;
    return scale(inverse_R) * inverse_R * kernel_shape::slope(shape_, dimension_, std::min(r * inverse_R, 1.0f));
  }
  /// Laplacian W'' + (d-1)/r W' [m^-d-2].
  float laplacian(float r, float R) const {
    if (!(r < R)) return 0;
    const float inverse_R = 1 / R;
    return scale(inverse_R) * inverse_R * inverse_R *
           kernel_shape::laplacian(shape_, dimension_, std::min(r * inverse_R, 1.0f));
  }

  KernelShape shape() const { return shape_; }
  int dimension() const { return dimension_; }
  /// W(r, R) = sigma / R^d f(r/R).
  float sigma() const { return sigma_; }

 private:
  float scale(float inverse_R) const { return sigma_ * inverse_R * inverse_R * (dimension_ == 3 ? inverse_R : 1.0f); }

  KernelShape shape_;
  int dimension_;
  float sigma_;
};

/// Rest volume of a particle on an infinite square or cubic lattice of this spacing: 1 / sum W, so that SPH summation
/// on the lattice gives exactly the rest density for any kernel and support.
float lattice_volume(const Kernel& kernel, float spacing, float support);
/// What the half of a lattice on one side of a particle's row adds to its sum of V W.
float half_lattice(const Kernel& kernel, float support_over_spacing);

}  // namespace fondue
