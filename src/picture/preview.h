#pragma once
// The preview renderer: particles as sphere impostors with a floor, shadows or ambient occlusion, colliders and a legend, drawn
// by OpenGL without a display (EGL surfaceless) into an image.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/vec.h"

namespace fondue {

struct Image {
  int width = 0, height = 0;
  /// Three bytes a pixel, top row first.
  std::vector<std::uint8_t> rgb;
};

struct Camera {
  Vec3 eye, target;
  Vec3 up = Vec3(0, 0, 1);
  /// Vertical field of view [degrees]; 0 for a parallel projection of the given height (two-dimensional scenes).
  float field_of_view = 35;
  /// Height of the picture at the target [m], for a parallel projection.
  float height = 1;
};

/// Names and range of the colours, drawn beside the picture.
struct Legend {
  std::string title, unit;
  float min = 0, max = 1;
  /// "viridis", "heat", "water", "diverging".
  std::string map = "viridis";
};

/// Everything one picture shows.
struct PreviewScene {
  std::span<const Vec3> positions;
  std::span<const float> radii;
  /// Coloured by the legend's map when values are given, else by colours.
  std::span<const float> values;
  std::span<const Vec3> colours;
  std::optional<Legend> legend;
  /// Boundary particles of visible colliders.
  std::span<const Vec3> solid_positions;
  float solid_radius = 0;
  /// Edges of containers, drawn as lines.
  std::vector<Box> containers;
  /// Height of the floor plane [m] in the direction of the camera's up; none for two-dimensional scenes.
  std::optional<float> floor;
  Camera camera;
  /// A line of text at the bottom, e.g. name and time.
  std::string caption;
};

class PreviewRenderer {
 public:
  /// Throws OutputError if no OpenGL can be had without a display.
  PreviewRenderer(int width, int height);
  ~PreviewRenderer();
  Image render(const PreviewScene& scene);

 private:
  struct Graphics;
  std::unique_ptr<Graphics> graphics_;
};

/// Written under another name and renamed.
void write_png(const Image& image, const std::string& path);

}  // namespace fondue
