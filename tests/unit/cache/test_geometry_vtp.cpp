// VTP files, read strictly by the format: every array is where it is declared, with the numbers that were written.

#include <gtest/gtest.h>

#include "cache/geometry_file.h"
#include "geometries.h"
#include "support.h"

namespace fondue::test {

namespace {

/// The elements of a VTP file, and the bytes of its arrays.
class VtpFile {
 public:
  explicit VtpFile(const std::vector<std::byte>& bytes)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {
    const std::string begin = "<AppendedData encoding=\"raw\">\n_";
    body_ = text_.find(begin) + begin.size();
    EXPECT_TRUE(text_.starts_with("<?xml version=\"1.0\"?>\n"));
    EXPECT_TRUE(text_.ends_with("\n  </AppendedData>\n</VTKFile>\n"));
    const std::size_t file = text_.find("<VTKFile");
    EXPECT_EQ(attribute(file, "type"), "PolyData");
    EXPECT_EQ(attribute(file, "byte_order"), "LittleEndian");
    EXPECT_EQ(attribute(file, "header_type"), "UInt64");
  }

  std::string piece(const std::string& name) const { return attribute(text_.find("<Piece"), name); }
  std::string point_data(const std::string& name) const { return attribute(text_.find("<PointData"), name); }

  /// The numbers of an array in a section; checks its type.
  template <class T>
  std::vector<T> array(const std::string& section, const std::string& name, const std::string& type,
                       const std::string& components) const {
    const std::size_t begin = text_.find("<" + section), end = text_.find("</" + section + ">");
    for (std::size_t at = text_.find("<DataArray", begin); at < end; at = text_.find("<DataArray", at + 1)) {
      if (attribute(at, "Name") != name) continue;
      EXPECT_EQ(attribute(at, "type"), type);
      EXPECT_EQ(attribute(at, "NumberOfComponents"), components);
      EXPECT_EQ(attribute(at, "format"), "appended");
      return numbers<T>(std::stoull(attribute(at, "offset")));
    }
    ADD_FAILURE() << "no array " << name << " in " << section;
    return {};
  }

  /// Total bytes of all arrays with their lengths; checks that there are no gaps.
  std::size_t walk() const {
    std::size_t offset = 0, arrays = 0;
    for (std::size_t at = text_.find("<DataArray"); at < body_; at = text_.find("<DataArray", at + 1), ++arrays) {
      EXPECT_EQ(attribute(at, "offset"), std::to_string(offset)) << "array " << arrays;
      offset += 8 + numbers<char>(offset).size();
    }
    return offset;
  }
  std::size_t appended() const { return text_.find("\n  </AppendedData>", text_.size() - 40) - body_; }

 private:
  std::string attribute(std::size_t element, const std::string& name) const {
    const std::string_view tag = std::string_view(text_).substr(element, text_.find('>', element) - element);
    const std::size_t at = tag.find(" " + name + "=\"");
    if (at == tag.npos) return "";
    const std::size_t begin = at + name.size() + 3;
    return std::string(tag.substr(begin, tag.find('"', begin) - begin));
  }
  template <class T>
  std::vector<T> numbers(std::size_t offset) const {
    std::uint64_t size = 0;
    std::memcpy(&size, text_.data() + body_ + offset, sizeof size);
    EXPECT_LE(body_ + offset + sizeof size + size, text_.size());
    std::vector<T> result(size / sizeof(T));
    if (size > 0) std::memcpy(result.data(), text_.data() + body_ + offset + sizeof size, size);
    return result;
  }

