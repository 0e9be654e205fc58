#include "picture/passes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "picture/shaders.h"

namespace fondue {
namespace {

/// Draws triangles that the vertex shader makes out of nothing but their number.
void draw_triangles(int count) { glDrawArrays(GL_TRIANGLES, 0, 3 * count); }

void start(GLuint framebuffer, int width, int height, bool depth_test) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, width, height);
  depth_test ? glEnable(GL_DEPTH_TEST) : glDisable(GL_DEPTH_TEST);
}

}  // namespace

Passes::Passes(int width_in, int height_in)
    : width(width_in),
      height(height_in),
      sphere_(shaders::sphere_vertex, shaders::sphere_fragment),
      floor_(shaders::floor_vertex, shaders::floor_fragment),
      shadow_(shaders::shadow_vertex, shaders::shadow_fragment),
      occlusion_(shaders::picture_vertex, shaders::occlusion_fragment),
      light_(shaders::picture_vertex, shaders::light_fragment),
      edge_(shaders::edge_vertex, shaders::edge_fragment),
      places_(GL_RGBA32F),
      colours_(GL_R32UI),
      casters_(GL_RGBA32F),
      ends_(GL_RGBA32F),
      sample_depth_(make_texture(GL_DEPTH_COMPONENT32F, 2 * width, 2 * height)),
      sample_colour_(make_texture(GL_RGBA8, 2 * width, 2 * height)),
      sample_normal_(make_texture(GL_RGB10_A2, 2 * width, 2 * height)),
      shadow_depth_(make_texture(GL_DEPTH_COMPONENT32F, shadow_size, shadow_size)),
      occlusions_(make_texture(GL_RGBA32F, width, height)),
      lit_(make_texture(GL_RGBA8, width, height)),
      sample_target_(make_framebuffer(sample_depth_, {sample_colour_, sample_normal_})),
      shadow_target_(make_framebuffer(shadow_depth_, {})),
      occlusion_target_(make_framebuffer(0, {occlusions_})),
      lit_target_(make_framebuffer(0, {lit_})) {
  GLuint no_vertices = 0;
  glGenVertexArrays(1, &no_vertices);
  glBindVertexArray(no_vertices);
  glGenBuffers(1, &view_block_);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, view_block_);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void Passes::draw(const ViewBlock& block, const DrawList& list) {
  places_.fill(list.spheres);
  colours_.fill(list.colours);
  casters_.fill(list.casters);
  ends_.fill(list.edges);
  glBindBuffer(GL_UNIFORM_BUFFER, view_block_);
  glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);

  draw_spheres(static_cast<int>(list.spheres.size()));
  if (block.has_floor) draw_floor();
  if (!block.flat_look) draw_shadows(static_cast<int>(list.casters.size()));
  if (!block.flat_look) find_occlusion();
  light();
  draw_edges(static_cast<int>(list.edges.size() / 2));
}

Image Passes::read() const {
  Image image{width, height, {}};
  const std::ptrdiff_t row = 3 * width;
  image.rgb.resize(static_cast<std::size_t>(row * height));
  glBindFramebuffer(GL_FRAMEBUFFER, lit_target_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  const GLenum error = glGetError();
  if (error != GL_NO_ERROR) throw OutputError(fmt::format("OpenGL could not draw the picture: error {:#x}", error));

  // OpenGL's first row is the lowest.
  for (auto top = image.rgb.begin(), bottom = image.rgb.end() - row; top < bottom; top += row, bottom -= row)
    std::swap_ranges(top, top + row, bottom);
  return image;
}

void Passes::draw_spheres(int count) {
  start(sample_target_, 2 * width, 2 * height, true);
  glClearColor(0, 0, 0, 0);
  glClear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
  sphere_.use();
  sphere_.sampler("spheres", 0, places_);
  sphere_.sampler("colours", 1, colours_);
  draw_triangles(count);
}

void Passes::draw_floor() {
  floor_.use();
  draw_triangles(1);
}

void Passes::draw_shadows(int count) {
  start(shadow_target_, shadow_size, shadow_size, true);
  glClear(GL_DEPTH_BUFFER_BIT);
  shadow_.use();
  shadow_.sampler("spheres", 0, casters_);
  draw_triangles(count);
}

void Passes::find_occlusion() {
  start(occlusion_target_, width, height, false);
  occlusion_.use();
  occlusion_.sampler("depths", 0, sample_depth_);
  occlusion_.sampler("normals", 1, sample_normal_);
  occlusion_.sampler("shadows", 2, shadow_depth_);
  draw_triangles(1);
}

void Passes::light() {
  start(lit_target_, width, height, false);
  light_.use();
  light_.sampler("depths", 0, sample_depth_);
  light_.sampler("colours", 1, sample_colour_);
  light_.sampler("normals", 2, sample_normal_);
  light_.sampler("occlusions", 3, occlusions_);
  draw_triangles(1);
}

void Passes::draw_edges(int count) {
  glEnable(GL_BLEND);
  edge_.use();
  edge_.sampler("ends", 0, ends_);
  edge_.sampler("depths", 1, sample_depth_);
  draw_triangles(2 * count);
  glDisable(GL_BLEND);
}

}  // namespace fondue
