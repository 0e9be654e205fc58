// PLY: a header that declares the properties of a vertex, then one record of four-byte numbers for each, then faces.

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>

#include "cache/byte_list.h"
#include "cache/component_names.h"
#include "cache/geometry_file.h"
#include "core/parallel.h"
#include "particles/column.h"

namespace fondue {

namespace {

constexpr std::size_t word = 4;

/// A number of every vertex: where the first is, and how many words later the next.
struct PlyProperty {
  std::string name;
  const char* type;
  const std::byte* first;
  std::size_t stride;
};

/// One property for each component, named by the prefix and the component.
void add(std::vector<PlyProperty>& properties, const std::string& prefix, int components, const float* first) {
  const auto stride = static_cast<std::size_t>(components);
  for (const std::string& component : component_names(components))
    properties.push_back({prefix + component, "float", reinterpret_cast<const std::byte*>(first++), stride});
}

std::vector<PlyProperty> properties_of(const Geometry& geometry) {
  std::vector<PlyProperty> properties;
  const auto data = [](const std::vector<Vec3>& list) { return list.empty() ? nullptr : list.front().data(); };
  add(properties, "", 3, data(geometry.mesh.vertices));
  if (!geometry.normals.empty()) add(properties, "n", 3, data(geometry.normals));
  for (const Geometry::Attribute& attribute : geometry.attributes) {
    std::string prefix = attribute.name;
    if (attribute.components > 1) prefix = prefix == columns::velocity.name ? "v" : prefix + "_";
    add(properties, prefix, attribute.components, attribute.values.data());
  }
  if (!geometry.ids.empty())
    properties.push_back({columns::id.name, "uint", reinterpret_cast<const std::byte*>(geometry.ids.data()), 1});
  std::set<std::string> names;
  for (const PlyProperty& property : properties) {
    if (!names.insert(property.name).second || property.name.find_first_of(" \t\r\n") != std::string::npos)
      throw std::logic_error(fmt::format("'{}' cannot be the name of a property in a PLY file", property.name));
  }
  return properties;
}

std::string header(const Geometry& geometry, const std::vector<PlyProperty>& properties) {
  std::string text = "ply\nformat binary_little_endian 1.0\ncomment made by Fondue; metres, z is up\n";
  for (const Geometry::Attribute& attribute : geometry.attributes)
    text += fmt::format("comment unit {} {}\n", attribute.name, attribute.unit.empty() ? "1" : attribute.unit);
  text += fmt::format("element vertex {}\n", geometry.mesh.vertices.size());
  for (const PlyProperty& property : properties) text += fmt::format("property {} {}\n", property.type, property.name);
  if (!geometry.mesh.triangles.empty()) {
    text += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", geometry.mesh.triangles.size());
  }
  text += "end_header\n";
  return text;
}

void append_vertices(ByteList& bytes, const std::vector<PlyProperty>& properties, std::size_t count) {
  const std::size_t begin = bytes.size(), record = properties.size() * word;
  bytes.resize(begin + count * record);
  parallel_for(count, [&](std::size_t i) {
    std::byte* to = bytes.data() + begin + i * record;
    for (const PlyProperty& property : properties) {
      std::memcpy(to, property.first + i * property.stride * word, word);
      to += word;
    }
  });
}

void append_faces(ByteList& bytes, const std::vector<std::array<Index, 3>>& triangles) {
  constexpr std::size_t record = 1 + 3 * word;
  const std::size_t begin = bytes.size();
  bytes.resize(begin + triangles.size() * record);
  parallel_for(triangles.size(), [&](std::size_t t) {
    std::byte* to = bytes.data() + begin + t * record;
    *to = std::byte{3};
    std::memcpy(to + 1, triangles[t].data(), 3 * word);
  });
}

}  // namespace

std::vector<std::byte> ply_file(const Geometry& geometry) {
  const std::vector<PlyProperty> properties = properties_of(geometry);
  ByteList bytes;
  append(bytes, header(geometry, properties));
  append_vertices(bytes, properties, geometry.mesh.vertices.size());
  append_faces(bytes, geometry.mesh.triangles);
  return bytes;
}

}  // namespace fondue
