#include "picture/preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "picture/passes.h"

namespace fondue {
namespace {

/// What there is to draw, without what is surely hidden from the eye or the light.
DrawList make_draw_list(const PreviewScene& scene, const ViewFrame& view, const Spheres& spheres, int width,
                        int height) {
  DrawList list;
  for (const Index i : seen_by_eye(spheres, view, width / 2 + 1, height / 2 + 1)) {
    list.spheres.push_back(spheres.places[i]);
    list.colours.push_back(spheres.colours[i]);
  }
  if (!scene.flat)
    for (const Index i : seen_by_light(spheres, view)) list.casters.push_back(spheres.places[i]);
  list.edges = container_edges(scene, view);
  return list;
}

std::string full_caption(const PreviewScene& scene, const Spheres& spheres) {
  if (!spheres.left_out) return scene.caption;
  return fmt::format("{}{}{} particles without a finite place", scene.caption, scene.caption.empty() ? "" : "   ",
                     spheres.left_out);
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
  const ViewBlock block = make_view_block(scene, view, spheres, passes.width, passes.height);
  passes.draw(block, make_draw_list(scene, view, spheres, passes.width, passes.height));
  Image image = passes.read();

  const std::string caption = full_caption(scene, spheres);
  if (!pipeline_->font && (scene.legend || !caption.empty())) pipeline_->font.emplace();
  if (scene.legend) draw_legend(image, *pipeline_->font, *scene.legend);
  if (!caption.empty()) draw_caption(image, *pipeline_->font, caption);
  return image;
}

}  // namespace fondue
