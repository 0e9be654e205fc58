// STL: triangles given by their corners. Binary: an 80-byte header, the number of triangles, 50 bytes per triangle. A
// binary file may also begin with "solid", so the file size decides.

#include <fmt/format.h>

#include <cstring>

#include "core/error.h"
#include "shapes/mesh_formats.h"
#include "shapes/mesh_text.h"

namespace fondue {
namespace {

constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

TriangleMesh read_binary(std::string_view content, const std::string& path, std::size_t count) {
  const std::size_t complete = content.size() < header_bytes ? 0 : (content.size() - header_bytes) / triangle_bytes;
  if (content.size() < header_bytes || complete < count) {
    throw InputError(fmt::format("{}: the file ends after {} of {} triangles", path, complete, count));
  }
  TriangleMesh mesh;
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    float corners[9];
    std::memcpy(corners, content.data() + header_bytes + t * triangle_bytes + 12, sizeof corners);
    const Index first = static_cast<Index>(mesh.vertices.size());
    for (int c = 0; c < 3; ++c) {
      mesh.vertices.emplace_back(corners[3 * c], corners[3 * c + 1], corners[3 * c + 2]);
      if (mesh.vertices.back().allFinite()) continue;
      throw InputError(fmt::format("{}: a coordinate of triangle {} is not a finite number", path, t + 1));
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TriangleMesh read_ascii(std::string_view content, const std::string& path) {
  TriangleMesh mesh;
  MeshText text(content, path);
  Index corners = 0;
  bool ended = false;
  while (text.next_line()) {
    const std::string_view word = text.words()[0];
    ended = word == "endsolid";
    if (word == "facet") corners = 0;
    if (word == "vertex") {
      mesh.vertices.push_back(text.point(1));
      ++corners;
    }
    if (word == "endfacet") {
      if (corners != 3) text.fail(fmt::format("a facet has three vertices, not {}", corners));
      const Index end = static_cast<Index>(mesh.vertices.size());
      mesh.triangles.push_back({end - 3, end - 2, end - 1});
    }
  }
  if (!ended) text.fail("the file ends before 'endsolid'");
  return mesh;
}

}  // namespace

TriangleMesh read_stl(std::string_view content, const std::string& path) {
  std::uint32_t count = 0;
  if (content.size() >= header_bytes) std::memcpy(&count, content.data() + header_bytes - 4, sizeof count);
  const bool exact = content.size() >= header_bytes && content.size() == header_bytes + triangle_bytes * count;
  if (!exact && content.starts_with("solid")) return read_ascii(content, path);
  return read_binary(content, path, count);
}

}  // namespace fondue
