#pragma once
// What a pair formula sees: a group of particles i, one in each lane, and one neighbour j.
//
// Particles are visited in the order of their slots, in which neighbours lie close together; a Field gives a value for
// every slot. p.i(field) is the value of each i, p.j(field) that of j. Kernels vanish beyond the support, so a formula
// that is a multiple of one needs no test of the distance. A particle is among its own neighbours: sums of W want it,
// and forces along x_ij = 0 do not see it. docs/hot-loop.md has the whole story with a drawing.

#include "core/kernel.h"
#include "core/vec.h"

namespace fondue {

/// One number for every slot, or the same for all (stride 0; values then holds a group's width of copies).
struct Field {
  const float* values = nullptr;
  std::size_t stride = 0;

  [[gnu::always_inline]] float of(std::size_t slot) const { return values[slot * stride]; }
};

/// What most formulas read of a particle: half a cache line.
struct alignas(32) Record {
  float x, y, z;
  /// p / s^2: pressure over the square of the density ratio.
  float pressure_term;
  float vx, vy, vz;
  float density;
};

/// A boundary particle of a collider.
struct alignas(16) WallRecord {
  float x, y, z;
  /// Volume it stands for; negative if it acts only in front of it.
  float volume;
  float vx, vy, vz;
  /// 0 slides freely, 1 sticks.
  float grip;
  float nx, ny, nz;
  Index collider;
};

/// What boundary particles of one body have in common.
struct WallLayer {
  /// How deep they lie below their surface [m].
  float depth;
  /// What the viscous force and the heat of one layer must be multiplied with to stand for that of a half space.
  float shear_scale, heat_scale;
  /// What volumes, scales and pulls are multiplied with for each particle i: 1 if its spacing is theirs.
  Field volume, shear, heat, pull;
};

/// Everything the loops over pairs read, whatever the formula.
struct PairSpace {
  const Record* records;
  const WallRecord* walls;
  /// R, 1/R, and sigma/R^d of the kernel.
  Field support, inverse_support, kernel_scale;
  KernelShape shape;
  int dimension;
  /// All particles have the same support.
  FONDUE_INLINE bool one_kernel() const { return support.stride == 0; }
  /// Lengths of a periodic domain; an axis that does not repeat has inverse length zero.
  bool periodic;
  float length[3], inverse_length[3];
  /// By collider.
  const WallLayer* wall_layers;
  /// In a solve: the velocity of the frame in which velocities are given, and 0 if walls rest in it (the part of the
  /// forces that is linear in the velocities), 1 if they move.
  float frame[3] = {0, 0, 0}, wall_motion = 1;
};

/// The kernel of particles with one support.
template <class F>
struct KernelLanes {
  F R, inverse_R, scale;

  /// factor W(r); a factor that is the same for all pairs costs nothing. The default kernel is written out so that
  /// whatever does not depend on r stands together.
  FONDUE_INLINE F W_times(F factor, KernelShape shape, int dimension, F r, F r2) const {
    if (shape == KernelShape::cubic_spline) {
      const F t = max(1 - r * inverse_R, F(0.0f));
      const F near = 1 - ((6 * inverse_R * inverse_R) * r2) * t, far = (t + t) * (t * t);
      return (factor * scale) * select(r < 0.5f * R, near, far);
    }
    return (factor * scale) * kernel_shape::value(shape, dimension, min(r * inverse_R, F(1.0f)));
  }
  /// W'(r)/r
  FONDUE_INLINE F slope_over_r(KernelShape shape, int dimension, F r, F inverse_r) const {
    if (shape == KernelShape::cubic_spline) {
      const F t = max(1 - r * inverse_R, F(0.0f));
      const F near = r * (18 * inverse_R) - 12, far = (t * t) * (inverse_r * (-6 * R));
      return (scale * (inverse_R * inverse_R)) * select(r < 0.5f * R, near, far);
    }
    const F q = min(r * inverse_R, F(1.0f));
    return (scale * (inverse_R * inverse_R)) * kernel_shape::slope_over_q(shape, dimension, q, R * inverse_r);
  }
};

/// The particles i of a group.
template <class L>
struct GroupLanes {
  Index first;
  LaneVector<L> x, v;
  L pressure_term, density;
  KernelLanes<L> kernel;
  /// (1e-6 R)^2, added to every r^2 so that none is zero.
  L smallest_r2;
};

/// The neighbours j a formula sees at once: one, or two if F is LanePair. Numbers of j are the same in all lanes.
template <class F>
struct Neighbours {
  Index slot;
  template <class Number>
  FONDUE_INLINE F each(Number&& number) const {
    return F(number(slot));
  }
};
template <>
struct Neighbours<FONDUE_ISA::LanePair> {
  Index slot, other;
  template <class Number>
  FONDUE_INLINE FONDUE_ISA::LanePair each(Number&& number) const {
    return {float(number(slot)), float(number(other))};
  }
};

/// Where i and its neighbour are to each other. Mode says at compile time what the scene has and the pass needs
/// (world/pair_loops.cpp); L are the lanes of i, F those of the pairs.
template <class F, class L, class Mode>
struct PairGeometry {
  /// All particles of the group and their neighbours are alike.
  static constexpr bool one_material = Mode::one_material;

