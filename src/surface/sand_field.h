#pragma once
// Velocity field of the sand, interpolated from its particles between two frames. Velocities are interpolated by a
// normalised (Shepard) sum, v(x) = sum_j W_j v_j / sum_j W_j with W = (1 - r^2/R^2)^3, so that they do not
// fall off towards the surface, which would leave grains hanging in the air (L09 5.3.1).
//
// A point belongs to the sand if its distance from the weighted mean of the particles around it, xbar = sum W
// x / sum W, is at most the radius of a ball (in two dimensions a disc) of a particle's volume; the distance |x -
// xbar| is that of Zhu & Bridson 2005.

#include <optional>

#include "shapes/point_grid.h"
#include "surface/grains.h"

namespace fondue {

/// Particles of a frame, sorted by id.
struct SandFrame {
  std::vector<Vec3> positions, velocities;
  std::vector<float> supports;
  std::vector<Index> ids;

  SandFrame() = default;
  explicit SandFrame(const SandParticles& particles);
  SandParticles view() const { return {positions, velocities, supports, ids}; }
};

/// The particles of the later frame at the fraction s of the time dt between two frames. Their velocity goes linearly
/// from v0 to v1, plus a parabola such that the path ends at the particle's new position:
/// v = (1 - s) v0 + s v1 + 6 s (1 - s) ((x1 - x0)/dt - (v0 + v1)/2). Particles that are new, or have
/// jumped farther than their velocity can explain (periodic sides), are extrapolated back with v1.
SandFrame between(const SandFrame& before, const SandFrame& after, double dt, double s);

class SandField {
 public:
  SandField(SandFrame frame, const GrainSettings& settings);

  struct Sample {
    Vec3 velocity;
    /// Whether the point belongs to the sand.
    bool within;
  };
  using Surroundings = PointGrid::Surroundings;
  /// Nothing beyond all supports.
  std::optional<Sample> at(const Vec3& x, Surroundings& around) const;
  /// Interpolates a particle quantity; 0 beyond all supports.
  float at(const Vec3& x, std::span<const float> values, Surroundings& around) const;
  /// The largest value of the particles around a point; 0 beyond all supports.
  float largest(const Vec3& x, std::span<const float> values, Surroundings& around) const;
  /// The particle closest to a point, the first of several; nothing beyond all supports.
  std::optional<Index> nearest(const Vec3& x, Surroundings& around) const;

  const SandFrame& frame() const { return frame_; }
  float spacing(std::size_t particle) const { return frame_.supports[particle] / support_ratio_; }

 private:
  template <class Body>
  void visit(const Vec3& x, Surroundings& around, Body&& body) const;

  SandFrame frame_;
  float support_ratio_, ball_, reach_;
  std::optional<PointGrid> grid_;
  /// Several particles at a time.
  using Lanes = Eigen::Array<float, 8, 1>;
  /// Position, velocity, 1/R^2 and spacing in the order of the grid, with room to read Lanes beyond the last.
  enum Quantity { x_, y_, z_, vx_, vy_, vz_, over_R2_, spacing_, quantities };
  std::array<std::vector<float>, quantities> sorted_;
};

}  // namespace fondue
