#pragma once
// The longest step that sound allows, in units of R/c. The fastest sound wave of summed pressure swings with
// omega = c max_k k W^(k), W^ the Fourier transform of the kernel: for the cubic spline 4 c/R max_u u (sin u/u)^4 =
// 2.07 c/R, and for a lattice of spacing R/2 it is 2.04 c/R. Leapfrog is stable below 2/omega = 0.97 R/c; disorder and
// compressed spots take a part of that.

namespace fondue {

inline constexpr float acoustic_step = 0.6f;

}  // namespace fondue
