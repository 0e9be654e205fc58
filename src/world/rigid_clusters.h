#pragma once
// Matter that moves as rigid bodies (particles/clusters.h). The particles of a cluster that are wholly rigid, its core,
// are moved together instead of one by one:
//
//   F, T   sums of m_i a_i and r_i x m_i a_i of the last evaluation        the load, held during the step
//   X, q   <- where mechanics moves a body of their mass and inertia       free (bodies/rigid_motion.h), or in contact
//                                                                          with colliders (bodies/rigid_solver.h)
//   x_i    <- X + R r_i,  v_i <- V + w x (R r_i)
//   a_i    <- F/M + (I^-1 T) x (R r_i)                                     so that the kick corrects F and T exactly
//
// After the kick (integrator.h) the velocities of all particles of a cluster are drawn to the rigid motion with the
// same momentum and angular momentum:
//
//   v_i <- v_i + f_i (V + w x r_i - v_i),   f_i = 1 - exp(-k dt w_i/(1 - w_i)),   k = 400/s
//   with V and w of masses f_i m_i, so that both momenta are exact for any w_i; f_i = 1 for w_i = 1.
//
// Contact: a core touches a collider where one of its outer particles is half a spacing away from its surface; friction
// is the geometric mean of both, bounce is the collider's. What overlaps at first is moved apart by a spacing per
// second. Rigid bodies with which it collides get the exact opposite impulse; between several colliders that it touches
// at once the rest of its impulse is shared by the number of points, for their loads. Colliders that change their shape
// are not met. A core with pinned or emitted particles follows these: they count as a million times as heavy.
//
// What rounding takes from positions is kept in the column `position_rest`, so a shape stays the same for ever.

#include "bodies/rigid_solver.h"
#include "particles/clusters.h"
#include "world/integrator.h"
#include "world/substeps.h"

namespace fondue {

class RigidClusters {
 public:
  struct Setting {
    Confinement confinement;
    float support_ratio;
    /// By object: Coulomb's coefficient of its surface.
    std::span<const float> friction;
  };

  /// If there may be clusters.
  static void require(Particles& particles);
  /// Moves all cores from one time to another but what has been moved already (by particle, non-zero; empty: nothing),
  /// and marks what it moves. False if one of them runs away.
  bool advance(Particles& particles, const Setting& setting, std::vector<std::uint8_t>& moved, double from, double to);
  /// After the kick of a step of this length.
  void correct_velocities(Particles& particles, const Confinement& confinement, float step);

 private:
  /// Particles as one body.
  struct Piece {
    std::vector<Index> members;
    /// From the centre of mass.
    std::vector<Vec3d> arms;
    double radius = 0;
    MassProperties properties;
    RigidState state;
  };
  bool follow(const Particles& particles);
  template <class Mass>
  Piece piece(const Particles& particles, const Confinement& confinement, std::vector<Index> members,
              Mass&& mass) const;
  bool advance_core(Particles& particles, const Setting& setting, const Bodies::Interval& interval, Piece& core) const;
  std::vector<BodyContact> contacts_of(const Particles& particles, const Setting& setting,
                                       const Bodies::Interval& interval, const Piece& core, double speed) const;
  void meet(const Particles& particles, const Setting& setting, const Bodies::Interval& interval,
            const std::vector<BodyContact>& contacts, const Load& load, Piece& core) const;

  std::vector<std::vector<Index>> clusters_;
  /// By particle: at the surface of its cluster.
  std::vector<std::uint8_t> outer_;
  std::uint64_t revision_ = 0;
  std::size_t size_ = 0;
};

}  // namespace fondue
