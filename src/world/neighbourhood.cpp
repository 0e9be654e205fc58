#include "world/neighbourhood.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "particles/bounds.h"

namespace fondue {

namespace {

/// Slots a thread works on at a time.
/// A group is read whole, also where it is the last and not full.
constexpr std::size_t padding = 8;
/// Supports within a factor of two share a grid; as many as there are factors between an atom and a planet.
constexpr int most_sizes = 64;
/// Longest extent of a group along its column, in column widths.
constexpr float longest_group_3d = 2, longest_group_2d = 3;
/// A column is two particles wide, and slightly more, so that a support of two spacings reaches exactly one column
/// further.
constexpr float particles_per_width = 2, slightly_more = 1.001f;
/// Cells of walls: what is near a group then lies in two or three of them along each axis.
constexpr float wall_cell_in_widths = 2;

/// Width of columns of boundary particles, which lie twice their depth apart.
float wall_width(const Walls& walls) {
  float depth = walls.layers.empty() ? 1 : infinity;
  for (const BoundaryLayer& layer : walls.layers) depth = std::min(depth, layer.depth);
  return std::max(slightly_more * particles_per_width * 2 * depth, 1e-30f);
}

}  // namespace

Neighbourhood::Neighbourhood(Kernel kernel, Periodicity periodicity, float support_ratio, const PairLoops& loops)
    : kernel_(kernel), periodicity_(periodicity), support_ratio_(support_ratio), loops_(loops) {
  space_.shape = kernel.shape();
  space_.dimension = kernel.dimension();
  space_.periodic = search_.periodic = periodicity.any();
  search_.longest_group = kernel.dimension() == 3 ? longest_group_3d : longest_group_2d;
  for (int a = 0; a != 3; ++a)
    if (periodicity.axis[a]) {
      const float length = periodicity.domain.max[a] - periodicity.domain.min[a];
      space_.length[a] = search_.length[a] = periodic_axes_.length[a] = length;
      space_.inverse_length[a] = 1 / length;
      periodic_axes_.axis[a] = true;
      periodic_axes_.low[a] = periodicity.domain.min[a];
    }
}

void Neighbourhood::sort(const Particles& particles, const Box& bounds, std::span<const std::uint8_t> due) {
  const std::size_t count = particles.size();
  if (loops_.width == 1) {
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), Index{0});
    due_.assign(due.begin(), due.end());
    find_plainly(particles);
  } else {
    sort_by_columns(particles, bounds);
    due_.resize(due.size());
    for (std::size_t k = 0; k != due.size(); ++k) due_[k] = due[order_[k]];
  }
  search_.due = due_.empty() ? nullptr : due_.data();
  blocks_.resize((count + slots_per_block - 1) / slots_per_block);
  for (std::size_t b = 0; b != blocks_.size(); ++b) {
    blocks_[b].begin = static_cast<Index>(b * slots_per_block);
    blocks_[b].end = static_cast<Index>(std::min(count, (b + 1) * slots_per_block));
  }
}

/// Particles of similar support go into a grid of columns that suits them.
void Neighbourhood::sort_by_columns(const Particles& particles, const Box& bounds) {
  const std::span<const Vec3> x = particles[columns::position];
  const std::span<const float> R = particles[columns::support];
  const std::span<const Index> id = particles[columns::id];
  const auto width = [&](float support) { return slightly_more * particles_per_width / support_ratio_ * support; };
  std::vector<std::vector<Index>> members(1);
  float smallest = R.empty() ? 1 : R[0], largest = smallest;
  if (!uniform(R)) {
    smallest = *std::ranges::min_element(R);
    const auto size_of = [&](float support) {
      return std::clamp(static_cast<int>(std::floor(std::log2(support / smallest))), 0, most_sizes - 1);
    };
    members.resize(most_sizes);
    // Neighbours in the store mostly have the same support.
    float last = smallest;
    int size = 0;
    for (Index i = 0; i != x.size(); ++i) {
      if (R[i] != last) size = size_of(last = R[i]);
      members[size].push_back(i);
    }
    std::erase_if(members, [](const auto& list) { return list.empty(); });
  }
  grids_.resize(members.size());
  views_.clear();
  order_.resize(x.size());
  Index first = 0;
  for (std::size_t g = 0; g != members.size(); ++g) {
    Box extent = bounds;
    if (members.size() > 1) {
      extent = bounds_of(members[g].size(), [&](std::size_t k) -> const Vec3& { return x[members[g][k]]; });
      smallest = infinity;
      largest = 0;
      for (const Index i : members[g]) {
        smallest = std::min(smallest, R[i]);
        largest = std::max(largest, R[i]);
      }
    }
    grids_[g].sort(x, id, members[g], extent, width(smallest), kernel_.dimension(), periodic_axes_);
    views_.push_back(grids_[g].view(first, largest));
    const auto part = grids_[g].order();
    std::memcpy(order_.data() + first, part.data(), part.size_bytes());
    first += static_cast<Index>(part.size());
  }
  search_.grids = views_.data();
  search_.grid_count = static_cast<int>(views_.size());
}

