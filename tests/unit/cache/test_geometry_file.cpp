// PLY and OBJ files contain what was written, and invalid geometry is refused.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

#include "cache/geometry_file.h"
#include "core/error.h"
#include "geometries.h"
#include "support.h"

namespace fondue::test {

namespace {

/// The vertices of a PLY file, read strictly by the format: the header, and the records after it.
struct PlyVertices {
  std::size_t count = 0, faces = 0;
  /// Type and offset in the record of every property.
  std::map<std::string, std::pair<std::string, std::size_t>> properties;
  std::string records;

  template <class T>
  T value(const std::string& property, std::size_t vertex) const {
    T result;
    const std::size_t word = vertex * properties.size() + properties.at(property).second;
    std::memcpy(&result, records.data() + 4 * word, 4);
    return result;
  }
};

PlyVertices read_vertices(const std::filesystem::path& path) {
  const std::string text = read_text(path), end = "end_header\n";
  const std::size_t body = text.find(end) + end.size();
  std::istringstream header(text.substr(0, body));
  PlyVertices ply;
  std::string line, element;
  std::getline(header, line);
  EXPECT_EQ(line, "ply");
  std::getline(header, line);
  EXPECT_EQ(line, "format binary_little_endian 1.0");
  while (std::getline(header, line)) {
    std::istringstream words(line);
    std::string key, type, name;
    words >> key;
    if (key == "element") {
      words >> element;
      words >> (element == "vertex" ? ply.count : ply.faces);
    } else if (key == "property" && element == "vertex") {
      words >> type >> name;
      ply.properties.emplace(name, std::pair{type, ply.properties.size()});
    }
  }
  ply.records = text.substr(body);
  EXPECT_EQ(ply.records.size(), ply.count * ply.properties.size() * 4 + ply.faces * 13);
  return ply;
}

void expect_same(const TriangleMesh& mesh, const TriangleMesh& expected) {
  EXPECT_TRUE(same_bytes(mesh.vertices, expected.vertices));
  EXPECT_TRUE(same_bytes(mesh.triangles, expected.triangles));
}

}  // namespace

TEST(GeometryFile, PlyKeepsEveryBitOfPointsAttributesAndIds) {
  const TemporaryFolder folder;
  const Geometry geometry = some_points(100);
  write_geometry(folder / "points.ply", geometry);
  const PlyVertices ply = read_vertices(folder / "points.ply");
  ASSERT_EQ(ply.count, 100u);
  EXPECT_EQ(ply.faces, 0u);
  EXPECT_EQ(ply.properties.size(), 11u);
  for (const auto& [name, property] : ply.properties)
    EXPECT_EQ(property.first, name == "id" ? "uint" : "float") << name;
  const std::string place[] = {"x", "y", "z"}, velocity[] = {"vx", "vy", "vz"},
                    drift[] = {"drift_x", "drift_y", "drift_z"};
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  for (std::size_t i = 0; i != ply.count; ++i) {
    for (int a = 0; a != 3; ++a) {
      EXPECT_EQ(ply.value<float>(place[a], i), geometry.mesh.vertices[i][a]);
      EXPECT_EQ(ply.value<std::uint32_t>(velocity[a], i), bits(geometry.find("velocity")->values[3 * i + a]));
      EXPECT_EQ(ply.value<std::uint32_t>(drift[a], i), bits(geometry.find("drift")->values[3 * i + a]));
    }
    EXPECT_EQ(ply.value<std::uint32_t>("temperature", i), bits(geometry.find("temperature")->values[i]));
    EXPECT_EQ(ply.value<std::uint32_t>("id", i), geometry.ids[i]);
  }
}

TEST(GeometryFile, PlyHasAPropertyForEveryComponent) {
  const TemporaryFolder folder;
  std::mt19937 random(4);
  Geometry geometry = some_points(10);
  geometry.attributes = {any_attribute("stress", 6, 10, random), any_attribute("gradient", 9, 10, random),
                         any_attribute("pair", 2, 10, random)};
  write_geometry(folder / "points.ply", geometry);
  const PlyVertices ply = read_vertices(folder / "points.ply");
  EXPECT_EQ(ply.properties.size(), 3u + 6 + 9 + 2 + 1);
  const auto expect_values = [&](const std::string& property, const std::string& attribute, std::size_t component) {
    const auto& [name, unit, components, values] = *geometry.find(attribute);
    for (std::size_t i = 0; i != ply.count; ++i)
      EXPECT_EQ(ply.value<std::uint32_t>(property, i),
                std::bit_cast<std::uint32_t>(values[i * static_cast<std::size_t>(components) + component]));
  };
  expect_values("stress_xx", "stress", 0);
  expect_values("stress_xy", "stress", 3);
  expect_values("stress_yz", "stress", 5);
  expect_values("gradient_zx", "gradient", 2);
  expect_values("gradient_xz", "gradient", 6);
  expect_values("pair_1", "pair", 1);
}

TEST(GeometryFile, PlyOfASurfaceIsReadBackWithNormals) {
  const TemporaryFolder folder;
  const Geometry geometry = some_surface();
  write_geometry(folder / "surface.ply", geometry);
  expect_same(read_mesh((folder / "surface.ply").string()), geometry.mesh);
  const PlyVertices ply = read_vertices(folder / "surface.ply");
  for (std::size_t i = 0; i != ply.count; ++i) {
    const Vec3 normal(ply.value<float>("nx", i), ply.value<float>("ny", i), ply.value<float>("nz", i));
    EXPECT_EQ(normal, geometry.normals[i]);
    EXPECT_EQ(ply.value<float>("temperature", i), geometry.find("temperature")->values[i]);
  }
}

TEST(GeometryFile, ObjIsReadBackToTheLastBit) {
  const TemporaryFolder folder;
  Geometry geometry = some_surface();
  write_geometry(folder / "surface.obj", geometry);
  expect_same(read_mesh((folder / "surface.obj").string()), geometry.mesh);
  const std::string text = read_text(folder / "surface.obj");
  EXPECT_NE(text.find("\nvn 0 1 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nf 1//1 2//2 3//3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# OBJ holds no attributes"), std::string::npos) << text;
  geometry.normals.clear();
  write_geometry(folder / "flat.OBJ", geometry);
  expect_same(read_mesh((folder / "flat.OBJ").string()), geometry.mesh);
  EXPECT_NE(read_text(folder / "flat.OBJ").find("\nf 1 2 3\n"), std::string::npos);
}

TEST(GeometryFile, EmptyGeometryIsAValidFile) {
  const TemporaryFolder folder;
  for (const char* name : {"empty.ply", "empty.obj", "empty.vtp"}) write_geometry(folder / name, {});
  const PlyVertices ply = read_vertices(folder / "empty.ply");
  EXPECT_EQ(ply.count, 0u);
  EXPECT_EQ(ply.properties.size(), 3u);
  std::istringstream obj(read_text(folder / "empty.obj"));
  for (std::string line; std::getline(obj, line);) EXPECT_EQ(line[0], '#') << line;
}

TEST(GeometryFile, AnotherExtensionIsRefusedAndTheKnownOnesNamed) {
  const TemporaryFolder folder;
  for (const char* name : {"surface.stl", "surface", ".ply"}) {
    const std::string message = message_of<InputError>([&] { write_geometry(folder / name, some_surface()); });
    EXPECT_NE(message.find(".ply, .obj or .vtp"), std::string::npos) << message;
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(GeometryFile, APointWithoutAFinitePositionIsRefusedByIndex) {
  const TemporaryFolder folder;
  Geometry geometry = some_points(5);
  geometry.mesh.vertices[3].y() = std::nanf("");
  for (const char* name : {"points.ply", "points.obj", "points.vtp"}) {
    const std::string message = message_of<InputError>([&] { write_geometry(folder / name, geometry); });
    EXPECT_NE(message.find("point 3"), std::string::npos) << message;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(GeometryFile, InconsistentListsAreNeverWritten) {
  const TemporaryFolder folder;
  Geometry short_list = some_points(5), corner = some_surface(), twice = some_points(2);
  short_list.attributes[1].values.pop_back();
  corner.mesh.triangles[0][1] = 6;
  twice.attributes[2].name = "velocity";
  for (const Geometry& geometry : {short_list, corner, twice})
    EXPECT_THROW(write_geometry(folder / "wrong.ply", geometry), std::logic_error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(GeometryFile, AMissingFolderIsAnOutputError) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "missing" / "points.ply";
  const std::string message = message_of<OutputError>([&] { write_geometry(path, some_points(2)); });
  EXPECT_NE(message.find("No such file"), std::string::npos) << message;
  EXPECT_THROW(write_pvd(folder / "missing" / "frames.pvd", {}), OutputError);
}

TEST(GeometryFile, SeriesNamesFilesRelativeToItselfWithAllDigitsOfTheirTimes) {
  const TemporaryFolder folder;
  const std::vector<SeriesEntry> entries = {{0, folder / "a.vtp"}, {0.1 + 0.2, folder / "sub" / "b&c.vtp"}};
  write_pvd(folder / "frames.pvd", entries);
  const std::string text = read_text(folder / "frames.pvd");
  EXPECT_NE(text.find("timestep=\"0\" group=\"\" part=\"0\" file=\"a.vtp\""), std::string::npos) << text;
  EXPECT_NE(text.find("timestep=\"0.30000000000000004\""), std::string::npos) << text;
  EXPECT_NE(text.find("file=\"sub/b&amp;c.vtp\""), std::string::npos) << text;
}

}  // namespace fondue::test
