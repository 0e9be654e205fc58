#pragma once
// The render passes of a picture, in order: spheres and meshes, shadows of meshes, distances, occlusion, light, edges.

#include <vector>

#include "picture/graphics.h"
#include "picture/meshes.h"
#include "picture/view_block.h"

namespace fondue {

/// The content of a picture in view space: spheres with their colours and shadows, meshes, and the ends of edges.
struct DrawList {
  std::vector<Float4> spheres;
  std::vector<std::uint32_t> colours;
  std::vector<float> shadows;
  Meshes meshes;
  std::vector<Float4> edges;
};

/// Programs, textures and framebuffers that are reused for pictures of one size. Its context must be current.
class Passes {
 public:
  Passes(int width, int height);
  void draw(const ViewBlock& block, const DrawList& list);
  /// Reads back the last picture. Throws OutputError if OpenGL reported an error.
  Image read() const;

  const int width, height;

 private:
  void upload(const ViewBlock& block, const DrawList& list);
  void draw_surfaces(const DrawList& list);
  void draw_shadows(const DrawList& list);
  void find_distances();
  void find_occlusion();
  void light();
  void draw_edges(int count);

  ShaderProgram sphere_, mesh_, shadow_, distance_, occlusion_, light_, edge_;
  BufferTexture places_, colours_, ends_;
  MeshBuffers meshes_;
  GLuint sample_depth_, sample_normal_, sample_colour_, shadow_depth_, distances_, occlusions_, lit_;
  GLuint sample_target_, shadow_target_, distance_target_, occlusion_target_, lit_target_;
  GLuint no_vertices_ = 0, view_block_ = 0;
};

}  // namespace fondue