/// Appends boundary particles in the order that they are looked up in.
void Neighbourhood::add_walls(const Walls& walls, std::span<const Index> which, CellRuns& runs) {
  const std::size_t first = wall_order_.size();
  for (const Index b : which) {
    wall_order_.push_back(b);
    wall_positions_.push_back(periodicity_.wrapped(walls.position[b]));
  }
  if (loops_.width != 1 && !periodicity_.any()) {
    runs.sort(std::span(wall_positions_).subspan(first), wall_cell_in_widths * wall_width(walls));
    for (std::size_t k = 0; k != which.size(); ++k) {
      wall_order_[first + k] = which[runs.order()[k]];
      wall_positions_[first + k] = walls.position[wall_order_[first + k]];
    }
  }
  wall_records_.resize(wall_order_.size());
  parallel_for(which.size(), [&](std::size_t k) {
    const Index b = wall_order_[first + k];
    const Vec3 &x = wall_positions_[first + k], &v = walls.velocity[b], &n = walls.normal[b];
    wall_records_[first + k] = {x.x(), x.y(), x.z(), walls.volume[b],  v.x(), v.y(), v.z(), 1 - walls.slip[b],
                                n.x(), n.y(), n.z(), walls.collider[b]};
  });
}

void Neighbourhood::sort_walls(const Walls& walls, std::span<const std::uint8_t> steady, const Box& reach) {
  // In the columns of a periodic domain all are sorted together.
  walls_together_ = loops_.width != 1 && periodicity_.any();
  if (walls_together_) {
    wall_order_.clear();
    wall_positions_.clear();
    steady_walls_sorted_ = false;
  }
  if (!steady_walls_sorted_) {
    std::vector<Index> never;
    unsteady_walls_.clear();
    for (Index b = 0; b != walls.size(); ++b) (steady[walls.collider[b]] ? never : unsteady_walls_).push_back(b);
    add_walls(walls, never, steady_runs_);
    steady_walls_ = static_cast<Index>(wall_order_.size());
    steady_walls_sorted_ = true;
  }
  std::vector<Index> changing;
  for (const Index b : unsteady_walls_)
    if (reach.contains(walls.position[b])) changing.push_back(b);
  wall_order_.resize(steady_walls_);
  wall_positions_.resize(steady_walls_);
  add_walls(walls, changing, changing_runs_);
  if (walls_together_) {
    std::vector<Index> ids(wall_order_.size());
    std::iota(ids.begin(), ids.end(), Index{0});
    wall_grid_.sort(wall_positions_, ids, {}, bounds_of(wall_positions_), wall_width(walls), kernel_.dimension(),
                    periodic_axes_);
    const std::vector<WallRecord> before = wall_records_;
    for (std::size_t k = 0; k != before.size(); ++k) wall_records_[k] = before[wall_grid_.order()[k]];
    search_.walls = wall_grid_.view(0, 0);
  }
  search_.steady_walls = steady_runs_.view();
  search_.changing_walls = changing_runs_.view();
  search_.first_changing_wall = steady_walls_;
}

void Neighbourhood::follow_reordering() { std::iota(order_.begin(), order_.end(), Index{0}); }

void Neighbourhood::find_slots() {
  slot_of_.resize(order_.size());
  parallel_for(order_.size(), [&](std::size_t k) { slot_of_[order_[k]] = static_cast<Index>(k); });
}

