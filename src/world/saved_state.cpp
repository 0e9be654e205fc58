// What a world saves of itself beside its particles, and how a run continues from it.

#include <algorithm>

#include "core/error.h"
#include "world/world.h"

namespace fondue {

namespace {

/// Entries of the state: on which objects a behaviour acts, and what it saves itself.
const std::string acts_prefix = "acts.", behaviour_prefix = "behaviour.";
/// Columns that remember on which particles a behaviour acted.
const std::string memory_prefix = "acts_";

/// When mass was exchanged last, where it is.
const std::string exchange_name = "exchanged at";

/// What limits the next step, by its name.
const std::string cause_prefix = "step limited by.";

const char* cause_named(const std::string& name) {
  if (const BehaviourInfo* info = find_behaviour(name)) return info->name;
  for (const char* cause : {"acceleration", "substeps", "light body"})
    if (name == cause) return cause;
  return "largest_step";
}

}  // namespace

void World::restore(const State& state) {
  const auto number = [&](const char* name) {
    const auto found = state.find(name);
    if (found == state.end() || found->second.size() != 1)
      throw InputError(
          std::string("this state has no '") + name +
          "', which a run continues from: it was written by another version of Fondue. Pictures and "
          "exports of it still work; to simulate on, use the version that wrote it or run the scene again");
    return found->second[0];
  };
  time_ = number("time");
  limit_.seconds = static_cast<float>(number("step limit"));
  if (const auto cause = state.lower_bound(cause_prefix);
      cause != state.end() && cause->first.starts_with(cause_prefix)) {
    limit_.cause = cause_named(cause->first.substr(cause_prefix.size()));
    if (!cause->second.empty()) limit_.object = static_cast<Index>(cause->second[0]);
  }
  last_step_ = number("last step");
  steps_ = static_cast<std::uint64_t>(number("steps"));
  evaluations_ = static_cast<std::uint64_t>(number("evaluations"));
  interval_begin_ = number("interval begin");
  interval_end_ = number("interval end");
  tick_ = static_cast<std::uint64_t>(number("tick"));
  const auto exchanged = state.find(exchange_name);
  exchanged_at_ = exchanged == state.end() || exchanged->second.empty() ? time_ : exchanged->second[0];
  emitters_->restore(state);
  bodies_->move_to(time_);
  bodies_->restore(state);
  pins_->restore(state);
  sleep_.restore(state);
  solve_.restore(state);
  restore_behaviours(state);
}

/// On which objects each behaviour acted when the state was saved. What a changed scene lets enter or leave since then
/// is made up for: particles of objects that a behaviour acts on now and did not then, or the other way round.
void World::restore_behaviours(const State& state) {
  const auto object = particles_[columns::object];
  const auto acted_on = [&](const std::string& key, Index o) {
    const auto found = state.find(key);
    return found != state.end() && o < found->second.size() && found->second[o] != 0;
  };
  for (Active& active : behaviours_) {
    active.properties.update(time_, particles_);
    const std::string key = acts_prefix + active.memory_name;
    std::vector<Index> entered, left;
    for (Index i = 0; i != particles_.size(); ++i) {
      const bool acted = acted_on(key, object[i]);
      const bool acts = active.properties.weight()(i) > 0;
      if (active.remembers) {
        if (active.memory_is_new) memory_of(active)[i] = acted;
      } else if (acts != acted) {
        (acts ? entered : left).push_back(i);
      }
    }
    if (const auto own = state.find(behaviour_prefix + active.memory_name); own != state.end())
      active.behaviour->restore(own->second);
    if (!entered.empty()) active.behaviour->entered(particles_, active.properties, entered);
    if (!left.empty()) active.behaviour->left(particles_, left);
  }
  // Behaviours that the scene no longer has at all.
  for (const RegisteredBehaviour& entry : behaviour_registry()) {
    const std::string key = acts_prefix + std::string(entry.info->name);
    if (std::ranges::any_of(behaviours_, [&](const Active& active) { return &active.behaviour->info() == entry.info; }))
      continue;
    std::vector<Index> left;
    for (Index i = 0; i != particles_.size(); ++i)
      if (acted_on(key, object[i])) left.push_back(i);
    if (left.empty()) continue;
    const std::unique_ptr<Behaviour> behaviour = entry.make();
    behaviour->require(particles_);
    behaviour->left(particles_, left);
    const std::string memory = memory_prefix + std::string(entry.info->name);
    if (particles_.has(memory)) std::ranges::fill(particles_[Column<Index>{memory.c_str(), "", ""}], 0u);
  }
  // No velocities are solved for any more: what the last solve left over is handed over now.
  if (!solves_ && particles_.has(columns::solved.name)) {
    VelocitySolve::require(particles_);
    VelocitySolve::carry_over(particles_);
  }
}

std::string World::memory_column(const Active& active) { return memory_prefix + active.memory_name; }

std::span<Index> World::memory_of(const Active& active) {
  return particles_[Column<Index>{memory_column(active).c_str(), "", ""}];
}

State World::state() const {
  State state{{"time", {time_}},
              {"step limit", {limit_.seconds}},
              {cause_prefix + limit_.cause, {static_cast<double>(limit_.object)}},
              {"last step", {last_step_}},
              {"steps", {static_cast<double>(steps_)}},
              {"evaluations", {static_cast<double>(evaluations_)}},
              {"interval begin", {interval_begin_}},
              {"interval end", {interval_end_}},
              {"tick", {static_cast<double>(tick_)}}};
  if (std::ranges::find(exchanges_, 1) != exchanges_.end()) state[exchange_name] = {exchanged_at_};
  emitters_->save(state);
  state.merge(bodies_->state());
  pins_->save(state);
  sleep_.save(state);
  solve_.save(state);
  for (const Active& active : behaviours_) {
    const auto acts = active.properties.acts_on();
    state[acts_prefix + active.memory_name] = std::vector<double>(acts.begin(), acts.end());
    if (std::vector<double> own = active.behaviour->state(); !own.empty())
      state[behaviour_prefix + active.memory_name] = std::move(own);
  }
  return state;
}

}  // namespace fondue