  const PairSpace& space;
  const GroupLanes<L>& own;
  LaneVector<F> x_ij;
  F r2, r;
  /// Only in passes that use gradients; finite also where r is zero.
  F inverse_r = 0.0f;

  FONDUE_INLINE PairGeometry(const PairSpace& s, const GroupLanes<L>& g, F x, F y, F z)
      : space(s), own(g), x_ij{g.x.x - x, g.x.y - y, g.x.z - z} {
    if (Mode::periodic(s)) {
      x_ij.x -= s.length[0] * nearest(x_ij.x * s.inverse_length[0]);
      x_ij.y -= s.length[1] * nearest(x_ij.y * s.inverse_length[1]);
      x_ij.z -= s.length[2] * nearest(x_ij.z * s.inverse_length[2]);
    }
    r2 = x_ij.x * x_ij.x + g.smallest_r2 + x_ij.y * x_ij.y + x_ij.z * x_ij.z;
    if constexpr (Mode::gradients) {
      square_roots(r2, r, inverse_r);
    } else {
      r = square_root(r2);
    }
  }

  /// Value of a field for each i.
  FONDUE_INLINE F i(Field field) const { return FONDUE_ISA::load<L>(field.values + own.first * field.stride); }
  FONDUE_INLINE F pressure_term_i() const { return own.pressure_term; }
  FONDUE_INLINE F density_i() const { return own.density; }

 protected:
  FONDUE_INLINE KernelLanes<F> kernel_i() const { return {own.kernel.R, own.kernel.inverse_R, own.kernel.scale}; }
};

/// i and another particle j. For particles of two sizes the kernel is the mean of both (L09 3.20).
template <class F, class L, class Mode>
struct Pair : PairGeometry<F, L, Mode> {
  Neighbours<F> neighbours;
  /// sqrt(w_i w_j), of a behaviour that is fading in or out.
  F weight = 1.0f;
  /// W'(r)/r, computed once for all formulas.
  F slope = 0.0f;

  FONDUE_INLINE Pair(const PairSpace& s, const GroupLanes<L>& g, Neighbours<F> n)
      : PairGeometry<F, L, Mode>(s, g, n.each([&](Index j) { return s.records[j].x; }),
                                 n.each([&](Index j) { return s.records[j].y; }),
                                 n.each([&](Index j) { return s.records[j].z; })),
        neighbours(n) {
    if constexpr (!Mode::gradients) return;
    slope = this->kernel_i().slope_over_r(shape(), s.dimension, this->r, this->inverse_r);
    if constexpr (Mode::one_kernel) return;
    slope = 0.5f * (slope + kernel_j().slope_over_r(shape(), s.dimension, this->r, this->inverse_r));
  }

  FONDUE_INLINE F j(Field field) const {
    if constexpr (Mode::one_material)
      return this->i(field);
    else
      return neighbours.each([&](Index slot) { return field.values[slot * field.stride]; });
  }
  FONDUE_INLINE F pressure_term_j() const {
    return neighbours.each([&](Index j) { return this->space.records[j].pressure_term; });
  }
  FONDUE_INLINE F density_j() const {
    return neighbours.each([&](Index j) { return this->space.records[j].density; });
  }
  FONDUE_INLINE LaneVector<F> v_ij() const {
    const Record* records = this->space.records;
    const LaneVector<L>& v = this->own.v;
    return {v.x - neighbours.each([&](Index j) { return records[j].vx; }),
            v.y - neighbours.each([&](Index j) { return records[j].vy; }),
            v.z - neighbours.each([&](Index j) { return records[j].vz; })};
  }
  FONDUE_INLINE F mean_R() const {
    if constexpr (Mode::one_kernel)
      return this->own.kernel.R;
    else
      return 0.5f * (this->own.kernel.R + j(this->space.support));
  }

