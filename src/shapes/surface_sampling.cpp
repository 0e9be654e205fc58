#include "shapes/surface_sampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "core/parallel.h"
#include "core/progress_report.h"
#include "shapes/cells.h"
#include "shapes/flat_sampling.h"
#include "shapes/spread.h"

namespace fondue {
namespace {

constexpr std::size_t most_candidates = 200'000'000;

/// Projects points onto the level set.
class LevelSet {
 public:
  LevelSet(const Shape& shape, float spacing, float depth, int dimension)
      : shape_(shape), spacing_(spacing), depth_(depth), dimension_(dimension) {}

  struct Place {
    Vec3 x;
    /// Unit normal of the surface there.
    Vec3 normal;
    /// Number of sides of the shape that meet here: 1 on a face, 2 on an edge, 3 in a corner.
    std::size_t sides;
  };

  /// Newton's method along the gradient. At an edge of the solid it zigzags towards the edge of the level set. If the
  /// gradient reverses between two steps, the solid is thinner than twice the depth and the deepest point in between is
  /// taken.
  std::optional<Place> project(const Vec3& x) const { return project(x, nearest(x)); }
  /// The same from a point whose distance and normal are known.
  std::optional<Place> project(Vec3 x, Nearest here) const {
    constexpr int most_steps = 24;
    std::array<Vec3, most_steps + 1> sides = {here.normal};
    std::size_t side_count = 1;
    for (int step = 0; step < most_steps; ++step) {
      const auto& [d, n] = here;
      if (std::abs(d + depth_) < 1e-3f * spacing_) return Place{x, unit(n), std::min<std::size_t>(side_count, 3)};
      if (n.isZero()) return std::nullopt;
      const Vec3 next = x - (d + depth_) / n.squaredNorm() * n;
      const Nearest there = nearest(next);
      const bool too_thin = d > -depth_ && there.distance > -depth_ && cosine(n, there.normal) < -0.5f;
      if (too_thin) return deepest(x, next);
      x = next, here = there;
      const auto differs = [&](const Vec3& side) { return cosine(here.normal, side) < 0.8f; };
      if (std::all_of(sides.begin(), sides.begin() + side_count, differs)) sides[side_count++] = here.normal;
    }
    return std::nullopt;
  }

  Vec3 normal(const Vec3& x) const { return unit(nearest(x).normal); }

  /// In two dimensions only the in-plane part of the gradient.
  Nearest nearest(const Vec3& x) const {
    Nearest result = shape_.nearest(x);
    if (dimension_ == 2) result.normal.z() = 0;
    return result;
  }

 private:
  static Vec3 unit(const Vec3& n) { return n.isZero() ? Vec3(Vec3::UnitX()) : n.normalized(); }

  static float cosine(const Vec3& a, const Vec3& b) { return a.dot(b) / std::max(a.norm() * b.norm(), 1e-6f); }

  /// The point of the segment with the lowest distance, by golden-section search.
  std::optional<Place> deepest(const Vec3& from, const Vec3& to) const {
    constexpr float section = 0.381966f;
    const auto at = [&](float s) { return Vec3(from + s * (to - from)); };
    float low = 0, high = 1, a = section, b = 1 - section;
    float d_a = shape_.distance(at(a)), d_b = shape_.distance(at(b));
    const float exact = 1e-4f * spacing_, width = std::max(exact / (to - from).norm(), 1e-6f);
    while (high - low > width) {
      if (d_a < d_b) {
        high = b, b = a, d_b = d_a;
        a = low + section * (high - low);
        d_a = shape_.distance(at(a));
      } else {
        low = a, a = b, d_a = d_b;
        b = high - section * (high - low);
        d_b = shape_.distance(at(b));
      }
    }
    const Vec3 x = at(0.5f * (low + high));
    const auto [d, n] = nearest(x);
    if (d > exact) return std::nullopt;
    return Place{x, unit(n), 1};
  }

