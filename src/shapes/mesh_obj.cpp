// Wavefront OBJ: only v and f lines matter. Indices count from 1, negative ones from the end.

#include <fmt/format.h>

#include "shapes/mesh_formats.h"
#include "shapes/mesh_text.h"

namespace fondue {
namespace {

Index vertex_index(const MeshText& text, std::string_view word, std::size_t vertices) {
  const std::string_view digits = word.substr(0, word.find('/'));
  long long index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) {
    text.fail(fmt::format("'{}' is not a vertex index", word));
  }
  const long long place = index < 0 ? static_cast<long long>(vertices) + index : index - 1;
  if (place < 0 || place >= static_cast<long long>(vertices)) {
    text.fail(fmt::format("vertex {} does not exist, there are {} up to here", index, vertices));
  }
  return static_cast<Index>(place);
}

}  // namespace

TriangleMesh read_obj(std::string_view content, const std::string& path) {
  TriangleMesh mesh;
  MeshText text(content, path);
  std::vector<Index> polygon;
  bool continued = false;
  while (text.next_line()) {
    const auto& words = text.words();
    const bool face = continued || words[0] == "f";
    if (words[0] == "v") {
      mesh.vertices.push_back(text.point(1));
    } else if (face) {
      const bool more = words.back() == "\\";
      for (std::size_t w = continued ? 0 : 1; w + more < words.size(); ++w) {
        polygon.push_back(vertex_index(text, words[w], mesh.vertices.size()));
      }
      continued = more;
      if (more) continue;
      if (polygon.size() < 3) text.fail("a face needs at least three vertices");
      add_polygon(mesh, polygon);
      polygon.clear();
    }
  }
  return mesh;
}

}  // namespace fondue
