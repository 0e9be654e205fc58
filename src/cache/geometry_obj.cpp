// OBJ: lines of text. Indices count from 1, and a corner of a face names its vertex and its normal.

#include <fmt/format.h>

#include <iterator>

#include "cache/byte_list.h"
#include "cache/geometry_file.h"

namespace fondue {

namespace {

void write_vectors(fmt::memory_buffer& text, std::string_view key, const std::vector<Vec3>& vectors) {
  for (const Vec3& x : vectors) fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", key, x.x(), x.y(), x.z());
}

}  // namespace

std::vector<std::byte> obj_file(const Geometry& geometry) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "# made by Fondue; metres, z is up\n");
  if (!geometry.attributes.empty() || !geometry.ids.empty())
    fmt::format_to(out, "# OBJ holds no attributes: {} left out; PLY and VTP hold them\n",
                   geometry.attributes.size() + (geometry.ids.empty() ? 0 : 1));
  if (geometry.mesh.triangles.empty()) fmt::format_to(out, "# {} points, no faces\n", geometry.mesh.vertices.size());
  write_vectors(text, "v", geometry.mesh.vertices);
  write_vectors(text, "vn", geometry.normals);
  for (const std::array<Index, 3>& t : geometry.mesh.triangles) {
    const std::uint64_t a = t[0] + 1ull, b = t[1] + 1ull, c = t[2] + 1ull;
    if (geometry.normals.empty())
      fmt::format_to(out, "f {} {} {}\n", a, b, c);
    else
      fmt::format_to(out, "f {}//{} {}//{} {}//{}\n", a, a, b, b, c, c);
  }
  ByteList bytes;
  append(bytes, std::string_view(text.data(), text.size()));
  return bytes;
}

}  // namespace fondue
