#pragma once
// Lanes: several floats that go through the same arithmetic at once. A pair formula is written on a type F that is
// either Lanes (eight particles i side by side) or float (one particle: the plain twin), so it reads like its equation:
//
//   const F shear = dot(p.v_ij(), p.x_ij) / (p.r2 + eps);
//   sums.central += select(shear < 0, shear, 0) * p.gradW_factor();
//
// Instead of a branch there is select(mask, a, b): both are computed and each lane takes its own.
//
// The type lives in a namespace named after the instruction set a file is compiled for (FONDUE_ISA, see
// world/pair_loops.h), so that the linker never mistakes a function for one processor for that of another. Everything
// here is always inlined for the same reason.

#include <cmath>
#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#ifndef FONDUE_ISA
#define FONDUE_ISA elsewhere
#endif

#define FONDUE_INLINE [[gnu::always_inline]] inline

namespace fondue {

/// The numbers in which F counts: how many particles it holds.
template <class F>
inline constexpr int lane_count = F::count;
template <>
inline constexpr int lane_count<float> = 1;

FONDUE_INLINE float max(float a, float b) { return a > b ? a : b; }
FONDUE_INLINE float min(float a, float b) { return a < b ? a : b; }
FONDUE_INLINE double max(double a, double b) { return a > b ? a : b; }
FONDUE_INLINE float select(bool mask, float a, float b) { return mask ? a : b; }
FONDUE_INLINE double select(bool mask, double a, double b) { return mask ? a : b; }
FONDUE_INLINE float absolute(float a) { return __builtin_fabsf(a); }
FONDUE_INLINE float square_root(float a) { return __builtin_sqrtf(a); }
FONDUE_INLINE float inverse_square_root(float a) { return 1 / __builtin_sqrtf(a); }
FONDUE_INLINE float logarithm(float a) { return __builtin_logf(a); }
FONDUE_INLINE double logarithm(double a) { return __builtin_log(a); }
/// The nearest whole number, for |a| < 4 million.
FONDUE_INLINE float nearest(float a) { return (a + 12582912.0f) - 12582912.0f; }
FONDUE_INLINE unsigned bits(bool mask) { return mask; }
FONDUE_INLINE bool any(bool mask) { return mask; }

FONDUE_INLINE float folded(float a) { return a; }
FONDUE_INLINE void add_product(float& sum, float a, float b) { sum += a * b; }

namespace FONDUE_ISA {

class Lanes {
 public:
  static constexpr int count = 8;
  typedef float Values __attribute__((vector_size(32)));
  typedef std::int32_t Bits __attribute__((vector_size(32)));

  struct Mask {
    Bits bits;
    FONDUE_INLINE friend Mask operator&(Mask a, Mask b) { return {a.bits & b.bits}; }
    FONDUE_INLINE friend Mask operator|(Mask a, Mask b) { return {a.bits | b.bits}; }
  };

  FONDUE_INLINE Lanes() {}
  FONDUE_INLINE Lanes(float same) : v(Values{same, same, same, same, same, same, same, same}) {}
  FONDUE_INLINE explicit Lanes(Values values) : v(values) {}

  FONDUE_INLINE friend Lanes operator+(Lanes a, Lanes b) { return Lanes(a.v + b.v); }
  FONDUE_INLINE friend Lanes operator-(Lanes a, Lanes b) { return Lanes(a.v - b.v); }
  FONDUE_INLINE friend Lanes operator*(Lanes a, Lanes b) { return Lanes(a.v * b.v); }
  /// To 3e-7 of itself: the processor's estimate of 1/b and one step of Newton's method.
  FONDUE_INLINE friend Lanes operator/(Lanes a, Lanes b) {
#if defined(__AVX512VL__)
    const Lanes y(Values(_mm256_rcp14_ps(__m256(b.v))));
#elif defined(__AVX__)
    const Lanes y(Values(_mm256_rcp_ps(__m256(b.v))));
#else
    return Lanes(a.v / b.v);
#endif
#if defined(__AVX__)
    return a * (y * (2.0f - b * y));
#endif
  }
  FONDUE_INLINE friend Lanes operator-(Lanes a) { return Lanes(-a.v); }
  FONDUE_INLINE Lanes& operator+=(Lanes b) { return v += b.v, *this; }
  FONDUE_INLINE Lanes& operator-=(Lanes b) { return v -= b.v, *this; }
  FONDUE_INLINE Lanes& operator*=(Lanes b) { return v *= b.v, *this; }
  FONDUE_INLINE friend Mask operator<(Lanes a, Lanes b) { return {a.v < b.v}; }
  FONDUE_INLINE friend Mask operator>(Lanes a, Lanes b) { return {a.v > b.v}; }

