#pragma once
// The passes of one picture, in order: spheres, floor, shadow map, occlusion, light, edges.

#include <array>
#include <vector>

#include "picture/graphics.h"
#include "picture/view_block.h"

namespace fondue {

/// What is drawn, in view space: spheres with their colours, casters of shadows, and the ends of edges.
struct DrawList {
  std::vector<Float4> spheres;
  std::vector<std::uint32_t> colours;
  std::vector<Float4> casters;
  std::vector<Float4> edges;
};

/// Programs, textures and framebuffers that stay between pictures of one size. Its context must be in use.
class Passes {
 public:
  Passes(int width, int height);
  void draw(const ViewBlock& block, const DrawList& list);
  /// What was drawn last. Throws OutputError if OpenGL ran into an error.
  Image read() const;

  const int width, height;

 private:
  void draw_spheres(int count);
  void draw_floor();
  void draw_shadows(int count);
  void find_occlusion();
  void light();
  void draw_edges(int count);

  ShaderProgram sphere_, floor_, shadow_, occlusion_, light_, edge_;
  BufferTexture places_, colours_, casters_, ends_;
  GLuint sample_depth_, sample_colour_, sample_normal_, shadow_depth_, occlusions_, lit_;
  GLuint sample_target_, shadow_target_, occlusion_target_, lit_target_;
  GLuint view_block_ = 0;
};

}  // namespace fondue
