#include "scene/shape_types.h"

#include "core/error.h"
#include "shapes/combine.h"
#include "shapes/height_field.h"
#include "shapes/layer.h"
#include "shapes/mesh.h"
#include "shapes/mesh_sequence.h"
#include "shapes/primitives.h"

namespace fondue {

namespace keys::shape {
namespace {

using Kind = Parameter::Kind;

constexpr Parameter point_named(const char* name, const char* help) {
  return {.name = name, .kind = Kind::vector, .unit = "m", .required = true, .help = help};
}
constexpr Parameter length_named(const char* name, const char* help) {
  return {.name = name, .unit = "m", .least = above_zero, .required = true, .help = help};
}

constexpr Parameter min = point_named("min", "lowest corner");
constexpr Parameter max = point_named("max", "highest corner");
constexpr const Parameter* box[] = {&min, &max};

constexpr Parameter centre{.name = "centre", .kind = Kind::vector, .unit = "m", .help = "centre"};
constexpr Parameter radius = length_named("radius", "radius");
constexpr const Parameter* sphere[] = {&centre, &radius};

constexpr Parameter width = length_named("width", "size along x");
constexpr Parameter length = length_named("length", "size along y");
constexpr const Parameter* rectangle[] = {&centre, &width, &length};

constexpr Parameter from = point_named("from", "one end of the axis");
constexpr Parameter to = point_named("to", "other end of the axis");
constexpr const Parameter* rod[] = {&from, &to, &radius};

constexpr Parameter base = point_named("base", "centre of the base");
constexpr Parameter top = point_named("top", "tip, or centre of the top");
constexpr Parameter base_radius = length_named("base_radius", "radius of the base");
constexpr Parameter top_radius{.name = "top_radius", .unit = "m", .least = 0, .help = "radius of the top; 0 for a tip"};
constexpr const Parameter* cone[] = {&base, &top, &base_radius, &top_radius};

constexpr Parameter axis{
    .name = "axis", .kind = Kind::vector, .initial_vector = {0, 0, 1}, .help = "axis through the hole"};
constexpr Parameter ring_radius =
    length_named("ring_radius", "radius of the ring, from its centre to the middle of the tube");
constexpr Parameter tube_radius = length_named("tube_radius", "radius of the tube");
constexpr const Parameter* torus[] = {&centre, &axis, &ring_radius, &tube_radius};

constexpr Parameter point{.name = "point", .kind = Kind::vector, .unit = "m", .help = "a point of the plane"};
constexpr Parameter normal{
    .name = "normal", .kind = Kind::vector, .required = true, .help = "direction out of the solid"};
constexpr const Parameter* plane[] = {&point, &normal};

constexpr Parameter ground_min = point_named("min", "lowest corner; its z is the height of the flat base");
constexpr Parameter ground_max = point_named("max", "highest corner; its z is the height of white in an image");
constexpr Parameter black{.name = "black",
                          .unit = "m",
                          .initial = no_default,
                          .help = "height of black in an image; 1 % of the height range above the base if absent"};
constexpr const Parameter* height_field[] = {&ground_min, &ground_max, &image, &black};
constexpr Part grid[] = {heights};

constexpr Parameter letters{
    .name = "text", .kind = Kind::text, .required = true, .help = "one line of text, beginning at the origin"};
constexpr Parameter height = length_named("height", "height of capital letters");
constexpr Parameter depth{.name = "depth",
                          .unit = "m",
                          .initial = no_default,
                          .least = above_zero,
                          .help = "thickness of the letters, about y = 0; a third of their height if absent"};
constexpr const Parameter* text[] = {&letters, &height, &depth, &font};

constexpr std::string_view inside_names[] = {"automatic", "solid", "sheet", "one_sided"};
constexpr Parameter inside{
    .name = "inside",
    .kind = Kind::choice,
    .choices = inside_names,
    .help =
        "a sheet has no inside and can only be a collider, a one-sided one acts only on its front; "
        "solid closes holes and reverses inverted meshes"};
constexpr const Parameter* mesh[] = {&mesh_file, &inside};
constexpr Part stand_in[] = {otherwise};

constexpr Parameter per_second{.name = "frames_per_second",
                               .unit = "1/s",
                               .initial = 25,
                               .least = above_zero,
                               .help = "files per second; vertices are interpolated linearly"};
constexpr Parameter begin{
    .name = "begin",
    .unit = "s",
    .help = "time of the first file; the mesh is at rest before the first and after the last file"};
constexpr Parameter repeat{.name = "repeat",
                           .kind = Parameter::Kind::boolean,
                           .help = "after the last file the first one follows again; both should be the same mesh"};
constexpr Parameter backwards{
    .name = "backwards", .kind = Parameter::Kind::boolean, .help = "from the last file to the first"};
constexpr const Parameter* mesh_sequence[] = {&sequence_files, &per_second, &begin, &inside, &repeat, &backwards};

constexpr Parameter blend = length_named("radius", "blend radius of the seam");
constexpr const Parameter* smooth[] = {&blend};
constexpr Part parts[] = {of};

}  // namespace
}  // namespace keys::shape

namespace {

namespace k = keys::shape;

Vec3 at(const ShapeArguments& a, const Parameter& p) { return a.values.vector(p).at(0); }
float length(const ShapeArguments& a, const Parameter& p) { return a.values.constant(p); }

/// In two dimensions a box without a height is infinite along z.
ShapePtr box(const ShapeArguments& a) {
  Vec3 min = at(a, k::min), max = at(a, k::max);
  if (a.dimension == 2 && min.z() == max.z()) min.z() = -infinity, max.z() = infinity;
  return make_box(min, max);
}

ShapePtr sphere(const ShapeArguments& a) { return make_sphere(at(a, k::centre), length(a, k::radius)); }
ShapePtr rectangle(const ShapeArguments& a) {
  return make_rectangle(at(a, k::centre), length(a, k::width), length(a, k::length));
}
ShapePtr disc(const ShapeArguments& a) { return make_disc(at(a, k::centre), length(a, k::radius)); }
ShapePtr bowl(const ShapeArguments& a) { return make_bowl(at(a, k::centre), length(a, k::radius)); }
ShapePtr cylinder(const ShapeArguments& a) { return make_cylinder(at(a, k::from), at(a, k::to), length(a, k::radius)); }
ShapePtr capsule(const ShapeArguments& a) { return make_capsule(at(a, k::from), at(a, k::to), length(a, k::radius)); }
ShapePtr cone(const ShapeArguments& a) {
  return make_cone(at(a, k::base), at(a, k::top), length(a, k::base_radius), length(a, k::top_radius));
}
ShapePtr torus(const ShapeArguments& a) {
  return make_torus(at(a, k::centre), at(a, k::axis), length(a, k::ring_radius), length(a, k::tube_radius));
}
ShapePtr plane(const ShapeArguments& a) { return make_plane(at(a, k::point), at(a, k::normal)); }

/// Rotates a shape that is upright along z to be upright along y, for two dimensions.
ShapePtr rotated_upright(const ShapePtr& shape) {
  Placement quarter_turn;
  quarter_turn.axis = Vec3::UnitX();
  quarter_turn.degrees = -90;
  return make_transformed(shape, quarter_turn);
}

/// In two dimensions the height field is extruded along y and rotated so that y is up.
ShapePtr height_field(const ShapeArguments& a) {
  const bool flat = a.dimension == 2;
  Vec3 min = at(a, k::ground_min), max = at(a, k::ground_max);
  if (flat) {
    const float wide = 10 * (max - min).norm();
    min = {min.x(), -wide, min.y()};
    max = {max.x(), wide, max.y()};
  }
  const Ground ground{min.x(), min.y(), max.x(), max.y(), min.z()};
  const bool from_image = a.values.given(k::image);
  if (from_image == !a.heights.values.empty()) throw InputError("a height_field needs either 'image' or 'heights'");
  const float black = a.values.given(k::black) ? length(a, k::black) : min.z() + 0.01f * (max.z() - min.z());
  const ShapePtr shape = from_image ? make_height_field(ground, a.values.text(k::image), black, max.z())
                                    : make_height_field(ground, a.heights.columns, a.heights.rows, a.heights.values);
  return flat ? rotated_upright(shape) : shape;
}

ShapePtr text(const ShapeArguments& a) {
  const bool flat = a.dimension == 2;
  const float height = length(a, k::height);
  const float depth = flat ? infinity : a.values.given(k::depth) ? length(a, k::depth) : height / 3;
  const ShapePtr shape = make_text(a.values.text(k::letters), height, depth, a.values.text(k::font));
  return flat ? rotated_upright(shape) : shape;
}

ShapePtr mesh(const ShapeArguments& a) {
  return make_mesh(a.values.text(k::mesh_file), static_cast<MeshInside>(a.values.choice(k::inside)));
}

ShapePtr mesh_sequence(const ShapeArguments& a) {
  return make_mesh_sequence(a.values.text(k::sequence_files), length(a, k::per_second), length(a, k::begin),
                            static_cast<MeshInside>(a.values.choice(k::inside)),
                            {a.values.boolean(k::repeat), a.values.boolean(k::backwards)});
}

float blend(const ShapeArguments& a) { return a.values.given(k::blend) ? length(a, k::blend) : 0.0f; }
ShapePtr unite(const ShapeArguments& a) { return make_union(a.of, blend(a)); }
ShapePtr intersect(const ShapeArguments& a) { return make_intersection(a.of, blend(a)); }
ShapePtr subtract(const ShapeArguments& a) {
  ShapePtr shape = a.of.front();
  for (std::size_t i = 1; i < a.of.size(); ++i) shape = make_difference(shape, a.of[i], blend(a));
  return shape;
}

}  // namespace

std::span<const ShapeType> shape_types() {
  static const ShapeType types[] = {
      {"box", "An axis-aligned box.", k::box, {}, box},
      {"sphere", "A ball.", k::sphere, {}, sphere},
      {"circle", "A sphere; its name in two dimensions.", k::sphere, {}, sphere},
      {"rectangle",
       "A flat surface in the plane z = 0 before it is rotated; for sheets, and for colliders as thin as can be.",
       k::rectangle,
       {},
       rectangle},
      {"disc", "A flat round surface in the plane z = 0 before it is rotated.", k::sphere, {}, disc},
      {"bowl", "The lower half of a sphere as a surface, open above before it is rotated.", k::sphere, {}, bowl},
      {"cylinder", "A cylinder with flat ends.", k::rod, {}, cylinder},
      {"capsule", "A cylinder with hemispherical ends.", k::rod, {}, capsule},
      {"cone", "A cone, optionally truncated.", k::cone, {}, cone},
      {"torus", "A torus.", k::torus, {}, torus},
      {"plane", "The half-space below a plane.", k::plane, {}, plane},
      {"height_field", "A height field from an image or a grid of heights.", k::height_field, k::grid, height_field},
      {"text", "Letters, upright along z and facing along y; in two dimensions upright along y.", k::text, {}, text},
      {"mesh", "Triangles from a file; holes are closed by the winding number.", k::mesh, k::stand_in, mesh},
      {"mesh_sequence",
       "Triangles from numbered files, for a deforming collider or control; elsewhere the first file is used.",
       k::mesh_sequence,
       {},
       mesh_sequence},
      {"union", "The union of shapes.", {}, k::parts, unite},
      {"intersection", "The intersection of shapes.", {}, k::parts, intersect},
      {"difference", "The first shape without the others.", {}, k::parts, subtract},
      {"smooth_union", "The union of shapes with smooth seams.", k::smooth, k::parts, unite},
      {"smooth_intersection", "The intersection of shapes with smooth seams.", k::smooth, k::parts, intersect},
      {"smooth_difference", "The first shape without the others, with smooth seams.", k::smooth, k::parts, subtract},
  };
  return types;
}

}  // namespace fondue
