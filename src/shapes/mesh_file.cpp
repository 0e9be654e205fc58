#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.h"
#include "shapes/mesh_formats.h"

namespace fondue {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw InputError(fmt::format("{}: cannot be read", path));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

TriangleMesh read_mesh(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto read = extension == ".obj" ? read_obj : extension == ".ply" ? read_ply : read_stl;
  if (extension != ".obj" && extension != ".ply" && extension != ".stl") {
    throw InputError(fmt::format("{}: unknown mesh format; use .obj, .ply or .stl", path));
  }
  TriangleMesh mesh = read(content_of(path), path);
  if (mesh.triangles.empty()) throw InputError(fmt::format("{}: the mesh is empty, it has no triangles", path));
  return mesh;
}

}  // namespace fondue
