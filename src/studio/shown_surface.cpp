#include "studio/shown_surface.h"

#include "picture/look.h"
#include "studio/packed_mesh.h"
#include "surface/run_surfaces.h"

namespace fondue {

std::string packed_surface(const Scene& scene, const RunLayout& layout, int number) {
  if (scene.world.dimension == 2) return {};
  const RunSurfaces surfaces(scene, layout);
  const Frame frame = read_frame(layout.frame(number));
  PackedMesh mesh;
  const std::vector<Geometry> objects = surfaces.objects(frame);
  for (std::size_t o = 0; o != objects.size(); ++o) {
    if (objects[o].mesh.triangles.empty() && !objects[o].mesh.vertices.empty()) return {};
    mesh.add(objects[o], look_colour(scene.looks[o]));
  }
  if (mesh.triangles() == 0) return {};
  return mesh.bytes({{"frame", number}});
}

}  // namespace fondue
