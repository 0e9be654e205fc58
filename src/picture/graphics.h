#pragma once
// OpenGL without a display: a context of EGL's surfaceless platform and the few objects the preview needs. All objects
// live and die with their context.

#include <epoxy/gl.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace fondue {

class GraphicsContext {
 public:
  /// Throws OutputError if there is no OpenGL 3.3 to be had.
  GraphicsContext();
  ~GraphicsContext();
  GraphicsContext(const GraphicsContext&) = delete;

  /// The context is the calling thread's while this lives.
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

/// A texture over a buffer that is filled anew for every picture.
class BufferTexture {
 public:
  explicit BufferTexture(GLenum format);
  template <class T>
  void fill(const std::vector<T>& data) const {
    glBindBuffer(GL_TEXTURE_BUFFER, buffer_);
    glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(data.size() * sizeof(T)), data.data(), GL_STREAM_DRAW);
  }
  GLuint texture() const { return texture_; }

 private:
  GLuint buffer_ = 0, texture_ = 0;
};

/// Vertices (three floats, three 16-bit parts of a normal, four bytes of colour, at locations 0, 1 and 2) and triangles
/// that are filled anew for every picture.
class MeshBuffers {
 public:
  /// Of one vertex [bytes], and where its normal and its colour begin.
  MeshBuffers(int size, std::size_t normal, std::size_t colour);
  template <class Vertex, class Triangle>
  void fill(const std::vector<Vertex>& vertices, const std::vector<Triangle>& triangles) const {
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)), vertices.data(),
                 GL_STREAM_DRAW);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(triangles.size() * sizeof(Triangle)),
                 triangles.data(), GL_STREAM_DRAW);
    glBindVertexArray(0);
  }
  /// The first triangles.
  void draw(std::size_t count) const;

 private:
  GLuint array_ = 0, vertices_ = 0, triangles_ = 0;
};

/// A vertex and a fragment shader, each compiled after the prelude all share.
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

/// Unfiltered texture of one level.
GLuint make_texture(GLenum format, int width, int height);
/// A framebuffer that draws into these textures; depth 0 for none.
GLuint make_framebuffer(GLuint depth, std::initializer_list<GLuint> colours);

}  // namespace fondue
