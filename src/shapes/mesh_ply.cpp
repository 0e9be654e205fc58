// PLY: a header that declares elements with their properties, then their values as text or as bytes. Of the elements,
// vertex (x, y, z) and face (vertex_indices or vertex_index) are used; the others are skipped.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/error.h"
#include "shapes/mesh_formats.h"
#include "shapes/mesh_text.h"

namespace fondue {
namespace {

enum class Encoding { ascii, little_endian, big_endian };

struct NumberType {
  std::string_view name, other_name;
  std::size_t bytes;
  char kind;  // signed, unsigned or floating
};
constexpr NumberType number_types[] = {
    {"char", "int8", 1, 's'}, {"uchar", "uint8", 1, 'u'}, {"short", "int16", 2, 's'},   {"ushort", "uint16", 2, 'u'},
    {"int", "int32", 4, 's'}, {"uint", "uint32", 4, 'u'}, {"float", "float32", 4, 'f'}, {"double", "float64", 8, 'f'}};

struct Property {
  std::string name;
  const NumberType* type = nullptr;
  /// Type of the length, for lists.
  const NumberType* length = nullptr;
};

struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
};

struct Header {
  Encoding encoding = Encoding::ascii;
  std::vector<Element> elements;
};

const NumberType* find_type(const MeshText& text, std::size_t place) {
  const std::string_view word = place < text.words().size() ? text.words()[place] : std::string_view();
  for (const NumberType& type : number_types) {
    if (word == type.name || word == type.other_name) return &type;
  }
  text.fail(fmt::format("'{}' is not a PLY number type", word));
}

Encoding find_encoding(const MeshText& text) {
  const std::string_view word = text.words().size() > 1 ? text.words()[1] : std::string_view();
  if (word == "ascii") return Encoding::ascii;
  if (word == "binary_little_endian") return Encoding::little_endian;
  if (word == "binary_big_endian") return Encoding::big_endian;
  text.fail(fmt::format("format '{}' is none of ascii, binary_little_endian, binary_big_endian", word));
}

Header read_header(MeshText& text) {
  if (!text.next_line() || text.words()[0] != "ply") text.fail("a PLY file begins with 'ply'");
  Header header;
  bool format = false;
  while (text.next_line()) {
    const auto& words = text.words();
    if (words[0] == "end_header") {
      if (!format) text.fail("the header has no 'format' line");
      return header;
    }
    if (words[0] == "format") {
      header.encoding = find_encoding(text);
      format = true;
    } else if (words[0] == "element") {
      if (words.size() < 3) text.fail("an element needs a name and a number");
      header.elements.push_back({std::string(words[1]), text.number<std::size_t>(2), {}});
    } else if (words[0] == "property") {
      const bool list = words.size() > 1 && words[1] == "list";
      if (header.elements.empty() || words.size() < (list ? 5u : 3u))
        text.fail("a property is misplaced or incomplete");
      Property property{std::string(words.back()), find_type(text, list ? 3 : 1), list ? find_type(text, 2) : nullptr};
      header.elements.back().properties.push_back(property);
    }
  }
  text.fail("the file ends before 'end_header'");
}

/// Reads the values after the header one by one, in any encoding.
class Values {
 public:
  Values(MeshText& text, std::string_view content, Encoding encoding, const std::string& path)
      : text_(text), bytes_(content.substr(text.position())), encoding_(encoding), path_(path) {}

  void begin_element(const std::string& name, std::size_t number) {
    name_ = &name, number_ = number;
    if (encoding_ != Encoding::ascii) return;
    if (!text_.next_line()) fail("the file ends before");
    word_ = 0;
  }

