#include "bodies/wall_scales.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "behaviours/viscous_weight.h"

namespace fondue {

namespace {

/// Sum of term(r) over one flat layer of the lattice, `depth` spacings from a point beside it.
template <class Term>
float layer_sum(const Lattice& lattice, int depth, const Term& term) {
  const int reach = static_cast<int>(std::ceil(lattice.support_ratio));
  const int reach_z = lattice.dimension == 3 ? reach : 0;
  float sum = 0;
  for (int a = -reach; a <= reach; ++a)
    for (int b = -reach_z; b <= reach_z; ++b)
      sum += term(lattice.spacing * std::sqrt(static_cast<float>(a * a + b * b + depth * depth)));
  return sum;
}

/// The sums of wall_scales.h for particles of spacing 1, in units in which the kernel's constant is 1.
class SizeSums {
 public:
  explicit SizeSums(const Lattice& lattice)
      : shape_(lattice.kernel),
        dimension_(lattice.dimension),
        rows_(static_cast<int>(std::ceil(lattice.support_ratio))),
        R_(lattice.support_ratio) {
    for (int k = 1; k <= rows_; ++k) missing_ += layer(k, [&](double r, double) { return W(r); });
    volume_ratio_ = missing_ / layer(1, [&](double r, double) { return W(r); });
    V_ = 1 / (2 * missing_ + layer(0, [&](double r, double) { return W(r); }));
    const Kernel kernel(shape_, dimension_);
    const double constant = kernel.W(0.5f * lattice.support_ratio, lattice.support_ratio) / W(0.5 * R_);
    friction_ = V_ / constant * viscous_weight(shape_, dimension_) / (R_ * R_);
  }

  /// Stress of a linear shear flow over that of a layer of boundary particles of spacing u and volume V_b.
  double shear(double u, double V_b) const {
    const auto drag = [&](double r, double t) { return -slope_over_r(r) / (R_ * R_) * t * t; };
    double stress = 0;
    for (int m = 1; m <= rows_ + 1; ++m) {
      const double distance = m - 0.5 + 0.5 * u;
      stress += friction_ * V_b / std::pow(u, dimension_ - 1) * distance * plane(distance, drag);
    }
    return 1 / stress;
  }
  /// The same for a layer of spacing 1 with the volumes it has.
  double shear() const { return shear(1, volume_ratio_ * V_); }

  /// u times the factor of the volume, shear, heat and pull for boundary particles of spacing u.
  std::array<double, 4> at(double u) const {
    const double boundary_area = std::pow(u, dimension_ - 1), V_b = volume_ratio_ * V_ * std::pow(u, dimension_);
    const auto distance = [&](int m) { return m - 0.5 + 0.5 * u; };
    const auto added = V_b / boundary_area * plane(distance(1), [&](double r, double) { return W(r); });
    const double volume = V_ * missing_ / added;
    const auto half_space_over_layer = [&](const auto& force) {
      double half_space = 0, one_layer = 0;
      for (int m = 1; m <= rows_ + 1; ++m) {
        half_space += V_ * m * m * layer(m, force);
        one_layer += volume * V_b / boundary_area * distance(m) * plane(distance(m), force);
      }
      return half_space / one_layer;
    };
    const auto flow = [&](double r, double) { return -slope_over_r(r) * r * r / (r * r + 0.01 * R_ * R_); };
    const auto profile = [&](double r, double) { return r / R_ * std::pow(std::max(1 - r / R_, 0.0), 2.0); };
    double pull = 0;
    for (int m = 1; m <= rows_ + 1; ++m) pull += distance(m) * plane(distance(m), profile);
    return {u * volume, shear(u, volume * V_b), half_space_over_layer(flow), boundary_area / (volume * V_b * pull)};
  }

