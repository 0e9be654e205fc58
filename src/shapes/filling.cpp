#include "shapes/filling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/parallel.h"
#include "core/random.h"
#include "shapes/spread.h"
#include "shapes/volume.h"

namespace fondue {
namespace {

constexpr std::size_t few_cells = 30'000, many_cells = 4'000'000;

void check(const Shape& shape, float spacing, int dimension, double most) {
  const double count = estimate_count(shape, spacing, dimension);
  if (count > most) {
    throw InputError(
        fmt::format("filling at a spacing of {} m would need about {:.3g} points, more than {:.3g}: use a larger "
                    "spacing or a smaller shape",
                    spacing, count, most));
  }
}

/// A regular lattice over the shape's bounds, x changing fastest.
class Lattice {
 public:
  Lattice(const Shape& shape, float step, int dimension) : box_(shape.bounds()), step_(step), dimension_(dimension) {
    // A lattice point on the upper face of the bounds, within rounding, is not inside.
    double total = 1;
    for (int a = 0; a < dimension; ++a) {
      const double along = std::max(0.0, std::ceil(double(box_.size()[a]) / double(step) - 0.5 - 1e-3));
      total *= along;
      count_[a] = static_cast<std::size_t>(std::min(along, most_places));
    }
    if (total > most_places) {
      throw InputError(fmt::format("a spacing of {} m is too fine to fill a shape of {} x {} x {} m", step,
                                   box_.size().x(), box_.size().y(), box_.size().z()));
    }
  }

  /// The lattice points inside, each displaced by the given shift, in a fixed order.
  template <class Shift>
  std::vector<Vec3> inside(const Shape& shape, Shift&& shift) const {
    constexpr std::size_t block = 4096;
    const std::size_t total = count_[0] * count_[1] * count_[2];
    std::vector<std::vector<Vec3>> found((total + block - 1) / block);
    parallel_blocks(total, block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Vec3 x = at(i, shift(i));
        if (shape.contains(x)) found[begin / block].push_back(x);
      }
    });
    std::vector<Vec3> points;
    for (const auto& part : found) points.insert(points.end(), part.begin(), part.end());
    return points;
  }

 private:
  static constexpr double most_places = 2e10;

  Vec3 at(std::size_t i, const Vec3& shift) const {
    const std::array<std::size_t, 3> place = {i % count_[0], i / count_[0] % count_[1], i / count_[0] / count_[1]};
    Vec3 x = Vec3::Zero();
    for (int a = 0; a < dimension_; ++a) {
      x[a] = static_cast<float>(double(box_.min[a]) + (double(place[a]) + double(shift[a])) * double(step_));
    }
    return x;
  }

  Box box_;
  float step_;
  int dimension_;
  std::array<std::size_t, 3> count_ = {1, 1, 1};
};

/// One relaxation step; a point moves by at most a fraction of the spacing and stays inside.
std::vector<Vec3> relaxed(const Shape& shape, const std::vector<Vec3>& points, float spacing, int dimension) {
  const float reach = 1.5f * spacing;
  const PointGrid grid(points, reach);
  std::vector<Vec3> moved = points;
  parallel_for(points.size(), [&](std::size_t i) {
    const Vec3& x = points[i];
    Vec3 repulsion = repulsion_at(x, grid, points, reach);
    // The mirror image of the point behind the surface.
    const auto [d, n] = shape.nearest(x);
    const float weight = std::max(0.0f, 1 + 2 * d / reach);
    repulsion -= weight * weight * n;
    if (dimension == 2) repulsion.z() = 0;
    repulsion *= 0.3f * spacing;
    const float length = repulsion.norm(), most = 0.2f * spacing;
    if (length > most) repulsion *= most / length;
    if (shape.contains(x + repulsion)) moved[i] = x + repulsion;
  });
  return moved;
}

}  // namespace

double estimate_count(const Shape& shape, float spacing, int dimension) {
  if (!(spacing > 0 && std::isfinite(spacing))) throw InputError("the spacing of a filling must be above 0");
  return volume(shape, dimension, 0.5f * spacing, few_cells) / std::pow(double(spacing), dimension);
}

std::vector<Vec3> fill_lattice(const Shape& shape, float spacing, int dimension, double most) {
  check(shape, spacing, dimension, most);
  return Lattice(shape, spacing, dimension).inside(shape, [](std::size_t) { return Vec3(0.5f, 0.5f, 0.5f); });
}

std::vector<Vec3> fill_blue_noise(const Shape& shape, float spacing, int dimension, std::uint64_t seed, double most,
                                  const ProgressReport& report) {
  check(shape, spacing, dimension, most);
  const double wanted = volume(shape, dimension, 0.25f * spacing, many_cells) / std::pow(double(spacing), dimension);
  const auto count = static_cast<std::size_t>(std::llround(wanted));

  const auto jitter = [&](std::size_t i) { return random_point(seed, i); };
  const std::vector<Vec3> candidates = Lattice(shape, 0.5f * spacing, dimension).inside(shape, jitter);
  const std::vector<Index> order = random_order(candidates.size(), seed + 1);
  const PointGrid grid(candidates, spacing);
  std::vector<Vec3> points;
  for (float radius = 0.85f * spacing; points.size() < count && radius > 0.3f * spacing; radius *= 0.93f) {
    add_apart(candidates, grid, order, radius, count, points);
  }
  points = PointGrid(points, spacing).sorted();
  constexpr int rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    report(static_cast<double>(round) / rounds);
    points = relaxed(shape, points, spacing, dimension);
  }
  keep_apart(points, 0.7f * spacing);
  return points;
}

}  // namespace fondue
