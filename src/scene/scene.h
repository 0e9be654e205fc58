#pragma once
// A scene: the checked contents of a scene file, ready to run. load_scene() reports all mistakes in a file at once.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "world/setup.h"

namespace fondue {

enum class ProbeKind { point, front, height, force, pressure };

/// A quantity of the run over time, written to a table.
struct ProbeSetup {
  std::string name;
  ProbeKind kind = ProbeKind::point;
  /// Position of a point, height or pressure probe.
  Vec3 position = Vec3::Zero();
  /// Front: the farthest particle of the object along this direction. Height: the surface along it.
  Vec3 direction = Vec3(1, 0, 0);
  /// Name of the object of a front (empty: all), or of the collider on which a force or pressure acts.
  std::string of;
  /// Of a pressure: radius of the disc that it is a mean over [m], and the time that it follows within [s].
  float radius = 0, response = 0;
};

/// Appearance of a material in finished pictures.
enum class Look {
  water,
  wax,
  lava,
  clay,
  metal,
  paint,
  sand,
  cloth,
  wood,
  rubber,
  glass,
  stone,
  ceramic,
  honey,
  chocolate,
  ice,
  milk,
  snow,
  sponge
};

/// The geometry drawn for an object: the surface reconstructed from its particles, its shape as a mesh carried by them,
/// grains of sand that flow with them, or grains that are fixed to them.
enum class Skin { extracted, carried, grains, fixed_grains };

/// How an object is drawn.
struct LookSetup {
  Look look = Look::water;
  Skin skin = Skin::extracted;
  /// Display (sRGB) colour; the look's default if absent.
  std::optional<Vec3> colour;
  /// Of clear looks: how far white light travels until it has this colour [m]; the look's default if absent.
  std::optional<float> clarity;
  /// A look that follows a column or time: several looks, the first of which is `look`, and the place between them as a
  /// function of the column: 0 is the first, 0.5 half-way to the second.
  std::vector<Look> sequence;
  Keyable<float> place = 0.0f;
  /// Of each look of the sequence, where the materials differ in it; the look's default where absent.
  std::vector<std::optional<Vec3>> sequence_colours;
  std::vector<std::optional<float>> sequence_clarities;
  int grains_per_particle = 32;
};

/// A material of an object that has several, and its part of the whole: the weights of all add up to 1.
struct MaterialShare {
  std::string material;
  Keyable<float> weight = 1.0f;
};

/// What is around the matter in finished pictures.
enum class Surroundings { studio, kitchen_table, outdoor };

/// The scalar field whose zero level set is the surface (surface/field.h).
enum class SurfaceField { colour, characteristic, density, distance, anisotropic };

/// Settings of surface reconstruction.
struct SurfaceSetup {
  SurfaceField field = SurfaceField::anisotropic;
  /// Size of a grid cell, in spacings of the smallest particles.
  float cell = 0.5f;
  /// Number of smoothing passes.
  int smoothing = 10;
  /// Pieces that enclose a smaller volume, in particle volumes, are removed.
  float smallest_piece = 0;
  /// Columns that are interpolated to the surface in addition to the velocity.
  std::vector<std::string> attributes;
};

/// A flame as it is seen; what it heats is a hot region.
struct FlameSetup {
  std::string name;
  /// Of its lower end [m].
  Keyable<Vec3> position = Vec3(Vec3::Zero());
  Keyable<float> height = 0.05f;
  Keyable<float> on = 1.0f;
};

struct PictureSetup {
  int width = 1280, height = 720;
  /// Column by which particles are coloured, vectors by their magnitude; "object" gives each object its own colour.
  std::string colour_by = "velocity";
  std::string map = "water";
  /// Range of the colours; that of the run if min >= max.
  float min = 0, max = 0;
  /// Of the camera over time; chosen automatically if absent. Give both or none.
  std::optional<Keyable<Vec3>> eye, target;
  /// Vertical [degrees]; used with eye and target.
  Keyable<float> field_of_view = 35.0f;
  /// Angle by which the camera has gone round the vertical axis through the target [degrees]; in three dimensions.
  Keyable<float> orbit = 0.0f;
  Surroundings surroundings = Surroundings::studio;
  /// Diameter of the lens [m]: depth of field in finished pictures; 0 shows everything sharp.
  Keyable<float> aperture = 0.0f;
  /// What is in focus; the target if absent.
  std::optional<Keyable<Vec3>> focus;
  /// Motion blur in finished pictures: the part of a frame for which the shutter is open, and the number of moments
  /// that are drawn.
  float shutter = 0;
  int shutter_samples = 8;
};

struct Scene {
  std::string name, help;
  WorldSetup world;
  double duration = 1;
  double frames_per_second = 50;
  /// Columns written to frames in addition to those needed to resume.
  std::vector<std::string> columns;
  std::vector<ProbeSetup> probes;
  PictureSetup picture;
  std::vector<FlameSetup> flames;
  /// One per object.
  std::vector<LookSetup> looks;
  /// By object: its materials if it has a list of them, whose weights are those of its tracks already; otherwise empty.
  std::vector<std::vector<MaterialShare>> materials;
  /// By collider; those without one, and all beyond the end, are grey.
  std::vector<std::optional<LookSetup>> solid_looks;
  SurfaceSetup surface;
  /// The scene with every default written out; loading it gives the same scene.
  std::string effective;
  /// Warnings that are not mistakes, such as a missing file that was replaced by a substitute shape.
  std::vector<std::string> notes;
  int frames() const { return static_cast<int>(duration * frames_per_second + 0.5); }
};

/// One mistake: its position and a message that says what would be right.
struct SceneMistake {
  std::string file;
  int line = 0, column = 0;
  std::string message;
  /// file:line:column: message
  std::string text() const;
};

/// All mistakes in a scene file; its text has one line per mistake.
struct SceneError : InputError {
  explicit SceneError(std::vector<SceneMistake> mistakes);
  std::vector<SceneMistake> mistakes;
};

/// "key=value" of the command line: a dotted path into the scene and a TOML value.
using Override = std::pair<std::string, std::string>;

/// Reads and checks a scene; throws SceneError with all mistakes.
Scene load_scene(const std::string& path, const std::vector<Override>& overrides = {});
Scene parse_scene(std::string_view toml, const std::string& path, const std::vector<Override>& overrides = {});

enum class ReferenceFormat { text, markdown };
/// Reference of all sections, behaviours and parameters with unit, range, default and help, from their declarations.
std::string reference(ReferenceFormat format);

}  // namespace fondue
