#pragma once
// Substeps: matter whose forces along bonds are faster than the step (behaviours/substep_formula.h) is advanced through
// a step in n substeps of h = dt/n, while all other forces are held: a is their sum, from the last evaluation.
//
//   x <- x + v h/2;   n times: v <- v + (a + f(x, v)) h,  x <- x + v h   (the last time h/2)
//
// Then the world evaluates the other forces, and the kick corrects v by (a' - a) dt/2 as for all particles
// (integrator.h): multiple time stepping (Tuckerman, Berne & Martyna 1992) that is the plain leapfrog for n = 1 and f =
// 0. Momentum is exact. n is the smallest number that makes h stable, for each object by itself: objects have no bonds
// with each other. So a soft body takes one evaluation of its forces per step, and a stiff one as many as it needs.
//
// Forces that depend on velocities (drag, viscosity) are held too, at a moment of an oscillation that may be faster
// than the step, and then drive it instead of damping it. Bond damping wins as long as the coefficient of drag stays
// below 4 damping (dx/c)/dt^2. So a step has at most 8 substeps, or as many as keep that at 20/s for a damping of 0.1:
// dt <= max(8 h, sqrt(0.02 s h)). Stiff matter may take many more than 8, because its oscillations die sooner.
//
// Where there are sheets, all such matter takes the same substeps, and with it whatever may touch a sheet: its
// companions, which move by the forces that are held. world/sheet_contacts.h keeps them apart.
//
// In every substep matter is stopped by bodies half a spacing before its centres reach them, where the surface of what
// it is made of is, and guarded against passing through them (bodies/guard.h). Pinned particles follow their pins.
//
// Where an object would take very many substeps, an implicit step may take their place (world/stiff_step.h).
//
// Rigid bodies are pushed in every substep (bodies/rigid_bodies.h) by the objects that may meet one in the step; these
// take the same substeps, shorter ones if a body is light for the matter that it touches.
//
// What positions lose by rounding is kept in the column `position_rest`: in substeps of a microsecond a particle moves
// by less than the last digit of its position.

#include "bodies/bodies.h"
#include "core/parallel.h"
#include "particles/bond_slices.h"
#include "world/integrator.h"
#include "world/pins.h"
#include "world/sheet_contacts.h"
#include "world/sheet_triangles.h"

namespace fondue {

namespace columns {
inline constexpr Column<Vec3> position_rest{"position_rest", "m", "what rounding took from the position", 0, true,
                                            MergeRule::keep};
}

/// What is this small takes less time than sharing it with another thread; forces of sheets are lighter than others.
inline constexpr Index few_slices = 64, few_slices_of_sheets = 256;

/// Calls body(first slice, end) for all slices of some parts: on one thread if they are few, otherwise some at a time.
template <class Body>
void for_slices(std::span<const SliceOrder::Part> parts, Body&& body, Index few = few_slices) {
  constexpr Index together = 32;
  Index slices = 0;
  for (const SliceOrder::Part& part : parts) slices += part.end - part.begin;
  if (slices <= few) {
    for (const SliceOrder::Part& part : parts) body(part.begin, part.end);
    return;
  }
  std::vector<SliceOrder::Part> runs;
  for (SliceOrder::Part run : parts)
    for (const Index end = run.end; run.begin < end; run.begin += together) {
      run.end = std::min(end, run.begin + together);
      runs.push_back(run);
    }
  parallel_chunks(runs.size(), [&](std::size_t k) { body(runs[k].begin, runs[k].end); });
}

class Substeps {
 public:
  /// A behaviour with forces in substeps.
  struct Actor {
    Behaviour* behaviour;
    const Properties* properties;
  };
  struct Setting {
    const SubstepLoops& loops;
    Confinement confinement;
    RigidBodies& rigid;
    const Pins& pins;
    float support_ratio, step_factor;
    /// By object: Coulomb's coefficient of its surface (BehaviourInfo::surface_friction).
    std::vector<float> friction;
    /// Triangles of sheets, up to date, and what is near them; null: none.
    SheetTriangles* sheets = nullptr;
    const SheetTriangles::Near* near_sheets = nullptr;
  };

  static void require(Particles& particles) { particles.require(columns::position_rest); }

  /// Advances all particles that actors act on from one time to another; false if one of them runs away.
  bool advance(Particles& particles, std::span<const Actor> actors, const Setting& setting, double from, double to);
  /// By particle: non-zero for those that the last advance() moved; empty: none.
  std::span<const std::uint8_t> moved() const { return moved_; }
  /// By pin: the impulse that matter gave it in the last advance() by forces in substeps and contact [N s].
  std::span<const Vec3d> pin_impulses() const { return pin_impulses_; }
  /// The largest number of substeps of an object in the last advance().
  Index most() const { return most_; }
  /// The largest number of iterations of an object in the last advance(); zero: none took an implicit step.
  Index most_iterations() const { return most_iterations_; }

  /// How many particles have passed a sheet in the last advance(): none, if sheet_contacts.h keeps its promise.
  Index leaks() const { return contacts_.leaks(); }

  /// What substeps allow the next step to be, and the object that this is due to.
  struct Limit {
    float seconds = infinity;
    Index object = 0;
  };
  /// As of the last advance() or find_limit().
  const Limit& limit() const { return limit_; }
  /// Objects that ask for implicit steps whatever these cost, of the last time that steps were limited.
  std::vector<Index> always_implicit() const {
    std::vector<Index> objects;
    for (Index o = 0; o != schemes_.size(); ++o)
      if (schemes_[o] == SubstepScheme::implicit_) objects.push_back(o);
    return objects;
  }
  /// Before the first advance().
  void find_limit(const Particles& particles, std::span<const Actor> actors, const Setting& setting);