  FONDUE_INLINE F W() const { return W_times(1.0f); }
  /// factor W; cheaper than the product if the factor is a property of j.
  FONDUE_INLINE F W_times(F factor) const {
    const int d = this->space.dimension;
    if constexpr (Mode::one_kernel) return this->kernel_i().W_times(scaled(factor), shape(), d, this->r, this->r2);
    const F half = 0.5f * weight * factor;
    return this->kernel_i().W_times(half, shape(), d, this->r, this->r2) +
           kernel_j().W_times(half, shape(), d, this->r, this->r2);
  }
  /// grad W = gradW_factor x_ij.
  FONDUE_INLINE F gradW_factor() const {
    if constexpr (Mode::one_material) return slope;
    return weight * slope;
  }
  /// Where i is within reach of j, or j of it.
  FONDUE_INLINE auto touches() const {
    F reach = this->own.kernel.R;
    if constexpr (!Mode::one_kernel) reach = max(reach, j(this->space.support));
    return this->r2 < reach * reach;
  }

 private:
  FONDUE_INLINE KernelShape shape() const { return Mode::shape(this->space); }
  FONDUE_INLINE F scaled(F factor) const {
    if constexpr (Mode::one_material) return factor;
    return weight * factor;
  }
  FONDUE_INLINE KernelLanes<F> kernel_j() const {
    return {j(this->space.support), j(this->space.inverse_support), j(this->space.kernel_scale)};
  }
};

/// i and a boundary particle. The kernel is that of i.
template <class L, class Mode>
struct Wall : PairGeometry<L, L, Mode> {
  const WallRecord& wall;
  /// w_i, of a behaviour that is fading in or out.
  L weight = 1.0f;

  FONDUE_INLINE Wall(const PairSpace& s, const GroupLanes<L>& g, Index b)
      : PairGeometry<L, L, Mode>(s, g, s.walls[b].x, s.walls[b].y, s.walls[b].z), wall(s.walls[b]) {}

  FONDUE_INLINE L volume() const {
    const L factor = this->i(layer().volume);
    if (wall.volume < 0) return factor * select(0 < dot(this->x_ij, normal()), L(-wall.volume), L(0.0f));
    return factor * wall.volume;
  }
  FONDUE_INLINE float depth() const { return layer().depth; }
  FONDUE_INLINE L shear_scale() const { return layer().shear_scale * this->i(layer().shear); }
  FONDUE_INLINE L heat_scale() const { return layer().heat_scale * this->i(layer().heat); }
  /// What the pull of a sticky wall is multiplied with.
  FONDUE_INLINE L pull_factor() const { return this->i(layer().pull); }
  FONDUE_INLINE L grip() const { return wall.grip; }
  FONDUE_INLINE LaneVector<L> v_ij() const {
    const LaneVector<L>& v = this->own.v;
    return {v.x - wall.vx, v.y - wall.vy, v.z - wall.vz};
  }
  /// v_i - v_b in the frame of a solve.
  FONDUE_INLINE LaneVector<L> v_ij_in_frame() const {
    const LaneVector<L>& v = this->own.v;
    const PairSpace& s = this->space;
    return {v.x - s.wall_motion * (wall.vx - s.frame[0]), v.y - s.wall_motion * (wall.vy - s.frame[1]),
            v.z - s.wall_motion * (wall.vz - s.frame[2])};
  }
  FONDUE_INLINE LaneVector<L> normal() const { return {L(wall.nx), L(wall.ny), L(wall.nz)}; }
  FONDUE_INLINE L R() const { return this->own.kernel.R; }

  FONDUE_INLINE L W() const { return W_times(1.0f); }
  FONDUE_INLINE L W_times(L factor) const {
    return this->own.kernel.W_times(weight * factor, Mode::shape(this->space), this->space.dimension, this->r,
                                    this->r2);
  }
  FONDUE_INLINE L gradW_factor() const {
    return weight *
           this->own.kernel.slope_over_r(Mode::shape(this->space), this->space.dimension, this->r, this->inverse_r);
  }
  FONDUE_INLINE auto touches() const { return this->r2 < this->own.kernel.R * this->own.kernel.R; }

 private:
  FONDUE_INLINE const WallLayer& layer() const { return this->space.wall_layers[wall.collider]; }
};

}  // namespace fondue
