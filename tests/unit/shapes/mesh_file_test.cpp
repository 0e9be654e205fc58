#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "shapes/mesh.h"
#include "unit/shapes/helpers.h"

namespace fondue::mesh_file_test {
namespace {

using testing_support::cube_corners;
using testing_support::cube_squares;
using testing_support::TemporaryFile;

std::string cube_obj() {
  std::string text = "# a cube\no cube\n";
  for (const Vec3& x : cube_corners()) text += fmt::format("v {} {} {}\n", x.x(), x.y(), x.z());
  text += "vn 0 0 1\nvt 0 0\n";
  for (const auto& s : cube_squares())
    text += fmt::format("f {}/1/1 {}//1 {} {}/1\n", s[0] + 1, s[1] + 1, s[2] + 1, s[3] + 1);
  return text;
}

enum class PlyKind { ascii, little, big };

void append(std::string& bytes, const auto& value, PlyKind kind) {
  std::array<char, sizeof value> raw;
  std::memcpy(raw.data(), &value, sizeof value);
  if (kind == PlyKind::big) std::ranges::reverse(raw);
  bytes.append(raw.data(), raw.size());
}

/// With additional properties and elements, as scanners write them.
std::string cube_ply(PlyKind kind) {
  const char* names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  std::string text = fmt::format(
      "ply\nformat {} 1.0\ncomment a cube\nelement vertex 8\nproperty uchar red\nproperty double x\nproperty float y\n"
      "property float z\nelement edge 1\nproperty int vertex1\nproperty int vertex2\nelement face 6\nproperty list "
      "uchar "
      "int vertex_indices\nproperty short quality\nend_header\n",
      names[int(kind)]);
  for (const Vec3& x : cube_corners()) {
    if (kind == PlyKind::ascii)
      text += fmt::format("255 {} {} {}\n", x.x(), x.y(), x.z());
    else
      append(text, std::uint8_t(255), kind), append(text, double(x.x()), kind), append(text, x.y(), kind),
          append(text, x.z(), kind);
  }
  if (kind == PlyKind::ascii)
    text += "0 1\n";
  else
    append(text, 0, kind), append(text, 1, kind);
  for (const auto& s : cube_squares()) {
    if (kind == PlyKind::ascii)
      text += fmt::format("4 {} {} {} {} -7\n", s[0], s[1], s[2], s[3]);
    else {
      append(text, std::uint8_t(4), kind);
      for (Index corner : s) append(text, int(corner), kind);
      append(text, std::int16_t(-7), kind);
    }
  }
  return text;
}

std::string cube_stl(bool binary) {
  const TriangleMesh mesh = testing_support::cube_mesh();
  std::string text = binary ? std::string("solid but binary all the same").append(51, ' ') : "solid cube\n";
  if (binary) append(text, std::uint32_t(mesh.triangles.size()), PlyKind::little);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (binary)
      text.append(12, '\0');
    else
      text += " facet normal 0 0 0\n  outer loop\n";
    for (int c = 0; c < 3; ++c) {
      const Vec3& x = mesh.corner(t, c);
      if (binary)
        append(text, x.x(), PlyKind::little), append(text, x.y(), PlyKind::little),
            append(text, x.z(), PlyKind::little);
      else
        text += fmt::format("   vertex {:e} {:e} {:e}\n", x.x(), x.y(), x.z());
    }
    text += binary ? std::string(2, '\0') : "  endloop\n endfacet\n";
  }
  return binary ? text : text + "endsolid cube\n";
}

/// Six times the volume, so that it is an integer.
float six_volumes(const TriangleMesh& mesh) {
  float sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    sum += mesh.corner(t, 0).dot(mesh.corner(t, 1).cross(mesh.corner(t, 2)));
  }
  return sum;
}

TEST(MeshFiles, OfAllFormatsGiveTheSameCube) {
  const std::pair<std::string, std::string> files[] = {{"cube.obj", cube_obj()},
                                                       {"ascii.ply", cube_ply(PlyKind::ascii)},
                                                       {"little.ply", cube_ply(PlyKind::little)},
                                                       {"big.PLY", cube_ply(PlyKind::big)},
                                                       {"ascii.stl", cube_stl(false)},
                                                       {"binary.stl", cube_stl(true)}};
  const Box around{Vec3::Constant(-0.5f), Vec3::Constant(1.5f)};
  for (const auto& [name, content] : files) {
    SCOPED_TRACE(name);
    const TemporaryFile file(name, content);
    const TriangleMesh mesh = read_mesh(file.path());
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_EQ(six_volumes(mesh), 6);
    const ShapePtr shape = make_mesh(file.path());
    for (std::uint64_t i = 0; i < 500; ++i) {
      const Vec3 x = testing_support::random_in(around, 3, i), beyond = (-x).cwiseMax(x - Vec3::Ones());
      const float exact = std::min(beyond.maxCoeff(), 0.0f) + beyond.cwiseMax(0.0f).norm();
      ASSERT_NEAR(shape->distance(x), exact, 1e-6f) << x.transpose();
    }
  }
}

TEST(MeshFiles, ObjTakesNegativeIndicesContinuedLinesAndCarriageReturns) {
  const TemporaryFile file("odd.obj", "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0 1 1 1\r\nv 0 1 1e-60\r\nf -4 -3 \\\r\n -2 -1\r\n");
  EXPECT_EQ(read_mesh(file.path()).triangles.size(), 2u);
}

