#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/error.h"
#include "core/kernel.h"

namespace fondue {
namespace {

struct Case {
  KernelShape shape;
  int dimension;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (std::size_t shape = 0; shape != kernel_names.size(); ++shape) {
    for (const int dimension : {2, 3}) cases.push_back({KernelShape(shape), dimension});
  }
  return cases;
}

class Kernels : public testing::TestWithParam<Case> {
 protected:
  KernelShape shape = GetParam().shape;
  int dimension = GetParam().dimension;
  Kernel kernel{shape, dimension};
  bool singular = shape == KernelShape::viscosity;
  double value(double q) const { return kernel_shape::value(shape, dimension, q); }
  double slope(double q) const { return kernel_shape::slope(shape, dimension, q); }
  double laplacian(double q) const { return kernel_shape::laplacian(shape, dimension, q); }
};

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(all_cases()), [](const auto& kernel) {
  return std::string(kernel_names[std::size_t(kernel.param.shape)]) + (kernel.param.dimension == 2 ? "_2D" : "_3D");
});

TEST_P(Kernels, IntegrateToOne) {
  // Midpoint rule; 60000 points are a multiple of all knots, and its error is far below that of single precision.
  const float R = 0.37f;
  const int points = 60000;
  double integral = 0;
  for (int k = 0; k != points; ++k) {
    const double r = (k + 0.5) / points * R;
    const double sphere = dimension == 2 ? 2 * std::numbers::pi * r : 4 * std::numbers::pi * r * r;
    integral += sphere * kernel.W(float(r), R) * R / points;
  }
  EXPECT_NEAR(integral, 1, 2e-6);
}

TEST_P(Kernels, SlopeIsTheDerivativeOfTheValue) {
  const double step = 1e-5;
  for (double q = 0.0123; q < 1 - step; q += 0.0171) {
    const double difference = (value(q + step) - value(q - step)) / (2 * step);
    EXPECT_NEAR(slope(q), difference, 1e-6 * (std::abs(slope(q)) + value(0.1))) << "q = " << q;
  }
}

TEST_P(Kernels, LaplacianMatchesTheValue) {
  const double step = 1e-4;
  for (double q = 0.0123; q < 1 - step; q += 0.0171) {
    const double first = (value(q + step) - value(q - step)) / (2 * step);
    const double second = (value(q + step) - 2 * value(q) + value(q - step)) / (step * step);
    const double expected = second + (dimension - 1) * first / q;
    // The differences have the error step^2 f''''/12, large where terms of the viscosity kernel cancel near its
    // singularity.
    const double scale = std::abs(second) + std::abs(first / q) + value(0.1);
    EXPECT_NEAR(laplacian(q), expected, (singular ? 2e-4 : 1e-5) * scale) << "q = " << q;
  }
}

TEST_P(Kernels, MatchTheProfilesScaledByTheSupport) {
  const double integral = [&] {
    double sum = 0;
    for (int k = 0; k != 60000; ++k) {
      const double q = (k + 0.5) / 60000;
      sum += (dimension == 2 ? 2 * q : 4 * q * q) * std::numbers::pi * value(q) / 60000;
    }
    return sum;
  }();
  for (const double R : {0.002, 0.37, 25.0}) {
    for (double q = 0.05; q < 0.99; q += 0.0371) {
      const float r = float(q * R);
      const double exact_q = double(r) / float(R), scale = 1 / (integral * std::pow(R, dimension));
      // Single precision, plus the loss where terms larger than the result cancel.
      const auto near = [&](double pair, double exact, double size) { EXPECT_NEAR(pair, exact, 2e-6 * size); };
      near(kernel.W(r, float(R)), scale * value(exact_q), scale * value(0.05));
      near(kernel.dW(r, float(R)), scale / R * slope(exact_q),
           scale / R * (std::abs(slope(exact_q)) + 4 * std::abs(slope(0.25))));
      near(kernel.laplacian(r, float(R)), scale / (R * R) * laplacian(exact_q),
           scale / (R * R) * (std::abs(laplacian(0.05)) + std::abs(slope(0.25)) * 8));
    }
  }
}

TEST_P(Kernels, VanishAtAndBeyondTheSupport) {
  for (const float R : {0.01f, 0.7f, 3.0f}) {
    for (const float r : {R, R * 1.000001f, 2 * R, 1e30f}) {
      EXPECT_EQ(kernel.W(r, R), 0);
      EXPECT_EQ(kernel.dW(r, R), 0);
      EXPECT_EQ(kernel.laplacian(r, R), 0);
    }
  }
  EXPECT_EQ(kernel.W(0, 0), 0) << "a particle without support has no kernel";
}

TEST_P(Kernels, AndTheirSlopesAreContinuousAtKnotsAndEdge) {
  const double step = 1e-9;
  for (const double knot : {1.0 / 3, 0.5, 2.0 / 3}) {
    EXPECT_NEAR(value(knot - step), value(knot + step), 1e-7 * value(0.1));
    EXPECT_NEAR(slope(knot - step), slope(knot + step), 1e-7 * value(0.1));
  }
  EXPECT_NEAR(value(1 - step), 0, 1e-14 * value(0.1));
  EXPECT_NEAR(slope(1 - step), 0, 1e-7 * value(0.1));
}

TEST_P(Kernels, ArePositiveAndFallWithDistance) {
  // The quartic as published is negative near its edge, by 0.24 % of its value at 0.
  const bool dips = shape == KernelShape::quartic;
  const float R = 0.1f, lowest = dips ? -0.0024f * kernel.W(0, R) : 0;
  for (int k = 0; k != 10000; ++k) {
    const float r = R * float(k) / 10000;
    EXPECT_GE(kernel.W(r, R), lowest);
    if (k < 8400) {
      EXPECT_GT(kernel.W(r, R), 0);
    }
    if (!dips || k < 9000) {
      EXPECT_LE(kernel.dW(r, R), 0);
    }
  }
}

TEST_P(Kernels, AreFiniteForCoincidentParticles) {
  for (const float r : {0.0f, 1e-30f, 1e-9f}) {
    EXPECT_TRUE(std::isfinite(kernel.W(r, 0.1f)));
    EXPECT_TRUE(std::isfinite(kernel.dW(r, 0.1f)));
    EXPECT_TRUE(std::isfinite(kernel.laplacian(r, 0.1f)));
  }
}

TEST_P(Kernels, LatticeVolumeGivesUnitDensity) {
  if (singular) {
    EXPECT_THROW(lattice_volume(kernel, 0.1f, 0.2f), InputError);
    return;
  }
  const float spacing = 0.05f;
  for (const float ratio : {0.9f, 1.5f, 2.0f, 3.0f}) {
    const float R = ratio * spacing, volume = lattice_volume(kernel, spacing, R);
    double density = 0;
    const int reach_z = dimension == 3 ? 4 : 0;
    for (int k = -reach_z; k <= reach_z; ++k) {
      for (int j = -4; j <= 4; ++j) {
        for (int i = -4; i <= 4; ++i) {
          density += volume * kernel.W(spacing * std::sqrt(float(i * i + j * j + k * k)), R);
        }
      }
    }
    EXPECT_NEAR(density, 1, 2e-6) << "R = " << ratio << " dx";
  }
}

TEST_P(Kernels, LatticeVolumeApproachesTheCellWithManyNeighbours) {
  if (singular) return;  // It cannot be used for density.
  // The error of the sum is of order (dx/R)^2; the peaked spiky kernel is the worst, with 1.1 % at R = 8 dx in 2D.
  EXPECT_NEAR(lattice_volume(kernel, 0.05f, 0.4f) / std::pow(0.05, dimension), 1, 0.015);
}

TEST(Kernel, ViscosityLaplacianIsLinearAndPositive) {
  const float R = 0.3f;
  for (const int dimension : {2, 3}) {
    const Kernel kernel(KernelShape::viscosity, dimension);
    // 45/pi (R - r)/R^6 in space (L09, Mueller 2003), 40/pi (R - r)/R^5 in the plane.
    const double at_zero = (dimension == 3 ? 45 : 40) / (std::numbers::pi * std::pow(R, dimension + 2));
    for (float r = 0; r < R; r += 0.01f) {
      EXPECT_NEAR(kernel.laplacian(r, R), at_zero * (1 - r / R), 2e-6 * at_zero);
    }
  }
}

TEST(Kernel, SlopeOverDistanceIsAccurateNearZero) {
  // f'/q at 0 is -12 for the cubic spline; a sum of truncated powers would lose it to cancellation.
  const Kernel kernel(KernelShape::cubic_spline, 3);
  const double expected = -12 * 8 / std::numbers::pi;
  EXPECT_NEAR(kernel.dW(1e-7f, 1) / 1e-7, expected, 1e-5 * -expected);
}

TEST(Kernel, RefusesOtherDimensionsAndBadLattices) {
  EXPECT_THROW(Kernel(KernelShape::cubic_spline, 1), InputError);
  const Kernel kernel(KernelShape::cubic_spline, 3);
  EXPECT_THROW(lattice_volume(kernel, 0, 1), InputError);
  EXPECT_THROW(lattice_volume(kernel, 1, NAN), InputError);
}

}  // namespace
}  // namespace fondue