 private:
  double W(double r) const { return r < R_ ? kernel_shape::value(shape_, dimension_, r / R_) : 0; }
  /// W'/r, times R^2.
  double slope_over_r(double r) const {
    return r < R_ ? kernel_shape::slope_over_q(shape_, dimension_, r / R_, R_ / r) : 0;
  }
  /// Sum over a layer of the lattice at a distance.
  template <class Term>
  double layer(int distance, const Term& term) const {
    const int reach_z = dimension_ == 3 ? rows_ : 0;
    double sum = 0;
    for (int a = -rows_; a <= rows_; ++a)
      for (int b = -reach_z; b <= reach_z; ++b)
        sum += term(std::sqrt(double(a * a + b * b + distance * distance)), double(a));
    return sum;
  }
  /// Integral over a plane at a distance by the midpoint rule; along the plane t^2 is rho^2/2 on average.
  template <class Term>
  double plane(double distance, const Term& term) const {
    if (distance >= R_) return 0;
    constexpr int parts = 200;
    const double width = std::sqrt(R_ * R_ - distance * distance) / parts;
    double sum = 0;
    for (int k = 0; k != parts; ++k) {
      const double rho = (k + 0.5) * width, r = std::hypot(rho, distance);
      sum += dimension_ == 3 ? 2 * std::numbers::pi * rho * term(r, rho / std::numbers::sqrt2) : 2 * term(r, rho);
    }
    return sum * width;
  }

  KernelShape shape_;
  int dimension_, rows_;
  /// friction_: volume of a particle times the constant of the viscous force, k/R^2.
  double R_, missing_ = 0, volume_ratio_ = 0, V_ = 0, friction_ = 0;
};

}  // namespace

WallScales wall_scales(const Lattice& lattice) {
  const Kernel kernel(lattice.kernel, lattice.dimension);
  const float R = lattice.support();
  const int reach = static_cast<int>(std::ceil(lattice.support_ratio));
  const auto density = [&](float r) { return kernel.W(r, R); };
  const auto flow = [&](float r) { return -kernel.dW(r, R) * r / (r * r + 0.01f * R * R); };
  // Half space over one layer, of a force in proportion to the distance k.
  const auto scale = [&](const auto& force) {
    float one_layer = 0, half_space = 0;
    for (int k = 1; k <= reach; ++k) {
      const float of_layers = static_cast<float>(k) * layer_sum(lattice, k, force);
      one_layer += of_layers;
      half_space += static_cast<float>(k) * of_layers;
    }
    return half_space / one_layer;
  };
  const auto profile = [&](float r) { return r / R * std::pow(std::max(1 - r / R, 0.0f), 2.0f); };
  float missing = 0, pull = 0;
  for (int k = 1; k <= reach; ++k) {
    missing += layer_sum(lattice, k, density);
    pull += static_cast<float>(k) * lattice.spacing / R * layer_sum(lattice, k, profile);
  }
  const auto fall = [&](float r) { return -kernel.dW(r, R) * lattice.spacing / r; };
  const float V = lattice_volume(kernel, lattice.spacing, R);
  const float volume_ratio = missing / layer_sum(lattice, 1, density);
  const float area = lattice.dimension == 3 ? lattice.spacing * lattice.spacing : lattice.spacing;
  return {V * volume_ratio * layer_sum(lattice, 0, density),
          V * missing,
          V * volume_ratio * lattice.spacing * layer_sum(lattice, 1, fall),
          static_cast<float>(SizeSums(lattice).shear()),
          scale(flow) / volume_ratio,
          area / (V * V * volume_ratio * pull)};
}

BoundaryLayer boundary_layer(const Lattice& lattice, const WallScales& scales) {
  BoundaryLayer layer;
  layer.depth = 0.5f * lattice.spacing;
  layer.support = lattice.support();
  layer.half_space = scales.half_space;
  layer.half_space_slope = scales.half_space_slope;
  layer.shear_scale = scales.shear;
  layer.heat_scale = scales.heat;
  layer.pull_scale = scales.pull;
  // The polynomials of SizeFactor through the exact values at these u.
  constexpr double nodes[] = {0.02, 0.3, 0.6, 0.9, 1.4};
  const SizeSums sums(lattice);
  const std::array<double, 4> one = sums.at(1);
  Eigen::Matrix<double, 5, 5> powers;
  Eigen::Matrix<double, 5, 4> values;
  for (int n = 0; n != 5; ++n) {
    const std::array<double, 4> at = sums.at(nodes[n]);
    for (int k = 0; k != 5; ++k) powers(n, k) = std::pow(nodes[n], k);
    for (int f = 0; f != 4; ++f) values(n, f) = (at[f] / one[f] - 1) / (1 - nodes[n]);
  }
  const Eigen::Matrix<double, 5, 4> solved = powers.partialPivLu().solve(values);
  SizeFactor* const factors[] = {&layer.volume_times_u, &layer.shear, &layer.heat, &layer.pull};
  for (int f = 0; f != 4; ++f)
    for (int k = 0; k != 5; ++k) factors[f]->c[k] = static_cast<float>(solved(k, f));
  return layer;
}

}  // namespace fondue
