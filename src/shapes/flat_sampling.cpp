#include "shapes/flat_sampling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"

namespace fondue {
namespace {

/// Lattice coordinates along one of the three local axes, and which of its ends are sides of the shape.
struct Axis {
  std::vector<float> coordinates;
  bool lower_side = false, upper_side = false;

  /// -1 at the lower side, 1 at the upper, 0 between; both at once in the middle of a thin solid.
  Eigen::Vector2i side(std::size_t i) const {
    return {lower_side && i == 0, upper_side && i + 1 == coordinates.size()};
  }
  bool on_side(std::size_t i) const { return side(i).any(); }
};

constexpr std::size_t most_coordinates = 1'000'000;

/// From one side to the other in equal steps of 0.6 to 1.2 spacings, or only the middle if the sides are closer
/// together.
std::vector<float> between(float from, float to, float spacing) {
  const float length = to - from;
  if (length < 0.6f * spacing) return {0.5f * (from + to)};
  const auto steps = static_cast<std::size_t>(std::ceil(length / spacing - 0.2f));
  if (steps > most_coordinates) throw InputError("boundary particles: the spacing is far too small for the shape");
  std::vector<float> coordinates;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(steps);
    coordinates.push_back(static_cast<float>((1 - part) * double(from) + part * double(to)));
  }
  return coordinates;
}

/// In steps of the spacing from a starting coordinate, as long as they are within [low, high].
std::vector<float> stepping(float from, float step, float low, float high) {
  if (!std::isfinite(low) || !std::isfinite(high)) {
    throw InputError("boundary particles of an unbounded shape need a finite region");
  }
  const double skip = std::max(0.0, std::floor(((step > 0 ? low : high) - double(from)) / step));
  std::vector<float> coordinates;
  for (double i = skip; coordinates.size() < most_coordinates; ++i) {
    const double x = from + i * step;
    if (step > 0 ? x > high : x < low) break;
    coordinates.push_back(static_cast<float>(x));
  }
  return coordinates;
}

/// Lattice along one axis: sides are moved by the depth, unbounded directions are filled over the region [low, high].
Axis axis_lattice(float min, float max, float depth, float spacing, float low, float high) {
  Axis axis;
  axis.lower_side = std::isfinite(min), axis.upper_side = std::isfinite(max);
  if (axis.lower_side && axis.upper_side) {
    const float inset = std::min(depth, 0.5f * (max - min));
    axis.coordinates = between(min + inset, max - inset, spacing);
  } else if (axis.lower_side) {
    axis.coordinates = stepping(min + depth, spacing, min + depth, std::max(high, min + depth));
  } else if (axis.upper_side) {
    axis.coordinates = stepping(max - depth, -spacing, std::min(low, max - depth), max - depth);
    std::ranges::reverse(axis.coordinates);
  } else {
    // The same lattice as fill_lattice() of the region.
    axis.coordinates = stepping(low + 0.5f * spacing, spacing, low, high);
  }
  return axis;
}

Box in_local_frame(const FlatSides& sides, const Box& region) {
  Box local{Vec3::Zero(), Vec3::Zero()};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const float r = sides.rotation(b, a);
      if (r == 0) continue;
      const float p = r * (region.min[b] - sides.translation[b]), q = r * (region.max[b] - sides.translation[b]);
      local.min[a] += std::min(p, q), local.max[a] += std::max(p, q);
    }
  }
  return local;
}

}  // namespace

std::optional<std::vector<SurfaceSample>> sample_flat_sides(const FlatSides& sides, float spacing, float depth,
                                                            const Box& region, int dimension) {
  const float inwards = sides.inverted ? -depth : depth;
  const Box local_region = in_local_frame(sides, region);
  std::array<Axis, 3> axes;
  int flat = -1;
  for (int a = 0; a < 3; ++a) {
    if (dimension == 2 && std::abs(sides.rotation(2, a)) == 1) {
      flat = a;
      axes[a].coordinates = {sides.rotation(2, a) * -sides.translation.z()};
    } else {
      axes[a] = axis_lattice(sides.local.min[a], sides.local.max[a], inwards, spacing, local_region.min[a],
                             local_region.max[a]);
    }
  }
  if (dimension == 2 && flat < 0) return std::nullopt;

  std::vector<SurfaceSample> samples;
  const float outwards = sides.inverted ? -1.0f : 1.0f;
  const auto add = [&](const std::array<std::size_t, 3>& at) {
    Vec3 x, n = Vec3::Zero();
    for (int a = 0; a < 3; ++a) {
      x[a] = axes[a].coordinates[at[a]];
      const Eigen::Vector2i side = axes[a].side(at[a]);
      n[a] = outwards * static_cast<float>(side[1] - side[0]);
    }
    // In the middle of a thin solid both directions are valid.
    if (n.isZero()) {
      for (int a = 0; a < 3; ++a) n[a] = axes[a].on_side(at[a]) ? 1.0f : 0.0f;
    }
    Vec3 position = sides.rotation * x + sides.translation;
    if (dimension == 2) position.z() = 0;
    if (region.contains(position)) samples.push_back({position, (sides.rotation * n).normalized()});
  };
  for (int face = 0; face < 3; ++face) {
    std::array<std::size_t, 3> at;
    const int u = (face + 1) % 3, v = (face + 2) % 3;
    for (at[face] = 0; at[face] < axes[face].coordinates.size(); ++at[face]) {
      if (!axes[face].on_side(at[face])) continue;
      for (at[v] = 0; at[v] < axes[v].coordinates.size(); ++at[v]) {
        for (at[u] = 0; at[u] < axes[u].coordinates.size(); ++at[u]) {
          // Edges and corners belong to the first of their faces.
          const bool seen = (u < face && axes[u].on_side(at[u])) || (v < face && axes[v].on_side(at[v]));
          if (!seen) add(at);
        }
      }
    }
  }
  return samples;
}

}  // namespace fondue
