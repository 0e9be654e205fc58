#pragma once
// OpenGL without a display: a context of EGL's surfaceless platform and the few objects the preview needs. All objects
// are destroyed with their context.

#include <epoxy/gl.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace fondue {

class GraphicsContext {
 public:
  /// Throws OutputError if OpenGL 3.3 is not available.
  GraphicsContext();
  ~GraphicsContext();
  GraphicsContext(const GraphicsContext&) = delete;

  /// Makes the context current in the calling thread during its lifetime.
  class Use {
   public:
    explicit Use(const GraphicsContext& context);
    ~Use();
    Use(const Use&) = delete;

   private:
    void* display_;
  };

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

template <class T>
void fill_buffer(GLenum target, GLuint buffer, const std::vector<T>& data) {
  glBindBuffer(target, buffer);
  glBufferData(target, static_cast<GLsizeiptr>(data.size() * sizeof(T)), data.data(), GL_STREAM_DRAW);
}

/// A texture over a buffer that is refilled for every picture.
class BufferTexture {
 public:
  explicit BufferTexture(GLenum format);
  template <class T>
  void fill(const std::vector<T>& data) const {
    fill_buffer(GL_TEXTURE_BUFFER, buffer_, data);
  }
  GLuint texture() const { return texture_; }

 private:
  GLuint buffer_ = 0, texture_ = 0;
};

/// Vertices (three floats, three 16-bit components of a normal, four bytes of colour, at locations 0, 1 and 2) and
/// triangles that are refilled for every picture.
class MeshBuffers {
 public:
  /// Size of one vertex [bytes], and the offsets of its normal and its colour.
  MeshBuffers(int size, std::size_t normal, std::size_t colour);
  template <class Vertex, class Triangle>
  void fill(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles) const {
    fill_buffer(GL_ARRAY_BUFFER, vertices_, vertices);
    fill_triangles(triangles);
  }
  /// Replaces the triangles, keeping the vertices.
  template <class Triangle>
  void fill_triangles(const std::vector<Triangle>& triangles) const {
    glBindVertexArray(array_);
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, triangles_, triangles);
    glBindVertexArray(0);
  }
  void draw(std::size_t count) const;

 private:
  GLuint array_ = 0, vertices_ = 0, triangles_ = 0;
};

/// A vertex and a fragment shader, each compiled after the common prelude.
class ShaderProgram {
 public:
  ShaderProgram(const char* vertex, const char* fragment);
  void use() const { glUseProgram(program_); }
  /// Binds a texture to the sampler of this name; the program must be in use.
  void sampler(const char* name, int unit, GLuint texture) const;
  void sampler(const char* name, int unit, const BufferTexture& buffer) const;

 private:
  void bind(const char* name, int unit, GLenum target, GLuint texture) const;
  GLuint program_;
};

/// Unfiltered texture without mipmaps.
GLuint make_texture(GLenum format, int width, int height);
/// A framebuffer with these textures; depth 0 for none.
GLuint make_framebuffer(GLuint depth, std::initializer_list<GLuint> colours);

}  // namespace fondue
