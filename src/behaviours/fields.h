#pragma once
// Slots and the fields in their order: what stands between the particle store and the loops over pairs.

#include <array>
#include <deque>
#include <span>
#include <vector>

#include "behaviours/pair.h"
#include "behaviours/slot_arrays.h"
#include "core/parallel.h"
#include "timeline/track.h"

namespace fondue {

/// One thread works on this many slots at a time.
inline constexpr Index slots_per_block = 512;

/// A run of slots and the particles in them: a block, or all.
struct Slots {
  Index begin, end;
  /// Particle of every slot, of this run and others.
  std::span<const Index> order;
  /// Non-zero for slots evaluated now; empty: all are.
  std::span<const std::uint8_t> due_flags = {};

  Index particle(Index slot) const { return order[slot]; }
  bool due(Index slot) const { return due_flags.empty() || due_flags[slot] != 0; }
};

/// Kinds are also known for runs of this many slots, which mostly are of one kind.
inline constexpr Index slots_per_run = 32;

/// All values are equal.
bool uniform(std::span<const float> values);

/// Makes the fields of one evaluation. A quantity that is the same for every particle costs one value. Particles are of
/// one kind if they belong to one object; a kind is uniform while every field that is read for it has one value for all
/// its particles. The loops run faster in groups of particles whose neighbours are all of the same uniform kind.
class Fields {
 public:
  /// Objects beyond this many share the last kind, which is never uniform.
  static constexpr Index most_kinds = 256;
  /// What a run of slots of several kinds is called; no uniform kind has this number.
  static constexpr std::uint8_t mixed = most_kinds - 1;

  /// Starts over for these slots; object is that of each particle.
  void begin(const Slots& all, std::span<const Index> object, Index objects);
  /// Fields made from now on are read for particles of these objects only (by object, non-zero); empty: for all.
  void made_for(std::span<const std::uint8_t> objects) { readers_ = objects; }

  /// A column of the store.
  Field column(std::span<const float> values);
  /// A value for each object.
  Field of_objects(std::span<const float> values);
  /// A blended parameter. Only the objects that it is read for count.
  Field property(const Property<float>& property);
  /// value(i) for every particle i; varies says whether it depends on i.
  template <class Value>
  Field of(bool varies, Value&& value) {
    if (!varies) return same(slots_.order.empty() ? 0.0f : value(slots_.order[0]));
    Field field;
    const std::span<float> values = next_array(field);
    find_asked_kinds();
    for (Index kind = 0; kind != uniform_.size(); ++kind)
      if (example_[kind] < slots_.order.size()) expected_[kind] = value(slots_.order[example_[kind]]);
    parallel_blocks(values.size(), block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k != end; ++k) values[k] = value(slots_.order[k]);
      compare(values, begin, end);
    });
    return field;
  }
  /// value(i) for every particle i of these objects (non-zero), whose kinds are not uniform already, and
  /// of_others(object, slot) for the slots of others, which has to be the same for all of one uniform kind.
  template <class Value, class OfOthers>
  Field of_some(std::span<const std::uint8_t> objects, Value&& value, OfOthers&& of_others) {
    Field field;
    const std::span<float> values = next_array(field);
    const auto of_run = [&](std::size_t begin, std::size_t end) {
      const std::uint8_t kind = kinds_of_runs_.empty() ? mixed : kinds_of_runs_[begin / slots_per_run];
      const bool others = kind != mixed && objects[kind] == 0;
      for (std::size_t k = begin; others && k != end; ++k) values[k] = of_others(Index{kind}, k);
      for (std::size_t k = begin; !others && k != end; ++k) {
        const Index i = slots_.order[k];
        values[k] = objects[object_[i]] != 0 ? value(i) : of_others(object_[i], k);
      }
    };
    parallel_blocks(values.size(), block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t run = begin; run < end; run += slots_per_run) of_run(run, std::min(end, run + slots_per_run));
    });
    return field;
  }
  /// f of every value of another field; as uniform as that one.
  template <class F>
  Field function_of(const Field& other, F&& f) {
    if (other.stride == 0) return same(f(other.values[0]));
    Field field;
    const std::span<float> values = next_array(field);
    parallel_blocks(values.size(), block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k != end; ++k) values[k] = f(other.values[k]);
    });
    return field;
  }
  /// A weight. A kind with weights between 0 and 1 is not uniform: the loops for uniform kinds know no weights.
  Field weight(const Property<float>& weight);
  /// Kinds that read what is made now are not uniform.
  void no_kind_is_uniform();
  /// An array with an entry for each slot, to be filled later; kinds that read it are not uniform.
  std::span<float> array(Field& field);

  /// f(i) for every particle i of these objects (by object, non-zero).
  template <class F>
  void for_particles_of(std::span<const std::uint8_t> objects, F&& f) const {
    parallel_blocks(slots_.order.size(), slots_per_block, [&](std::size_t begin, std::size_t end) {
      if (!any_of({static_cast<Index>(begin), static_cast<Index>(end), slots_.order}, objects)) return;
      for (std::size_t k = begin; k != end; ++k)
        if (const Index i = slots_.order[k]; objects[object_[i]] != 0) f(i);
    });
  }

  Index particle(Index slot) const { return slots_.particle(slot); }
  /// The kind of each slot; empty if there is only one.
  std::span<const std::uint8_t> kinds() const { return kinds_; }
  /// The kind of each run of slots_per_run slots, or `mixed`; empty if there is only one kind.
  std::span<const std::uint8_t> kinds_of_runs() const { return kinds_of_runs_; }
  /// Whether some of these slots may belong to objects that are marked (by object, non-zero).
  bool any_of(const Slots& slots, std::span<const std::uint8_t> objects) const;
  /// By kind: whether it is uniform.
  std::span<const std::uint8_t> uniform_kinds() const { return uniform_; }
  Index kind_of(Index object) const { return std::min(object, most_kinds - 1); }
  std::size_t bytes() const;

 private:
  /// Slots that are worked on at a time.
  static constexpr std::size_t block = 1024;

  Field same(float value);
  std::span<float> next_array(Field& field);
  bool read(Index kind) const;
  void find_asked_kinds();
  void compare(std::span<const float> values, std::size_t begin, std::size_t end);

  Slots slots_{};
  Index objects_ = 0;
  std::span<const Index> object_;
  std::span<const std::uint8_t> readers_;
  std::vector<std::uint8_t> kinds_, kinds_of_runs_, uniform_;
  /// By kind: a slot that has it.
  std::vector<Index> example_;
  /// By kind, for the field that is being made: whether the kind is uniform no more if it differs from this value.
  std::array<std::uint8_t, most_kinds> asked_{};
  std::array<float, most_kinds> expected_{};
  /// Used again in the same order in every step; those with one value, and those with a value for every slot.
  std::deque<std::array<float, SlotArrays::group_width>> same_;
  std::size_t same_used_ = 0;
  SlotArrays by_slot_;
};

}  // namespace fondue
