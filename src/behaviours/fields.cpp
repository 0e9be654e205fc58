#include "behaviours/fields.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace fondue {

namespace {
/// Entries of a field that is the same for all, and beyond the last slot of others: a group is read whole.
constexpr std::size_t group_width = 8;
constexpr std::size_t block = 4096;
constexpr Index none = 0xffffffff;
}  // namespace

bool uniform(std::span<const float> values) {
  std::vector<std::uint8_t> differs((values.size() + block - 1) / block, 0);
  parallel_blocks(values.size(), block, [&](std::size_t begin, std::size_t end) {
    unsigned other = 0;
    for (std::size_t k = begin; k != end; ++k) other |= values[k] != values[0] ? 1u : 0u;
    differs[begin / block] = other != 0;
  });
  return std::ranges::find(differs, 1) == differs.end();
}

void Fields::begin(const Slots& all, std::span<const Index> object, Index objects) {
  slots_ = all;
  objects_ = objects;
  readers_ = {};
  used_ = 0;
  const Index kinds = std::clamp(objects, Index{1}, most_kinds);
  uniform_.assign(kinds, 1);
  if (objects >= most_kinds) uniform_.back() = 0;
  kinds_.clear();
  kind_changes_.clear();
  if (kinds == 1) return;
  kinds_.resize(all.order.size());
  parallel_for(kinds_.size(),
               [&](std::size_t k) { kinds_[k] = static_cast<std::uint8_t>(kind_of(object[all.order[k]])); });
  example_.assign(kinds, none);
  for (Index k = 0; k != kinds_.size(); ++k)
    if (example_[kinds_[k]] == none) example_[kinds_[k]] = k;
  count_kind_changes();
}

/// A running sum: within blocks first, then with what the blocks before have counted.
void Fields::count_kind_changes() {
  kind_changes_.resize(kinds_.size());
  std::vector<Index> before((kinds_.size() + block - 1) / block + 1, 0);
  parallel_blocks(kinds_.size(), block, [&](std::size_t begin, std::size_t end) {
    Index count = 0;
    for (std::size_t k = begin; k != end; ++k) {
      count += k != 0 && kinds_[k] != kinds_[k - 1];
      kind_changes_[k] = count;
    }
    before[begin / block + 1] = count;
  });
  for (std::size_t b = 1; b != before.size(); ++b) before[b] += before[b - 1];
  parallel_blocks(kinds_.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k != end; ++k) kind_changes_[k] += before[begin / block];
  });
}

bool Fields::read(Index kind) const {
  if (readers_.empty() || kind + 1 == most_kinds) return true;
  return readers_[kind] != 0;
}

Field Fields::same(float value) {
  if (used_ == arrays_.size()) arrays_.emplace_back();
  std::vector<float>& values = arrays_[used_++];
  values.assign(group_width, value);
  return {values.data(), 0};
}

std::span<float> Fields::array(Field& field) {
  for (Index kind = 0; kind != uniform_.size(); ++kind)
    if (read(kind)) uniform_[kind] = 0;
  return next_array(field);
}

std::span<float> Fields::next_array(Field& field) {
  if (used_ == arrays_.size()) arrays_.emplace_back();
  std::vector<float>& values = arrays_[used_++];
  values.resize(slots_.order.size() + group_width, 0.0f);
  field = {values.data(), 1};
  return std::span(values).first(slots_.order.size());
}

/// A kind that reads different values is not uniform.
void Fields::find_uniform(std::span<const float> values) {
  std::vector<std::uint8_t> asked(uniform_.size());
  for (Index kind = 0; kind != uniform_.size(); ++kind) asked[kind] = uniform_[kind] && read(kind);
  if (std::ranges::find(asked, 1) == asked.end()) return;
  if (kinds_.empty()) {
    uniform_[0] = uniform(values);
    return;
  }
  std::array<float, most_kinds> expected{};
  for (Index kind = 0; kind != uniform_.size(); ++kind)
    if (example_[kind] != none) expected[kind] = values[example_[kind]];
  parallel_blocks(values.size(), block, [&](std::size_t begin, std::size_t end) {
    std::array<std::uint8_t, most_kinds> differs{};
    for (std::size_t k = begin; k != end; ++k) differs[kinds_[k]] |= values[k] != expected[kinds_[k]];
    for (Index kind = 0; kind != uniform_.size(); ++kind)
      if (differs[kind] && asked[kind]) std::atomic_ref(uniform_[kind]).store(0, std::memory_order_relaxed);
  });
}

Field Fields::column(std::span<const float> values) {
  return of(!uniform(values), [&](Index i) { return values[i]; });
}

Field Fields::property(const Property<float>& property) {
  return of(property.varies(), [&](Index i) { return property(i); });
}

Field Fields::weight(const Property<float>& weight) {
  const Field field = of(true, [&](Index i) { return weight(i); });
  for (Index kind = 0; kind != uniform_.size(); ++kind) {
    const Index slot = kinds_.empty() ? 0 : example_[kind];
    if (slot >= slots_.order.size() || !read(kind)) continue;
    if (field.values[slot] != 0 && field.values[slot] != 1) uniform_[kind] = 0;
  }
  return field;
}

std::size_t Fields::bytes() const {
  std::size_t sum = kinds_.capacity() + kind_changes_.capacity() * sizeof(Index);
  for (const std::vector<float>& values : arrays_) sum += values.capacity() * sizeof(float);
  return sum;
}

}  // namespace fondue
