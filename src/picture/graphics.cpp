#include "picture/graphics.h"

#include <epoxy/egl.h>
#include <fmt/format.h>

#include <vector>

#include "core/error.h"
#include "picture/shaders.h"

namespace fondue {
namespace {

[[noreturn]] void no_graphics(const std::string& what) {
  throw OutputError(
      fmt::format("no OpenGL without a display: {} (EGL error {:#x}); install libegl-mesa0 and libgl1-mesa-dri", what,
                  eglGetError()));
}

GLuint compile(GLenum stage, const char* source) {
  const GLuint shader = glCreateShader(stage);
  const char* texts[] = {shaders::prelude, source};
  glShaderSource(shader, 2, texts, nullptr);
  glCompileShader(shader);
  GLint compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled) return shader;
  std::vector<char> log(4096, '\0');
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()) - 1, nullptr, log.data());
  throw OutputError(fmt::format("OpenGL cannot compile a shader of the preview: {}", log.data()));
}

}  // namespace

GraphicsContext::GraphicsContext() {
  if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    no_graphics("EGL has no surfaceless platform");
  display_ = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (!display_ || !eglInitialize(display_, nullptr, nullptr)) no_graphics("EGL cannot be initialised");
  if (!eglBindAPI(EGL_OPENGL_API)) no_graphics("EGL has no desktop OpenGL");
  const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (!context_) no_graphics("no OpenGL 3.3 context");
}

// The display stays initialised: other contexts of the process share it.
GraphicsContext::~GraphicsContext() { eglDestroyContext(display_, context_); }

GraphicsContext::Use::Use(const GraphicsContext& context) : display_(context.display_) {
  if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context.context_))
    no_graphics("the context cannot be used");
}

GraphicsContext::Use::~Use() { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }

ShaderProgram::ShaderProgram(const char* vertex, const char* fragment) : program_(glCreateProgram()) {
  for (const GLuint shader : {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)}) {
    glAttachShader(program_, shader);
    glDeleteShader(shader);
  }
  glLinkProgram(program_);
  GLint linked = 0;
  glGetProgramiv(program_, GL_LINK_STATUS, &linked);
  if (!linked) throw OutputError("OpenGL cannot link a shader of the preview");
}

void ShaderProgram::bind(const char* name, int unit, GLenum target, GLuint texture) const {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(target, texture);
  glUniform1i(glGetUniformLocation(program_, name), unit);
}

void ShaderProgram::sampler(const char* name, int unit, GLuint texture) const {
  bind(name, unit, GL_TEXTURE_2D, texture);
}

void ShaderProgram::sampler(const char* name, int unit, const BufferTexture& buffer) const {
  bind(name, unit, GL_TEXTURE_BUFFER, buffer.texture());
}

GLuint make_texture(GLenum format, int width, int height) {
  const bool depth = format == GL_DEPTH_COMPONENT32F, integer = format == GL_R32I;
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0,
               depth     ? GL_DEPTH_COMPONENT
               : integer ? GL_RED_INTEGER
                         : GL_RGBA,
               integer ? GL_INT : GL_FLOAT, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}

GLuint make_framebuffer(GLuint depth, std::initializer_list<GLuint> colours) {
  GLuint framebuffer = 0;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  if (depth) glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
  std::vector<GLenum> targets;
  for (const GLuint colour : colours) {
    targets.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(targets.size()));
    glFramebufferTexture2D(GL_FRAMEBUFFER, targets.back(), GL_TEXTURE_2D, colour, 0);
  }
  glDrawBuffers(static_cast<GLsizei>(targets.size()), targets.data());
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw OutputError("OpenGL cannot draw into the buffers of the preview");
  return framebuffer;
}

BufferTexture::BufferTexture(GLenum format) {
  glGenBuffers(1, &buffer_);
  glGenTextures(1, &texture_);
  glBindBuffer(GL_TEXTURE_BUFFER, buffer_);
  glBindTexture(GL_TEXTURE_BUFFER, texture_);
  glTexBuffer(GL_TEXTURE_BUFFER, format, buffer_);
}

MeshBuffers::MeshBuffers(int size, std::size_t normal, std::size_t colour) {
  glGenVertexArrays(1, &array_);
  glGenBuffers(1, &vertices_);
  glGenBuffers(1, &triangles_);
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, triangles_);
  const auto at = [](std::size_t offset) { return reinterpret_cast<const void*>(offset); };
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, size, at(0));
  glVertexAttribPointer(1, 4, GL_SHORT, GL_TRUE, size, at(normal));
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, size, at(colour));
  for (const GLuint location : {0u, 1u, 2u}) glEnableVertexAttribArray(location);
  glBindVertexArray(0);
}

void MeshBuffers::draw(std::size_t count) const {
  glBindVertexArray(array_);
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * count), GL_UNSIGNED_INT, nullptr);
  glBindVertexArray(0);
}

}  // namespace fondue
