#pragma once
// Impulses of contacts on sheets: of a point on the corners of a triangle, and of what touches a body. A contact lets
// the point approach by its gap g within a substep h and no faster, and pulls only where it sticks:
//
//   v_n >= -g/h,   J_n >= 0,   v_n = (v_p - sum_c w_c v_c).n;    friction |J_t| <= mu J_n,  up to what stops it
//   on bodies that it sticks to:  J_n >= -F h,  |J_t| <= mu (J_n + F h),  F: the largest pull (surface_grip.h)
//   dJ = -dv m,   1/m = 1/m_p + sum_c w_c^2/m_c,   v_p += J/m_p,   v_c -= w_c J/m_c
//
// A viscous fluid does not slide on a sheet. Between a point at the distance d and the triangle there is a film, which
// resists by its viscosity eta over the area A that the point stands for, whether it is pressed or not:
//
//   J_t = -h (eta A/d) u,   u = (v_p - sum_c w_c v_c)_t + d sum_c grad w_c (n.v_c),   v_c += (d grad w_c.J_t/m_c) n
//
// with the velocities after the impulse, so no viscosity is too high. u is the velocity against the sheet continued to
// the point: it is zero where both turn together, and so impulses have no moment.
//
// What is too near parts by a tenth of what is missing in a substep, and no faster than it is told. All contacts are
// solved together by sweeps over them (projected Gauss-Seidel) in the order in which they are given; the sums of
// impulses are what the bounds hold for. A substep begins with the impulses of the one before: what lies on a light
// sheet may have hundreds of times its mass, and few sweeps then leave velocities that are not there (F h/m_c).
//
// Impacts are inelastic, so no mass is too light. Each impulse is shared with opposite signs: momentum is exact.

#include <array>
#include <span>
#include <vector>

#include "core/vec.h"

namespace fondue {

struct SheetContact {
  /// The point, and the corners of its triangle with their weights, whose sum is one.
  Index point;
  std::array<Index, 3> corner;
  Vec3 weights, normal;
  /// How much nearer they may come; negative: too near, and how fast they may part then.
  float gap, parting = 0;
  float friction;
  /// eta A/d [kg/s], and d grad w of the second and the third corner; where it is not zero there is no friction.
  float film = 0;
  Vec3 tilt[2] = {Vec3::Zero(), Vec3::Zero()};
  /// On the point [N s].
  Vec3 impulse = Vec3::Zero();
};

/// A point that touches a body, which has this velocity there.
struct BodyTouch {
  Index point, body;
  Vec3 normal, velocity;
  float friction;
  /// Up to which it is held back [N].
  float pull = 0;
  Vec3 impulse = Vec3::Zero();
};

class ContactImpulses {
 public:
  /// What moves, by place: velocities and 1/m, zero for what is held.
  struct Places {
    std::span<float> v[3];
    std::span<const float> mobility;
  };

  /// Contacts that stay the same for some substeps.
  void set(const Places& places, std::span<const SheetContact> contacts);
  /// Lets contacts, and what touches bodies in this substep, change velocities. Then everything moves for a time
  /// `drift`, by which gaps change.
  void exchange(const Places& places, std::span<BodyTouch> touches, double seconds, double drift, int sweeps);

  /// Of the last substep.
  std::size_t contacts() const { return contacts_; }
  Index point(std::size_t contact) const { return place_[rows_[contact].at[0]]; }
  Vec3 impulse(std::size_t contact) const { return rows_[contact].impulse.head<3>(); }
  /// Calls take(place, impulse) for whatever is held and got an impulse.
  template <class Take>
  void each_held(Take&& take) const {
    for (const Index k : of_held_) {
      const Row& row = rows_[k];
      for (int c = 0; c != 4; ++c)
        if (const Four impulse = impulse_on(k, c); !impulse.isZero(0) && !(moving_[row.at[c]][3] > 0))
          take(place_[row.at[c]], Vec3(impulse.head<3>()));
    }
  }

 private:
  using Four = Eigen::Vector4f;
  /// A contact, in one line of the cache: where the four are, the normal with the coefficient of friction, the impulse
  /// with the gap. A negative `parting` is minus the largest impulse that holds it back on a body.
  struct alignas(64) Row {
    Index at[4];
    Four normal, impulse;
    float second, third, inverse, parting;
    float weight(int corner) const { return corner == 1 ? 1 - second - third : corner == 2 ? second : third; }
  };
  /// What a row needs where there is a film: d grad w of its corners, h eta A/d, and 1/m along the sheet.
  struct Film {
    Four tilt[3];
    float strength, inverse;
  };
  Index slot_of(Index place);
  void add(const SheetContact& contact);
  void load(const Places& places);
  void finish(Row& row) const;
  Film film(const Row& row, const SheetContact& contact) const;
  void apply(const Row& row, const Four& impulse);
  void apply_along(const Row& row, const Film& film, const Four& impulse);
  Four approach(const Row& row) const;
  Four slip(const Row& row, const Film& film) const;
  void drag(Row& row, const Film& film, float seconds);
  /// What the impulse of a row is on its point (0) or one of its corners.
  Four impulse_on(Index row, int which) const;
  const Film* film_of(std::size_t row) const {
    return row < films_.size() && films_[row].strength > 0 ? &films_[row] : nullptr;
  }
  void sweep(float seconds);

  std::vector<Row> rows_;
  /// By row; empty: there are none.
  std::vector<Film> films_;
  std::size_t contacts_ = 0;
  /// Contacts of what is held.
  std::vector<Index> of_held_;
  /// What takes part: place, velocity with 1/m; and by place where that is.
  std::vector<Index> place_, slot_;
  std::vector<Four> moving_;
};

}  // namespace fondue