TEST(MeshFiles, PolygonsWithInwardCornersKeepTheirArea) {
  // An arrow head: cut as a fan from its first corner it would cover what is outside.
  TriangleMesh mesh;
  mesh.vertices = {Vec3(0, 2, 0), Vec3(-2, -2, 0), Vec3(0, -1, 0), Vec3(2, -2, 0)};
  for (std::size_t first = 0; first < 4; ++first) {
    mesh.triangles.clear();
    std::vector<Index> corners;
    for (std::size_t k = 0; k < 4; ++k) corners.push_back(static_cast<Index>((first + k) % 4));
    add_polygon(mesh, corners);
    float area = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Vec3 a = mesh.corner(t, 1) - mesh.corner(t, 0), b = mesh.corner(t, 2) - mesh.corner(t, 0);
      area += 0.5f * std::abs(a.x() * b.y() - a.y() * b.x());
    }
    EXPECT_FLOAT_EQ(area, 6);
  }
}

/// Reading fails with the file's name and a mention of the mistake.
void expect_refused(const std::string& name, const std::string& content, const std::string& mention) {
  const TemporaryFile file(name, content);
  try {
    make_mesh(file.path());
    ADD_FAILURE() << name << " was read though it has a mistake: " << mention;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(file.path()), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(mention), std::string::npos) << error.what();
  }
}

TEST(MeshFiles, ThatAreMissingOrOfUnknownFormatAreRefused) {
  EXPECT_THROW(read_mesh("/no/such/place/cube.obj"), InputError);
  EXPECT_THROW(read_mesh("/no/such/place/cube.stl"), InputError);
  EXPECT_THROW(read_mesh(std::filesystem::temp_directory_path().string() + "/."), InputError);
  expect_refused("cube.fbx", "anything", ".obj, .ply or .stl");
}

TEST(MeshFiles, WithoutTrianglesAreRefused) {
  expect_refused("empty.obj", "", "empty");
  expect_refused("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "empty");
  expect_refused("empty.stl", "solid nothing\nendsolid nothing\n", "empty");
  expect_refused("none.stl", std::string(84, '\0'), "empty");
  expect_refused("points.ply",
                 "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float "
                 "z\nend_header\n0 0 0\n",
                 "empty");
  expect_refused("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "no triangle has an area");
}

TEST(MeshFiles, ThatAreTruncatedAreRefused) {
  expect_refused("cut.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2", ":4:");
  expect_refused("cut2.obj", "v 0 0 0\nv 1 0", ":2:");
  expect_refused("header.ply", "ply\nformat ascii 1.0\nelement vertex 8\n", "end_header");
  expect_refused("zero.ply", "", "'ply'");
  expect_refused("zero.stl", "", "ends");
  for (PlyKind kind : {PlyKind::ascii, PlyKind::little, PlyKind::big}) {
    const std::string whole = cube_ply(kind);
    for (std::size_t missing : {1u, 20u, 60u, 140u}) {
      // The last character of a text file is only the end of its line.
      const std::size_t bytes = missing + (kind == PlyKind::ascii ? 3 : 0);
      expect_refused("cut.ply", whole.substr(0, whole.size() - bytes), kind == PlyKind::ascii ? ":" : "ends within");
    }
  }
  const std::string ascii = cube_stl(false), binary = cube_stl(true);
  expect_refused("cut.stl", ascii.substr(0, ascii.rfind("endsolid")), "endsolid");
  expect_refused("line.stl", ascii.substr(0, ascii.rfind("vertex") + 15), ":83:");
  std::string renamed = binary;
  renamed[0] = 'S';
  expect_refused("cut2.stl", renamed.substr(0, renamed.size() - 60), "10 of 12 triangles");
}

TEST(MeshFiles, WithIndicesOutOfRangeAreRefused) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_refused("high.obj", vertices + "f 1 2 4\n", ":4: vertex 4");
  expect_refused("zero.obj", vertices + "f 0 1 2\n", ":4: vertex 0");
  expect_refused("low.obj", vertices + "f -1 -2 -4\n", ":4: vertex -4");
  expect_refused("word.obj", vertices + "f 1 2 x\n", ":4: 'x'");
  std::string ply = cube_ply(PlyKind::ascii);
  ply.replace(ply.rfind("4 1 3 7 5"), 9, "4 1 3 8 5");
  expect_refused("high.ply", ply, "vertex 8");
}

TEST(MeshFiles, WithInvalidCoordinatesAreRefused) {
  expect_refused("nan.obj", "v 0 0 nan\n", ":1:");
  expect_refused("large.obj", "v 0 0 1e200\n", ":1:");
  expect_refused("word.obj", "v 0 0 zero\n", ":1: 'zero'");
  std::string ply = cube_ply(PlyKind::ascii);
  ply.replace(ply.find("255 0 0 0"), 9, "255 0 inf 0");
  expect_refused("inf.ply", ply, "vertex 1");
  std::string stl = cube_stl(true);
  const float nan = std::nanf("");
  std::memcpy(stl.data() + 84 + 50 + 12, &nan, sizeof nan);
  expect_refused("nan.stl", stl, "triangle 2");
}

TEST(MeshFiles, OfRandomBytesAreReadOrRefused) {
  const std::string whole[] = {cube_obj(), cube_ply(PlyKind::ascii), cube_ply(PlyKind::little), cube_stl(false),
                               cube_stl(true)};
  const char* names[] = {"f.obj", "f.ply", "f.ply", "f.stl", "f.stl"};
  for (std::uint64_t i = 0; i < 500; ++i) {
    std::string damaged = whole[i % 5];
    for (std::uint64_t k = 0; k < 3; ++k) {
      damaged[random_bits(41, 3 * i + k) % damaged.size()] = static_cast<char>(random_bits(42, 3 * i + k));
    }
    const TemporaryFile file(names[i % 5], damaged);
    try {
      EXPECT_FALSE(read_mesh(file.path()).triangles.empty());
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace fondue::mesh_file_test
