#include "surface/field.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "core/kernel.h"
#include "core/lanes.h"
#include "core/parallel.h"
#include "shapes/point_grid.h"

namespace fondue {

namespace {

using FONDUE_ISA::Lanes;
static_assert(Lanes::count == block_side, "a row of a block is one group of lanes");

// Anisotropic kernels (Yu & Turk 2013, s. 5), lengths in supports: neighbours within `shaping_reach` contribute; the
// centre moves halfway to their mean, but by at most `most_shift`; the axes of a full neighbourhood are `full_axis`,
// none is longer than `most_axis` or shorter than a quarter of the longest. Where neighbours fill less than
// `least_filling` of the neighbourhood, the kernel is isotropic and small. These values preserve the volume of bodies,
// sheets and small drops within 10 %, and that of a single particle within 20 %.
constexpr float shaping_reach = 1.25f, to_mean = 0.5f, most_shift = 0.3f, full_axis = 1.25f, most_axis = 1.375f,
                least_axis = 0.25f, isolated_axis = 0.55f, least_filling = 0.22f;

/// Mean square of one coordinate over a full neighbourhood of radius 1, with the weights 1 - r^3.
float full_variance(int dimension) { return dimension == 3 ? 0.15f : 0.17857f; }

// Kernels as functions of q^2, not normalised, and their derivatives divided by q.

/// As a difference of cubes, 2 (1-q)^3 - 8 (1/2-q)^3, each where it is positive.
struct CubicSpline {
  static constexpr KernelShape shape = KernelShape::cubic_spline;
  FONDUE_INLINE static void at(Lanes q2, Lanes& value, Lanes& slope_over_q) {
    const Lanes q = square_root(max(q2, Lanes(0.0f)));
    const Lanes t = max(1 - q, Lanes(0.0f)), u = max(0.5f - q, Lanes(0.0f));
    const Lanes t2 = t * t, u2 = u * u;
    value = 2.0f * (t2 * t) - 8.0f * (u2 * u);
    slope_over_q = (24.0f * u2 - 6.0f * t2) / max(q, Lanes(1e-6f));
  }
};

/// (1 - q)^3
struct Desbrun {
  static constexpr KernelShape shape = KernelShape::desbrun;
  FONDUE_INLINE static void at(Lanes q2, Lanes& value, Lanes& slope_over_q) {
    const Lanes q = square_root(max(q2, Lanes(0.0f)));
    const Lanes t = max(1 - q, Lanes(0.0f)), t2 = t * t;
    value = t2 * t;
    slope_over_q = -3.0f * t2 / max(q, Lanes(1e-6f));
  }
};

/// (1 - q^2)^3
struct Poly6 {
  static constexpr KernelShape shape = KernelShape::poly6;
  FONDUE_INLINE static void at(Lanes q2, Lanes& value, Lanes& slope_over_q) {
    const Lanes t = max(1 - q2, Lanes(0.0f)), t2 = t * t;
    value = t2 * t;
    slope_over_q = -6.0f * t2;
  }
};

/// Calls body with the kernel type of a field.
template <class Body>
auto with_kernel(SurfaceField kind, Body&& body) {
  if (kind == SurfaceField::density) return body(Desbrun{});
  if (kind == SurfaceField::anisotropic) return body(Poly6{});
  return body(CubicSpline{});
}

/// The rows of a block that a source reaches, with SIMD lanes along x.
class Rows {
 public:
  Rows(const SparseGrid& grid, BlockKey block) : inverse_cell_(1 / grid.cell) {
    for (int k = 0; k != block_side; ++k) {
      const Vec3 corner = grid.corner(block, k, k, k);
      x_.set(k, corner.x());
      y_[k] = corner.y();
      z_[k] = corner.z();
    }
  }
  Lanes x() const { return x_; }

  /// Calls body(first corner of the row, y - y_j, z - z_j); in two dimensions z is ignored.
  template <class Body>
  FONDUE_INLINE void each(const Vec3& centre, const Vec3& reach, bool plane, Body&& body) const {
    const Range ys = range(y_[0], centre.y(), reach.y());
    const Range zs = plane ? Range{0, block_side} : range(z_[0], centre.z(), reach.z());
    for (int z = zs.begin; z < zs.end; ++z)
      for (int y = ys.begin; y < ys.end; ++y)
        body(block_side * (y + block_side * z), y_[y] - centre.y(), plane ? 0.0f : z_[z] - centre.z());
  }