void Neighbourhood::load_records(const Particles& particles) {
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const auto rho = particles[columns::density];
  records_.resize(order_.size() + padding);
  parallel_for(
      order_.size(),
      [&](std::size_t k) {
        const Index i = order_[k];
        records_[k] = {x[i].x(), x[i].y(), x[i].z(), 0, v[i].x(), v[i].y(), v[i].z(), rho[i]};
      },
      1024);
  std::fill(records_.end() - padding, records_.end(), Record{});
}

void Neighbourhood::begin_fields(Fields& fields, SharedFields& shared, const Particles& particles, Index objects,
                                 const Walls& walls) {
  fields.begin(slots(), particles[columns::object], objects);
  shared = {};
  shared.volume = fields.column(particles[columns::volume]);
  shared.support = fields.column(particles[columns::support]);
  shared.mass = fields.column(particles[columns::mass]);
  shared.sound_speed = fields.of(false, [](Index) { return 0.0f; });
  space_.support = shared.support;
  space_.inverse_support = fields.function_of(shared.support, [](float support) { return 1 / support; });
  space_.kernel_scale = fields.function_of(shared.support, [&](float support) {
    return kernel_.sigma() / (kernel_.dimension() == 3 ? support * support * support : support * support);
  });
  space_.records = records_.data();
  space_.walls = wall_records_.data();
  wall_layers_.clear();
  for (const BoundaryLayer& layer : walls.layers) {
    // All of it follows from the spacing.
    const auto alike = std::ranges::find(walls.layers, layer.support, &BoundaryLayer::support) - walls.layers.begin();
    if (alike < std::ssize(wall_layers_)) {
      wall_layers_.push_back(wall_layers_[alike]);
      continue;
    }
    // Particles much finer than the boundary particles find gaps between them, whatever the factors.
    const Field relative_spacing =
        fields.function_of(shared.support, [&](float support) { return std::min(layer.support / support, 1.5f); });
    const auto factor = [&](const SizeFactor& of) {
      return fields.function_of(relative_spacing, [&](float spacing) { return of(spacing); });
    };
    const Field volume =
        fields.function_of(relative_spacing, [&](float spacing) { return layer.volume_times_u(spacing) / spacing; });
    wall_layers_.push_back({layer.depth, layer.shear_scale, layer.heat_scale, volume, factor(layer.shear),
                            factor(layer.heat), factor(layer.pull)});
  }
  space_.wall_layers = wall_layers_.data();
}

void Neighbourhood::set_kinds(const Fields& fields, const PairFormulas& formulas, Index objects) {
  formulas_.assign(fields.uniform_kinds().size(), 0);
  formulas_within_.assign(formulas_.size(), 0);
  for (Index object = 0; object != objects; ++object) {
    formulas_[fields.kind_of(object)] |= formulas.acting_on(object);
    formulas_within_[fields.kind_of(object)] |= formulas.acting_within(object);
  }
  search_.kind = fields.kinds().empty() ? nullptr : fields.kinds().data();
  search_.kind_of_run = fields.kinds_of_runs().data();
  search_.uniform = fields.uniform_kinds().data();
  search_.formulas = formulas_.data();
  search_.formulas_within = formulas_within_.data();
  search_.any_uncoupled = false;
  for (std::size_t a = 0; a != formulas_.size(); ++a)
    for (unsigned b = 0; b != formulas_.size(); ++b)
      search_.any_uncoupled |= !search_.couple(formulas_[a], formulas_within_[a], b);
}

void Neighbourhood::list(Block& block) const {
  if (loops_.width == 1)
    list_plainly(block);
  else
    loops_.find(search_, block);
}