  const Shape& shape_;
  float spacing_, depth_;
  int dimension_;
};

/// Points with what is nearest to them.
struct Near {
  std::vector<Vec3> points;
  std::vector<Nearest> nearest;
};

/// Centres of the cells, all of one size, that the level set or a thin solid may intersect. Cells are refined from
/// coarse to fine, dropping those that are too far away to intersect it.
Near cells_near(const Shape& shape, const LevelSet& level, const Box& box, float size, float depth, int dimension,
                const ProgressReport& report) {
  int halvings = 0;
  while (halvings < 30 && box.size().maxCoeff() > 8 * size * std::exp2(float(halvings))) ++halvings;
  float cell = size * std::exp2(static_cast<float>(halvings));
  std::vector<Vec3> centres = cells_over(box, cell, dimension);
  // Range of distances of the level set, or of the inside of solids too thin to contain it.
  const float lowest = std::min(-depth, 0.0f), highest = std::max(-depth, 0.0f);
  for (;; cell /= 2) {
    const float reach = 0.5f * cell * std::sqrt(static_cast<float>(dimension));
    const auto keep = [&](float distance) { return distance >= lowest - reach && distance <= highest + reach; };
    // Each level has about four times as many cells as the one before.
    const ProgressReport level_report = report.part(std::pow(0.25, halvings + 1), std::pow(0.25, halvings));
    if (halvings == 0) {
      std::vector<Nearest> nearest(centres.size());
      parallel_for(level_report, centres.size(), [&](std::size_t c) { nearest[c] = level.nearest(centres[c]); });
      Near kept;
      for (std::size_t c = 0; c < centres.size(); ++c) {
        if (!keep(nearest[c].distance)) continue;
        kept.points.push_back(centres[c]);
        kept.nearest.push_back(nearest[c]);
      }
      return kept;
    }
    --halvings;
    std::vector<float> distance(centres.size());
    parallel_for(level_report, centres.size(), [&](std::size_t c) { distance[c] = shape.distance(centres[c]); });
    std::vector<Vec3> kept;
    for (std::size_t c = 0; c < centres.size(); ++c) {
      if (keep(distance[c])) kept.push_back(centres[c]);
    }
    if (kept.size() << dimension > most_candidates) {
      throw InputError("boundary particles: the spacing is far too small for the shape");
    }
    centres = halved(kept, cell, dimension);
  }
}

/// Points on the level set, grouped by the number of sides that meet there.
using Candidates = std::array<std::vector<Vec3>, 4>;

/// Projections of all points onto the level set that are within the region, in the order given.
Candidates projected(const LevelSet& level, const Near& from, const Box& region, const ProgressReport& report) {
  std::vector<std::optional<LevelSet::Place>> moved(from.points.size());
  parallel_for(report, moved.size(), [&](std::size_t i) { moved[i] = level.project(from.points[i], from.nearest[i]); });
  Candidates candidates;
  for (const auto& place : moved) {
    if (place && region.contains(place->x)) candidates[place->sides].push_back(place->x);
  }
  return candidates;
}

std::vector<Vec3> normals_at(const LevelSet& level, const std::vector<Vec3>& points) {
  std::vector<Vec3> normals(points.size());
  parallel_for(
      points.size(), [&](std::size_t i) { normals[i] = level.normal(points[i]); }, 64);
  return normals;
}

/// One relaxation step within the surface, which moves points and their normals; the first points are fixed.
void relax(const LevelSet& level, std::size_t fixed, float spacing, const Box& region, int dimension,
           std::vector<Vec3>& points, std::vector<Vec3>& normals) {
  const float reach = 1.5f * spacing;
  const PointGrid grid(points, reach);
  std::vector<Vec3> moved = points;
  parallel_for(
      points.size() - fixed,
      [&](std::size_t free) {
        const std::size_t i = fixed + free;
        const Vec3 n = normals[i];
        Vec3 repulsion = repulsion_at(points[i], grid, points, reach);
        repulsion -= n.dot(repulsion) * n;
        if (dimension == 2) repulsion.z() = 0;
        repulsion *= 0.3f * spacing;
        const float length = repulsion.norm(), most = 0.2f * spacing;
        if (length > most) repulsion *= most / length;
        const auto place = level.project(points[i] + repulsion);
        if (place && region.contains(place->x) && (place->x - points[i]).norm() < 2 * most) {
          moved[i] = place->x;
          normals[i] = place->normal;
        }
      },
      64);
  points = std::move(moved);
}

}  // namespace

std::vector<SurfaceSample> sample_surface(const Shape& shape, float spacing, float depth, const Box& region,
                                          int dimension, const ProgressReport& report) {
  if (!(spacing > 0 && std::isfinite(spacing) && std::isfinite(depth))) {
    throw InputError("boundary particles: the spacing must be above 0 and the depth finite");
  }
  if (const auto sides = shape.flat_sides()) {
    if (auto samples = sample_flat_sides(*sides, spacing, depth, region, dimension)) return *std::move(samples);
  }
  const Box surface = shape.surface_bounds().grown(std::abs(depth) + 0.5f * spacing);
  Box box{surface.min.cwiseMax(region.min), surface.max.cwiseMin(region.max)};
  if (dimension == 2) box.min.z() = box.max.z() = 0;
  if (box.empty()) return {};
  if (!box.finite()) throw InputError("boundary particles of an unbounded shape need a finite region");

  const LevelSet level(shape, spacing, depth, dimension);
  const float cell = spacing / (dimension == 2 ? 8 : 3);
  const Candidates candidates = projected(
      level, cells_near(shape, level, box, cell, depth, dimension, report.part(0, 0.3)), region, report.part(0.3, 0.6));
  std::vector<Vec3> points;
  const auto add = [&](const std::vector<Vec3>& from, float radius) {
    const std::size_t most = points.size() + from.size();
    add_apart(from, PointGrid(from, radius), random_order(from.size(), 0), radius, most, points);
  };
  // A minimum distance of 0.75 spacings along a line, or 0.83 on a surface, gives as many points as a lattice; edges
  // are sampled slightly more densely.
  add(candidates[3], 0.65f * spacing);
  add(candidates[2], 0.65f * spacing);
  const std::size_t fixed = points.size();
  add(candidates[1], (dimension == 2 ? 0.75f : 0.83f) * spacing);
  constexpr int rounds = 12;
  std::vector<Vec3> normals = normals_at(level, points);
  for (int round = 0; round < rounds; ++round) {
    report.part(0.6, 1)(static_cast<double>(round) / rounds);
    relax(level, fixed, spacing, region, dimension, points, normals);
  }
  keep_apart(points, 0.6f * spacing);
  add(candidates[1], 0.85f * spacing);

  normals = normals_at(level, points);
  std::vector<SurfaceSample> samples;
  for (std::size_t i = 0; i != points.size(); ++i) samples.push_back({points[i], normals[i]});
  return samples;
}

}  // namespace fondue
