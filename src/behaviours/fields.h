#pragma once
// Slots and the fields in their order: what stands between the particle store and the loops over pairs.

#include <deque>
#include <span>
#include <vector>

#include "behaviours/pair.h"
#include "timeline/track.h"

namespace fondue {

/// A run of slots and the particles in them.
struct Slots {
  Index begin, end;
  /// Particle of every slot, of this run and others.
  std::span<const Index> order;
  /// Non-zero for slots evaluated now; empty: all are.
  std::span<const std::uint8_t> due_flags = {};

  Index particle(Index slot) const { return order[slot]; }
  bool due(Index slot) const { return due_flags.empty() || due_flags[slot] != 0; }
};

/// All values are equal.
bool uniform(std::span<const float> values);

/// Makes the fields of one evaluation. A quantity that is the same for every particle costs one value; the loops run
/// faster when all are.
class Fields {
 public:
  /// Starts over for these slots; sizes are the runs of them in which particles have about one support.
  void begin(const Slots& all, std::span<const Slots> sizes);

  /// A column of the store.
  Field column(std::span<const float> values);
  /// A blended parameter.
  Field property(const Property<float>& property);
  /// value(i) for every particle i; varies says whether it depends on i.
  template <class Value>
  Field of(bool varies, Value&& value);
  /// A weight; never taken for the same for all, since the loops for one material know no weights.
  template <class Value>
  Field weight(Value&& value) {
    const Field field = of(true, value);
    same_within_sizes_ = false;
    return field;
  }
  /// An array with an entry for each slot, to be filled later; never the same for all.
  std::span<float> array(Field& field);

  bool all_the_same() const { return all_the_same_; }
  /// Every field is the same for all particles of one size.
  bool same_within_sizes() const { return same_within_sizes_; }
  std::size_t bytes() const;

 private:
  Field same(float value);

  std::span<float> next_array(Field& field);

  Slots slots_{};
  std::vector<Slots> sizes_;
  bool all_the_same_ = true, same_within_sizes_ = true;
  /// Kept from step to step, used anew in the same order.
  std::deque<std::vector<float>> arrays_;
  std::size_t used_ = 0;
};

}  // namespace fondue

#include "core/parallel.h"

namespace fondue {

template <class Value>
Field Fields::of(bool varies, Value&& value) {
  if (!varies) return same(slots_.order.empty() ? 0.0f : value(slots_.order[0]));
  Field field;
  const std::span<float> values = next_array(field);
  parallel_for(slots_.order.size(), [&](std::size_t k) { values[k] = value(slots_.order[k]); });
  for (const Slots& size : sizes_)
    same_within_sizes_ = same_within_sizes_ && uniform(values.subspan(size.begin, size.end - size.begin));
  return field;
}

}  // namespace fondue
