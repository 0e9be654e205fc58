#pragma once
// Heat: conduction between particles and with colliders, cooling to the ambient at the free surface, latent heat, and
// regions that heat or cool what is in them.
//
//   rho_i c_i dT_i/dt = sum_j m_j/rho_j 4 k_i k_j/(k_i + k_j) (T_i - T_j) x_ij.grad W / (r^2 + 0.01 R^2)
//                       - h a_i (T_i - T_ambient)
//
// What i receives j gives (Brookshaw 1985; Cleary & Monaghan 1999; P06 prints a ratio that is not symmetric), for any
// two densities, conductivities and sizes: heat is conserved to round-off. All terms are multiplied by one number, so
// that an undisturbed lattice conducts exactly as k says; particles in disorder are within a few per cent of it.
//
// Colliders with a temperature have it at their surface: the particle's temperature is continued linearly through it to
// the boundary particles. The others are insulated.
//
// The area of free surface a unit of volume is a_i = |sum_j V_j grad W|, less the noise that disorder leaves inside,
// scaled so that a flat surface of a lattice has exactly its area. Edges count for less than both their sides. What is
// empty of the kernel, 1 - sum_j V_j W, would be quieter inside, but half as large where a resting surface has drawn
// together.
//
// Heat advances once a step, at its end, for all particles by the same step. With individual steps two neighbours
// exchange heat at different moments and it is conserved only approximately; so it is in the step in which one of them
// is made.
//
// Stable, and without new extremes, for dt <= rho c / (k s) with s = sum_j 2 V_j |W'|/r (R = 2 dx: 17/R^2 on a lattice,
// 24/R^2 in disorder; in two dimensions 13 and 23). A quarter of the lattice's step is taken, for disorder and walls.
// At a contrast of conductivities the k of the limit is 2 k_i k_max/(k_i + k_max).

#include "behaviours/behaviour.h"
#include "behaviours/thermal_state.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> temperature{"temperature", "K", "temperature", 293.15f, true};
inline constexpr Column<float> melted{"melted", "1", "share that has melted, where there is latent heat", 0, true};
inline constexpr Column<float> heat_remainder{"heat_remainder", "J/kg", "what temperature and melted round away", 0,
                                              true};
}  // namespace columns

struct HeatFlow : Formula {
  static constexpr Pass pass = Pass::rates;
  Field temperature, conductivity, mass;
  /// So that an undisturbed lattice conducts exactly as k says.
  float calibration = 1;
  /// By collider: temperature and 1, or 0 if it is insulated.
  const float *wall_temperature = nullptr, *wall_conducts = nullptr;
  /// Result, by slot: heat received per unit of mass [W/kg].
  float* received = nullptr;

  template <class L>
  struct Sums {
    L heat = 0.0f;
  };
  template <class P, class F, class L>
  FONDUE_INLINE void pair(const P& p, PairForce<F>&, Sums<L>& sums) const {
    const auto k_i = p.i(conductivity), k_j = p.j(conductivity);
    const auto R = p.mean_R();
    const auto below = (k_i + k_j + 1e-30f) * (p.density_i() * p.density_j()) * (p.r2 + 0.01f * R * R);
    const auto factor = (4 * calibration) * p.j(mass) * k_i * k_j * p.gradW_factor() * p.r2;
    sums.heat += folded(factor * (p.i(temperature) - p.j(temperature)) / below);
  }
  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, PairForce<L>&, Sums<L>& sums) const {
    const float conducts = wall_conducts[b.wall.collider], T = wall_temperature[b.wall.collider];
    const float depth = b.depth();
    const auto distance = max(dot(b.x_ij, b.normal()) - depth, 0.5f * depth);
    const auto continued = 1 + depth / distance;
    const auto R = b.R();
    const auto factor = (2 * calibration * b.heat_scale() * conducts) * b.volume() * b.i(conductivity) * continued;
    sums.heat += factor * (b.i(temperature) - T) * b.gradW_factor() * b.r2 / (b.density_i() * (b.r2 + 0.01f * R * R));
  }
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    FONDUE_ISA::store(received + first, sums.heat, count);
  }
};

/// |sum_j V_j grad W|, walls included [1/m].
struct ExposedArea : Formula {
  static constexpr Pass pass = Pass::gradient;
  Field volume;
  /// Result, by slot.
  float* exposed = nullptr;

  template <class L>
  struct Sums {
    LaneVector<L> normal{0.0f, 0.0f, 0.0f};
  };
  template <class P, class L>
  FONDUE_INLINE void pair(const P& p, Sums<L>& sums) const {
    const auto w = p.j(volume) * p.gradW_factor();
    add_product(sums.normal.x, w, p.x_ij.x);
    add_product(sums.normal.y, w, p.x_ij.y);
    add_product(sums.normal.z, w, p.x_ij.z);
  }
  template <class B, class L>
  FONDUE_INLINE void wall(const B& b, Sums<L>& sums) const {
    sums.normal += (b.volume() * b.gradW_factor()) * b.x_ij;
  }
  template <class L>
  FONDUE_INLINE void finish(const Sums<L>& sums, const PairSpace&, Index first, Index count) const {
    FONDUE_ISA::store(exposed + first, square_root(dot(sums.normal, sums.normal)), count);
  }
};

