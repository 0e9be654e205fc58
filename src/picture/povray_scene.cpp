#include "picture/povray_scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "particles/sheets.h"
#include "picture/flame.h"
#include "picture/glow.h"
#include "picture/palette.h"
#include "picture/povray_solid.h"
#include "picture/studio.h"

namespace fondue {
namespace {

/// Clear matter so thin that light keeps its colour on the way through it: nobody would see its shadow, and every ray
/// towards a lamp would be followed through all of its surfaces. The mean way through a solid is 4 V/A (Cauchy).
bool casts_no_shadow(const TriangleMesh& mesh, const LookSetup& look) {
  constexpr float as_good_as_all = 0.95f;
  const bool evenly_clear = look.look == Look::water || look.look == Look::honey || look.look == Look::glass;
  if (!evenly_clear || !look.sequence.empty() || mesh.triangles.empty()) return false;
  double area = 0, volume = 0;
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t) {
    const Vec3 a = mesh.corner(t, 0), b = mesh.corner(t, 1), c = mesh.corner(t, 2);
    const Vec3 across = (b - a).cross(c - a);
    if (!across.allFinite()) continue;
    // From the first corner of all, so that what is far from the origin loses no digits.
    area += 0.5 * static_cast<double>(across.norm());
    volume += static_cast<double>((a - mesh.vertices.front()).dot(across)) / 6;
  }
  if (!(area > 0)) return false;
  const auto way = static_cast<float>(4 * std::abs(volume) / area);
  return std::pow(to_linear(look_colour(look)).minCoeff(), way / look_clarity(look)) > as_good_as_all;
}

class SceneWriter {
 public:
  SceneWriter(const PovrayScene& scene, const Units& units, int rows)
      : scene_(scene),
        units_(units),
        rod_radius_(10.0f * 0.75f * std::max(1.0f, static_cast<float>(rows) / 720) / static_cast<float>(rows)) {}

  void object(const DrawnObject& object) {
    if (object.geometry.mesh.vertices.empty()) return;
    const bool dark = scene_.only_glow && !glows(object.look);
    if (dark && is_clear(object.look)) return;
    const Palette palette = make_palette(object);
    if (glows(object.look) && !scene_.only_glow && !scene_.flat) lights(glow_lights(object, palette));
    std::vector<std::string> textures;
    const Geometry::Attribute* coordinates = object.geometry.find(columns::texture.name);
    const bool woven = coordinates && !object.geometry.mesh.triangles.empty() && !scene_.flat && !dark &&
                       !palette.coloured && object.look.look == Look::cloth && object.look.sequence.empty();
    for (Shade shade : palette.shades) {
      shade.woven = woven;
      textures.push_back(dark               ? black
                         : scene_.flat      ? flat_texture(object.look, shade)
                         : palette.coloured ? satin_texture(shade)
                                            : look_texture(object.look, shade));
    }
    const bool lit_inside = !scene_.flat && !palette.coloured;
    std::string interior = lit_inside ? look_interior(object.look, units_.scale, object.place) : "";
    if (lit_inside && casts_no_shadow(object.geometry.mesh, object.look)) interior += " no_shadow";
    if (object.geometry.mesh.triangles.empty())
      spheres(object, palette, textures, interior);
    else
      mesh(object.geometry, palette.of_vertex, textures, woven ? "no_shadow" : interior, is_clear(object.look),
           woven ? coordinates : nullptr);
    if (!woven) return;
    // Another mesh in its place, which is not seen, casts its shadow and lets some light pass.
    Geometry shadow;
    shadow.mesh = object.geometry.mesh;
    mesh(shadow, std::vector<Index>(shadow.mesh.vertices.size(), 0), {woven_shadow(palette.shades.front())},
         "no_image no_reflection");
  }

