#pragma once
// The loops over pairs, built for several instruction sets from one source (pair_loops.cpp) and chosen at start.
//
//   find      groups the particles of a block of slots by eights, lists the neighbours of each group, and decides which
//             formulas act on it and whether all of its neighbours are of one uniform kind (behaviours/fields.h)
//   density   formulas of Pass::density; also drops from the lists what no particle of the group touches
//   gradient  formulas of Pass::gradient
//   rates     formulas of Pass::rates
//   bonds     formulas of Pass::bonds, added to the rates (bond_loop.h)
//   apply     formulas of Pass::solve, for the velocities in the records
//   prepare   writes down the coefficients of what `apply` does, which do not depend on the velocities, and multiplies
//             the velocities in the records with them, which are not yet relative to the frame
//   multiply  the same as `apply` where walls rest, from the coefficients
//   project   products of a direction's image that decide how far to go along it (solve_passes.h)
//   advance   goes that far
//   substeps  loops over bonds in substeps (behaviours/substep_formula.h)
//
// In every pass the active formulas are composed in one loop. A block is a run of slots that one thread works on at a
// time. Nothing here allocates (but for growing lists) or starts threads.

#include <span>

#include "behaviours/behaviour.h"
#include "behaviours/registry.h"
#include "particles/cell_runs.h"
#include "particles/slot_grid.h"

namespace fondue {

/// A list of indices that grows; a plain one, so that code for several processors can share it.
class IndexBuffer {
 public:
  IndexBuffer() = default;
  IndexBuffer(IndexBuffer&& other) noexcept;
  IndexBuffer& operator=(IndexBuffer&& other) noexcept;
  ~IndexBuffer();
  /// Room for that many; what was there stays.
  void reserve(std::size_t capacity);
  /// Room for that many and not much more; what was there is lost.
  void make_room_for(std::size_t count);
  /// These entries, with no more room than they need.
  void assign(const Index* from, std::size_t count);

  FONDUE_INLINE Index* data() const { return data_; }
  FONDUE_INLINE std::size_t capacity() const { return capacity_; }

 private:
  Index* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Up to eight particles in consecutive slots, and where their neighbours are in the buffers of the block.
struct Group {
  Index first, count;
  Index pairs_begin, pairs_end;
  Index walls_begin, walls_end;
  /// It and all its neighbours are of one uniform kind (neighbours that no formula couples with it are left out).
  Index uniform;
  /// Bits of the formulas that act on some of its particles (FormulaTable::bit).
  Index formulas;
};

struct Block {
  /// Slots.
  Index begin = 0, end = 0;
  Group* groups = nullptr;
  Index group_count = 0;
  IndexBuffer group_buffer, pairs, walls;

