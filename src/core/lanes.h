#pragma once
// SIMD lanes: several floats processed by one instruction. A pair formula is written for a type F that is either Lanes
// (eight particles i at once) or float (one particle: the scalar reference version), so it reads like its equation:
//
//   const F shear = dot(p.v_ij(), p.x_ij) / (p.r2 + eps);
//   sums.central += select(shear < 0, shear, 0) * p.gradW_factor();
//
// select(mask, a, b) replaces a branch: both values are computed and each lane takes one of them.
//
// The type lives in a namespace named after the instruction set a file is compiled for (FONDUE_ISA, see
// world/pair_loops.h), so that the linker cannot merge functions compiled for different processors. Everything here is
// always inlined for the same reason.

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

/// Number of particles that F holds.
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
/// sqrt(a) and 1/sqrt(a).
FONDUE_INLINE void square_roots(float a, float& root, float& inverse) {
  root = __builtin_sqrtf(a);
  inverse = 1 / root;
}
FONDUE_INLINE float logarithm(float a) { return __builtin_logf(a); }
FONDUE_INLINE double logarithm(double a) { return __builtin_log(a); }
/// The nearest integer, for |a| < 4 million.
FONDUE_INLINE float nearest(float a) { return (a + 12582912.0f) - 12582912.0f; }
FONDUE_INLINE unsigned bits(bool mask) { return mask; }
FONDUE_INLINE bool any(bool mask) { return mask; }

FONDUE_INLINE float folded(float a) { return a; }
FONDUE_INLINE void add_product(float& sum, float a, float b) { sum += a * b; }

namespace FONDUE_ISA {

class Lanes {
 public:
  static constexpr int count = 8;
  /// One register of eight where the processor has them, otherwise two of four.
#if defined(__AVX__)
  static constexpr int parts = 1;
#else
  static constexpr int parts = 2;
#endif
  static constexpr int width = count / parts;
  typedef float Part __attribute__((vector_size(4 * width)));
  typedef std::int32_t Bits __attribute__((vector_size(4 * width)));

  struct Mask {
    Bits bits[parts];
  };

  Part v[parts];

  FONDUE_INLINE Lanes() {}
  FONDUE_INLINE Lanes(float same) {
    for (Part& part : v) part = Part{} + same;
  }
  /// Access to a single lane.
  FONDUE_INLINE float operator[](int lane) const { return v[lane / width][lane % width]; }
  FONDUE_INLINE void set(int lane, float value) { v[lane / width][lane % width] = value; }

  FONDUE_INLINE friend Lanes operator+(Lanes a, Lanes b) {
    return each(a, b, [](Part p, Part q) { return p + q; });
  }
  FONDUE_INLINE friend Lanes operator-(Lanes a, Lanes b) {
    return each(a, b, [](Part p, Part q) { return p - q; });
  }
  FONDUE_INLINE friend Lanes operator*(Lanes a, Lanes b) {
    return each(a, b, [](Part p, Part q) { return p * q; });
  }
  /// Relative error 3e-7: the processor's estimate of 1/b and one Newton step.
  FONDUE_INLINE friend Lanes operator/(Lanes a, Lanes b) {
    return each(a, b, [](Part p, Part q) {
#if defined(__AVX512VL__)
      const Part y = _mm256_rcp14_ps(q);
      return Part(p * (y * (2.0f - q * y)));
#elif defined(__AVX__)
      const Part y = _mm256_rcp_ps(q);
      return Part(p * (y * (2.0f - q * y)));
#else
      return p / q;
#endif
    });
  }
  FONDUE_INLINE friend Lanes operator-(Lanes a) {
    return each(a, a, [](Part p, Part) { return -p; });
  }
  FONDUE_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  FONDUE_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
  FONDUE_INLINE friend Mask operator<(Lanes a, Lanes b) {
    Mask mask;
    for (int k = 0; k != parts; ++k) mask.bits[k] = a.v[k] < b.v[k];
    return mask;
  }
  FONDUE_INLINE friend Mask operator>(Lanes a, Lanes b) { return b < a; }

