#include "picture/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "core/error.h"
#include "picture/shaders.h"

namespace fondue {
namespace {

/// Draws triangles that the vertex shader generates from the vertex index alone.
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
      mesh_(shaders::mesh_vertex, shaders::mesh_fragment),
      shadow_(shaders::shadow_vertex, shaders::shadow_fragment),
      distance_(shaders::picture_vertex, shaders::distance_fragment),
      occlusion_(shaders::picture_vertex, shaders::occlusion_fragment),
      light_(shaders::picture_vertex, shaders::light_fragment),
      edge_(shaders::edge_vertex, shaders::edge_fragment),
      places_(GL_RGBA32F),
      colours_(GL_R32I),
      ends_(GL_RGBA32F),
      meshes_(sizeof(MeshVertex), offsetof(MeshVertex, normal), offsetof(MeshVertex, colour)),
      sample_depth_(make_texture(GL_DEPTH_COMPONENT32F, 2 * width, 2 * height)),
      sample_normal_(make_texture(GL_R32I, 2 * width, 2 * height)),
      sample_colour_(make_texture(GL_R32I, 2 * width, 2 * height)),
      shadow_depth_(make_texture(GL_DEPTH_COMPONENT32F, shadow_size, shadow_size)),
      distances_(make_texture(GL_R32F, width, height)),
      occlusions_(make_texture(GL_R32I, width, height)),
      lit_(make_texture(GL_RGBA8, width, height)),
      sample_target_(make_framebuffer(sample_depth_, {sample_normal_, sample_colour_})),
      shadow_target_(make_framebuffer(shadow_depth_, {})),
      distance_target_(make_framebuffer(0, {distances_})),
      occlusion_target_(make_framebuffer(0, {occlusions_})),
      lit_target_(make_framebuffer(0, {lit_})) {
  glGenVertexArrays(1, &no_vertices_);
  glBindVertexArray(no_vertices_);
  glGenBuffers(1, &view_block_);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, view_block_);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void Passes::draw(const ViewBlock& block, const DrawList& list) {
  upload(block, list);
  draw_surfaces(list);
  if (!block.flat_look) {
    draw_shadows(list);
    find_distances();
    find_occlusion();
  }
  light();
  draw_edges(static_cast<int>(list.edges.size() / 2));
}

void Passes::upload(const ViewBlock& block, const DrawList& list) {
  places_.fill(list.spheres);
  colours_.fill(list.colours);
  ends_.fill(list.edges);
  meshes_.fill(list.meshes.vertices, list.meshes.seen);
  glBindVertexArray(no_vertices_);
  glBindBuffer(GL_UNIFORM_BUFFER, view_block_);
  glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
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

  // OpenGL's first row is at the bottom.
  for (auto top = image.rgb.begin(), bottom = image.rgb.end() - row; top < bottom; top += row, bottom -= row)
    std::swap_ranges(top, top + row, bottom);
  return image;
}

void Passes::draw_surfaces(const DrawList& list) {
  start(sample_target_, 2 * width, 2 * height, true);
  const GLint nothing[4] = {};
  const GLfloat farthest = 0;
  glClearBufferiv(GL_COLOR, 0, nothing);
  glClearBufferfv(GL_DEPTH, 0, &farthest);
  glDepthFunc(GL_GREATER);
  sphere_.use();
  sphere_.sampler("spheres", 0, places_);
  sphere_.sampler("colours", 1, colours_);
  draw_triangles(static_cast<int>(list.spheres.size()));
  mesh_.use();
  meshes_.draw(list.meshes.seen.size());
  glBindVertexArray(no_vertices_);
}

void Passes::draw_shadows(const DrawList& list) {
  glBindTexture(GL_TEXTURE_2D, shadow_depth_);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, shadow_size, shadow_size, GL_DEPTH_COMPONENT, GL_FLOAT, list.shadows.data());
  if (list.meshes.casters.empty()) return;
  start(shadow_target_, shadow_size, shadow_size, true);
  glDepthFunc(GL_LESS);
  glEnable(GL_DEPTH_CLAMP);
  shadow_.use();
  meshes_.fill_triangles(list.meshes.casters);
  meshes_.draw(list.meshes.casters.size());
  glDisable(GL_DEPTH_CLAMP);
  glBindVertexArray(no_vertices_);
}

void Passes::find_distances() {
  start(distance_target_, width, height, false);
  distance_.use();
  distance_.sampler("depths", 0, sample_depth_);
  draw_triangles(1);
}

void Passes::find_occlusion() {
  start(occlusion_target_, width, height, false);
  occlusion_.use();
  occlusion_.sampler("distances", 0, distances_);
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
