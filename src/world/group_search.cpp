// The first of the loops (pair_loops.h): cuts a block of slots into groups and lists the candidates of each, those
// within the support of the box around it. Compiled once for every instruction set like pair_loops.cpp, whose rules
// hold here too.

#include "world/pair_loops.h"

namespace fondue::FONDUE_ISA {

namespace {

/// Distances to the box around a group, which is what its candidates are tested with.
struct GroupBox {
  float centre[3], half[3];

  FONDUE_INLINE void set(int axis, float low, float high) {
    centre[axis] = 0.5f * (low + high);
    // A hair more, for the rounding of the centre.
    half[axis] = 0.5f * (high - low) + 1e-6f * (high - low + max(high, -low));
  }
};

/// Candidates in a run of points that are nearer than reach to the box; the slot of a point is first_slot further.
template <bool periodic>
FONDUE_INLINE void append_near(const SearchSpace& space, const float* const (&position)[3], Index first_slot,
                               Index begin, Index end, const GroupBox& box, float reach2, Index* to, Index& size) {
  Index count = size;
  const L limit = reach2;
  // Copies: the compiler cannot know that the list is not among what these are read from.
  const float *const x = position[0], *const y = position[1], *const z = position[2];
  const float* const coordinates[3] = {x, y, z};
  const L centre[3] = {box.centre[0], box.centre[1], box.centre[2]}, half[3] = {box.half[0], box.half[1], box.half[2]};
  for (Index k = begin; k < end; k += lane_count<L>) {
    L d2 = 0.0f;
    for (int a = 0; a != 3; ++a) {
      L d = load<L>(coordinates[a] + k) - centre[a];
      if constexpr (periodic)
        if (space.length[a] > 0) d -= space.length[a] * nearest(d / space.length[a]);
      d = max(absolute(d) - half[a], L(0.0f));
      d2 += d * d;
    }
    unsigned near = bits(d2 < limit);
    if (end - k < Index{lane_count<L>}) near &= (1u << (end - k)) - 1;
    count += append_set_bits(to + count, first_slot + k, near);
  }
  size = count;
}

/// Makes room in a list for a run of candidates.
FONDUE_INLINE void make_room(IndexBuffer& list, Index size, Index run) {
  if (size + run + 16 > list.capacity()) list.reserve(2 * (size + run + 16));
}

struct CellRange {
  std::int32_t first, count;
};

/// Cells of an axis within reach of an interval, each once.
FONDUE_INLINE CellRange cells_within(const GridAxis& axis, float low, float high) {
  const std::int32_t first = axis.cell(low);
  const std::int64_t count = std::int64_t{axis.cell(high)} - first + 1;
  return {first, count < axis.count ? static_cast<std::int32_t>(count) : axis.count};
}

/// The columns across one axis that a group may have neighbours in.
struct Columns {
  static constexpr std::int32_t most = 16;
  CellRange range;
  std::int32_t number[most];
  /// Square of the distance to the group.
  float d2[most];

  FONDUE_INLINE Columns(const GridAxis& axis, float low, float high, float reach)
      : range(cells_within(axis, low - reach, high + reach)) {
    // All of them: a number then stands for columns on both sides.
    const bool whole = range.count == axis.count;
    for (std::int32_t k = 0; k != range.count && k != most; ++k) {
      const std::int32_t cell = range.first + k;
      number[k] = axis.wrapped(cell);
      const float begin = axis.origin + static_cast<float>(cell) * axis.width;
      // A little less, for the rounding of cells far from the origin.
      const float gap = max(low - (begin + axis.width), begin - high) - 1e-3f * axis.width;
      const float distance = whole ? 0.0f : max(gap, 0.0f);
      d2[k] = distance * distance;
    }
  }
  FONDUE_INLINE std::int32_t column(const GridAxis& axis, std::int32_t k) const {
    return k < most ? number[k] : axis.wrapped(range.first + k);
  }
  FONDUE_INLINE float distance2(std::int32_t k) const { return k < most ? d2[k] : 0.0f; }
};

/// Whether all slots seen so far are of the kind of a group, which is uniform.
struct KindCheck {
  const SearchSpace& space;
  std::uint8_t own;
  bool same;
  /// Those that act on the group, and of these the ones that act between particles like it.
  Index formulas, within;

