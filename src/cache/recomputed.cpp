#include "cache/recomputed.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "core/error.h"
#include "scene/reading.h"
#include "world/world.h"

namespace fondue {

namespace {

/// Copies a column to particles in another order.
void copy(const ColumnView& from, const Particles& source, Particles& target) {
  const ColumnInfo info{from.name, from.unit, from.help, from.scalar, from.components};
  auto* values = static_cast<std::byte*>(target.require(info));
  const auto* all = static_cast<const std::byte*>(from.data);
  const std::size_t size = sizeof(float) * static_cast<std::size_t>(from.components);
  std::map<Index, Index> place;
  for (Index i = 0; i != source.size(); ++i) place[source[columns::id][i]] = i;
  for (Index i = 0; i != target.size(); ++i)
    if (const auto found = place.find(target[columns::id][i]); found != place.end())
      std::memcpy(values + i * size, all + found->second * size, size);
}

}  // namespace

Frame read_frame_with(const std::filesystem::path& path, const Scene& scene, std::span<const std::string> columns) {
  Frame frame = read_frame(path);
  const auto made = columns_of(scene.world);
  const auto missing = [&](const std::string& name) { return !frame.particles.has(name) && made.contains(name); };
  if (std::ranges::none_of(columns, missing)) return frame;
  Frame state = read_frame(path);
  World world(scene.world, std::move(state.particles), state.header.state);
  world.evaluate();
  for (const ColumnView& column : world.particles().columns())
    if (std::ranges::find(columns, column.name) != columns.end() && missing(column.name))
      copy(column, world.particles(), frame.particles);
  return frame;
}

std::vector<std::string> columns_to_show(std::vector<std::string> stored, const Scene& scene) {
  for (const std::string& name : columns_of(scene.world))
    if (std::ranges::find(stored, name) == stored.end()) stored.push_back(name);
  return stored;
}

}  // namespace fondue