  FONDUE_INLINE friend Lanes select(Mask mask, Lanes a, Lanes b) { return Lanes(mask.bits ? a.v : b.v); }
#if defined(__AVX__)
  FONDUE_INLINE friend Lanes max(Lanes a, Lanes b) { return Lanes(Values(_mm256_max_ps(__m256(a.v), __m256(b.v)))); }
  FONDUE_INLINE friend Lanes min(Lanes a, Lanes b) { return Lanes(Values(_mm256_min_ps(__m256(a.v), __m256(b.v)))); }
#else
  FONDUE_INLINE friend Lanes max(Lanes a, Lanes b) { return Lanes(a.v > b.v ? a.v : b.v); }
  FONDUE_INLINE friend Lanes min(Lanes a, Lanes b) { return Lanes(a.v < b.v ? a.v : b.v); }
#endif
  FONDUE_INLINE friend Lanes absolute(Lanes a) {
    return Lanes(Values(Bits(a.v) & Bits{0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff,
                                         0x7fffffff, 0x7fffffff}));
  }
  FONDUE_INLINE friend Lanes nearest(Lanes a) { return (a + 12582912.0f) - 12582912.0f; }

  FONDUE_INLINE friend Lanes logarithm(Lanes a) {
    for (int lane = 0; lane != count; ++lane) a.v[lane] = __builtin_logf(a.v[lane]);
    return a;
  }
  FONDUE_INLINE friend Lanes square_root(Lanes a) {
#if defined(__AVX__)
    return Lanes(Values(_mm256_sqrt_ps(__m256(a.v))));
#else
    for (int lane = 0; lane != count; ++lane) a.v[lane] = __builtin_sqrtf(a.v[lane]);
    return a;
#endif
  }
  /// 1/sqrt(a) to 3e-7 of itself: the processor's estimate and one step of Newton's method.
  FONDUE_INLINE friend Lanes inverse_square_root(Lanes a) {
#if defined(__AVX512VL__)
    const Lanes y(Values(_mm256_rsqrt14_ps(__m256(a.v))));
#elif defined(__AVX__)
    const Lanes y(Values(_mm256_rsqrt_ps(__m256(a.v))));
#elif defined(__SSE2__)
    Lanes y;
    _mm_storeu_ps(reinterpret_cast<float*>(&y.v), _mm_rsqrt_ps(_mm_loadu_ps(reinterpret_cast<const float*>(&a.v))));
    _mm_storeu_ps(reinterpret_cast<float*>(&y.v) + 4,
                  _mm_rsqrt_ps(_mm_loadu_ps(reinterpret_cast<const float*>(&a.v) + 4)));
#else
    Lanes y;
    for (int lane = 0; lane != count; ++lane) y.v[lane] = 1 / __builtin_sqrtf(a.v[lane]);
#endif
    return y * (1.5f - (0.5f * a) * (y * y));
  }
  /// One bit a lane.
  FONDUE_INLINE friend unsigned bits(Mask mask) {
#if defined(__AVX__)
    return static_cast<unsigned>(_mm256_movemask_ps(__m256(mask.bits)));
#elif defined(__SSE2__)
    const float* half = reinterpret_cast<const float*>(&mask.bits);
    return static_cast<unsigned>(_mm_movemask_ps(_mm_loadu_ps(half)) | _mm_movemask_ps(_mm_loadu_ps(half + 4)) << 4);
#else
    unsigned result = 0;
    for (int lane = 0; lane != count; ++lane) result |= static_cast<unsigned>(mask.bits[lane] & 1) << lane;
    return result;
#endif
  }
  FONDUE_INLINE friend bool any(Mask mask) { return bits(mask) != 0; }
  FONDUE_INLINE friend Lanes folded(Lanes a) { return a; }
  FONDUE_INLINE friend void add_product(Lanes& sum, Lanes a, Lanes b) { sum += a * b; }

