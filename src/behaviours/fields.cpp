#include "behaviours/fields.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace fondue {

namespace {
constexpr Index none = 0xffffffff;
}  // namespace

bool uniform(std::span<const float> values) {
  // As many as are compared in the time that a second thread takes to join.
  constexpr std::size_t block = 32768;
  if (!values.empty() && values.front() != values.back()) return false;
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
  object_ = object;
  readers_ = {};
  same_used_ = 0;
  by_slot_.begin(all.order.size());
  const Index kinds = std::clamp(objects, Index{1}, most_kinds);
  uniform_.assign(kinds, 1);
  if (objects >= most_kinds) uniform_.back() = 0;
  kinds_.clear();
  kinds_of_runs_.clear();
  example_.assign(kinds, kinds == 1 ? 0 : none);
  if (kinds == 1) return;
  kinds_.resize(all.order.size());
  kinds_of_runs_.resize((kinds_.size() + slots_per_run - 1) / slots_per_run);
  const auto end_of = [&](std::size_t run) { return std::min(kinds_.size(), (run + 1) * slots_per_run); };
  parallel_for(
      kinds_of_runs_.size(),
      [&](std::size_t run) {
        const std::size_t first = run * slots_per_run;
        for (std::size_t k = first; k != end_of(run); ++k)
          kinds_[k] = static_cast<std::uint8_t>(kind_of(object[all.order[k]]));
        unsigned other = 0;
        for (std::size_t k = first; k != end_of(run); ++k) other |= kinds_[k] ^ kinds_[first];
        kinds_of_runs_[run] = other == 0 ? kinds_[first] : mixed;
      },
      block / slots_per_run);
  for (std::size_t run = 0; run != kinds_of_runs_.size(); ++run)
    for (std::size_t k = run * slots_per_run;
         k != (kinds_of_runs_[run] == mixed ? end_of(run) : run * slots_per_run + 1); ++k)
      if (example_[kinds_[k]] == none) example_[kinds_[k]] = static_cast<Index>(k);
}

bool Fields::any_of(const Slots& slots, std::span<const std::uint8_t> objects) const {
  if (kinds_.empty() || slots.begin == slots.end) return true;
  for (Index run = slots.begin / slots_per_run; run <= (slots.end - 1) / slots_per_run; ++run)
    if (kinds_of_runs_[run] == mixed || objects[kinds_of_runs_[run]] != 0) return true;
  return false;
}

bool Fields::read(Index kind) const {
  if (readers_.empty() || kind + 1 == most_kinds) return true;
  return readers_[kind] != 0;
}

Field Fields::same(float value) {
  if (same_used_ == same_.size()) same_.emplace_back();
  std::array<float, SlotArrays::group_width>& values = same_[same_used_++];
  values.fill(value);
  return {values.data(), 0};
}

void Fields::no_kind_is_uniform() {
  for (Index kind = 0; kind != uniform_.size(); ++kind)
    if (read(kind)) uniform_[kind] = 0;
}

std::span<float> Fields::array(Field& field) {
  no_kind_is_uniform();
  return next_array(field);
}

std::span<float> Fields::next_array(Field& field) {
  const std::span<float> values(by_slot_.next(), slots_.order.size());
  field = {values.data(), 1};
  return values;
}

/// Kinds that read the field that is being made, and are uniform so far.
void Fields::find_asked_kinds() {
  for (Index kind = 0; kind != uniform_.size(); ++kind) asked_[kind] = uniform_[kind] && read(kind);
}

/// A kind that reads different values is not uniform.
void Fields::compare(std::span<const float> values, std::size_t begin, std::size_t end) {
  const auto differs = [&](std::size_t k) { return values[k] != expected_[kinds_.empty() ? 0 : kinds_[k]]; };
  unsigned any = 0;
  for (std::size_t k = begin; k != end; ++k) any |= differs(k) ? 1u : 0u;
  if (any == 0) return;
  for (std::size_t k = begin; k != end; ++k) {
    const std::uint8_t kind = kinds_.empty() ? 0 : kinds_[k];
    if (asked_[kind] && differs(k)) std::atomic_ref(uniform_[kind]).store(0, std::memory_order_relaxed);
  }
}

Field Fields::column(std::span<const float> values) {
  return of(!uniform(values), [&](Index i) { return values[i]; });
}

Field Fields::of_objects(std::span<const float> values) {
  // Not every object is a kind.
  if (objects_ >= most_kinds) return of(true, [&](Index i) { return values[object_[i]]; });
  if (kinds_.empty()) return same(values[0]);
  Field field;
  const std::span<float> out = next_array(field);
  parallel_blocks(out.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k != end; ++k) out[k] = values[kinds_[k]];
  });
  return field;
}

Field Fields::property(const Property<float>& property) {
  if (property.by_object().empty()) return of(property.varies(), [&](Index i) { return property(i); });
  const std::span<const float> values = property.by_object();
  Index first = none;
  for (Index kind = 0; kind != values.size(); ++kind) {
    if (!read(kind)) continue;
    if (first == none) first = kind;
    if (values[kind] != values[first]) return of_objects(values);
  }
  return same(first == none ? 0.0f : values[first]);
}

Field Fields::weight(const Property<float>& weight) {
  const Field field =
      !weight.by_object().empty() ? of_objects(weight.by_object()) : of(true, [&](Index i) { return weight(i); });
  for (Index kind = 0; kind != uniform_.size(); ++kind) {
    const Index slot = example_[kind];
    if (slot >= slots_.order.size() || !read(kind)) continue;
    const float value = field.values[slot * field.stride];
    if (value != 0 && value != 1) uniform_[kind] = 0;
  }
  return field;
}

std::size_t Fields::bytes() const { return kinds_.capacity() + kinds_of_runs_.capacity() + by_slot_.bytes(); }

}  // namespace fondue
