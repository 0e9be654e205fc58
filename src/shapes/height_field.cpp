#include "shapes/height_field.h"

#include <fmt/format.h>
#include <stb_image.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.h"
#include "shapes/layer.h"
#include "shapes/mesh.h"

namespace fondue {
namespace {

void add_quad(TriangleMesh& mesh, Index a, Index b, Index c, Index d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

/// The border of the grid, counter-clockwise seen from above.
std::vector<Index> border(Index columns, Index rows) {
  std::vector<Index> around;
  for (Index i = 0; i + 1 < columns; ++i) around.push_back(i);
  for (Index j = 0; j + 1 < rows; ++j) around.push_back(j * columns + columns - 1);
  for (Index i = columns - 1; i > 0; --i) around.push_back((rows - 1) * columns + i);
  for (Index j = rows - 1; j > 0; --j) around.push_back(j * columns);
  return around;
}

float between(float from, float to, int step, int steps) {
  return step == steps ? to : from + (to - from) * static_cast<float>(step) / static_cast<float>(steps);
}

/// The closed mesh, which knows its upper side for sheets.
class HeightField final : public Shape {
 public:
  HeightField(ShapePtr mesh, const Ground& ground, int columns, int rows, std::vector<float> heights)
      : mesh_(std::move(mesh)), ground_(ground), columns_(columns), rows_(rows), heights_(std::move(heights)) {}

  float distance(const Vec3& x) const override { return mesh_->distance(x); }
  Nearest nearest(const Vec3& x) const override { return mesh_->nearest(x); }
  Box bounds() const override { return mesh_->bounds(); }
  Box surface_bounds() const override { return mesh_->surface_bounds(); }
  std::optional<Hit> sweep(const Vec3& start, const Vec3& end, float margin) const override {
    return mesh_->sweep(start, end, margin);
  }
  bool contains(const Vec3& x) const override { return mesh_->contains(x); }
  Curvature curvature() const override { return mesh_->curvature(); }
  std::optional<TriangleMesh> triangles() const override { return mesh_->triangles(); }
  std::string faults() const override { return mesh_->faults(); }
  std::optional<Layer> layer(float spacing) const override {
    return layer_of_heights(
        Vec3(ground_.min_x, ground_.min_y, 0), Vec3(ground_.max_x, ground_.max_y, 0),
        [this](float x, float y) { return height(x, y); }, spacing);
  }

 private:
  /// Between the given ones bilinear.
  float height(float x, float y) const {
    const float u = (x - ground_.min_x) / (ground_.max_x - ground_.min_x) * static_cast<float>(columns_ - 1);
    const float v = (y - ground_.min_y) / (ground_.max_y - ground_.min_y) * static_cast<float>(rows_ - 1);
    const int i = std::clamp(static_cast<int>(u), 0, columns_ - 2), j = std::clamp(static_cast<int>(v), 0, rows_ - 2);
    const float s = u - static_cast<float>(i), t = v - static_cast<float>(j);
    const auto at = [&](int column, int row) { return heights_[std::size_t(row) * columns_ + column]; };
    return (1 - t) * ((1 - s) * at(i, j) + s * at(i + 1, j)) + t * ((1 - s) * at(i, j + 1) + s * at(i + 1, j + 1));
  }

  ShapePtr mesh_;
  Ground ground_;
  int columns_, rows_;
  std::vector<float> heights_;
};

}  // namespace

ShapePtr make_height_field(const Ground& ground, int columns, int rows, const std::vector<float>& heights) {
  if (columns < 2 || rows < 2) throw InputError("height field: at least 2 columns and 2 rows are needed");
  if (heights.size() != std::size_t(columns) * std::size_t(rows)) {
    throw InputError(fmt::format("height field: {} heights for {} columns and {} rows", heights.size(), columns, rows));
  }
  if (!(ground.min_x < ground.max_x && ground.min_y < ground.max_y)) {
    throw InputError("height field: the rectangle's min must be below its max");
  }
  TriangleMesh mesh;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const float height = heights[std::size_t(j) * columns + i];
      if (!std::isfinite(height) || !(height > ground.base)) {
        throw InputError(fmt::format("height field: height {} of column {}, row {} is not above the base at {}", height,
                                     i + 1, j + 1, ground.base));
      }
      mesh.vertices.emplace_back(between(ground.min_x, ground.max_x, i, columns - 1),
                                 between(ground.min_y, ground.max_y, j, rows - 1), height);
    }
  }
  for (Index j = 0; j + 1 < Index(rows); ++j) {
    for (Index i = 0; i + 1 < Index(columns); ++i) {
      const Index a = j * columns + i;
      add_quad(mesh, a, a + 1, a + columns + 1, a + columns);
    }
  }
  const std::vector<Index> around = border(columns, rows);
  const Index below = static_cast<Index>(mesh.vertices.size());
  for (Index top : around) mesh.vertices.emplace_back(mesh.vertices[top].x(), mesh.vertices[top].y(), ground.base);
  const Index count = static_cast<Index>(around.size());
  for (Index k = 0; k < count; ++k) {
    const Index next = (k + 1) % count;
    add_quad(mesh, below + k, below + next, around[next], around[k]);
  }
  const Index corner = static_cast<Index>(columns - 1), opposite = corner + rows - 1;
  add_quad(mesh, below, below + opposite + corner, below + opposite, below + corner);
  return std::make_shared<HeightField>(make_mesh(std::move(mesh), MeshInside::solid), ground, columns, rows, heights);
}

ShapePtr make_height_field(const Ground& ground, int columns, int rows,
                           const std::function<float(float x, float y)>& height) {
  std::vector<float> heights;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      heights.push_back(height(between(ground.min_x, ground.max_x, i, columns - 1),
                               between(ground.min_y, ground.max_y, j, rows - 1)));
    }
  }
  return make_height_field(ground, columns, rows, heights);
}

ShapePtr make_height_field(const Ground& ground, const std::string& image, float low, float high) {
  int columns = 0, rows = 0, channels = 0;
  const std::unique_ptr<stbi_us, decltype(&stbi_image_free)> pixels(
      stbi_load_16(image.c_str(), &columns, &rows, &channels, 1), stbi_image_free);
  if (!pixels) throw InputError(fmt::format("{}: cannot be read as an image ({})", image, stbi_failure_reason()));
  std::vector<float> heights;
  for (int j = rows - 1; j >= 0; --j) {
    for (int i = 0; i < columns; ++i) {
      const float brightness = static_cast<float>(pixels.get()[std::size_t(j) * columns + i]) / 65535.0f;
      heights.push_back(low + (high - low) * brightness);
    }
  }
  try {
    return make_height_field(ground, columns, rows, heights);
  } catch (const InputError& error) {
    throw InputError(image + ": " + error.what());
  }
}

}  // namespace fondue
