#pragma once
// Stateless (counter-based) random numbers: each is a hash of a seed and a counter (a particle's id, a step), so it
// does not depend on threads, on the order of calls, or on whether a run was resumed. The hash is the finaliser of
// SplitMix64 (Steele, Lea & Flood 2014), applied to the seed and again to the sum.

#include <cstdint>

#include "core/vec.h"

namespace fondue {

inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  };
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
  return mix(mix(seed + golden) + (counter + 1) * golden);
}

/// Uniform in [0, 1), one of 2^24 equidistant values.
inline float random_unit(std::uint64_t seed, std::uint64_t counter) {
  return static_cast<float>(random_bits(seed, counter) >> 40) * 0x1p-24f;
}

/// Uniform in the unit cube [0, 1)^3, from 21 bits per component. It uses the same bits as random_unit: use different
/// seeds if both are needed for one counter.
inline Vec3 random_point(std::uint64_t seed, std::uint64_t counter) {
  const std::uint64_t bits = random_bits(seed, counter);
  constexpr std::uint64_t mask = (1u << 21) - 1;
  return Vec3(float(bits & mask), float(bits >> 21 & mask), float(bits >> 42 & mask)) * 0x1p-21f;
}

}  // namespace fondue
