#pragma once
// The preview renderer: particles as exact spheres and meshes in soft daylight with shadows and ambient occlusion, over
// a floor that fades out, with containers, solids, a legend and a caption; drawn by OpenGL without a display into an
// image.
//
// The light is fixed to the camera: from the upper left, behind the viewer. Particles whose position or radius is not
// finite, and triangles with such a vertex, are omitted and counted in the caption; values that are not finite are
// shown in magenta as a warning.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "picture/camera.h"
#include "picture/image.h"
#include "picture/legend.h"

namespace fondue {

/// A box at its current position: x = position + rotation * x_local.
struct PlacedBox {
  Box box;
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();
};
/// Both ends of each edge; in two dimensions those of the rectangle.
std::vector<std::pair<Vec3, Vec3>> edges_of(const PlacedBox& placed, bool plane);

/// Default colours.
inline const Vec3 plain_blue(0.22f, 0.50f, 0.78f);

struct Geometry;

/// A mesh, smoothly shaded with its vertex normals (computed if it has none) and visible from both sides.
struct PreviewMesh {
  const Geometry* geometry = nullptr;
  /// One per vertex, or none: coloured by the legend's map if values are given, else by colours, else by the single
  /// colour.
  std::span<const float> values;
  std::span<const Vec3> colours;
  Vec3 colour = plain_blue;
};

/// A mesh at its current position: x = position + rotation * x_local.
struct PlacedMesh {
  const Geometry* geometry = nullptr;
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();
  /// Display colour; a neutral grey if absent.
  std::optional<Vec3> colour = std::nullopt;
};

/// Everything one picture shows.
struct PreviewScene {
  /// Particles; one radius per position.
  std::span<const Vec3> positions;
  std::span<const float> radii;
  /// Coloured by the legend's map if values are given, else by colours, else blue.
  std::span<const float> values;
  std::span<const Vec3> colours;
  std::optional<Legend> legend;
  std::vector<PreviewMesh> meshes;
  /// Visible colliders.
  std::vector<PlacedMesh> solid_meshes;
  /// Drawn as lines along their edges.
  std::vector<PlacedBox> containers;
  /// Height of the floor plane [m] along the camera's up vector.
  std::optional<float> floor;
  /// Two-dimensional scenes: flat discs on a plain background instead of shaded spheres.
  bool flat = false;
  Camera camera;
  /// A line of text at the bottom, for example name and time.
  std::string caption;
};

class PreviewRenderer {
 public:
  /// Throws OutputError if OpenGL is not available without a display, InputError for an invalid size.
  PreviewRenderer(int width, int height);
  ~PreviewRenderer();
  /// The same scene gives the same bytes. May be called from any thread, but only one at a time.
  Image render(const PreviewScene& scene);

 private:
  struct Pipeline;
  std::unique_ptr<Pipeline> pipeline_;
};

}  // namespace fondue
