#pragma once
// The preview renderer: particles as exact spheres and meshes in soft daylight with shadows and ambient occlusion, over
// a floor that fades out, with containers, solids, a legend and a caption; drawn by OpenGL without a display into an
// image.
//
// The light is the camera's: from the upper left, behind the viewer. Particles whose position or radius is no finite
// number, and triangles with such a vertex, are left out and counted in the caption; values that are no number show in
// a warning magenta.

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

/// A box where it is now: x = position + rotation * x_local.
struct PlacedBox {
  Box box;
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();
};
/// Both ends of each edge; in the plane those of the rectangle.
std::vector<std::pair<Vec3, Vec3>> edges_of(const PlacedBox& placed, bool plane);

/// What has no colour of its own.
inline const Vec3 plain_blue(0.22f, 0.50f, 0.78f);

struct Geometry;

/// A mesh, smoothly shaded with the normals of its vertices (computed if it has none) and seen from both sides.
struct PreviewMesh {
  const Geometry* geometry = nullptr;
  /// One a vertex, or none: coloured by the legend's map when values are given, else by colours, else by the one
  /// colour.
  std::span<const float> values;
  std::span<const Vec3> colours;
  Vec3 colour = plain_blue;
};

/// A mesh where it is now: x = position + rotation * x_local.
struct PlacedMesh {
  const Geometry* geometry = nullptr;
  Mat3 rotation = Mat3::Identity();
  Vec3 position = Vec3::Zero();
};

/// Everything one picture shows.
struct PreviewScene {
  /// Particles; radii has as many entries.
  std::span<const Vec3> positions;
  std::span<const float> radii;
  /// Coloured by the legend's map when values are given, else by colours, else a plain blue.
  std::span<const float> values;
  std::span<const Vec3> colours;
  std::optional<Legend> legend;
  std::vector<PreviewMesh> meshes;
  /// Visible colliders, in a neutral grey.
  std::vector<PlacedMesh> solid_meshes;
  /// Drawn as lines along their edges.
  std::vector<PlacedBox> containers;
  /// Height of the floor plane [m] in the direction of the camera's up.
  std::optional<float> floor;
  /// Two-dimensional scenes: flat discs on plain paper instead of spheres in daylight.
  bool flat = false;
  Camera camera;
  /// A line of text at the bottom, e.g. name and time.
  std::string caption;
};

class PreviewRenderer {
 public:
  /// Throws OutputError if no OpenGL can be had without a display, InputError for a size that cannot be.
  PreviewRenderer(int width, int height);
  ~PreviewRenderer();
  /// The same scene gives the same bytes. May be called from any one thread at a time.
  Image render(const PreviewScene& scene);

 private:
  struct Pipeline;
  std::unique_ptr<Pipeline> pipeline_;
};

}  // namespace fondue
