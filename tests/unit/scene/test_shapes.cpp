#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scene/shape_types.h"
#include "scene_texts.h"
#include "shapes/mesh_sequence.h"
#include "support/temporary_folder.h"

namespace fondue {
namespace {

struct Example {
  const char* type;
  /// What follows the type.
  const char* keys;
  Vec3 inside, outside;
};

std::string object_of(const std::string& shape) {
  return beginning + "[[objects]]\nname = \"it\"\nmaterial = \"water\"\nspacing = 0.05\nshape = " + shape + "\n";
}

ShapePtr made(const std::string& shape) { return parsed(object_of(shape)).world.objects.at(0).shape; }
ShapePtr made_flat(const std::string& shape) { return parsed(flat(object_of(shape))).world.objects.at(0).shape; }

const std::string two_balls =
    "of = [{ type = \"sphere\", radius = 1 }, { type = \"sphere\", centre = [1.2, 0, 0], radius = 1 }]";

/// Planes are unbounded, meshes need a file, surfaces contain nothing: they are tested separately.
const Example examples[] = {
    {"box", "min = [0, 0, 0], max = [1, 2, 3]", {0.9f, 1.9f, 2.9f}, {0.9f, 1.9f, 3.1f}},
    {"sphere", "centre = [1, 0, 0], radius = 0.5", {1.4f, 0, 0}, {0.4f, 0, 0}},
    {"circle", "centre = [1, 0, 0], radius = 0.5", {1.4f, 0, 0}, {0.4f, 0, 0}},
    {"cylinder", "from = [0, 0, 0], to = [0, 0, 2], radius = 0.5", {0.4f, 0, 1.9f}, {0, 0, 2.1f}},
    {"capsule", "from = [0, 0, 0], to = [0, 0, 2], radius = 0.5", {0, 0, 2.4f}, {0.4f, 0, 2.4f}},
    {"cone", "base = [0, 0, 0], top = [0, 0, 2], base_radius = 1", {0.4f, 0, 1}, {0.6f, 0, 1}},
    {"torus", "ring_radius = 1, tube_radius = 0.3", {0, 1.2f, 0}, {0, 0, 0}},
    {"height_field",
     "min = [0, 0, -1], max = [1, 1, 1], heights = [[0, 0, 1], [0, 0, 1]]",
     {0.95f, 0.5f, 0.8f},
     {0.25f, 0.5f, 0.1f}},
    {"text", "text = \"I\", height = 1", {0.2f, 0, 0.5f}, {0.2f, 0.2f, 0.5f}},
    {"union", two_balls.c_str(), {2, 0, 0}, {0.6f, 0.9f, 0}},
    {"intersection", two_balls.c_str(), {0.6f, 0, 0}, {2, 0, 0}},
    {"difference", two_balls.c_str(), {-0.9f, 0, 0}, {0.6f, 0, 0}},
    {"smooth_union",
     "radius = 1, of = [{ type = \"sphere\", radius = 1 }, { type = \"sphere\", centre = [1.2, 0, 0], radius = 1 }]",
     {0.6f, 0.9f, 0},
     {0.6f, 1.5f, 0}},
    {"smooth_intersection",
     "radius = 0.5, of = [{ type = \"sphere\", radius = 1 }, { type = \"sphere\", centre = [1.2, 0, 0], radius = 1 }]",
     {0.6f, 0, 0},
     {0.6f, 0.78f, 0}},
    {"smooth_difference",
     "radius = 0.5, of = [{ type = \"sphere\", radius = 1 }, { type = \"sphere\", centre = [1.2, 0, 0], radius = 1 }]",
     {-0.9f, 0, 0},
     {0.55f, 0.81f, 0}},
};

TEST(SceneShapes, EveryTypeContainsWhatItShould) {
  for (const Example& example : examples) {
    SCOPED_TRACE(example.type);
    const ShapePtr shape = made(std::string("{ type = \"") + example.type + "\", " + example.keys + " }");
    EXPECT_TRUE(shape->contains(example.inside));
    EXPECT_FALSE(shape->contains(example.outside));
  }
}

TEST(SceneShapes, EveryTypeHasAnExample) {
  // Without an inside, or tested below; surfaces in test_sheets.cpp.
  std::set<std::string> tested = {"plane", "mesh", "mesh_sequence", "rectangle", "disc", "bowl"};
  for (const Example& example : examples) tested.insert(example.type);
  for (const ShapeType& type : shape_types()) EXPECT_TRUE(tested.contains(type.name)) << type.name;
}

TEST(SceneShapes, PlanesAreSolidBelow) {
  const Scene scene = parsed(beginning + cube +
                             "[[colliders]]\nname = \"floor\"\n"
                             "shape = { type = \"plane\", point = [0, 0, -1], normal = [0, 0, 2] }\n");
  EXPECT_TRUE(scene.world.colliders[0].shape->contains({5, 5, -1.1f}));
  EXPECT_FALSE(scene.world.colliders[0].shape->contains({5, 5, -0.9f}));
}

TEST(SceneShapes, MeshFilesAreFoundBesideTheScene) {
  const auto folder = std::filesystem::temp_directory_path() / "fondue_scene_test_mesh";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tetrahedron.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string text = object_of("{ type = \"mesh\", file = \"tetrahedron.obj\" }");
  const Scene scene = parse_scene(text, (folder / "scene.toml").string());
  EXPECT_TRUE(scene.world.objects[0].shape->contains({0.2f, 0.2f, 0.2f}));
  EXPECT_FALSE(scene.world.objects[0].shape->contains({0.5f, 0.5f, 0.5f}));
  // The effective scene is in another folder and still finds it.
  EXPECT_EQ(parse_scene(scene.effective, "elsewhere/effective.toml").effective, scene.effective);
  std::filesystem::remove_all(folder);
}

/// A collider of this shape in a scene whose folder contains some meshes.
class ColliderMeshes : public ::testing::Test {
 protected:
  testing_support::TemporaryFolder folder;
  void SetUp() override {
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    write("solid.obj", corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write("inside_out.obj", corners + "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    write("open.obj", corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\n");
    write("flat.obj", corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 2 3\nf 2 3 4\n");
    write("grow-1.obj", corners + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write("grow-2.obj", "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }

  Scene scene(const std::string& shape) const {
    const std::string text = beginning + cube + "[[colliders]]\nname = \"it\"\nshape = " + shape + "\n";
    return parse_scene(text, (folder / "scene.toml").string());
  }
  std::string mistake(const std::string& shape) const {
    try {
      scene(shape);
    } catch (const SceneError& error) {
      return error.mistakes.at(0).text();
    }
    return "";
  }
  std::string mesh(const std::string& file, const std::string& rest = "") const {
    return "{ type = \"mesh\", file = \"" + file + ".obj\"" + rest + ", translate = [5, 0, 0] }";
  }
};

TEST_F(ColliderMeshes, WithDefectsAreRefusedUnlessTheInterpretationIsGiven) {
  EXPECT_EQ(mistake(mesh("solid")), "");
  const std::pair<std::string, std::string> bad[] = {{"inside_out", "inside_out.obj: it is inside out"},
                                                     {"open", "open.obj: it is open at 3 of 6 edges"},
                                                     {"flat", "flat.obj: 1 of 5 triangles have no area"}};
  for (const auto& [file, complaint] : bad) {
    EXPECT_NE(mistake(mesh(file)).find(complaint), std::string::npos) << mistake(mesh(file));
    EXPECT_NE(mistake(mesh(file)).find("inside = \"solid\""), std::string::npos);
    EXPECT_EQ(mistake(mesh(file, ", inside = \"solid\"")), "");
    EXPECT_EQ(mistake(mesh(file, ", inside = \"sheet\"")), "");
  }
}

TEST_F(ColliderMeshes, MayBeASequenceOfFiles) {
  const Scene read = scene(
      "{ type = \"mesh_sequence\", files = \"grow-%d.obj\", frames_per_second = 2, begin = 1, translate = [5, 0, 0] }");
  const auto sequence = read.world.colliders[0].shape->sequence();
  ASSERT_TRUE(sequence);
  EXPECT_NEAR(sequence->mesh(1.25).vertices[1].x(), 6.5f, 1e-5f);
  EXPECT_EQ(parse_scene(read.effective, "elsewhere/effective.toml").effective, read.effective);
  EXPECT_NE(mistake("{ type = \"mesh_sequence\", files = \"grow.obj\" }").find("%04d"), std::string::npos);
  EXPECT_NE(mistake("{ type = \"union\", of = [{ type = \"mesh_sequence\", files = \"grow-%d.obj\" }, { type = "
                    "\"sphere\", radius = 1 }] }")
                .find("cannot be combined"),
            std::string::npos);
}

class StandIn : public testing::Test {
 protected:
  void write_mesh() const {
    std::ofstream(folder_ / "tetrahedron.obj")
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  }
  Scene scene() const {
    return parse_scene(object_of("{ type = \"mesh\", file = \"tetrahedron.obj\", translate = [5, 0, 0], otherwise = "
                                 "{ type = \"sphere\", radius = 0.5, translate = [0, 0, 2] } }"),
                       (folder_ / "scene.toml").string());
  }
  testing_support::TemporaryFolder folder_;
};

TEST_F(StandIn, ReplacesAMissingMeshAndIsPlacedIndependently) {
  const Scene without = scene();
  EXPECT_TRUE(without.world.objects[0].shape->contains({0, 0, 2.4f}));
  EXPECT_FALSE(without.world.objects[0].shape->contains({5, 0, 2.4f}));
  ASSERT_EQ(without.notes.size(), 1u);
  EXPECT_EQ(without.notes[0].substr(without.notes[0].find("object")),
            fmt::format("object 'it' > shape: there is no file {}; the shape given as 'otherwise' is used instead",
                        (folder_ / "tetrahedron.obj").string()));
}

TEST_F(StandIn, IsNotUsedIfTheMeshExists) {
  write_mesh();
  const Scene with = scene();
  EXPECT_TRUE(with.world.objects[0].shape->contains({5.2f, 0.2f, 0.2f}));
  EXPECT_FALSE(with.world.objects[0].shape->contains({0, 0, 2.4f}));
  EXPECT_TRUE(with.notes.empty());
}

/// A run that is resumed or drawn must keep its initial shape, even if files were added or removed.
TEST_F(StandIn, TheEffectiveSceneHasTheShapeThatWasUsed) {
  const std::string begun_without = scene().effective;
  write_mesh();
  EXPECT_EQ(parse_scene(begun_without, (folder_ / "effective.toml").string()).effective, begun_without);
  const std::string begun_with = scene().effective;
  std::filesystem::remove(folder_ / "tetrahedron.obj");
  EXPECT_THROW(parse_scene(begun_with, (folder_ / "effective.toml").string()), SceneError);
}

TEST_F(StandIn, ItsMistakesAreFoundEvenIfItIsNotUsed) {
  write_mesh();
  const std::string mistake =
      mistake_of(object_of(fmt::format("{{ type = \"mesh\", file = \"{}\", otherwise = {{ type = \"sphere\" }} }}",
                                       (folder_ / "tetrahedron.obj").string())));
  EXPECT_NE(mistake.find("object 'it' > shape > otherwise needs 'radius'"), std::string::npos) << mistake;
}

TEST(SceneShapes, AreScaledThenRotatedThenTranslated) {
  const ShapePtr shape = made(
      "{ type = \"box\", min = [0, 0, 0], max = [1, 0.2, 0.2], scale = 2, rotate = [0, 0, 90], translate = [5, 0, 0] "
      "}");
  EXPECT_TRUE(shape->contains({4.8f, 1.9f, 0.3f}));
  EXPECT_FALSE(shape->contains({6.9f, 0.2f, 0.2f}));
}

TEST(SceneShapes, In2DBoxesHaveNoDepth) {
  const ShapePtr shape = made_flat("{ type = \"box\", min = [0, 0], max = [1, 2] }");
  EXPECT_FLOAT_EQ(shape->distance({0.5f, 1, 0}), -0.5f);
  EXPECT_FLOAT_EQ(shape->distance({1.5f, 1, 0}), 0.5f);
}

TEST(SceneShapes, In2DUpIsY) {
  const ShapePtr ground = made_flat("{ type = \"height_field\", min = [0, -1], max = [1, 1], heights = [0, 0, 1] }");
  EXPECT_TRUE(ground->contains({0.95f, 0.8f, 0}));
  EXPECT_FALSE(ground->contains({0.25f, 0.1f, 0}));
  const ShapePtr letter = made_flat("{ type = \"text\", text = \"I\", height = 1 }");
  EXPECT_TRUE(letter->contains({0.2f, 0.5f, 0}));
  EXPECT_FALSE(letter->contains({0.2f, -0.5f, 0}));
}

TEST(SceneShapes, In2DRotationsAreOneNumber) {
  const ShapePtr shape = made_flat("{ type = \"box\", min = [0, 0], max = [2, 0.2], rotate = 90 }");
  EXPECT_TRUE(shape->contains({-0.1f, 1.9f, 0}));
  EXPECT_FALSE(shape->contains({1.9f, 0.1f, 0}));
}

TEST(SceneShapes, MistakesOfPartsNameThePart) {
  EXPECT_EQ(mistake_of(object_of(
                "{ type = \"union\", of = [{ type = \"sphere\", radius = 1 }, { type = \"box\", mni = 1 }] }")),
            "test.toml:11:66: object 'it' > shape > of 2 needs 'min'\n"
            "test.toml:11:66: object 'it' > shape > of 2 needs 'max'\n"
            "test.toml:11:82: unknown key 'mni' in object 'it' > shape > of 2; did you mean 'min'?");
  EXPECT_EQ(mistake_of(object_of("{ type = \"difference\", of = [] }")),
            "test.toml:11:37: 'of' in object 'it' > shape needs a list of shapes");
  EXPECT_EQ(
      mistake_of(object_of("{ type = \"height_field\", min = [0, 0, 0], max = [1, 1, 1], heights = [[1, 2], [1]] }")),
      "test.toml:11:78: 'heights' in object 'it' > shape needs rows of finite numbers, all of one length");
}

TEST(SceneShapes, InvalidDimensionsAreMistakes) {
  const std::string mistake = mistake_of(object_of("{ type = \"box\", min = [0, 0, 0], max = [1, 1, -1] }"));
  EXPECT_EQ(mistake.find("test.toml:11:9: object 'it' > shape: "), 0u) << mistake;
}

}  // namespace
}  // namespace fondue
