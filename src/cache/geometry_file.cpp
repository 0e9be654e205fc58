#include "cache/geometry_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "cache/output_file.h"
#include "cache/xml_text.h"
#include "core/error.h"

namespace fondue {

namespace {

/// A list that must have an entry for every point does not: whoever made the geometry is wrong, not the user.
void expect_size(std::string_view what, std::size_t size, std::size_t expected) {
  if (size != expected) throw std::logic_error(fmt::format("geometry has {} {}, not {}", size, what, expected));
}

void check(const Geometry& geometry, const std::filesystem::path& path) {
  const std::vector<Vec3>& points = geometry.mesh.vertices;
  for (std::size_t i = 0; i != points.size(); ++i) {
    if (points[i].allFinite()) continue;
    throw InputError(fmt::format("cannot write '{}': point {} is at ({}, {}, {}), which is no place", path.string(), i,
                                 points[i].x(), points[i].y(), points[i].z()));
  }
  if (!geometry.normals.empty()) expect_size("normals", geometry.normals.size(), points.size());
  if (!geometry.ids.empty()) expect_size("ids", geometry.ids.size(), points.size());
  for (const Geometry::Attribute& attribute : geometry.attributes) {
    if (attribute.components < 1)
      throw std::logic_error(fmt::format("attribute '{}' has {} components", attribute.name, attribute.components));
    expect_size(fmt::format("values of '{}'", attribute.name), attribute.values.size(),
                points.size() * static_cast<std::size_t>(attribute.components));
  }
  for (const std::array<Index, 3>& triangle : geometry.mesh.triangles) {
    if (std::ranges::max(triangle) >= points.size())
      throw std::logic_error(fmt::format("a triangle has corner {} of {}", std::ranges::max(triangle), points.size()));
  }
}

using Builder = std::vector<std::byte> (*)(const Geometry&);

Builder builder_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  if (extension == ".ply") return ply_file;
  if (extension == ".obj") return obj_file;
  if (extension == ".vtp") return vtp_file;
  throw InputError(
      fmt::format("{}: geometry cannot be written as '{}'; use .ply, .obj or .vtp", path.string(), extension));
}

}  // namespace

void write_geometry(const std::filesystem::path& path, const Geometry& geometry) {
  const Builder build = builder_of(path);
  check(geometry, path);
  write_file_atomically(path, build(geometry));
}

void write_pvd(const std::filesystem::path& path, std::span<const SeriesEntry> entries) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const SeriesEntry& entry : entries) {
    const std::filesystem::path file = std::filesystem::absolute(entry.file).lexically_relative(folder);
    text += fmt::format("    <DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", entry.time,
                        xml_escaped(file.generic_string()));
  }
  write_text_atomically(path, fmt::format("{}  </Collection>\n</VTKFile>\n", text));
}

}  // namespace fondue
