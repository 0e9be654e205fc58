#include "studio/shown_surface.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "picture/colouring.h"
#include "picture/look.h"
#include "surface/run_surfaces.h"
#include "surface/vertex_normals.h"

namespace fondue {

namespace {

struct Bytes {
  std::string places, normals, tints, triangles;
  Index vertices = 0;

  void add(const Geometry& geometry, const Vec3& colour) {
    const TriangleMesh& mesh = geometry.mesh;
    if (mesh.triangles.empty()) return;
    const std::uint32_t tint = packed_colour(colour) | 0xff000000u;
    const std::vector<Vec3> own = geometry.normals.empty() ? vertex_normals(mesh) : geometry.normals;
    for (std::size_t v = 0; v != mesh.vertices.size(); ++v) {
      append(places, mesh.vertices[v].data(), 12);
      std::int8_t normal[4] = {};
      for (int a = 0; a != 3; ++a)
        normal[a] = static_cast<std::int8_t>(std::lround(127 * std::clamp(own[v][a], -1.0f, 1.0f)));
      append(normals, normal, 4);
      append(tints, &tint, 4);
    }
    for (const auto& triangle : mesh.triangles)
      for (const Index corner : triangle) {
        const std::uint32_t number = vertices + corner;
        append(triangles, &number, 4);
      }
    vertices += static_cast<Index>(mesh.vertices.size());
  }

 private:
  static void append(std::string& to, const void* from, std::size_t size) {
    to.append(static_cast<const char*>(from), size);
  }
};

}  // namespace

std::string packed_surface(const Scene& scene, const RunLayout& layout, int number) {
  if (scene.world.dimension == 2) return {};
  const RunSurfaces surfaces(scene, layout);
  const Frame frame = read_frame(layout.frame(number));
  Bytes bytes;
  const std::vector<Geometry> objects = surfaces.objects(frame), solids = surfaces.solids(frame.header);
  for (std::size_t o = 0; o != objects.size(); ++o) {
    if (objects[o].mesh.triangles.empty() && !objects[o].mesh.vertices.empty()) return {};
    bytes.add(objects[o], look_colour(scene.looks[o]));
  }
  for (std::size_t s = 0; s != solids.size(); ++s) {
    const bool own = s < scene.solid_looks.size() && scene.solid_looks[s];
    bytes.add(solids[s], own ? look_colour(*scene.solid_looks[s]) : solid_grey);
  }
  if (bytes.triangles.empty()) return {};
  std::string header = nlohmann::json{
      {"vertices", bytes.vertices},
      {"triangles", bytes.triangles.size() / 12},
      {"frame", number}}.dump();
  header.append((4 - header.size() % 4) % 4, ' ');
  const auto length = static_cast<std::uint32_t>(header.size());
  std::string all(4, '\0');
  std::memcpy(all.data(), &length, 4);
  return all + header + bytes.places + bytes.normals + bytes.tints + bytes.triangles;
}

}  // namespace fondue
