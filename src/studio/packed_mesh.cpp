#include "studio/packed_mesh.h"

#include <cstring>

#include "picture/colouring.h"
#include "surface/vertex_normals.h"

namespace fondue {

namespace {

void append(std::string& to, const void* from, std::size_t size) { to.append(static_cast<const char*>(from), size); }

}  // namespace

void PackedMesh::add(const Geometry& geometry, const Vec3& colour) {
  const TriangleMesh& mesh = geometry.mesh;
  if (mesh.triangles.empty()) return;
  const std::uint32_t tint = packed_colour(colour) | 0xff000000u;
  const std::vector<Vec3> own = geometry.normals.empty() ? vertex_normals(mesh) : geometry.normals;
  for (std::size_t v = 0; v != mesh.vertices.size(); ++v) {
    append(places_, mesh.vertices[v].data(), 12);
    std::int8_t normal[4] = {};
    for (int a = 0; a != 3; ++a)
      normal[a] = static_cast<std::int8_t>(std::lround(127 * std::clamp(own[v][a], -1.0f, 1.0f)));
    append(normals_, normal, 4);
    append(tints_, &tint, 4);
  }
  for (const auto& triangle : mesh.triangles)
    for (const Index corner : triangle) {
      const std::uint32_t number = vertices_ + corner;
      append(triangles_, &number, 4);
    }
  vertices_ += static_cast<Index>(mesh.vertices.size());
}

std::string PackedMesh::bytes(nlohmann::json header) const {
  header["vertices"] = vertices_;
  header["triangles"] = triangles();
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.append((4 - text.size() % 4) % 4, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string all(4, '\0');
  std::memcpy(all.data(), &length, 4);
  return all + text + places_ + normals_ + tints_ + triangles_;
}

}  // namespace fondue