  double next(const NumberType& type) {
    if (encoding_ == Encoding::ascii) return text_.number<double>(word_++);
    if (bytes_.size() < type.bytes) fail("the file ends within");
    std::array<char, 8> raw{};
    std::memcpy(raw.data(), bytes_.data(), type.bytes);
    bytes_.remove_prefix(type.bytes);
    const bool swapped = (encoding_ == Encoding::big_endian) != (std::endian::native == std::endian::big);
    if (swapped) std::reverse(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(type.bytes));
    return decoded(raw, type);
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string where = fmt::format("{} {} {}", what, *name_, number_ + 1);
    if (encoding_ == Encoding::ascii) text_.fail(where);
    throw InputError(fmt::format("{}: {}", path_, where));
  }

 private:
  template <class T>
  static double as(const std::array<char, 8>& raw) {
    T value;
    std::memcpy(&value, raw.data(), sizeof value);
    return static_cast<double>(value);
  }
  static double decoded(const std::array<char, 8>& raw, const NumberType& type) {
    if (type.kind == 'f') return type.bytes == 4 ? as<float>(raw) : as<double>(raw);
    if (type.bytes == 1) return type.kind == 's' ? as<std::int8_t>(raw) : as<std::uint8_t>(raw);
    if (type.bytes == 2) return type.kind == 's' ? as<std::int16_t>(raw) : as<std::uint16_t>(raw);
    return type.kind == 's' ? as<std::int32_t>(raw) : as<std::uint32_t>(raw);
  }

  MeshText& text_;
  std::string_view bytes_;
  Encoding encoding_;
  const std::string& path_;
  const std::string* name_ = nullptr;
  std::size_t number_ = 0, word_ = 0;
};

void read_vertices(TriangleMesh& mesh, const Element& element, Values& values) {
  for (std::size_t i = 0; i < element.count; ++i) {
    values.begin_element(element.name, i);
    Vec3d x = Vec3d::Constant(std::numeric_limits<double>::quiet_NaN());
    for (const Property& property : element.properties) {
      const double length = property.length ? values.next(*property.length) : 1;
      for (double v = 0; v < length; ++v) {
        const double value = values.next(*property.type);
        if (property.name == "x") x[0] = value;
        if (property.name == "y") x[1] = value;
        if (property.name == "z") x[2] = value;
      }
    }
    mesh.vertices.push_back(x.cast<float>());
    if (!mesh.vertices.back().allFinite()) values.fail("a coordinate is missing or not a finite number in");
  }
}

/// Reads faces, or skips any other element.
void read_faces(TriangleMesh& mesh, const Element& element, std::size_t vertices, Values& values) {
  const bool faces = element.name == "face";
  std::vector<Index> polygon;
  for (std::size_t i = 0; i < element.count; ++i) {
    values.begin_element(element.name, i);
    polygon.clear();
    for (const Property& property : element.properties) {
      const double length = property.length ? values.next(*property.length) : 1;
      const bool corners = faces && (property.name == "vertex_indices" || property.name == "vertex_index");
      if (corners && length < 3) values.fail("fewer than three vertices in");
      for (double v = 0; v < length; ++v) {
        const double value = values.next(*property.type);
        if (!corners) continue;
        if (!(value >= 0 && value < static_cast<double>(vertices))) {
          values.fail(fmt::format("vertex {} does not exist, there are {}: in", value, vertices));
        }
        polygon.push_back(static_cast<Index>(value));
      }
    }
    if (!polygon.empty()) add_polygon(mesh, polygon);
  }
}

}  // namespace

TriangleMesh read_ply(std::string_view content, const std::string& path) {
  MeshText text(content, path);
  const Header header = read_header(text);
  std::size_t vertices = 0;
  for (const Element& element : header.elements) vertices += element.name == "vertex" ? element.count : 0;
  TriangleMesh mesh;
  Values values(text, content, header.encoding, path);
  for (const Element& element : header.elements) {
    if (element.name == "vertex")
      read_vertices(mesh, element, values);
    else if (element.name == "face" && mesh.vertices.size() != vertices)
      throw InputError(fmt::format("{}: the faces come before the vertices", path));
    else if (!element.properties.empty())
      read_faces(mesh, element, vertices, values);
  }
  return mesh;
}

}  // namespace fondue
