#include "behaviours/registry.h"

#include <fmt/format.h>

#include <algorithm>

namespace fondue {

namespace {
template <class... B>
std::span<const RegisteredBehaviour> entries(TypeList<B...>) {
  static const RegisteredBehaviour all[] = {
      {&B::description, []() -> std::unique_ptr<Behaviour> { return std::make_unique<B>(); }}...};
  return all;
}

bool contains(std::span<const std::string_view> list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}
}  // namespace

std::span<const std::string_view> every_particles_columns() {
  static constexpr std::string_view names[] = {
      columns::position.name, columns::velocity.name, columns::acceleration.name,
      columns::id.name,       columns::object.name,   columns::volume.name,
      columns::support.name,  columns::mass.name,     columns::density.name};
  return names;
}

std::span<const RegisteredBehaviour> behaviour_registry() { return entries(RegisteredBehaviours{}); }

const BehaviourInfo* find_behaviour(std::string_view name) {
  for (const RegisteredBehaviour& registered : behaviour_registry())
    if (name == registered.info->name) return registered.info;
  return nullptr;
}

Vec3 common_acceleration(std::span<const Track> tracks, double time, int dimension) {
  Vec3 sum = Vec3::Zero();
  for (const Track& track : tracks) {
    const BehaviourInfo* info = find_behaviour(track.behaviour);
    if (!info || !info->common_acceleration) continue;
    const float weight = track.weight.over_attribute() ? 1.0f : track.weight.at(time);
    sum += weight * upright(track.values.vector(*info->common_acceleration).at(time), dimension);
  }
  return sum;
}

std::vector<Track> tracks_of(std::span<const Track> all, const BehaviourInfo& behaviour) {
  std::vector<Track> own, brought;
  for (const Track& track : all) {
    const BehaviourInfo* by = find_behaviour(track.behaviour);
    if (track.behaviour == behaviour.name) own.push_back(track);
    if (by && by->brings && std::string_view(by->brings) == behaviour.name)
      brought.push_back({behaviour.name, track.weight, {}});
  }
  return own.empty() ? brought : own;
}

std::string unmet_need(std::span<const Track> tracks) {
  const auto writes = [](const BehaviourInfo& info, std::string_view column) { return contains(info.writes, column); };
  const auto present = [&](const BehaviourInfo& info) {
    return std::ranges::any_of(tracks, [&](const Track& track) { return track.behaviour == info.name; });
  };
  for (const RegisteredBehaviour& reader : behaviour_registry()) {
    if (!present(*reader.info)) continue;
    for (const std::string_view column : reader.info->reads) {
      if (contains(every_particles_columns(), column)) continue;
      std::string writers;
      bool met = false;
      for (const RegisteredBehaviour& writer : behaviour_registry())
        if (writes(*writer.info, column)) {
          met |= present(*writer.info);
          writers += fmt::format("{}'{}'", writers.empty() ? "" : " or ", writer.info->name);
        }
      if (!met)
        return fmt::format("'{}' needs the {} that {} gives; add {}", reader.info->name, column, writers, writers);
    }
  }
  return {};
}

}  // namespace fondue
