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
#include "particles/slot_grid.h"
#include "world/pair_loops.h"

namespace fondue {

/// Axes along which space repeats itself.
struct Periodicity {
  std::array<bool, 3> axis = {false, false, false};
  Box domain;

  bool any() const { return axis[0] || axis[1] || axis[2]; }
  /// Shortest of the images of a difference of positions.
  Vec3 shortest(Vec3 x_ij) const;
  /// The image of a position inside the domain.
  Vec3 wrapped(Vec3 x) const;
};

/// Rates of a block, and where to find them.
class RateBuffer {
 public:
  explicit RateBuffer(const Block& block) : values_(quantities * (block.end - block.begin), 0.0f) {
    const std::size_t n = block.end - block.begin;
    float* p = values_.data();
    arrays = {p, p + n, p + 2 * n, p + 3 * n, p + 4 * n, p + 5 * n, p + 6 * n, p + 7 * n};
  }
  RateArrays arrays;

 private:
  static constexpr std::size_t quantities = 8;
  std::vector<float> values_;
};

class Neighbourhood {
 public:
  /// support_ratio: support over spacing, from which the width of the columns follows.
  Neighbourhood(Kernel kernel, Periodicity periodicity, float support_ratio, const PairLoops& loops);

  /// Puts the particles into slots; due has a non-zero entry for each that is evaluated now, or is empty: all are.
  /// Walls are sorted anew if they may have moved.
  void sort(const Particles& particles, std::span<const std::uint8_t> due);
  void sort_walls(const Walls& walls);
  /// The store was brought into the order of the slots.
  void follow_reordering();
  /// Copies positions and velocities to the records.
  void load_records(const Particles& particles);

  Slots slots() const { return {0, static_cast<Index>(order_.size()), order_, due_}; }
  Slots slots(const Block& block) const { return {block.begin, block.end, order_, due_}; }
  std::span<Record> records() { return std::span(records_).first(order_.size()); }
  std::span<const WallRecord> walls() const { return wall_records_; }

  /// What the loops read: fields are made by these.
  void begin_pairs(Fields& fields, SharedFields& shared, const Particles& particles, const Walls& walls);
  const PairSpace& pair_space() const { return space_; }
  void set_one_material(bool of_all, bool a_size) {
    space_.one_material = of_all;
    space_.one_material_a_size = a_size;
  }

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
  void sort_by_columns(const Particles& particles);
  void find_plainly(const Particles& particles);
  void add_images(float reach);
  void list(Block& block) const;
  void list_plainly(Block& block) const;
  static void keep(const Block& scratch, Block& block);

  Kernel kernel_;
  Periodicity periodicity_;
  float support_ratio_;
  const PairLoops& loops_;
  PeriodicAxes periodic_axes_;
  std::vector<Index> order_;
  std::vector<std::uint8_t> due_;
  std::vector<Record> records_;
  std::vector<WallRecord> wall_records_;
  std::vector<Vec3> wall_positions_;
  std::vector<WallLayer> wall_layers_;
  PairSpace space_{};
  std::vector<Block> blocks_;
  tbb::enumerable_thread_specific<Block> scratch_;

  /// Columns: one grid for each octave of supports, and one for the walls.
  std::vector<SlotGrid> grids_;
  SlotGrid wall_grid_;
  std::vector<GridView> views_;
  SearchSpace search_{};

  /// The plain twin: lists of particles, then walls, then images; source_ maps an image to what it is an image of.
  NeighbourList plain_list_;
  std::vector<Vec3> points_;
  std::vector<float> supports_;
  std::vector<Index> ids_, source_;
};

}  // namespace fondue