  FONDUE_INLINE friend Lanes select(Mask mask, Lanes a, Lanes b) {
    for (int k = 0; k != parts; ++k) a.v[k] = mask.bits[k] ? a.v[k] : b.v[k];
    return a;
  }
  FONDUE_INLINE friend Lanes max(Lanes a, Lanes b) {
#if defined(__AVX__)
    return each(a, b, [](Part p, Part q) { return Part(_mm256_max_ps(p, q)); });
#elif defined(__SSE2__)
    return each(a, b, [](Part p, Part q) { return Part(_mm_max_ps(p, q)); });
#else
    return select(a > b, a, b);
#endif
  }
  FONDUE_INLINE friend Lanes min(Lanes a, Lanes b) {
#if defined(__AVX__)
    return each(a, b, [](Part p, Part q) { return Part(_mm256_min_ps(p, q)); });
#elif defined(__SSE2__)
    return each(a, b, [](Part p, Part q) { return Part(_mm_min_ps(p, q)); });
#else
    return select(a < b, a, b);
#endif
  }
  FONDUE_INLINE friend Lanes absolute(Lanes a) {
    return each(a, a, [](Part p, Part) { return Part(Bits(p) & (Bits{} + 0x7fffffff)); });
  }
  FONDUE_INLINE friend Lanes nearest(Lanes a) { return (a + 12582912.0f) - 12582912.0f; }
  FONDUE_INLINE friend Lanes logarithm(Lanes a) {
    for (int lane = 0; lane != count; ++lane) a.set(lane, __builtin_logf(a[lane]));
    return a;
  }
  FONDUE_INLINE friend Lanes square_root(Lanes a) {
#if defined(__AVX__)
    return each(a, a, [](Part p, Part) { return Part(_mm256_sqrt_ps(p)); });
#elif defined(__SSE2__)
    return each(a, a, [](Part p, Part) { return Part(_mm_sqrt_ps(p)); });
#else
    for (int lane = 0; lane != count; ++lane) a.set(lane, __builtin_sqrtf(a[lane]));
    return a;
#endif
  }
  /// sqrt(a) and 1/sqrt(a), relative error 3e-7: the processor's estimate and one Newton step.
  FONDUE_INLINE friend void square_roots(Lanes a, Lanes& root, Lanes& inverse) {
#if defined(__AVX512VL__)
    const Lanes y = each(a, a, [](Part p, Part) { return Part(_mm256_rsqrt14_ps(p)); });
#elif defined(__AVX__)
    const Lanes y = each(a, a, [](Part p, Part) { return Part(_mm256_rsqrt_ps(p)); });
#elif defined(__SSE2__)
    const Lanes y = each(a, a, [](Part p, Part) { return Part(_mm_rsqrt_ps(p)); });
#else
    const Lanes y = 1 / square_root(a);
#endif
    const Lanes estimate = a * y, error = 0.5f - estimate * (0.5f * y);
    root = estimate + estimate * error;
    inverse = y + y * error;
  }
  /// One bit per lane.
  FONDUE_INLINE friend unsigned bits(Mask mask) {
#if defined(__AVX__)
    return static_cast<unsigned>(_mm256_movemask_ps(__m256(mask.bits[0])));
#elif defined(__SSE2__)
    return static_cast<unsigned>(_mm_movemask_ps(__m128(mask.bits[0])) | _mm_movemask_ps(__m128(mask.bits[1])) << 4);
#else
    unsigned result = 0;
    for (int lane = 0; lane != count; ++lane)
      result |= static_cast<unsigned>(mask.bits[lane / width][lane % width] & 1) << lane;
    return result;
#endif
  }
  FONDUE_INLINE friend bool any(Mask mask) { return bits(mask) != 0; }
  FONDUE_INLINE friend Lanes folded(Lanes a) { return a; }
  FONDUE_INLINE friend void add_product(Lanes& sum, Lanes a, Lanes b) { sum += a * b; }

 private:
  template <class Operation>
  FONDUE_INLINE static Lanes each(Lanes a, Lanes b, Operation&& operation) {
    Lanes result;
    for (int k = 0; k != parts; ++k) result.v[k] = operation(a.v[k], b.v[k]);
    return result;
  }
};

#if defined(__AVX512F__) && defined(__AVX512DQ__)
/// Lanes for two neighbours j of the same eight particles i, in one register of sixteen. Values common to both
/// neighbours convert from Lanes.
class LanePair {
 public:
  static constexpr int count = Lanes::count;
  typedef float Wide __attribute__((vector_size(64)));

  struct Mask {
    __mmask16 bits;
  };

  Wide v;