/// What the sums above are on an undisturbed lattice.
struct LatticeHeat {
  float calibration = 1;
  /// s R^2 of the stable step.
  float exchange = 0;
  /// Exposed area that counts as none, times R, and what the rest is multiplied with.
  float noise = 0, area_scale = 1;
};
LatticeHeat lattice_heat(const Kernel& kernel, float support_ratio);

class Heat final : public Behaviour {
 public:
  using Formulas = TypeList<ExposedArea, HeatFlow>;

  static constexpr Parameter conductivity{.name = "conductivity",
                                          .unit = "W/(m K)",
                                          .initial = 0.6,
                                          .least = 0,
                                          .keys = Parameter::Keys::attribute,
                                          .help = "wax 0.25, water 0.6, lava 1.5, iron 80"};
  static constexpr Parameter heat_capacity{.name = "heat_capacity",
                                           .unit = "J/(kg K)",
                                           .initial = 4186,
                                           .least = above_zero,
                                           .help = "heat that warms a kilogram by one kelvin"};
  static constexpr Parameter latent_heat{.name = "latent_heat",
                                         .unit = "J/kg",
                                         .initial = 0,
                                         .least = 0,
                                         .help = "heat that melts a kilogram; ice 334000, wax 200000, 0 for none"};
  static constexpr Parameter melting_point{.name = "melting_point",
                                           .unit = "K",
                                           .initial = 273.15,
                                           .least = 0,
                                           .help = "temperature that stays while latent heat is taken up or given"};
  static constexpr Parameter surface_transfer{.name = "surface_transfer",
                                              .unit = "W/(m^2 K)",
                                              .initial = 0,
                                              .least = 0,
                                              .keys = Parameter::Keys::attribute,
                                              .help = "cooling of the free surface; still air 10, wind 50, water 1000"};
  static constexpr Parameter ambient_temperature{.name = "ambient_temperature",
                                                 .unit = "K",
                                                 .initial = 293.15,
                                                 .least = 0,
                                                 .keys = Parameter::Keys::attribute,
                                                 .help = "what the free surface cools or warms to"};
  static constexpr Parameter initial_temperature{.name = "temperature",
                                                 .unit = "K",
                                                 .initial = no_default,
                                                 .least = 0,
                                                 .keys = Parameter::Keys::place,
                                                 .help = "temperature at the start; none if absent"};
  static constexpr Parameter emitted_temperature{
      .name = "temperature",
      .unit = "K",
      .initial = no_default,
      .least = 0,
      .keys = Parameter::Keys::time,
      .help = "temperature of the emitted particles; that of its object, or none, if absent"};
  /// What is inside a hot region takes its temperature, the difference falling as exp(-rate t).
  static constexpr Parameter region_temperature{.name = "temperature",
                                                .unit = "K",
                                                .initial = 293.15,
                                                .least = 0,
                                                .keys = Parameter::Keys::time,
                                                .required = true,
                                                .help = "temperature that matter in it takes"};
  static constexpr Parameter region_rate{.name = "rate",
                                         .unit = "1/s",
                                         .initial = 1,
                                         .least = 0,
                                         .keys = Parameter::Keys::time,
                                         .help = "how fast: the difference falls by a factor e in 1/rate"};
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
  void add_formulas(PairFormulas& formulas) const override;
  bool advance(const Slots& slots) override;
  void limit_steps(const Slots& slots, float* limits) const override;
  void measure(const Measured& measured, std::span<double> values) const override;

 private:
  static void check(const MatterOutline& matter, const ReportMistake& report);
  void find_walls(const Walls& walls);
  /// Watts per kelvin and kilogram that leave through the free surface.
  float surface_loss(Index slot, Index i) const;

  /// A region as it is now.
  struct HotRegion {
    Region place;
    float temperature, rate;
  };

  LatticeHeat lattice_;
  HeatFlow flow_;
  ExposedArea exposed_;
  std::vector<float> received_by_slot_, exposed_by_slot_, wall_temperature_, wall_conducts_;
  std::vector<ThermalMaterial> materials_;
  float largest_conductivity_ = 0;
  Elapsed elapsed_;
  std::vector<HotRegion> regions_;
  Property<float> k_, transfer_, ambient_, weight_;
  std::span<const Index> object_;
  std::span<const Vec3> x_;
  std::span<const float> rho_, R_, V_, m_;
  std::span<float> T_, melted_, remainder_;
};

}  // namespace fondue
