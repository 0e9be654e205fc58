#pragma once
// Impulses of contacts on sheets: of a point on the corners of a triangle, and of what touches a body. A contact lets
// the point approach by its gap g within a substep h and no faster, and pulls never:
//
//   v_n >= -g/h,   J_n >= 0,   v_n = (v_p - sum_c w_c v_c - u).n;    friction |J_t| <= mu J_n,  up to what stops it
//   dJ = -dv m,   1/m = 1/m_p + sum_c w_c^2/m_c,   v_p += J/m_p,   v_c -= w_c J/m_c           u: velocity of a body
//
// All contacts are solved together by sweeps over them (projected Gauss-Seidel) in an order that depends on ids only;
// the sums of impulses are what the bounds hold for. A substep begins with the impulses of the one before: what lies on
// a light sheet may have hundreds of times its mass, and few sweeps then leave velocities that are not there (F h/m_c).
// The first substep of a step begins with none, so that a run needs nothing of the past, and takes more sweeps.
//
// Impacts are inelastic, so no mass is too light. Each impulse is shared with opposite signs: momentum is exact.

#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

struct SheetContact {
  /// The point, and the corners of its triangle with their weights; without weights it touches a body.
  Index point;
  std::array<Index, 3> corner;
  Vec3d weights, normal;
  /// How much nearer they may come; negative: too near.
  double gap;
  double friction;
  /// Of the body, and which it is.
  Vec3d velocity = Vec3d::Zero();
  Index body = 0;
  /// How fast they are to part.
  double parting = 0;
  /// On the point [N s].
  Vec3d impulse = Vec3d::Zero();
  bool on_body() const { return weights.isZero(0); }
};

class ContactImpulses {
 public:
  /// What moves, by place: velocities and 1/m, zero for what is held.
  struct Places {
    std::span<float> v[3];
    std::span<const float> mobility;
  };
  /// Lets contacts, which begin with the impulses that they have, change velocities during a substep.
  void exchange(const Places& places, std::span<SheetContact> contacts, double seconds, int sweeps);

 private:
  /// Of contacts: 1/m, and where the velocities of the four are.
  struct Row {
    std::array<Index, 4> at;
    double inverse;
  };
  Index slot_of(const Places& places, Index place);
  void apply(const SheetContact& contact, const Row& row, const Vec3d& impulse);
  void sweep(std::span<SheetContact> contacts, double seconds);

  std::vector<Row> rows_;
  /// What takes part: place, velocity, 1/m; and by place where that is.
  std::vector<Index> place_, slot_;
  std::vector<Vec3d> v_;
  std::vector<double> mobility_;
};

}  // namespace fondue
