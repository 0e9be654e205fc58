#pragma once
// How pairs are visited. Before an evaluation particles are put into the order of their slots, in which neighbours lie
// close together, and what the loops over pairs read is copied there. Slots are cut into blocks; a thread finds the
// neighbours of one block, sums over them, and goes on to the next. With the plain twin (see pair_loops.h) slots are
// the order of the store and neighbours come from the plain search, so one is the test of the other.

#include <tbb/enumerable_thread_specific.h>

#include <array>
#include <span>
#include <vector>

#include "behaviours/behaviour.h"
#include "core/parallel.h"
#include "particles/neighbours.h"
#include "particles/periodicity.h"
#include "particles/slot_grid.h"
#include "world/pair_loops.h"

namespace fondue {

/// Accelerations of a block, zero at first.
class AccelerationBuffer {
 public:
  explicit AccelerationBuffer(const Block& block) : values_(3 * (block.end - block.begin), 0.0f) {
    const std::size_t n = block.end - block.begin;
    arrays = {values_.data(), values_.data() + n, values_.data() + 2 * n};
  }
  Accelerations arrays;

 private:
  std::vector<float> values_;
};

class Neighbourhood {
 public:
  /// support_ratio: support over spacing, from which the width of the columns follows.
  Neighbourhood(Kernel kernel, Periodicity periodicity, float support_ratio, const PairLoops& loops);

  /// Puts the particles, which lie in a box, into slots; due has a non-zero entry for each that is evaluated now, or is
  /// empty: all are.
  void sort(const Particles& particles, const Box& bounds, std::span<const std::uint8_t> due);
  /// To be called when boundary particles have changed. steady: by collider, non-zero where they never do. Of the
  /// others those outside of a box are left out.
  void sort_walls(const Walls& walls, std::span<const std::uint8_t> steady, const Box& reach);
  /// The store was brought into the order of the slots.
  void follow_reordering();
  /// Copies positions and velocities to the records.
  void load_records(const Particles& particles);

  Slots slots() const { return {0, static_cast<Index>(order_.size()), order_, due_}; }
  Slots slots(const Block& block) const { return {block.begin, block.end, order_, due_}; }
  std::span<Record> records() { return std::span(records_).first(order_.size()); }
  /// Including the padding that the last group may read.
  std::span<const Record> padded_records() const { return records_; }
  std::span<const WallRecord> walls() const { return wall_records_; }
  /// Those before it belong to colliders that never change.
  Index first_changing_wall() const { return walls_together_ ? 0 : steady_walls_; }
  /// Finds the slot of every particle, which bonds are looked up by.
  void find_slots();
  SlotOrder slot_order() const { return {order_.data(), slot_of_.data()}; }

  /// Starts the fields of an evaluation with those that all formulas share.
  void begin_fields(Fields& fields, SharedFields& shared, const Particles& particles, Index objects,
                    const Walls& walls);
  /// Takes over which kinds of particles are uniform and which formulas act on them.
  void set_kinds(const Fields& fields, const PairFormulas& formulas, Index objects);
  const PairSpace& pair_space() const { return space_; }

  /// Finds the neighbours of each block, gives it to first(block) in parallel, which may shorten the lists, and keeps
  /// them. The watch's first phase is the finding.
  template <class First, class Watch>
  void find(First&& first, Watch& watch) {
    parallel_for(
        blocks_.size(),
        [&](std::size_t b) {
          const auto begin = Watch::Clock::now();
          Block& scratch = scratch_.local();
          scratch.begin = blocks_[b].begin;
          scratch.end = blocks_[b].end;
          list(scratch);
          const auto middle = Watch::Clock::now();
          first(scratch);
          keep(scratch, blocks_[b]);
          watch.add(0, middle - begin);
          watch.add(1, Watch::Clock::now() - middle);
        },
        1);
  }
  std::span<const Block> blocks() const { return blocks_; }
  const PairLoops& loops() const { return loops_; }
  const Kernel& kernel() const { return kernel_; }
  const Periodicity& periodicity() const { return periodicity_; }
  std::size_t bytes() const;

 private:
  void sort_by_columns(const Particles& particles, const Box& bounds);
  void add_walls(const Walls& walls, std::span<const Index> which, CellRuns& runs);
  void find_plainly(const Particles& particles);
  void list(Block& block) const;
  void list_plainly(Block& block) const;
  static void keep(const Block& scratch, Block& block);

  Kernel kernel_;
  Periodicity periodicity_;
  float support_ratio_;
  const PairLoops& loops_;
  PeriodicAxes periodic_axes_;
  std::vector<Index> order_, slot_of_;
  std::vector<std::uint8_t> due_;
  std::vector<Record> records_;
  std::vector<WallRecord> wall_records_;
  /// By slot of a boundary particle: its number among all and its place. Those that never change come first.
  std::vector<Index> wall_order_;
  std::vector<Vec3> wall_positions_;
  Index steady_walls_ = 0;
  bool steady_walls_sorted_ = false, walls_together_ = false;
  /// Boundary particles of the others.
  std::vector<Index> unsteady_walls_;
  std::vector<WallLayer> wall_layers_;
  PairSpace space_{};
  std::vector<Block> blocks_;
  tbb::enumerable_thread_specific<Block> scratch_;

  /// Columns: one grid for each octave of supports, and one for the walls of periodic domains; cells for other walls.
  std::vector<SlotGrid> grids_;
  SlotGrid wall_grid_;
  CellRuns steady_runs_, changing_runs_;
  std::vector<GridView> views_;
  SearchSpace search_{};
  /// By kind: bits of the formulas that act on it.
  std::vector<unsigned> formulas_, formulas_within_;

  /// The plain twin: lists of particles, then walls, then images; source_ maps an image to what it is an image of.
  NeighbourList plain_list_;
  std::vector<Vec3> points_;
  std::vector<float> supports_;
  std::vector<Index> ids_, source_;
};

}  // namespace fondue