  /// A run of several kinds has the number of the kind that the last objects share, which therefore is never known.
  FONDUE_INLINE bool all_own(Index begin, Index end) const {
    bool result = own != Fields::mixed;
    for (Index run = begin / slots_per_run; run <= (end - 1) / slots_per_run; ++run)
      result = result && space.kind_of_run[run] == own;
    return result;
  }
  /// Slots, of which these are near the group. Takes out what no formula couples with the group: such neighbours add
  /// nothing. Returns the new end.
  FONDUE_INLINE Index* see(Index begin, Index end, Index* near, Index* near_end) {
    if (all_own(begin, end)) return within != 0 ? near_end : near;
    if (!space.any_uncoupled) {
      for (; same && near != near_end; ++near) same = space.kind[*near] == own;
      return near_end;
    }
    Index* kept = near;
    for (; near != near_end; ++near) {
      const std::uint8_t kind = space.kind[*near];
      const bool coupled = space.couple(formulas, within, kind);
      same = same && (kind == own || !coupled);
      *kept = *near;
      kept += coupled;
    }
    return kept;
  }
};

/// Begins with the particles of a group; also tells which formulas act on it.
FONDUE_INLINE KindCheck begin_kinds(const SearchSpace& space, Group& group) {
  const std::uint8_t own = space.kind ? space.kind[group.first] : 0;
  KindCheck check{space, own, space.uniform[own] != 0, space.formulas[own], space.formulas_within[own]};
  if (space.kind && !check.all_own(group.first, group.first + group.count))
    for (Index k = 1; k != group.count; ++k) {
      const std::uint8_t kind = space.kind[group.first + k];
      check.formulas |= space.formulas[kind];
      check.within |= space.formulas_within[kind];
      check.same = check.same && kind == own;
    }
  group.formulas = check.formulas;
  return check;
}

/// Calls add(begin, end) for the runs of points that may be within reach of a box.
template <class Add>
FONDUE_INLINE void each_run(const GridView& grid, const GroupBox& box, float reach, Add&& add) {
  const auto low = [&](int coordinate) { return box.centre[coordinate] - box.half[coordinate]; };
  const auto high = [&](int coordinate) { return box.centre[coordinate] + box.half[coordinate]; };
  const GridAxis &a = grid.across[0], &b = grid.across[1];
  const Columns columns_a(a, low(a.coordinate), high(a.coordinate), reach);
  const Columns columns_b(b, low(b.coordinate), high(b.coordinate), reach);
  const float low_c = low(grid.along), high_c = high(grid.along), reach2 = reach * reach * 1.00001f;
  for (std::int32_t nb = 0; nb != columns_b.range.count; ++nb) {
    const std::int32_t column_b = columns_b.column(b, nb);
    const float left2 = reach2 - columns_b.distance2(nb);
    for (std::int32_t na = 0; na != columns_a.range.count; ++na) {
      const float rest2 = left2 - columns_a.distance2(na);
      if (rest2 < 0) continue;
      const GridColumn& column = grid.columns[column_number(columns_a.column(a, na), column_b, b.count)];
      if (column.bins == 0) continue;
      const float rest = square_root(rest2);
      const Index* const begins = grid.bin_begin + column.first_entry;
      const Index begin = begins[column.bin(low_c - rest)], end = begins[column.bin(high_c + rest) + 1];
      add(begin, end);
      // In a periodic domain also what lies beyond its ends, and nothing twice.
      const float period = grid.domain_high - grid.domain_low;
      if (high_c + rest > grid.domain_high) {
        const Index back = begins[column.bin(high_c + rest - period) + 1];
        add(begins[0], back < begin ? back : begin);
      }
      if (low_c - rest < grid.domain_low) {
        const Index on = begins[column.bin(low_c - rest + period)];
        add(on > end ? on : end, begins[column.bins]);
      }
    }
  }
}

/// `seen` is told of the slots that are looked at and of those of them that are near, and returns the end of those that
/// it keeps: seen(begin, end, near, near_end).
template <class Seen>
FONDUE_INLINE void find_in_grid(const SearchSpace& space, const GridView& grid, const GroupBox& box, float reach,
                                IndexBuffer& list, Index& size, Seen&& seen) {
  const float reach2 = reach * reach * 1.00001f;
  each_run(grid, box, reach, [&](Index begin, Index end) {
    if (begin == end) return;
    make_room(list, size, end - begin);
    const Index before = size;
    if (space.periodic)
      append_near<true>(space, grid.position, grid.first_slot, begin, end, box, reach2, list.data(), size);
    else
      append_near<false>(space, grid.position, grid.first_slot, begin, end, box, reach2, list.data(), size);
    const Index* const kept =
        seen(grid.first_slot + begin, grid.first_slot + end, list.data() + before, list.data() + size);
    size = static_cast<Index>(kept - list.data());
  });
}

/// Calls visit(begin, end) for runs of boundary particles that may be within reach of a box, where nothing is periodic.
template <class Visit>
FONDUE_INLINE void each_wall_run(const CellRunsView& walls, const GroupBox& box, float reach, Visit&& visit) {
  float low[3], high[3];
  for (int a = 0; a != 3; ++a) {
    const float farthest = box.half[a] + 1.001f * reach;
    low[a] = box.centre[a] - farthest;
    high[a] = box.centre[a] + farthest;
  }
  walls.runs_near(low, high, visit);
}

/// Lists the boundary particles within reach of a box, where nothing is periodic.
FONDUE_INLINE void find_walls(const SearchSpace& space, const CellRunsView& walls, Index first_slot,
                              const GroupBox& box, float reach, IndexBuffer& list, Index& size) {
  const float reach2 = reach * reach * 1.00001f;
  each_wall_run(walls, box, reach, [&](Index begin, Index end) {
    make_room(list, size, end - begin);
    append_near<false>(space, walls.position, first_slot, begin, end, box, reach2, list.data(), size);
  });
}

/// What is known of all groups that begin before this slot: whether they may have neighbours of other kinds, and
/// boundary particles near them.
struct Stretch {
  Index end;
  bool other_kinds, steady_walls, changing_walls;
};

/// Looks around some consecutive slots of a grid at once, so that not each group has to.
inline Stretch look_around(const SearchSpace& space, const GridView& own, Index slot, Index end) {
  constexpr Index length = 64;
  Stretch result{slot + length, true, true, true};
  if (space.periodic) return result;
  const Index first = slot - own.first_slot;
  // The last group may begin before the end and reach beyond it.
  const Index stop =
      end - slot < length + Index{lane_count<L>} ? end - own.first_slot : first + length + Index{lane_count<L>};
  GroupBox box;
  for (int a = 0; a != 3; ++a) {
    const float* const x = own.position[a];
    float low = x[first], high = x[first];
    Index next = first;
    if (stop - first >= Index{lane_count<L>}) {
      L lows = load<L>(x + first), highs = lows;
      for (next += lane_count<L>; next + lane_count<L> <= stop; next += lane_count<L>) {
        lows = min(lows, load<L>(x + next));
        highs = max(highs, load<L>(x + next));
      }
      float lanes[2][lane_count<L>];
      store(lanes[0], lows, unsigned{lane_count<L>});
      store(lanes[1], highs, unsigned{lane_count<L>});
      for (int k = 0; k != int{lane_count<L>}; ++k) {
        low = min(low, lanes[0][k]);
        high = max(high, lanes[1][k]);
      }
    }
    for (; next < stop; ++next) {
      low = min(low, x[next]);
      high = max(high, x[next]);
    }
    box.set(a, low, high);
  }
  // The end of one strip of columns and the beginning of the next lie far apart.
  constexpr float widest = 4;
  if (2 * max(box.half[own.across[0].coordinate], box.half[own.across[1].coordinate]) > widest * own.across[0].width)
    return result;
  result.steady_walls = result.changing_walls = false;
  each_wall_run(space.steady_walls, box, own.reach, [&](Index, Index) { result.steady_walls = true; });
  each_wall_run(space.changing_walls, box, own.reach, [&](Index, Index) { result.changing_walls = true; });
  if (!space.kind) return result;
  const std::uint8_t kind = space.kind[slot];
  const KindCheck check{space, kind, true, 0, 0};
  if (space.formulas_within[kind] == 0) return result;
  bool others = !check.all_own(slot, own.first_slot + stop);
  for (int g = 0; g != space.grid_count && !others; ++g) {
    const GridView& grid = space.grids[g];
    each_run(grid, box, max(own.reach, grid.reach), [&](Index begin, Index run_end) {
      if (begin != run_end) others = others || !check.all_own(grid.first_slot + begin, grid.first_slot + run_end);
    });
  }
  result.other_kinds = others;
  return result;
}

}  // namespace

void find(const SearchSpace& space, Block& block) {
  block.reserve_groups(block.end - block.begin);
  block.group_count = 0;
  Index pairs = 0, walls = 0;
  Stretch stretch{block.begin, true, true, true};
  for (Index slot = block.begin; slot != block.end;) {
    const GridView* own = space.grids;
    while (slot - own->first_slot >= own->size) ++own;
    const float* const* position = own->position;
    const Index first = slot - own->first_slot;
    const Index stop = (block.end - own->first_slot < own->size ? block.end - own->first_slot : own->size);
    if (slot >= stretch.end || first == 0) stretch = look_around(space, *own, slot, own->first_slot + stop);
    // Consecutive slots that lie close together.
    const float longest = space.longest_group * own->across[0].width;
    float low[3], high[3];
    for (int k = 0; k != 3; ++k) low[k] = high[k] = position[k][first];
    bool due = !space.due || space.due[slot];
    Index count = 1;
    for (; count != Index{lane_count<L>} && first + count != stop; ++count) {
      float new_low[3], new_high[3];
      bool compact = true;
      for (int k = 0; k != 3; ++k) {
        const float x = position[k][first + count];
        new_low[k] = min(low[k], x);
        new_high[k] = max(high[k], x);
        compact &= new_high[k] - new_low[k] <= longest;
      }
      if (!compact) break;
      for (int k = 0; k != 3; ++k) {
        low[k] = new_low[k];
        high[k] = new_high[k];
      }
      due |= !space.due || space.due[slot + count];
    }
    GroupBox box;
    for (int k = 0; k != 3; ++k) box.set(k, low[k], high[k]);
    if (due) {
      Group& group = block.groups[block.group_count++];
      group = {slot, count, pairs, pairs, walls, walls, 0, 0};
      KindCheck kinds = begin_kinds(space, group);
      const auto all = [](Index, Index, Index*, Index* near_end) { return near_end; };
      const auto check = [&](Index begin, Index end, Index* near, Index* near_end) {
        return kinds.see(begin, end, near, near_end);
      };
      for (int g = 0; g != space.grid_count && group.formulas != 0; ++g) {
        const float reach = max(own->reach, space.grids[g].reach);
        if (stretch.other_kinds && space.kind)
          find_in_grid(space, space.grids[g], box, reach, block.pairs, pairs, check);
        else
          find_in_grid(space, space.grids[g], box, reach, block.pairs, pairs, all);
      }
      if (group.formulas != 0) {
        if (space.periodic && space.walls.size != 0)
          find_in_grid(space, space.walls, box, own->reach, block.walls, walls, all);
        if (stretch.steady_walls) find_walls(space, space.steady_walls, 0, box, own->reach, block.walls, walls);
        if (stretch.changing_walls)
          find_walls(space, space.changing_walls, space.first_changing_wall, box, own->reach, block.walls, walls);
      }
      group.uniform = kinds.same;
      group.pairs_end = pairs;
      group.walls_end = walls;
    }
    slot += count;
  }
}

}  // namespace fondue::FONDUE_ISA
