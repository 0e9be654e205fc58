// VTP: XML that declares arrays, then all of them behind it, raw: each as its length in bytes (64 bits) and its
// numbers, found by the offset its declaration names.

#include <fmt/format.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "cache/byte_list.h"
#include "cache/component_names.h"
#include "cache/geometry_file.h"
#include "cache/xml_text.h"
#include "particles/column.h"

namespace fondue {

namespace {

/// Names of the components of a tensor, whose order VTK does not know; those of vectors it does.
std::string tensor_names(int components) {
  std::string names;
  if (components != 6 && components != 9) return names;
  for (int k = 0; const std::string& name : component_names(components))
    names += fmt::format(" ComponentName{}=\"{}\"", k++, name);
  return names;
}

/// The arrays behind the XML, in the order they are declared.
class Appended {
 public:
  /// The element that declares an array; the numbers must live until append_to().
  template <class T>
  std::string declare(std::string_view name, const char* type, int components, const T* first, std::size_t count) {
    const std::string element = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"{} format=\"appended\" offset=\"{}\"/>", type,
        xml_escaped(name), components, tensor_names(components), offset_);
    arrays_.push_back(std::as_bytes(std::span(first, count)));
    offset_ += sizeof(std::uint64_t) + arrays_.back().size();
    return element;
  }
  void append_to(ByteList& bytes) const {
    bytes.reserve(bytes.size() + offset_ + 64);
    for (const std::span<const std::byte> array : arrays_) {
      const std::uint64_t size = array.size();
      append(bytes, std::as_bytes(std::span(&size, 1)));
      append(bytes, array);
    }
  }

 private:
  std::vector<std::span<const std::byte>> arrays_;
  std::size_t offset_ = 0;
};

/// Which points make up each cell, all cells of one kind behind one another.
struct Cells {
  Cells(const char* kind_, std::size_t count, std::size_t corners)
      : kind(kind_), connectivity(count * corners), offsets(count) {
    for (std::size_t c = 0; c != count; ++c) offsets[c] = static_cast<std::int64_t>((c + 1) * corners);
  }
  const char* kind;
  std::vector<std::int64_t> connectivity, offsets;

  std::string declare(Appended& appended) const {
    std::string text = fmt::format("      <{}>\n", kind);
    for (const auto& [name, list] : {std::pair{"connectivity", &connectivity}, std::pair{"offsets", &offsets}})
      text += fmt::format("        {}\n", appended.declare(name, "Int64", 1, list->data(), list->size()));
    return fmt::format("{}      </{}>\n", text, kind);
  }
};

Cells points_of(const Geometry& geometry) {
  Cells cells("Verts", geometry.mesh.triangles.empty() ? geometry.mesh.vertices.size() : 0, 1);
  std::iota(cells.connectivity.begin(), cells.connectivity.end(), std::int64_t{0});
  return cells;
}

Cells triangles_of(const Geometry& geometry) {
  Cells cells("Polys", geometry.mesh.triangles.size(), 3);
  auto corner = cells.connectivity.begin();
  for (const std::array<Index, 3>& triangle : geometry.mesh.triangles)
    for (const Index vertex : triangle) *corner++ = vertex;
  return cells;
}

std::string vectors(Appended& appended, const char* name, const std::vector<Vec3>& list) {
  const float* first = list.empty() ? nullptr : list.front().data();
  return appended.declare(name, "Float32", 3, first, 3 * list.size());
}

std::string point_data(const Geometry& geometry, Appended& appended) {
  std::string active = geometry.normals.empty() ? "" : " Normals=\"Normals\"";
  if (geometry.find(columns::velocity.name)) active += fmt::format(" Vectors=\"{}\"", columns::velocity.name);
  std::string text = fmt::format("      <PointData{}>\n", active);
  const auto add = [&](const std::string& element) { text += fmt::format("        {}\n", element); };
  if (!geometry.normals.empty()) add(vectors(appended, "Normals", geometry.normals));
  for (const Geometry::Attribute& attribute : geometry.attributes) {
    add(appended.declare(attribute.name, "Float32", attribute.components, attribute.values.data(),
                         attribute.values.size()));
  }
  if (!geometry.ids.empty())
    add(appended.declare(columns::id.name, "UInt32", 1, geometry.ids.data(), geometry.ids.size()));
  return text + "      </PointData>\n";
}

}  // namespace

std::vector<std::byte> vtp_file(const Geometry& geometry) {
  const Cells verts = points_of(geometry), lines("Lines", 0, 2), strips("Strips", 0, 3), polys = triangles_of(geometry);
  Appended appended;
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<!-- made by Fondue; metres, z is up -->\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <PolyData>\n"
      "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      geometry.mesh.vertices.size(), verts.offsets.size(), polys.offsets.size());
  text += point_data(geometry, appended);
  text +=
      fmt::format("      <Points>\n        {}\n      </Points>\n", vectors(appended, "Points", geometry.mesh.vertices));
  for (const Cells* cells : {&verts, &lines, &strips, &polys}) text += cells->declare(appended);
  text += "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_";
  ByteList bytes;
  append(bytes, text);
  appended.append_to(bytes);
  append(bytes, "\n  </AppendedData>\n</VTKFile>\n");
  return bytes;
}

}  // namespace fondue