  /// Accelerations of all particles by forces in substeps, at their present positions and velocities.
  std::vector<Vec3> accelerations(const Particles& particles, std::span<const Actor> actors, const Setting& setting);
  /// Has formulas find the energies of all particles at their present positions.
  void find_energies(const Particles& particles, std::span<const Actor> actors, const Setting& setting);

 private:
  static constexpr Index none = SliceOrder::none, width = SliceOrder::width;

  /// Lays out particles and bonds, binds the formulas, loads what they read.
  void prepare(const Particles& particles, std::span<const Actor> actors, const Setting& setting);
  void load(const Particles& particles, const Setting& setting);
  void load_places(const Particles& particles, const Setting& setting);
  void bind_space(const Setting& setting);
  void take_limits(const Setting& setting);
  /// What formulas need to know once per step, unless it is known.
  void start(const Setting& setting);
  /// Sums over bonds, before accelerations are known.
  void gather(const Setting& setting, std::span<const SliceOrder::Part> parts);
  /// Accelerations of some slices by formulas, into f_.
  void accelerate(const Setting& setting, Index begin, Index end);
  struct Mover;
  /// Moves particles of these parts, and companions; if `kicked` is not zero, after their velocities have been changed
  /// by accelerations over so many seconds.
  void drift(const Mover& mover, std::span<const SliceOrder::Part> parts, float kicked);
  void kick(const Setting& setting, std::span<const SliceOrder::Part> parts, float h);
  void give_to_pins(const Particles& particles, std::span<const SliceOrder::Part> parts, float h);
  /// What contact with sheets has changed, for formulas.
  void take_from_contacts();
  /// Parts that may meet a rigid body whose motion is solved for.
  std::vector<SliceOrder::Part> near_rigid_bodies(const Setting& setting, double from, double to) const;
  Index substeps_of(const Setting& setting, std::span<const SliceOrder::Part> parts, double seconds,
                    bool with_bodies) const;
  /// Takes parts through a step; false if something moves farther than contact with sheets allows for.
  bool advance_parts(Particles& particles, const Setting& setting, std::span<const SliceOrder::Part> parts, double from,
                     double to, bool with_bodies);
  /// Takes a part through a step implicitly; false, and nothing has changed, if substeps are better.
  bool advance_stiff(Particles& particles, const Setting& setting, const SliceOrder::Part& part, double from, double to,
                     Index& iterations);
  void find_pieces();
  void advance_apart(Particles& particles, const Setting& setting, double from, double to);
  void advance_with_sheets(Particles& particles, const Setting& setting, double from, double to);
  void find_companions(Particles& particles, const Setting& setting, double from, double to, double room);
  /// A particle of a sheet touches these bodies now.
  void touch(Index place, const std::vector<Touch>& touches);
  void press_on_sheets(const Particles& particles, const Setting& setting, double drift, Index number);
  bool keep_apart(const Setting& setting, double from, double to, double left);
  SheetContacts::Places moving() { return {records_, {{v_[0], v_[1], v_[2]}, mobility_}}; }
  void give_to_pin(const Particles& particles, Index place, const Vec3d& impulse);
  Index places() const { return order_.places() + static_cast<Index>(companions_.size()); }
  Index particle_in(Index place) const {
    return place < order_.places() ? order_.particle[place] : companions_[place - order_.places()];
  }
  bool store(Particles& particles, const Setting& setting, float dt);

  SliceOrder order_;
  std::vector<BondSlices> slices_;
  /// Of the bonds that these were made from.
  std::vector<std::uint64_t> revisions_;
  SubstepFormulas formulas_;
  SubstepSpace space_{};
  std::vector<SubstepRecord> records_;
  /// By place, as in SubstepSpace; f is the acceleration by formulas.
  std::vector<float> x_[3], u_[3], v_[3], f_[3], held_[3], additional_[3], inverse_mass_;
  /// By place: 1/m, zero for what a pin holds.
  std::vector<float> mobility_;
  /// By object: the longest stable substep, and how it is advanced.
  std::vector<float> longest_;
  std::vector<SubstepScheme> schemes_;
  /// By place: which of the pieces of its object that no bond connects, numbered from zero; empty: not known.
  std::vector<Index> pieces_;
  /// By slice: has a particle that a pin holds; clearances of its particles may be known; their largest support.
  std::vector<std::uint8_t> pinned_, clearance_known_;
  std::vector<float> largest_support_;
  /// What formulas find once per step is that of the present positions.
  bool started_ = false;
  /// Particles in the places after those of bonds.
  std::vector<Index> companions_;
  SheetContacts contacts_;
  /// Particles of sheets in the order of their ids, by place; and by place, what touches bodies.
  std::vector<Index> sheet_places_;
  std::vector<std::vector<Touch>> touches_;
  /// Substeps between two comparisons of sheets with what is near them.
  Index between_comparisons_ = 1;
  std::vector<Vec3d> pin_impulses_;
  std::vector<std::uint8_t> moved_;
  Index most_ = 0, most_iterations_ = 0;
  Limit limit_;
};

}  // namespace fondue
