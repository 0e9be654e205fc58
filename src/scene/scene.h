#pragma once
// A scene: everything a scene file says, checked and ready to run. load_scene() reports every mistake of a file at
// once.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "world/setup.h"

namespace fondue {

enum class ProbeKind { point, front, height, force };

/// A number of the run over time, written to a table.
struct ProbeSetup {
  std::string name;
  ProbeKind kind = ProbeKind::point;
  /// Where a point or height probe looks.
  Vec3 position = Vec3::Zero();
  /// Front: the furthest particle of the object along this direction. Height: the surface along it.
  Vec3 direction = Vec3(1, 0, 0);
  /// Name of the object a front is of (empty: all), or of the collider a force acts on.
  std::string of;
};

/// What a material looks like in finished pictures.
enum class Look { water, wax, lava, clay, metal, paint, sand, cloth };

/// What is drawn of an object: the surface extracted from its particles, its own shape carried along with them, or
/// grains of sand.
enum class Skin { extracted, carried, grains };

/// How an object is drawn.
struct LookSetup {
  Look look = Look::water;
  Skin skin = Skin::extracted;
  /// Display (sRGB) colour; the look's own if absent.
  std::optional<Vec3> colour;
};

/// The field whose zero is the surface of matter (surface/field.h).
enum class SurfaceField { colour, characteristic, density, distance, anisotropic };

/// How particles become a surface.
struct SurfaceSetup {
  SurfaceField field = SurfaceField::anisotropic;
  /// Side of a grid cell, in spacings of the smallest particles.
  float cell = 0.5f;
  /// Passes of smoothing.
  int smoothing = 10;
  /// Pieces that enclose less are removed, in volumes of a particle.
  float smallest_piece = 0;
  /// Columns that are interpolated to the surface beside the velocity.
  std::vector<std::string> attributes;
};

struct PictureSetup {
  int width = 1280, height = 720;
  /// Column that colours particles; vectors by their length; "object" gives each object its colour.
  std::string colour_by = "velocity";
  std::string map = "water";
  /// Range of the colours; the run's own range if min >= max.
  float min = 0, max = 0;
  /// A camera is given only if eye and target differ.
  Vec3 eye = Vec3::Zero(), target = Vec3::Zero();
  float field_of_view = 35;
};

struct Scene {
  std::string name, help;
  WorldSetup world;
  double duration = 1;
  double frames_per_second = 50;
  /// Columns written to frames beside those a run continues from.
  std::vector<std::string> columns;
  std::vector<ProbeSetup> probes;
  PictureSetup picture;
  /// One an object.
  std::vector<LookSetup> looks;
  SurfaceSetup surface;
  /// The scene with every default written out; loading it gives the same scene.
  std::string effective;
  /// What is not wrong but should be known, such as a missing file that something stands in for.
  std::vector<std::string> notes;
  int frames() const { return static_cast<int>(duration * frames_per_second + 0.5); }
};

/// One mistake: where it is and what would be right.
struct SceneMistake {
  std::string file;
  int line = 0, column = 0;
  std::string message;
  /// file:line:column: message
  std::string text() const;
};

/// All mistakes of a scene file; its text is one line each.
struct SceneError : InputError {
  explicit SceneError(std::vector<SceneMistake> mistakes);
  std::vector<SceneMistake> mistakes;
};

/// "key=value" of the command line: a dotted path into the scene and a TOML value.
using Override = std::pair<std::string, std::string>;

/// Reads, checks and builds; throws SceneError with all mistakes, having written nothing.
Scene load_scene(const std::string& path, const std::vector<Override>& overrides = {});
Scene parse_scene(std::string_view toml, const std::string& path, const std::vector<Override>& overrides = {});

enum class ReferenceFormat { text, markdown };
/// Every section, behaviour and parameter with unit, range, default and help, from their declarations.
std::string reference(ReferenceFormat format);

}  // namespace fondue