void Neighbourhood::keep(const Block& scratch, Block& block) {
  block.group_buffer.assign(scratch.group_buffer.data(), scratch.group_count * (sizeof(Group) / sizeof(Index)));
  block.reserve_groups(scratch.group_count);
  block.group_count = scratch.group_count;
  std::size_t pairs = 0, walls = 0;
  for (const Group& group : std::span(scratch.groups, scratch.group_count)) {
    pairs += group.pairs_end - group.pairs_begin;
    walls += group.walls_end - group.walls_begin;
  }
  block.pairs.make_room_for(pairs);
  block.walls.make_room_for(walls);
  // Lists were shortened in their places; here they follow each other.
  const auto move = [](const IndexBuffer& from, IndexBuffer& to, Index& begin, Index& end, Index& next) {
    const Index count = end - begin;
    if (count != 0) std::memcpy(to.data() + next, from.data() + begin, count * sizeof(Index));
    begin = next;
    end = next += count;
  };
  Index next_pair = 0, next_wall = 0;
  for (Group& group : std::span(block.groups, block.group_count)) {
    move(scratch.pairs, block.pairs, group.pairs_begin, group.pairs_end, next_pair);
    move(scratch.walls, block.walls, group.walls_begin, group.walls_end, next_wall);
  }
}

void Neighbourhood::find_plainly(const Particles& particles) {
  const std::span<const Vec3> x = particles[columns::position];
  const std::span<const float> R = particles[columns::support];
  const std::span<const Index> id = particles[columns::id];
  points_.assign(x.begin(), x.end());
  points_.insert(points_.end(), wall_positions_.begin(), wall_positions_.end());
  // Walls do not look for neighbours themselves, so their support is nothing.
  supports_.assign(R.begin(), R.end());
  supports_.resize(points_.size(), 0.0f);
  // Particles come first in a list, in the order of their ids.
  ids_.assign(id.begin(), id.end());
  for (std::size_t b = 0; b != wall_positions_.size(); ++b) ids_.push_back(particles.next_id() + static_cast<Index>(b));
  source_.clear();
  if (periodicity_.any())
    add_images(periodicity_, *std::max_element(supports_.begin(), supports_.end()),
               {points_, supports_, ids_, source_});
  std::vector<std::uint8_t> seeking(points_.size(), 0);
  for (std::size_t i = 0; i != x.size(); ++i) seeking[i] = due_.empty() || due_[i];
  find_neighbours({points_, supports_, ids_, seeking}, plain_list_);
}

void Neighbourhood::list_plainly(Block& block) const {
  const Index particles = static_cast<Index>(order_.size());
  block.reserve_groups(block.end - block.begin);
  block.group_count = 0;
  Index pairs = 0, walls = 0;
  for (Index i = block.begin; i != block.end; ++i) {
    if (!due_.empty() && !due_[i]) continue;
    Group& group = block.groups[block.group_count++];
    group = {i, 1, pairs, pairs, walls, walls, 0, search_.formulas[search_.kind ? search_.kind[i] : 0]};
    const std::span<const Index> list = plain_list_.of(i);
    block.pairs.reserve(pairs + list.size() + 1);
    block.walls.reserve(walls + list.size());
    block.pairs.data()[pairs++] = i;
    for (Index j : list) {
      if (!source_.empty()) j = source_[j];
      if (j < particles)
        block.pairs.data()[pairs++] = j;
      else
        block.walls.data()[walls++] = j - particles;
    }
    group.pairs_end = pairs;
    group.walls_end = walls;
  }
}

std::size_t Neighbourhood::bytes() const {
  std::size_t sum = (order_.capacity() + slot_of_.capacity()) * sizeof(Index) + due_.capacity() +
                    records_.capacity() * sizeof(Record) + wall_records_.capacity() * sizeof(WallRecord) +
                    wall_order_.capacity() * sizeof(Index) + wall_positions_.capacity() * sizeof(Vec3) +
                    blocks_.capacity() * sizeof(Block) + wall_grid_.bytes() + steady_runs_.bytes() +
                    changing_runs_.bytes() + plain_list_.bytes() + points_.capacity() * sizeof(Vec3) +
                    supports_.capacity() * sizeof(float) + (ids_.capacity() + source_.capacity()) * sizeof(Index);
  for (const SlotGrid& grid : grids_) sum += grid.bytes();
  const auto held = [](const Block& block) {
    return (block.pairs.capacity() + block.walls.capacity() + block.group_buffer.capacity()) * sizeof(Index);
  };
  for (const Block& block : blocks_) sum += held(block);
  for (const Block& block : scratch_) sum += held(block);
  return sum;
}

}  // namespace fondue
