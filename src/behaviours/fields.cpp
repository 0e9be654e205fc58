#include "behaviours/fields.h"

#include <algorithm>

namespace fondue {

namespace {
/// Entries of a field that is the same for all, and beyond the last slot of others: a group is read whole.
constexpr std::size_t group_width = 8;
}  // namespace

bool uniform(std::span<const float> values) {
  constexpr std::size_t block = 4096;
  std::vector<std::uint8_t> differs((values.size() + block - 1) / block, 0);
  parallel_blocks(values.size(), block, [&](std::size_t begin, std::size_t end) {
    unsigned other = 0;
    for (std::size_t k = begin; k != end; ++k) other |= values[k] != values[0] ? 1u : 0u;
    differs[begin / block] = other != 0;
  });
  return std::ranges::find(differs, 1) == differs.end();
}

void Fields::begin(const Slots& all, std::span<const Slots> sizes) {
  slots_ = all;
  sizes_.assign(sizes.begin(), sizes.end());
  used_ = 0;
  all_the_same_ = same_within_sizes_ = true;
}

Field Fields::same(float value) {
  if (used_ == arrays_.size()) arrays_.emplace_back();
  std::vector<float>& values = arrays_[used_++];
  values.assign(group_width, value);
  return {values.data(), 0};
}

std::span<float> Fields::array(Field& field) {
  same_within_sizes_ = false;
  return next_array(field);
}

std::span<float> Fields::next_array(Field& field) {
  all_the_same_ = false;
  if (used_ == arrays_.size()) arrays_.emplace_back();
  std::vector<float>& values = arrays_[used_++];
  values.resize(slots_.order.size() + group_width, 0.0f);
  field = {values.data(), 1};
  return std::span(values).first(slots_.order.size());
}

Field Fields::column(std::span<const float> values) {
  return of(!uniform(values), [&](Index i) { return values[i]; });
}

Field Fields::property(const Property<float>& property) {
  return of(property.varies(), [&](Index i) { return property(i); });
}

std::size_t Fields::bytes() const {
  std::size_t sum = 0;
  for (const std::vector<float>& values : arrays_) sum += values.capacity() * sizeof(float);
  return sum;
}

}  // namespace fondue
