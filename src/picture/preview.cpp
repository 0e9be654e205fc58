#include "picture/preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "picture/passes.h"
#include "picture/shadows.h"

namespace fondue {
namespace {

std::string full_caption(const std::string& caption, std::size_t particles, std::size_t triangles) {
  std::string full = caption;
  const auto count = [&](std::size_t left_out, const char* what) {
    if (left_out)
      full = fmt::format("{}{}{} {} without a finite position", full, full.empty() ? "" : "   ", left_out, what);
  };
  count(particles, "particles");
  count(triangles, "triangles");
  return full;
}

}  // namespace

struct PreviewRenderer::Pipeline {
  GraphicsContext context;
  std::optional<Passes> passes;
  std::optional<Font> font;
};

PreviewRenderer::PreviewRenderer(int width, int height) : pipeline_(std::make_unique<Pipeline>()) {
  const GraphicsContext::Use use(pipeline_->context);
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (width < 1 || height < 1 || 2 * std::max(width, height) > most)
    throw InputError(fmt::format("picture: {} x {} pixels; each side must be 1 to {}", width, height, most / 2));
  pipeline_->passes.emplace(width, height);
}

PreviewRenderer::~PreviewRenderer() = default;

Image PreviewRenderer::render(const PreviewScene& scene) {
  const GraphicsContext::Use use(pipeline_->context);
  Passes& passes = *pipeline_->passes;
  const float aspect = static_cast<float>(passes.width) / static_cast<float>(passes.height);
  const ViewFrame view(scene.camera, aspect);
  const Spheres spheres = make_spheres(scene, view);
  DrawList list;
  list.meshes = make_meshes(scene, view);
  SeenBounds bounds = spheres.bounds;
  bounds.add(list.meshes.bounds);
  const ViewBlock block = make_view_block(scene, view, bounds, spheres.mean_radius, passes.width, passes.height);
  for (const Index i : seen_by_eye(spheres, view, passes.width, passes.height)) {
    list.spheres.push_back(spheres.places[i]);
    list.colours.push_back(spheres.colours[i]);
  }
  if (!scene.flat) list.shadows = sphere_shadows(spheres, block);
  list.edges = container_edges(scene, view);
  passes.draw(block, list);
  Image image = passes.read();

  const std::string caption = full_caption(scene.caption, spheres.left_out, list.meshes.left_out);
  if (!pipeline_->font && (scene.legend || !caption.empty())) pipeline_->font.emplace();
  if (scene.legend) draw_legend(image, *pipeline_->font, *scene.legend);
  if (!caption.empty()) draw_caption(image, *pipeline_->font, caption);
  return image;
}

}  // namespace fondue