  void solid(const DrawnSolid& solid) {
    LookSetup grey;
    grey.look = Look::clay;
    grey.colour = Vec3(0.62f, 0.63f, 0.65f);
    const LookSetup& look = solid.look ? *solid.look : grey;
    if (scene_.only_glow && is_clear(look)) return;
    const Shade shade{look_colour(look), 0, unknown_heat};
    const std::string texture = scene_.only_glow ? black
                                : scene_.flat    ? flat_texture(look, shade)
                                : solid.look     ? look_texture(look, shade)
                                                 : solid_texture(shade.colour);
    std::string interior = scene_.flat || !solid.look ? "" : look_interior(look, units_.scale);
    if (!scene_.flat && casts_no_shadow(solid.geometry.mesh, look)) interior += " no_shadow";
    const std::string place = povray_matrix(solid.rotation, units_.to_scene(solid.position));
    if (solid.construction && !scene_.flat) {
      const std::string object = povray_solid(*solid.construction, units_.scale, solid.within, is_clear(look));
      write("object {{ {}{} {} {}}}\n", object, texture, interior, place);
      return;
    }
    // The grain of the look moves with it.
    const std::string placed = texture.substr(0, texture.rfind('}')) + place + '}';
    mesh(solid.geometry, std::vector<Index>(solid.geometry.mesh.vertices.size(), 0), {placed}, interior);
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

  void lights(const std::vector<GlowLight>& lights) {
    for (const GlowLight& light : lights)
      write("light_source {{ {} color {} fade_distance {:.5g} fade_power 2 shadowless }}\n",
            povray_vector(units_.to_scene(light.position)), povray_vector(light.colour),
            units_.scale * light.fade_distance);
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
    std::vector<std::vector<std::size_t>> drawn(textures.size());
    const auto radius_of = [&](std::size_t i) {
      return units_.scale * (radii ? radii->values[i] : object.radius) * (opacities ? opacities->values[i] : 1);
    };
    for (std::size_t i = 0; i != centres.size(); ++i)
      if (centres[i].allFinite() && radius_of(i) > 0 && std::isfinite(radius_of(i)))
        drawn[palette.of_vertex[i]].push_back(i);
    // One texture for all spheres of a shade: a copy for each would take minutes to read and gigabytes.
    for (std::size_t shade = 0; shade != textures.size(); ++shade) {
      if (drawn[shade].empty()) continue;
      write("union {{\n");
      for (const std::size_t i : drawn[shade])
        write("sphere {{ {}, {:.4g} }}\n", povray_vector(units_.to_scene(centres[i])), radius_of(i));
      write("{} {} }}\n", textures[shade], interior);
    }
  }

  /// POV-Ray blends the textures of the corners of a triangle, but follows a ray for each; clear matter has one each.
  void mesh(const Geometry& geometry, const std::vector<Index>& shades, const std::vector<std::string>& textures,
            const std::string& interior, bool one_each = false, const Geometry::Attribute* coordinates = nullptr) {
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
    if (coordinates) {
      write("uv_vectors {{ {}\n", mesh.vertices.size());
      for (std::size_t v = 0; v != mesh.vertices.size(); ++v)
        write("<{:.5g},{:.5g}>\n", units_.scale * coordinates->values[2 * v],
              units_.scale * coordinates->values[2 * v + 1]);
      write("}}\n");
    }
    write("texture_list {{ {}\n", textures.size());
    for (const std::string& texture : textures) write("{}\n", texture);
    write("}}\nface_indices {{ {}\n", drawn.size());
    for (const std::size_t t : drawn) {
      const std::array<Index, 3>& v = mesh.triangles[t];
      const Index a = shades[v[0]], b = shades[v[1]], c = shades[v[2]];
      if (one_each || (a == b && b == c))
        write("<{},{},{}>,{}\n", v[0], v[1], v[2], a);
      else
        write("<{},{},{}>,{},{},{}\n", v[0], v[1], v[2], a, b, c);
    }
    write("}}\n{} }}\n", interior);
  }

  static constexpr const char* black = "texture { pigment { rgb 0 } finish { diffuse 0 emission 0 } }";

  const PovrayScene& scene_;
  Units units_;
  /// A pixel and a half wide, more in large pictures.
  float rod_radius_;
  std::string text_;
};

}  // namespace

PovrayScene moved(PovrayScene scene, float seconds) {
  for (DrawnObject& object : scene.objects) {
    const Geometry::Attribute* velocity = object.geometry.find("velocity");
    std::vector<Vec3>& vertices = object.geometry.mesh.vertices;
    if (velocity && velocity->components == 3)
      for (std::size_t v = 0; v != vertices.size(); ++v)
        vertices[v] += seconds * Eigen::Map<const Vec3>(&velocity->values[3 * v]);
  }
  for (DrawnSolid& solid : scene.solids) {
    const Vec3 turn = seconds * solid.angular_velocity, centre = solid.position;
    const Mat3 turned =
        turn.isZero(0) ? Mat3(Mat3::Identity()) : Eigen::AngleAxisf(turn.norm(), turn.normalized()).toRotationMatrix();
    solid.rotation = turned * solid.rotation;
    solid.position += seconds * solid.velocity;
    for (Vec3& x : solid.geometry.mesh.vertices) x = solid.position + turned * (x - centre);
    for (Vec3& n : solid.geometry.normals) n = turned * n;
  }
  return scene;
}

std::string povray_text(const PovrayScene& scene, int width, int height) {
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  const Camera& home = scene.home ? *scene.home : scene.camera;
  const ViewFrame view(scene.camera, aspect), home_view(home, aspect);
  const Units units(home, home_view);
  const bool clear = std::ranges::any_of(scene.objects, [](const DrawnObject& object) {
    return is_clear(object.look) && !object.colouring && !object.geometry.mesh.vertices.empty();
  });
  const bool glass =
      std::ranges::any_of(scene.solids, [](const DrawnSolid& solid) { return solid.look && is_clear(*solid.look); });
  const Stage stage{scene.camera,       home,        view,           home_view,      units,
                    scene.surroundings, scene.floor, clear || glass, scene.aperture, scene.focus};
  SceneWriter writer(scene, units, height);
  writer.add(scene.only_glow ? dark_stage(stage) : scene.flat ? flat_stage(stage) : stage_text(stage));
  for (const DrawnObject& object : scene.objects) writer.object(object);
  for (const DrawnSolid& solid : scene.solids) writer.solid(solid);
  if (!scene.flat)
    for (const DrawnFlame& flame : scene.flames)
      writer.add(povray_flame(units.to_scene(flame.position), home.up.normalized(), units.scale * flame.height,
                              !scene.only_glow));
  if (!scene.only_glow)
    for (const PlacedBox& container : scene.containers) writer.container(container);
  return writer.finish();
}

}  // namespace fondue