 private:
  struct Range {
    int begin, end;
  };
  /// Rows within the reach, and possibly one more on either side.
  Range range(float first, float centre, float reach) const {
    const float low = (centre - reach - first) * inverse_cell_, high = (centre + reach - first) * inverse_cell_;
    return {static_cast<int>(std::clamp(low, 0.0f, float(block_side))),
            static_cast<int>(std::clamp(high + 1, 0.0f, float(block_side)))};
  }

  float inverse_cell_;
  Lanes x_ = 0.0f;
  float y_[block_side], z_[block_side];
};

FONDUE_INLINE void add(float* to, Lanes value) { store(to, FONDUE_ISA::load<Lanes>(to) + value, Lanes::count); }

/// The largest real eigenvalue, by Newton's method from above on the characteristic polynomial.
float largest_eigenvalue(const Mat3& m) {
  const float trace = m.trace(), determinant = m.determinant();
  const float minors = 0.5f * (trace * trace - (m * m).trace());
  float e = m.cwiseAbs().rowwise().sum().maxCoeff();
  for (int k = 0; k != 30; ++k) {
    const float value = ((e - trace) * e + minors) * e - determinant, slope = (3 * e - 2 * trace) * e + minors;
    if (!(slope > 0)) break;
    const float step = value / slope;
    e -= step;
    if (!(step > 1e-4f * (1 + std::abs(e)))) break;
  }
  return e;
}

}  // namespace

float SurfaceParticles::spacing(std::size_t j) const {
  return dimension == 3 ? std::cbrt(volume[j]) : std::sqrt(volume[j]);
}

float ParticleField::reach(SurfaceField kind) {
  return kind == SurfaceField::anisotropic ? most_axis + most_shift : 1.0f;
}

ParticleField::ParticleField(SurfaceField kind, const SurfaceParticles& particles,
                             std::span<const std::uint8_t> near_surface)
    : ParticleField(kind, particles, near_surface, 1) {
  if (particles.size() != 0 && kind != SurfaceField::density)
    level_ = level_of_flat_side(particles.support[0] / particles.spacing(0));
}

ParticleField::ParticleField(SurfaceField kind, const SurfaceParticles& particles,
                             std::span<const std::uint8_t> near_surface, float level)
    : kind_(kind), dimension_(particles.dimension), level_(level), sources_(particles.size()) {
  const Kernel kernel(with_kernel(kind_, [](auto shape) { return shape.shape; }), dimension_);
  for (std::size_t j = 0; j != sources_.size(); ++j) {
    const float R = particles.support[j], V = particles.volume[j];
    float amount = V * kernel.W(0, R);
    if (kind_ == SurfaceField::density) amount = kernel.W(0, R) / (2 * kernel.W(0.5f * R, R));
    if (kind_ == SurfaceField::distance) amount = particles.spacing(j);
    sources_[j] = {particles.position[j], Vec3::Constant(R), amount, {1 / (R * R), 1 / (R * R), 1 / (R * R), 0, 0, 0}};
    half_thickness_ = std::max(half_thickness_, 0.5f * particles.spacing(j));
  }
  if (kind_ == SurfaceField::characteristic) weigh_by_density(particles, near_surface);
  if (kind_ == SurfaceField::anisotropic) stretch_kernels(particles, near_surface);
  if (kind_ == SurfaceField::distance && !sources_.empty()) {
    const float ratio = particles.support[0] / particles.spacing(0);
    full_weight_ = dimension_ == 3 ? 0.638f * ratio * ratio * ratio : 0.785f * ratio * ratio;
  }
}

void ParticleField::weigh_by_density(const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface) {
  const Kernel kernel(KernelShape::cubic_spline, dimension_);
  const float most = *std::ranges::max_element(particles.support);
  const PointGrid grid(particles.position, most);
  parallel_for(sources_.size(), [&](std::size_t i) {
    if (!near_surface.empty() && !near_surface[i]) return;
    float s = 0;
    grid.visit(particles.position[i], most,
               [&](Index j, float r2) { s += particles.volume[j] * kernel.W(std::sqrt(r2), particles.support[j]); });
    sources_[i].amount /= s;
  });
}

void ParticleField::stretch_kernels(const SurfaceParticles& particles, std::span<const std::uint8_t> near_surface) {
  const float most = shaping_reach * *std::ranges::max_element(particles.support);
  const PointGrid grid(particles.position, most);
  const bool plane = dimension_ == 2;
  parallel_for(sources_.size(), [&](std::size_t i) {
    if (!near_surface.empty() && !near_surface[i]) {
      set_shape(sources_[i], particles.support[i], Mat3::Identity(), Vec3::Constant(full_axis));
      return;
    }
    const Vec3& x = particles.position[i];
    const float R = particles.support[i], reach = shaping_reach * R;
    float weight = 0, count = 0;
    Vec3 mean = Vec3::Zero();
    Mat3 covariance = Mat3::Zero();
    grid.visit(x, reach, [&](Index j, float r2) {
      const float q = std::sqrt(r2) / reach, w = particles.volume[j] * (1 - q * q * q);
      const Vec3 y = particles.position[j] - x;
      weight += w;
      mean += w * y;
      covariance += w * y * y.transpose();
      count += particles.volume[j];
    });
    mean /= weight;
    covariance = covariance / weight - mean * mean.transpose();
    const float full = plane ? std::numbers::pi_v<float> * reach * reach
                             : 4.0f / 3 * std::numbers::pi_v<float> * reach * reach * reach;
    Mat3 rotation = Mat3::Identity();
    Vec3 axes = Vec3::Constant(isolated_axis);
    if (count > least_filling * full) {
      if (plane) covariance(2, 2) = -1;
      Eigen::SelfAdjointEigenSolver<Mat3> solver;
      solver.computeDirect(covariance);
      rotation = solver.eigenvectors();
      const float full_size = std::sqrt(full_variance(dimension_)) * reach;
      axes = full_axis / full_size * solver.eigenvalues().cwiseMax(0.0f).cwiseSqrt();
      axes = axes.cwiseMin(most_axis).cwiseMax(std::min(most_axis, least_axis * axes.maxCoeff()));
    }
    const Vec3 shift = to_mean * mean;
    sources_[i].x = x + shift * std::min(1.0f, most_shift * R / std::max(shift.norm(), 1e-30f));
    set_shape(sources_[i], R, rotation, axes);
  });
}

/// A kernel with these axes, in supports, along the columns of `rotation`.
void ParticleField::set_shape(Source& source, float R, const Mat3& rotation, const Vec3& axes) const {
  source.amount /= dimension_ == 2 ? axes[1] * axes[2] : axes.prod();
  const Mat3 S = rotation * (1 / (R * axes.array()).square()).matrix().asDiagonal() * rotation.transpose();
  source.S = {S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(1, 2), S(2, 0)};
  const Mat3 half_axes = rotation * (R * axes).asDiagonal();
  source.reach = half_axes.rowwise().norm();
}

/// The level at which the surface of a lattice that fills a half-space lies half a spacing outside.
float ParticleField::level_of_flat_side(float support_ratio) const {
  SurfaceParticles lattice;
  lattice.dimension = dimension_;
  const int side = static_cast<int>(std::ceil(2 * shaping_reach * support_ratio)) + 1;
  const int depth = dimension_ == 3 ? side : 0;
  for (int z = -depth; z <= 0; ++z)
    for (int y = -side; y <= (dimension_ == 3 ? side : 0); ++y)
      for (int x = -side; x <= side; ++x) lattice.position.emplace_back(float(x), float(y), float(z));
  lattice.support.assign(lattice.position.size(), support_ratio);
  lattice.volume.assign(lattice.position.size(), 1.0f);
  std::vector<Index> all(lattice.size());
  for (std::size_t j = 0; j != all.size(); ++j) all[j] = static_cast<Index>(j);

  // Corners a quarter of a spacing apart, over one cell of the lattice.
  const SparseGrid grid{0.25f, {}, {}};
  const auto mean = [&](float level) {
    const ParticleField field(kind_, lattice, {}, level);
    BlockValues values;
    field.evaluate(grid, BlockKey(0, 0, 0), all, false, values);
    float sum = 0;
    for (int k = 0; k != 16; ++k) {
      const int x = k % 4, other = k / 4;
      sum += dimension_ == 3 ? values.f[x + block_side * (other + block_side * 2)] : values.f[x + block_side * 2];
    }
    return sum / 16;
  };
  if (kind_ != SurfaceField::distance) return mean(1) + 1;
  // level f - |x - xbar| is zero at the surface.
  const float at_0 = mean(0), at_1 = mean(1);
  return at_0 / (at_0 - at_1);
}

void ParticleField::evaluate(const SparseGrid& grid, BlockKey block, std::span<const Index> near, bool gradients,
                             BlockValues& values) const {
  std::fill_n(values.f, block_corners, 0.0f);
  for (auto& gradient : values.gradient) std::fill_n(gradient, block_corners, 0.0f);
  if (kind_ == SurfaceField::distance) {
    find_distances(grid, block, near, values);
  } else {
    with_kernel(kind_, [&]<class Shape>(Shape) {
      gradients ? add_kernels<Shape, true>(grid, block, near, values)
                : add_kernels<Shape, false>(grid, block, near, values);
    });
    for (float& f : values.f) f = f / level_ - 1;
  }
  if (dimension_ == 3) return;
  for (int k = 0; k != block_corners; ++k) {
    const float z = grid.corner(block, 0, 0, k / (block_side * block_side)).z();
    const float cut = (half_thickness_ - std::abs(z)) / half_thickness_;
    if (cut >= values.f[k]) continue;
    values.f[k] = cut;
    values.gradient[0][k] = values.gradient[1][k] = 0;
    values.gradient[2][k] = z > 0 ? -1.0f : 1.0f;
  }
}

template <class Shape, bool gradients>
void ParticleField::add_kernels(const SparseGrid& grid, BlockKey block, std::span<const Index> near,
                                BlockValues& values) const {
  const Rows rows(grid, block);
  for (const Index j : near) {
    const Source& source = sources_[j];
    const auto& [xx, yy, zz, xy, yz, zx] = source.S;
    const Lanes dx = rows.x() - source.x.x();
    rows.each(source.x, source.reach, dimension_ == 2, [&](int row, float dy, float dz) {
      // Terms that are constant along the row.
      const float mixed = xy * dy + zx * dz, rest = yy * dy * dy + zz * dz * dz + 2 * yz * dy * dz;
      const Lanes q2 = (xx * dx + 2 * mixed) * dx + rest;
      Lanes value, slope;
      Shape::at(q2, value, slope);
      add(values.f + row, source.amount * value);
      if constexpr (!gradients) return;
      slope = source.amount * slope;
      add(values.gradient[0] + row, slope * (xx * dx + mixed));
      add(values.gradient[1] + row, slope * (xy * dx + (yy * dy + yz * dz)));
      add(values.gradient[2] + row, slope * (zx * dx + (yz * dy + zz * dz)));
    });
  }
}

/// Weights are (1 - q^2)^3 (Zhu & Bridson).
void ParticleField::find_distances(const SparseGrid& grid, BlockKey block, std::span<const Index> near,
                                   BlockValues& values) const {
  const Rows rows(grid, block);
  float* const weight = values.f;
  alignas(32) float spacing[block_corners] = {};
  for (const Index j : near) {
    const Source& source = sources_[j];
    const float inverse_R2 = source.S[0];
    const Lanes dx = rows.x() - source.x.x();
    rows.each(source.x, source.reach, dimension_ == 2, [&](int row, float dy, float dz) {
      const Lanes t = max(1 - inverse_R2 * (dx * dx + (dy * dy + dz * dz)), Lanes(0.0f));
      const Lanes w = t * t * t;
      add(weight + row, w);
      add(spacing + row, source.amount * w);
      add(values.gradient[0] + row, -(w * dx));
      add(values.gradient[1] + row, w * -dy);
      add(values.gradient[2] + row, w * -dz);
    });
  }
  for (int k = 0; k != block_corners; ++k) {
    const float sum = weight[k];
    if (!(sum > 1e-6f)) {
      // No particles nearby: well outside.
      values.f[k] = -2 * half_thickness_;
      continue;
    }
    const Vec3 to_mean = Vec3(values.gradient[0][k], values.gradient[1][k], values.gradient[2][k]) / sum;
    float r = level_ * spacing[k] / sum;
    const float distance = to_mean.norm();
    if ((r > distance || level_ == 0) && sum < 0.8f * full_weight_) {
      Vec3 x = grid.corner(block, k % block_side, k / block_side % block_side, k / (block_side * block_side));
      if (dimension_ == 2) x.z() = 0;
      r *= radius_factor(x, x + to_mean, sum, near);
    }
    values.f[k] = r - distance;
    for (int a = 0; a != 3; ++a) values.gradient[a][k] = to_mean[a];
  }
}

/// f of Solenthaler et al.; grad xbar = sum (x_j - xbar) grad W^T / sum W.
float ParticleField::radius_factor(const Vec3& x, const Vec3& mean, float weight, std::span<const Index> near) const {
  constexpr float low = 0.4f, high = 3.5f;
  Mat3 gradient = Mat3::Zero();
  for (const Index j : near) {
    const Source& source = sources_[j];
    Vec3 y = source.x - x;
    const float inverse_R2 = source.S[0];
    const float t = 1 - inverse_R2 * y.squaredNorm();
    if (t > 0) gradient += (6 * t * t * inverse_R2 / weight) * (source.x - mean) * y.transpose();
  }
  const float e = largest_eigenvalue(gradient);
  if (e < low) return 1;
  const float rest = 1 - std::max(0.0f, (high - e) / (high - low));
  return 1 - rest * rest * rest;
}

}  // namespace fondue