  Values v;
};

/// The same lanes twice over, for two neighbours at once: while the arithmetic of one waits for its results, that of
/// the other fills the time. What both share converts from Lanes.
struct Twice {
  static constexpr int count = Lanes::count;
  Lanes a, b;

  struct Mask {
    Lanes::Mask a, b;
  };

  FONDUE_INLINE Twice() {}
  FONDUE_INLINE Twice(float same) : a(same), b(same) {}
  FONDUE_INLINE Twice(Lanes same) : a(same), b(same) {}
  FONDUE_INLINE Twice(Lanes first, Lanes second) : a(first), b(second) {}

  FONDUE_INLINE friend Twice operator+(Twice p, Twice q) { return {p.a + q.a, p.b + q.b}; }
  FONDUE_INLINE friend Twice operator-(Twice p, Twice q) { return {p.a - q.a, p.b - q.b}; }
  FONDUE_INLINE friend Twice operator*(Twice p, Twice q) { return {p.a * q.a, p.b * q.b}; }
  FONDUE_INLINE friend Twice operator/(Twice p, Twice q) { return {p.a / q.a, p.b / q.b}; }
  FONDUE_INLINE friend Twice operator-(Twice p) { return {-p.a, -p.b}; }
  FONDUE_INLINE Twice& operator+=(Twice q) { return a += q.a, b += q.b, *this; }
  FONDUE_INLINE Twice& operator-=(Twice q) { return a -= q.a, b -= q.b, *this; }
  FONDUE_INLINE friend Mask operator<(Twice p, Twice q) { return {p.a < q.a, p.b < q.b}; }
  FONDUE_INLINE friend Mask operator>(Twice p, Twice q) { return {p.a > q.a, p.b > q.b}; }
  FONDUE_INLINE friend Twice select(Mask m, Twice p, Twice q) { return {select(m.a, p.a, q.a), select(m.b, p.b, q.b)}; }
  FONDUE_INLINE friend Twice max(Twice p, Twice q) { return {max(p.a, q.a), max(p.b, q.b)}; }
  FONDUE_INLINE friend Twice min(Twice p, Twice q) { return {min(p.a, q.a), min(p.b, q.b)}; }
  FONDUE_INLINE friend Twice nearest(Twice p) { return {nearest(p.a), nearest(p.b)}; }
  FONDUE_INLINE friend Twice logarithm(Twice p) { return {logarithm(p.a), logarithm(p.b)}; }
  FONDUE_INLINE friend Twice square_root(Twice p) { return {square_root(p.a), square_root(p.b)}; }
  FONDUE_INLINE friend Twice inverse_square_root(Twice p) {
    return {inverse_square_root(p.a), inverse_square_root(p.b)};
  }
  /// What both halves add up to, and their products.
  FONDUE_INLINE friend Lanes folded(Twice p) { return p.a + p.b; }
  FONDUE_INLINE friend void add_product(Lanes& sum, Twice p, Twice q) {
    sum += p.a * q.a;
    sum += p.b * q.b;
  }
};

/// Lanes from consecutive floats.
template <class F>
FONDUE_INLINE F load(const float* from) {
  if constexpr (lane_count<F> == 1) {
    return *from;
  } else {
    F result;
    __builtin_memcpy(&result.v, from, sizeof(result.v));
    return result;
  }
}

/// The first lanes to consecutive floats.
template <class F>
FONDUE_INLINE void store(float* to, F values, unsigned lanes) {
  if constexpr (lane_count<F> == 1) {
    *to = values;
  } else if (lanes == unsigned{F::count}) {
    __builtin_memcpy(to, &values.v, sizeof(values.v));
  } else {
    for (unsigned lane = 0; lane != lanes; ++lane) to[lane] = values.v[lane];
  }
}

/// Eight rows of eight floats to eight columns.
FONDUE_INLINE void transpose(Lanes (&rows)[8]) {
  typedef Lanes::Bits Order;
  Lanes::Values half[8], quarter[8];
  for (int k = 0; k != 8; k += 2) {
    half[k] = __builtin_shuffle(rows[k].v, rows[k + 1].v, Order{0, 8, 1, 9, 4, 12, 5, 13});
    half[k + 1] = __builtin_shuffle(rows[k].v, rows[k + 1].v, Order{2, 10, 3, 11, 6, 14, 7, 15});
  }
  for (int k = 0; k != 8; k += 4)
    for (int l = 0; l != 2; ++l) {
      quarter[k + 2 * l] = __builtin_shuffle(half[k + l], half[k + l + 2], Order{0, 1, 8, 9, 4, 5, 12, 13});
      quarter[k + 2 * l + 1] = __builtin_shuffle(half[k + l], half[k + l + 2], Order{2, 3, 10, 11, 6, 7, 14, 15});
    }
  for (int k = 0; k != 4; ++k) {
    rows[k].v = __builtin_shuffle(quarter[k], quarter[k + 4], Order{0, 1, 2, 3, 8, 9, 10, 11});
    rows[k + 4].v = __builtin_shuffle(quarter[k], quarter[k + 4], Order{4, 5, 6, 7, 12, 13, 14, 15});
  }
}

/// The numbers of the set bits of every byte.
struct SetBitsTable {
  std::uint8_t numbers[256][8];
  constexpr SetBitsTable() : numbers{} {
    for (int byte = 0; byte != 256; ++byte)
      for (int bit = 0, k = 0; bit != 8; ++bit)
        if (byte >> bit & 1) numbers[byte][k++] = static_cast<std::uint8_t>(bit);
  }
};
static constexpr SetBitsTable set_bits_table;

/// Writes first + k for every set bit k, in order; up to eight entries beyond are overwritten. Returns how many.
FONDUE_INLINE unsigned append_set_bits(std::uint32_t* to, std::uint32_t first, unsigned bits) {
#if defined(__AVX512VL__)
  const __m256i numbers =
      _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  _mm256_mask_compressstoreu_epi32(to, static_cast<__mmask8>(bits), numbers);
#elif defined(__AVX2__)
  const __m256i numbers = _mm256_cvtepu8_epi32(
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(set_bits_table.numbers[bits])));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm256_add_epi32(numbers, _mm256_set1_epi32(static_cast<int>(first))));
#else
  for (unsigned rest = bits; rest != 0; rest &= rest - 1)
    *to++ = first + static_cast<std::uint32_t>(__builtin_ctz(rest));
#endif
  return static_cast<unsigned>(__builtin_popcount(bits));
}

}  // namespace FONDUE_ISA

/// Three lanes, one a direction.
template <class F>
struct LaneVector {
  F x, y, z;
  FONDUE_INLINE friend LaneVector operator+(LaneVector a, LaneVector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  FONDUE_INLINE friend LaneVector operator-(LaneVector a, LaneVector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  FONDUE_INLINE friend LaneVector operator*(F s, LaneVector a) { return {s * a.x, s * a.y, s * a.z}; }
  FONDUE_INLINE LaneVector& operator+=(LaneVector b) { return *this = *this + b; }
  FONDUE_INLINE LaneVector& operator-=(LaneVector b) { return *this = *this - b; }
  FONDUE_INLINE friend auto folded(LaneVector a) {
    return LaneVector<decltype(folded(a.x))>{folded(a.x), folded(a.y), folded(a.z)};
  }
  FONDUE_INLINE friend F dot(LaneVector a, LaneVector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

}  // namespace fondue
