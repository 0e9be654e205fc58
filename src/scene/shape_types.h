#pragma once
// The shape types of scene files: their keys, declared once, and how a shape is made from them.

#include <array>
#include <span>
#include <vector>

#include "scene/declaration.h"
#include "shapes/shape.h"
#include "shapes/text.h"

namespace fondue {

/// A height field's grid, x changing fastest.
struct Heights {
  int columns = 0, rows = 0;
  std::vector<float> values;
};

/// Values given for a shape in the file.
struct ShapeArguments {
  Values values;
  std::vector<ShapePtr> of;
  Heights heights;
  int dimension = 3;
};

struct ShapeType {
  const char* name;
  const char* help;
  std::span<const Parameter* const> parameters;
  std::span<const Part> parts = {};
  /// Throws InputError if its values do not define a shape.
  ShapePtr (*make)(const ShapeArguments& arguments);
};

std::span<const ShapeType> shape_types();

namespace keys::shape {
inline constexpr Parameter type{
    .name = "type", .kind = Parameter::Kind::text, .required = true, .help = "name of the shape"};
/// Every shape takes these in addition to its own.
inline constexpr Parameter scale{
    .name = "scale", .initial = 1, .least = above_zero, .help = "scale factor about the origin"};
inline constexpr Parameter rotate{.name = "rotate",
                                  .kind = Parameter::Kind::vector,
                                  .unit = "degrees",
                                  .help = "rotation about the origin after scaling: axis times angle"};
inline constexpr Parameter translate{.name = "translate",
                                     .kind = Parameter::Kind::vector,
                                     .unit = "m",
                                     .help = "translation after scaling and rotation"};
inline constexpr const Parameter* placement[] = {&scale, &rotate, &translate};

/// Files, relative to the scene file.
inline constexpr Parameter mesh_file{.name = "file",
                                     .kind = Parameter::Kind::text,
                                     .required = true,
                                     .help = "OBJ, PLY or STL, relative to the scene file"};
inline constexpr Parameter sequence_files{
    .name = "files",
    .kind = Parameter::Kind::text,
    .required = true,
    .help = "OBJ, PLY or STL with %d or %04d for the number, all with the same triangles; relative to the scene file"};
inline constexpr Parameter image{.name = "image",
                                 .kind = Parameter::Kind::text,
                                 .help = "image whose brightness is the height; relative to the scene file"};
inline constexpr Parameter font{.name = "font",
                                .kind = Parameter::Kind::text,
                                .initial_text = default_font,
                                .help = "TrueType or OpenType, relative to the scene file"};
inline constexpr const Parameter* files[] = {&mesh_file, &sequence_files, &image, &font};

inline constexpr Part of{.name = "of", .form = "a list of shapes", .required = true, .help = "the shapes to combine"};
inline constexpr Part otherwise{
    .name = "otherwise",
    .form = "a shape",
    .help = "used instead if the file does not exist; not affected by the placement of the mesh"};
inline constexpr Part heights{.name = "heights",
                              .form = "a list of rows of heights",
                              .help = "heights [m], along x in each row, rows along y; in two dimensions one row"};
}  // namespace keys::shape

}  // namespace fondue
