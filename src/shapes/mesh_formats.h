#pragma once
// Parsers of mesh files, each given the whole content of a file. See triangle_mesh.h.

#include <string>
#include <string_view>

#include "shapes/triangle_mesh.h"

namespace fondue {

TriangleMesh read_obj(std::string_view content, const std::string& path);
TriangleMesh read_ply(std::string_view content, const std::string& path);
TriangleMesh read_stl(std::string_view content, const std::string& path);

}  // namespace fondue
