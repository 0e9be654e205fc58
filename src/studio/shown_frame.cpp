#include "studio/shown_frame.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/parallel.h"
#include "picture/colour_map.h"
#include "picture/colouring.h"
#include "scene/reading.h"
#include "studio/json.h"
#include "studio/shown_props.h"

namespace fondue {

using nlohmann::json;

namespace {

constexpr float steps = 65535;
constexpr std::uint32_t solid = 255;

struct Point {
  std::array<std::uint16_t, 4> place;
};

std::uint16_t in_steps(float value) { return static_cast<std::uint16_t>(std::clamp(value, 0.0f, steps) + 0.5f); }

/// Infinity and NaN times zero are not zero.
bool finite(float value) { return value * 0 == 0; }

/// Of values that are finite; where there are none, from 0 to 1.
std::pair<float, float> range_of(std::span<const float> values) {
  using Range = std::pair<float, float>;
  const Range none(infinity, -infinity);
  const Range range = parallel_reduce(
      values.size(), none, [&](std::size_t i) { return finite(values[i]) ? Range(values[i], values[i]) : none; },
      [](const Range& a, const Range& b) { return Range(std::min(a.first, b.first), std::max(a.second, b.second)); });
  return range.first <= range.second ? range : Range(0, 1);
}

/// Around all points that are finite.
Box box_of(std::span<const Vec3> points) {
  return parallel_reduce(
      points.size(), Box{},
      [&](std::size_t i) {
        return finite(points[i].sum()) ? Box{points[i], points[i]} : Box{};
      },
      [](Box a, const Box& b) {
        a.add(b);
        return a;
      });
}

json colours_of_map(const std::string& name) {
  const ColourMap map(name);
  json colours = json::array();
  for (int k = 0; k <= 16; ++k) {
    const std::uint32_t c = packed_colour(map(static_cast<float>(k) / 16));
    colours.push_back({c & 255, c >> 8 & 255, c >> 16 & 255});
  }
  return colours;
}

}  // namespace

Legend FramePacker::legend_of(const Scene& scene, const Particles& particles, const std::string& column,
                              std::span<const float> values) {
  Legend legend;
  legend.title = column == "velocity" ? "speed" : column;
  for (const ColumnView& one : particles.columns())
    if (one.name == column) legend.unit = one.unit;
  const auto [low, high] = range_of(values);
  low_ = std::min(low_, low), high_ = std::max(high_, high);
  legend.min = low_, legend.max = high_;
  const PictureSetup& picture = scene.picture;
  if (column == picture.colour_by && picture.max > picture.min) legend.min = picture.min, legend.max = picture.max;
  if (shown_.max > shown_.min) legend.min = shown_.min, legend.max = shown_.max;
  legend.map = !shown_.map.empty() ? shown_.map : column == picture.colour_by ? picture.map : "viridis";
  return legend;
}

std::string FramePacker::pack(const Scene& scene, const Particles& particles, const FrameHeader& frame,
                              std::span<const Vec3> solids, json header, std::string bytes) {
  const std::size_t count = particles.size(), all = count + solids.size();
  const auto position = particles[columns::position];
  const auto object = particles[columns::object];
  const auto support = particles[columns::support];

  std::string column = shown_.colour_by.empty() ? scene.picture.colour_by : shown_.colour_by;
  if (!particles.has(column)) column = "object";
  std::optional<ColourTable> colours;
  if (column != "object") {
    find_colour_values(particles, column, scene.name, values_);
    const Legend legend = legend_of(scene, particles, column, values_);
    colours.emplace(legend);
    header["legend"] = {{"title", legend.title}, {"unit", legend.unit}, {"min", legend.min},
                        {"max", legend.max},     {"map", legend.map},   {"colours", colours_of_map(legend.map)}};
  }

  const float solid_radius = 0.6f * scene.world.spacing;
  const float over_support = sphere_radius_over_support(scene);
  const float largest = std::max(solids.empty() ? 0 : solid_radius, over_support * range_of(support).second);
  Box box = box_of(position);
  box.add(box_of(solids));
  if (box.empty()) box = Box{Vec3::Zero(), Vec3::Zero()};
  const Vec3 to_steps = steps * box.size().cwiseMax(1e-20f).cwiseInverse();

  json names = json::array();
  std::vector<std::string> there = {"object"};
  for (const ColumnView& one : particles.columns()) there.push_back(one.name);
  for (const std::string& name : shown_columns(there)) names.push_back(name);
  if (std::ranges::find(names, json("object")) == names.end()) names.insert(names.begin(), "object");
  header["time"] = frame.time;
  header["particles"] = count;
  header["solids"] = solids.size();
  header["min"] = to_json(box.min);
  header["max"] = to_json(box.max);
  header["radius"] = largest;
  header["dimension"] = scene.world.dimension;
  header["colour_by"] = column;
  header["columns"] = std::move(names);
  header["poses"] = poses_of_props(scene, frame);
  const DeformedProps deformed = deformed_props(scene, frame.time);
  header["deformed"] = deformed.list;
  header["containers"] = json::array();
  for (const PlacedBox& container : containers_at(scene, frame)) {
    json edges = json::array();
    for (const auto& [from, to] : edges_of(container, scene.world.dimension == 2))
      edges.push_back({to_json(from), to_json(to)});
    header["containers"].push_back(std::move(edges));
  }
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  text.append((4 - text.size() % 4) % 4, ' ');

  bytes.resize(4 + text.size() + 12 * all + deformed.bytes.size());
  const auto length = static_cast<std::uint32_t>(text.size());
  std::memcpy(bytes.data(), &length, 4);
  std::memcpy(bytes.data() + 4, text.data(), text.size());
  char* const places = bytes.data() + 4 + text.size();
  char* const tints = places + 8 * all;
  std::ranges::copy(deformed.bytes, tints + 4 * all);
  const std::uint32_t grey = packed_colour(solid_grey) & 0xffffff;
  const float radius_steps = steps / std::max(largest, 1e-20f);
  parallel_for(all, [&](std::size_t i) {
    const Vec3& x = i < count ? position[i] : solids[i - count];
    const float radius = i < count ? over_support * support[i] : solid_radius;
    Point point{};
    // What is not finite gets radius 0 and is not drawn.
    if (finite(x.sum() + radius)) {
      for (int a = 0; a != 3; ++a)
        point.place[static_cast<std::size_t>(a)] = in_steps((x[a] - box.min[a]) * to_steps[a]);
      point.place[3] = in_steps(radius_steps * radius);
    }
    std::memcpy(places + 8 * i, &point, 8);
    std::uint32_t tint = grey | solid << 24;
    if (i < count)
      tint = ((colours ? (*colours)(values_[i]) : packed_colour(object_colour(object[i]))) & 0xffffff) |
             std::min<std::uint32_t>(object[i], solid - 1) << 24;
    std::memcpy(tints + 4 * i, &tint, 4);
  });
  return bytes;
}

}  // namespace fondue