  /// Room for that many groups.
  void reserve_groups(std::size_t count);
};

/// Where neighbours are looked for.
struct SearchSpace {
  /// Particles by size.
  const GridView* grids;
  int grid_count;
  /// Boundary particles: in a periodic domain `walls`, otherwise those that stay as they are and the others, whose
  /// slots begin at first_changing_wall.
  GridView walls;
  CellRunsView steady_walls, changing_walls;
  Index first_changing_wall;
  /// Kind of each slot; null: all are of kind 0. By kind: whether it is uniform, and bits of the formulas acting on it.
  const std::uint8_t *kind, *uniform;
  /// Kind of each run of slots_per_run slots, or Fields::mixed.
  const std::uint8_t* kind_of_run;
  /// Of these, the ones that also act between two of the kind or of others like it.
  const unsigned *formulas, *formulas_within;
  /// There are two kinds without a formula that acts between them; or a kind without one that acts within it.
  bool any_uncoupled;
  /// Whether some formula acts between two particles: one on which these act, and these of them within its kind; and
  /// one of this kind.
  FONDUE_INLINE bool couple(unsigned all, unsigned within, unsigned kind) const {
    return ((all & formulas_within[kind]) | (within & formulas[kind])) != 0;
  }
  /// Non-zero for slots whose neighbours are wanted; null: all.
  const std::uint8_t* due;
  /// Length of a periodic axis, 0 of others.
  bool periodic;
  float length[3];
  /// How long a group may be along its column, in column widths.
  float longest_group;
};

/// Forces that are linear in the velocities: a_i = sum_j c_ij (v_ij.x_ij) x_ij, and likewise for boundary particles.
struct SolveCoefficients {
  /// c of each entry of a block's lists, for all particles of its group. Of this block only, the rest is by slot.
  float* pairs;
  /// -sum c x_ij x_ij^T over boundary particles: xx, yy, zz, xy, xz, yz.
  float* walls[6];
  /// What moving boundary particles add to the acceleration.
  float* drive[3];
  /// -sum c r^2 over all, a third of it: the mean of the three diagonal elements.
  float* diagonal;
};

/// The vectors of a solve (solve.h) by slot, their components in arrays of their own.
struct SolveVectors {
  /// Zero for particles that do not take part.
  const float* mass;
  /// One over the diagonal of I - dt A.
  const float* inverse_diagonal;
  float *velocity[3], *residual[3];
  /// The next direction d and (I - dt A) d; the direction of the last search p and (I - dt A) p.
  float *direction[3], *image[3], *search[3], *search_image[3];
  /// The operator is applied to their velocities.
  Record* records;
};

/// Sums over the particles of a block, m_i/D_i times: r.w, w.w and w.q of the residual r, the image w of the direction
/// and the image q of the last search.
struct SolveProducts {
  double residual_image = 0, image_image = 0, image_search = 0;
};

/// The loops over bonds in substeps (substep_loops.cpp), for slices [begin, end): once per step the sums and then the
/// forces that stay the same in its substeps; sums over bonds, then what their forces add to the accelerations;
/// v <- v + a h; where particles are; u <- u + v h.
struct SubstepLoops {
  void (*start)(const SubstepSpace&, const SubstepFormulas&, Index begin, Index end);
  void (*start_forces)(const SubstepSpace&, const SubstepFormulas&, Index begin, Index end);
  void (*gather)(const SubstepSpace&, const SubstepFormulas&, Index begin, Index end);
  void (*forces)(const SubstepSpace&, const SubstepFormulas&, Index begin, Index end);
  void (*kick)(const SubstepSpace&, Index begin, Index end, float h);
  SubstepReach (*reach)(const SubstepSpace&, Index begin, Index end);
  void (*drift)(const SubstepSpace&, Index begin, Index end, float h);
};

struct PairLoops {
  const char* name;
  /// Particles per group.
  int width;
  void (*find)(const SearchSpace&, Block&);
  void (*density)(const PairSpace&, const PairFormulas&, Block&);
  void (*gradient)(const PairSpace&, const PairFormulas&, const Block&);
  void (*rates)(const PairSpace&, const PairFormulas&, const Block&, const Accelerations&);
  void (*bonds)(const PairSpace&, const SlotOrder&, const PairFormulas&, const Block&, const Accelerations&);
  void (*apply)(const PairSpace&, const PairFormulas&, const Block&, const Accelerations&);
  void (*prepare)(const PairSpace&, const PairFormulas&, const Block&, const SolveCoefficients&, const Accelerations&);
  void (*multiply)(const PairSpace&, const Block&, const SolveCoefficients&, const Accelerations&);
  SolveProducts (*project)(const Block&, const SolveVectors&, float dt);
  double (*advance)(const Block&, const SolveVectors&, float along, float conjugation);
  const SubstepLoops* substeps;
};

namespace FONDUE_ISA {
/// The particles of a group side by side; in the plain twin a group is one particle.
#if defined(FONDUE_LANES) && FONDUE_LANES == 1
using L = float;
#else
using L = Lanes;
#endif

/// The search (group_search.cpp), and the loops over bonds in substeps.
void find(const SearchSpace& space, Block& block);
extern const SubstepLoops substep_loops;
}  // namespace FONDUE_ISA

/// The loops of the plain twin: one particle at a time, in the order of the store.
const PairLoops& plain_twin();
/// The fastest this processor can run, or what the environment's FONDUE_SIMD names: v4, v3, plain (any processor), or
/// one (the plain twin). InputError for another word or what the processor lacks.
const PairLoops& chosen_pair_loops();
/// Every build this processor can run, the fastest first.
std::span<const PairLoops* const> available_pair_loops();

}  // namespace fondue