  std::string text_;
  std::size_t body_ = 0;
};

using Integers = std::vector<std::int64_t>;

Integers connectivity(const VtpFile& file, const std::string& section) {
  return file.array<std::int64_t>(section, "connectivity", "Int64", "1");
}
Integers offsets(const VtpFile& file, const std::string& section) {
  return file.array<std::int64_t>(section, "offsets", "Int64", "1");
}

}  // namespace

TEST(Vtp, PointsKeepEveryBitOfAttributesAndIds) {
  const Geometry geometry = some_points(57);
  const VtpFile file(vtp_file(geometry));
  EXPECT_EQ(file.piece("NumberOfPoints"), "57");
  EXPECT_EQ(file.piece("NumberOfVerts"), "57");
  EXPECT_EQ(file.piece("NumberOfPolys"), "0");
  EXPECT_EQ(file.point_data("Vectors"), "velocity");
  EXPECT_TRUE(same_bytes(file.array<float>("Points", "Points", "Float32", "3"), geometry.mesh.vertices));
  for (const Geometry::Attribute& attribute : geometry.attributes) {
    const auto values = file.array<float>("PointData", attribute.name, "Float32", std::to_string(attribute.components));
    EXPECT_TRUE(same_bytes(values, attribute.values)) << attribute.name;
  }
  EXPECT_EQ(file.array<Index>("PointData", "id", "UInt32", "1"), geometry.ids);
  const Integers vertices = connectivity(file, "Verts"), ends = offsets(file, "Verts");
  ASSERT_EQ(vertices.size(), 57u);
  ASSERT_EQ(ends.size(), 57u);
  for (std::int64_t i = 0; i != 57; ++i) {
    EXPECT_EQ(vertices[i], i);
    EXPECT_EQ(ends[i], i + 1);
  }
}

TEST(Vtp, TensorsKeepEveryBitAndNameTheirComponents) {
  std::mt19937 random(3);
  Geometry geometry = some_points(12);
  geometry.attributes.push_back(any_attribute("stress", 6, 12, random));
  geometry.attributes.push_back(any_attribute("fractions", 4, 12, random));
  const std::vector<std::byte> bytes = vtp_file(geometry);
  const VtpFile file(bytes);
  EXPECT_TRUE(same_bytes(file.array<float>("PointData", "stress", "Float32", "6"), geometry.find("stress")->values));
  const auto fractions = file.array<float>("PointData", "fractions", "Float32", "4");
  EXPECT_TRUE(same_bytes(fractions, geometry.find("fractions")->values));
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_NE(text.find("ComponentName3=\"xy\" ComponentName4=\"xz\" ComponentName5=\"yz\""), std::string::npos);
  EXPECT_EQ(file.walk(), file.appended());
}

TEST(Vtp, ASurfaceIsPolygonsWithNormalsAndNoVertexCells) {
  const Geometry geometry = some_surface();
  const VtpFile file(vtp_file(geometry));
  EXPECT_EQ(file.piece("NumberOfVerts"), "0");
  EXPECT_EQ(file.piece("NumberOfPolys"), "8");
  EXPECT_EQ(file.point_data("Normals"), "Normals");
  EXPECT_TRUE(same_bytes(file.array<float>("PointData", "Normals", "Float32", "3"), geometry.normals));
  Integers corners;
  for (const auto& triangle : geometry.mesh.triangles) corners.insert(corners.end(), triangle.begin(), triangle.end());
  EXPECT_EQ(connectivity(file, "Polys"), corners);
  EXPECT_EQ(offsets(file, "Polys"), (Integers{3, 6, 9, 12, 15, 18, 21, 24}));
  EXPECT_TRUE(connectivity(file, "Verts").empty());
}

TEST(Vtp, ArraysFollowEachOtherWithoutGapsToTheEnd) {
  for (const Geometry& geometry : {some_points(57), some_surface(), Geometry{}}) {
    const VtpFile file(vtp_file(geometry));
    EXPECT_EQ(file.walk(), file.appended());
  }
}

TEST(Vtp, EmptyGeometryHasEmptyArrays) {
  const VtpFile file(vtp_file({}));
  EXPECT_EQ(file.piece("NumberOfPoints"), "0");
  EXPECT_TRUE(file.array<float>("Points", "Points", "Float32", "3").empty());
  for (const char* section : {"Verts", "Lines", "Strips", "Polys"}) {
    EXPECT_TRUE(connectivity(file, section).empty());
    EXPECT_TRUE(offsets(file, section).empty());
  }
}

}  // namespace fondue::test