  FONDUE_INLINE LanePair() {}
  FONDUE_INLINE LanePair(float same) : v(_mm512_set1_ps(same)) {}
  FONDUE_INLINE LanePair(Lanes same) : v(_mm512_broadcast_f32x8(same.v[0])) {}
  /// The same number in all lanes of a neighbour.
  FONDUE_INLINE LanePair(float first, float second)
      : v(_mm512_mask_blend_ps(of_second, _mm512_set1_ps(first), _mm512_set1_ps(second))) {}

  FONDUE_INLINE friend LanePair operator+(LanePair p, LanePair q) { return of(p.v + q.v); }
  FONDUE_INLINE friend LanePair operator-(LanePair p, LanePair q) { return of(p.v - q.v); }
  FONDUE_INLINE friend LanePair operator*(LanePair p, LanePair q) { return of(p.v * q.v); }
  /// Like that of Lanes.
  FONDUE_INLINE friend LanePair operator/(LanePair p, LanePair q) {
    const Wide y = _mm512_rcp14_ps(q.v);
    return of(p.v * (y * (2.0f - q.v * y)));
  }
  FONDUE_INLINE friend LanePair operator-(LanePair p) { return of(-p.v); }
  FONDUE_INLINE LanePair& operator+=(LanePair q) { return *this = *this + q; }
  FONDUE_INLINE LanePair& operator-=(LanePair q) { return *this = *this - q; }
  FONDUE_INLINE friend Mask operator<(LanePair p, LanePair q) { return {_mm512_cmp_ps_mask(p.v, q.v, _CMP_LT_OQ)}; }
  FONDUE_INLINE friend Mask operator>(LanePair p, LanePair q) { return q < p; }
  FONDUE_INLINE friend LanePair select(Mask m, LanePair p, LanePair q) {
    return of(_mm512_mask_blend_ps(m.bits, q.v, p.v));
  }
  FONDUE_INLINE friend LanePair max(LanePair p, LanePair q) { return of(_mm512_max_ps(p.v, q.v)); }
  FONDUE_INLINE friend LanePair min(LanePair p, LanePair q) { return of(_mm512_min_ps(p.v, q.v)); }
  FONDUE_INLINE friend LanePair nearest(LanePair p) { return (p + 12582912.0f) - 12582912.0f; }
  FONDUE_INLINE friend LanePair logarithm(LanePair p) {
    for (int lane = 0; lane != 2 * count; ++lane) p.v[lane] = __builtin_logf(p.v[lane]);
    return p;
  }
  FONDUE_INLINE friend LanePair square_root(LanePair p) { return of(_mm512_sqrt_ps(p.v)); }
  /// Like those of Lanes.
  FONDUE_INLINE friend void square_roots(LanePair p, LanePair& root, LanePair& inverse) {
    const LanePair y = of(_mm512_rsqrt14_ps(p.v)), estimate = p * y, error = 0.5f - estimate * (0.5f * y);
    root = estimate + estimate * error;
    inverse = y + y * error;
  }
  FONDUE_INLINE friend bool any_of_first(Mask mask) { return (mask.bits & ~of_second) != 0; }
  FONDUE_INLINE friend bool any_of_second(Mask mask) { return (mask.bits & of_second) != 0; }
  /// Sum over the two neighbours.
  FONDUE_INLINE friend Lanes sum_of_both(LanePair p) {
    Lanes sum;
    sum.v[0] = Lanes::Part(_mm512_castps512_ps256(p.v)) + Lanes::Part(_mm512_extractf32x8_ps(p.v, 1));
    return sum;
  }
  FONDUE_INLINE friend LanePair folded(LanePair p) { return p; }
  FONDUE_INLINE friend void add_product(LanePair& sum, LanePair p, LanePair q) { sum += p * q; }

 private:
  static constexpr __mmask16 of_second = 0xff00;
  FONDUE_INLINE static LanePair of(Wide v) {
    LanePair result;
    result.v = v;
    return result;
  }
};

/// What sums over neighbours that are visited by twos are kept in until the last of them: sums of both neighbours where
/// registers are short, otherwise each on its own.
using PairSum = LanePair;
#else
/// Lanes for two neighbours j of the same eight particles i, in two registers: two independent chains of arithmetic
/// hide each other's latency. Values common to both neighbours convert from Lanes.
struct LanePair {
  static constexpr int count = Lanes::count;
  Lanes a, b;

  struct Mask {
    Lanes::Mask a, b;
  };

