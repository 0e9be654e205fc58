#include "picture/povray_scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "picture/palette.h"
#include "picture/studio.h"

namespace fondue {
namespace {

class Writer {
 public:
  Writer(const PovrayScene& scene, const ViewFrame& view, int rows)
      : scene_(scene),
        units_(scene.camera, view),
        rod_radius_(10.0f * 0.75f * std::max(1.0f, static_cast<float>(rows) / 720) / static_cast<float>(rows)) {}

  void object(const DrawnObject& object) {
    if (object.geometry.mesh.vertices.empty()) return;
    const Palette palette = make_palette(object);
    std::vector<std::string> textures;
    const Look look = object.look.look;
    for (const Shade& shade : palette.shades)
      textures.push_back(scene_.flat        ? flat_texture(look, shade)
                         : palette.coloured ? satin_texture(shade)
                                            : look_texture(look, shade));
    const bool lit_inside = !scene_.flat && !palette.coloured;
    const std::string interior = lit_inside ? look_interior(look, look_colour(object.look)) : "";
    if (object.geometry.mesh.triangles.empty())
      spheres(object, palette, textures, interior);
    else
      mesh(object.geometry, palette.of_vertex, textures, interior);
  }

  void solid(const Geometry& geometry, const std::optional<LookSetup>& look) {
    const std::vector<Index> all_the_first(geometry.mesh.vertices.size(), 0);
    if (look) {
      const Shade shade{look_colour(*look), 0, unknown_heat};
      mesh(geometry, all_the_first, {scene_.flat ? flat_texture(look->look, shade) : look_texture(look->look, shade)},
           scene_.flat ? "" : look_interior(look->look, shade.colour));
      return;
    }
    const Shade grey{Vec3(0.62f, 0.63f, 0.65f), 0, 0};
    mesh(geometry, all_the_first, {scene_.flat ? flat_texture(Look::clay, grey) : solid_texture(grey.colour)}, "");
  }

  void container(const PlacedBox& placed) {
    for (const auto& [from, to] : edges_of(placed, scene_.flat))
      if (from.allFinite() && to.allFinite() && from != to) rod(from, to);
  }

  void add(const std::string& text) { text_ += text; }
  const Units& units() const { return units_; }
  std::string finish() { return std::move(text_); }

 private:
  template <class... Values>
  void write(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  void vector(const Vec3& v) { write("<{:.5g},{:.5g},{:.5g}>\n", v.x(), v.y(), v.z()); }

  /// Rods in the plane of the floor are raised onto it.
  Vec3 above_floor(const Vec3& x) const {
    const Vec3 up = scene_.camera.up.normalized();
    const float below = scene_.floor && !scene_.flat ? *scene_.floor + rod_radius_ / units_.scale - up.dot(x) : 0;
    return x + std::max(0.0f, below) * up;
  }

  void rod(const Vec3& from, const Vec3& to) {
    write("cylinder {{ {}, {}, {:.4f} open texture {{ Rod }} no_shadow }}\n",
          povray_vector(units_.to_scene(above_floor(from))), povray_vector(units_.to_scene(above_floor(to))),
          rod_radius_);
  }

  void spheres(const DrawnObject& object, const Palette& palette, const std::vector<std::string>& textures,
               const std::string& interior) {
    const Geometry::Attribute *radii = object.geometry.find("radius"), *opacities = object.geometry.find("opacity");
    const std::vector<Vec3>& centres = object.geometry.mesh.vertices;
    for (std::size_t shade = 0; shade != textures.size(); ++shade) {
      write("#declare Shade = {}\n", textures[shade]);
      for (std::size_t i = 0; i != centres.size(); ++i) {
        const float radius =
            units_.scale * (radii ? radii->values[i] : object.radius) * (opacities ? opacities->values[i] : 1);
        if (palette.of_vertex[i] != shade || !centres[i].allFinite() || !(radius > 0) || !std::isfinite(radius))
          continue;
        write("sphere {{ {}, {:.4g} texture {{ Shade }} {} }}\n", povray_vector(units_.to_scene(centres[i])), radius,
              interior);
      }
    }
  }

  void mesh(const Geometry& geometry, const std::vector<Index>& shades, const std::vector<std::string>& textures,
            const std::string& interior) {
    const TriangleMesh& mesh = geometry.mesh;
    std::vector<std::size_t> drawn;
    for (std::size_t t = 0; t != mesh.triangles.size(); ++t)
      if (mesh.corner(t, 0).allFinite() && mesh.corner(t, 1).allFinite() && mesh.corner(t, 2).allFinite())
        drawn.push_back(t);
    if (drawn.empty()) return;

    write("mesh2 {{\nvertex_vectors {{ {}\n", mesh.vertices.size());
    for (const Vec3& x : mesh.vertices) vector(x.allFinite() ? units_.to_scene(x) : Vec3(Vec3::Zero()));
    write("}}\n");
    if (geometry.normals.size() == mesh.vertices.size()) {
      write("normal_vectors {{ {}\n", geometry.normals.size());
      for (const Vec3& n : geometry.normals) vector(n.allFinite() && n.norm() > 1e-6f ? n : Vec3(0, 0, 1));
      write("}}\n");
    }
    write("texture_list {{ {}\n", textures.size());
    for (const std::string& texture : textures) write("{}\n", texture);
    write("}}\nface_indices {{ {}\n", drawn.size());
    for (const std::size_t t : drawn) {
      const std::array<Index, 3>& v = mesh.triangles[t];
      const Index a = shades[v[0]], b = shades[v[1]], c = shades[v[2]];
      if (a == b && b == c)
        write("<{},{},{}>,{}\n", v[0], v[1], v[2], a);
      else
        write("<{},{},{}>,{},{},{}\n", v[0], v[1], v[2], a, b, c);
    }
    write("}}\n{} }}\n", interior);
  }

  const PovrayScene& scene_;
  Units units_;
  /// A pixel and a half wide, more in large pictures.
  float rod_radius_;
  std::string text_;
};

}  // namespace

std::string povray_text(const PovrayScene& scene, int width, int height) {
  const ViewFrame view(scene.camera, static_cast<float>(width) / static_cast<float>(height));
  Writer writer(scene, view, height);
  const bool clear = std::any_of(scene.objects.begin(), scene.objects.end(), [](const DrawnObject& object) {
    return (object.look.look == Look::water || object.look.look == Look::glass) && !object.colouring &&
           !object.geometry.mesh.vertices.empty();
  });
  const std::optional<float> floor = scene.flat ? std::nullopt : scene.floor;
  writer.add(scene.flat ? flat_studio(scene.camera, view) : studio(scene.camera, view, floor, clear));
  for (const DrawnObject& object : scene.objects) writer.object(object);
  for (std::size_t s = 0; s != scene.solids.size(); ++s)
    writer.solid(scene.solids[s], s < scene.solid_looks.size() ? scene.solid_looks[s] : std::nullopt);
  for (const PlacedBox& container : scene.containers) writer.container(container);
  return writer.finish();
}

}  // namespace fondue