  FONDUE_INLINE LanePair() {}
  FONDUE_INLINE LanePair(float same) : a(same), b(same) {}
  FONDUE_INLINE LanePair(Lanes same) : a(same), b(same) {}
  FONDUE_INLINE LanePair(Lanes first, Lanes second) : a(first), b(second) {}
  /// The same number in all lanes of a neighbour.
  FONDUE_INLINE LanePair(float first, float second) : a(first), b(second) {}

  FONDUE_INLINE friend LanePair operator+(LanePair p, LanePair q) { return {p.a + q.a, p.b + q.b}; }
  FONDUE_INLINE friend LanePair operator-(LanePair p, LanePair q) { return {p.a - q.a, p.b - q.b}; }
  FONDUE_INLINE friend LanePair operator*(LanePair p, LanePair q) { return {p.a * q.a, p.b * q.b}; }
  FONDUE_INLINE friend LanePair operator/(LanePair p, LanePair q) { return {p.a / q.a, p.b / q.b}; }
  FONDUE_INLINE friend LanePair operator-(LanePair p) { return {-p.a, -p.b}; }
  FONDUE_INLINE LanePair& operator+=(LanePair q) { return a += q.a, b += q.b, *this; }
  FONDUE_INLINE LanePair& operator-=(LanePair q) { return a -= q.a, b -= q.b, *this; }
  FONDUE_INLINE friend Mask operator<(LanePair p, LanePair q) { return {p.a < q.a, p.b < q.b}; }
  FONDUE_INLINE friend Mask operator>(LanePair p, LanePair q) { return {p.a > q.a, p.b > q.b}; }
  FONDUE_INLINE friend LanePair select(Mask m, LanePair p, LanePair q) {
    return {select(m.a, p.a, q.a), select(m.b, p.b, q.b)};
  }
  FONDUE_INLINE friend LanePair max(LanePair p, LanePair q) { return {max(p.a, q.a), max(p.b, q.b)}; }
  FONDUE_INLINE friend LanePair min(LanePair p, LanePair q) { return {min(p.a, q.a), min(p.b, q.b)}; }
  FONDUE_INLINE friend LanePair nearest(LanePair p) { return {nearest(p.a), nearest(p.b)}; }
  FONDUE_INLINE friend LanePair logarithm(LanePair p) { return {logarithm(p.a), logarithm(p.b)}; }
  FONDUE_INLINE friend LanePair square_root(LanePair p) { return {square_root(p.a), square_root(p.b)}; }
  FONDUE_INLINE friend void square_roots(LanePair p, LanePair& root, LanePair& inverse) {
    square_roots(p.a, root.a, inverse.a);
    square_roots(p.b, root.b, inverse.b);
  }
  FONDUE_INLINE friend bool any_of_first(Mask mask) { return any(mask.a); }
  FONDUE_INLINE friend bool any_of_second(Mask mask) { return any(mask.b); }
  /// Sum over the two neighbours, of values and of products.
  FONDUE_INLINE friend Lanes sum_of_both(LanePair p) { return p.a + p.b; }
  FONDUE_INLINE friend Lanes folded(LanePair p) { return sum_of_both(p); }
  FONDUE_INLINE friend void add_product(Lanes& sum, LanePair p, LanePair q) {
    sum += p.a * q.a;
    sum += p.b * q.b;
  }
};

using PairSum = Lanes;
#endif

/// Lanes from consecutive floats.
template <class F>
FONDUE_INLINE F load(const float* from) {
  F result;
  __builtin_memcpy(static_cast<void*>(&result), from, sizeof(result));
  return result;
}

/// Writes the first `lanes` lanes to consecutive floats.
template <class F>
FONDUE_INLINE void store(float* to, F values, unsigned lanes) {
  if constexpr (lane_count<F> == 1) {
    *to = values;
  } else if (lanes == unsigned{F::count}) {
    __builtin_memcpy(to, &values, sizeof(values));
  } else {
    for (unsigned lane = 0; lane != lanes; ++lane) to[lane] = values[static_cast<int>(lane)];
  }
}

/// Transposes an 8 x 8 matrix held as rows.
FONDUE_INLINE void transpose(Lanes (&rows)[8]) {
#if defined(__AVX__)
  typedef Lanes::Bits Order;
  Lanes::Part half[8], quarter[8];
  for (int k = 0; k != 8; k += 2) {
    half[k] = __builtin_shuffle(rows[k].v[0], rows[k + 1].v[0], Order{0, 8, 1, 9, 4, 12, 5, 13});
    half[k + 1] = __builtin_shuffle(rows[k].v[0], rows[k + 1].v[0], Order{2, 10, 3, 11, 6, 14, 7, 15});
  }
  for (int k = 0; k != 8; k += 4)
    for (int l = 0; l != 2; ++l) {
      quarter[k + 2 * l] = __builtin_shuffle(half[k + l], half[k + l + 2], Order{0, 1, 8, 9, 4, 5, 12, 13});
      quarter[k + 2 * l + 1] = __builtin_shuffle(half[k + l], half[k + l + 2], Order{2, 3, 10, 11, 6, 7, 14, 15});
    }
  for (int k = 0; k != 4; ++k) {
    rows[k].v[0] = __builtin_shuffle(quarter[k], quarter[k + 4], Order{0, 1, 2, 3, 8, 9, 10, 11});
    rows[k + 4].v[0] = __builtin_shuffle(quarter[k], quarter[k + 4], Order{4, 5, 6, 7, 12, 13, 14, 15});
  }
#else
  float columns[8][8];
  for (int k = 0; k != 8; ++k)
    for (int l = 0; l != 8; ++l) columns[l][k] = rows[k][l];
  for (int k = 0; k != 8; ++k) rows[k] = load<Lanes>(columns[k]);
#endif
}

/// The first four lanes from one place, the others from another.
FONDUE_INLINE Lanes load_halves(const float* low, const float* high) {
#if defined(__AVX__)
  Lanes result;
  result.v[0] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
  return result;
#else
  const float both[8] = {low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]};
  return load<Lanes>(both);
#endif
}

/// Transposes two 4 x 4 matrices, one in the first four lanes of the rows and one in the others.
FONDUE_INLINE void transpose_halves(Lanes (&rows)[4]) {
#if defined(__AVX__)
  typedef Lanes::Bits Order;
  Lanes::Part half[4];
  for (int k = 0; k != 4; k += 2) {
    half[k] = __builtin_shuffle(rows[k].v[0], rows[k + 1].v[0], Order{0, 8, 1, 9, 4, 12, 5, 13});
    half[k + 1] = __builtin_shuffle(rows[k].v[0], rows[k + 1].v[0], Order{2, 10, 3, 11, 6, 14, 7, 15});
  }
  for (int l = 0; l != 2; ++l) {
    rows[2 * l].v[0] = __builtin_shuffle(half[l], half[l + 2], Order{0, 1, 8, 9, 4, 5, 12, 13});
    rows[2 * l + 1].v[0] = __builtin_shuffle(half[l], half[l + 2], Order{2, 3, 10, 11, 6, 7, 14, 15});
  }
#else
  float columns[4][8];
  for (int k = 0; k != 4; ++k)
    for (int l = 0; l != 8; ++l) columns[l % 4][k + l / 4 * 4] = rows[k][l];
  for (int k = 0; k != 4; ++k) rows[k] = load<Lanes>(columns[k]);
#endif
}

/// For every byte, the indices of its set bits.
struct SetBitsTable {
  std::uint8_t numbers[256][8];
  constexpr SetBitsTable() : numbers{} {
    for (int byte = 0; byte != 256; ++byte)
      for (int bit = 0, k = 0; bit != 8; ++bit)
        if (byte >> bit & 1) numbers[byte][k++] = static_cast<std::uint8_t>(bit);
  }
};
static constexpr SetBitsTable set_bits_table;

/// Writes first + k for every set bit k, in order, and returns their number; up to eight entries may be overwritten.
FONDUE_INLINE unsigned append_set_bits(std::uint32_t* to, std::uint32_t first, unsigned bits) {
#if defined(__AVX512VL__)
  const __m256i numbers =
      _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(first)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  // In a register first: compressing into memory takes a hundred cycles on Zen 4.
  const __m256i set = _mm256_maskz_compress_epi32(static_cast<__mmask8>(bits), numbers);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), set);
#elif defined(__AVX2__)
  const __m256i numbers =
      _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(set_bits_table.numbers[bits])));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm256_add_epi32(numbers, _mm256_set1_epi32(static_cast<int>(first))));
#else
  for (unsigned rest = bits; rest != 0; rest &= rest - 1)
    *to++ = first + static_cast<std::uint32_t>(__builtin_ctz(rest));
#endif
  return static_cast<unsigned>(__builtin_popcount(bits));
}

}  // namespace FONDUE_ISA

/// A vector whose components are floats or lanes.
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
