// A run becomes files for other programs: all of it, once, and what cannot be is named.

#include "support/program.h"

namespace fondue::test_export {
namespace {

using namespace testing_support;

class Export : public testing::Test {
 protected:
  void SetUp() override {
    std::string scene = small_scene();
    scene += "\n[output]\ncolumns = [\"density\", \"pressure\"]\n";
    write_file(folder.path() / "small.toml", scene);
    ASSERT_EQ(fondue("run small.toml --out run --frames 4 --no-pictures").code, 0);
  }
  Outcome fondue(const std::string& arguments) { return shell("$FONDUE " + arguments, folder.path()); }
  fs::path frame(int number) const {
    return folder.path() / "run/frames" / ("frame_00000" + std::to_string(number) + ".h5");
  }
  fs::path exported(int number, const std::string& format = "ply") const {
    return folder.path() / "run/export" / format / ("frame_00000" + std::to_string(number) + "." + format);
  }
  void expect_text(const Outcome& outcome, int code, const std::string& part) {
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_NE(outcome.text.find(part), std::string::npos) << "no '" << part << "' in: " << outcome.text;
  }
  TemporaryFolder folder;
};

TEST_F(Export, WritesOnlyWhatIsMissingOrOlderThanItsFrame) {
  expect_text(fondue("export run --format ply"), 0, "5 files written\n");
  for (int k = 0; k != 5; ++k) EXPECT_TRUE(fs::exists(exported(k))) << k;
  expect_text(fondue("export run --format ply"), 0, "0 files written, 5 already up to date");
  fs::remove(exported(1));
  fs::last_write_time(frame(3), fs::last_write_time(exported(3)) + std::chrono::seconds(1));
  expect_text(fondue("export run --format ply"), 0, "2 files written, 3 already up to date");
  expect_text(fondue("export run --format ply --frames 0-2 --overwrite"), 0, "3 files written\n");
}

TEST_F(Export, BlenderLoadsARunWithItsMaterialsSolidsAndCamera) {
  if (shell("command -v blender && blender -b --python-expr 'import numpy; print(\"numpy is there\")'", folder.path())
          .text.find("numpy is there\n") == std::string::npos)
    GTEST_SKIP() << "Blender with numpy is not installed";
  write_file(folder.path() / "drop.toml", R"([scene]
spacing = 0.1
[time]
duration = 0.04
frames_per_second = 50
[materials.honey]
look = "honey"
gravity = {}
fluid = {}
[materials.wax]
look = "wax"
gravity = {}
fluid = {}
[[objects]]
name = "one"
material = "honey"
shape = { type = "box", min = [0, 0, 0], max = [0.3, 0.3, 0.3] }
[[objects]]
name = "other"
material = "wax"
shape = { type = "box", min = [1, 0, 0], max = [1.3, 0.3, 0.3] }
[[colliders]]
name = "lift"
look = "glass"
position = { time = [0, 0.04], value = [[0, 0, 0], [0, 0, -1]] }
shape = { type = "sphere", centre = [0, 0, -2], radius = 0.5 }
[picture]
eye = [0, -5, 2]
target = [0, 0, 1]
)");
  ASSERT_EQ(fondue("run drop.toml --out drop --no-pictures").code, 0);
  ASSERT_EQ(fondue("surface drop").code, 0);
  ASSERT_EQ(fondue("export drop --format glb").code, 0);
  const std::string script = std::string(FONDUE_SOURCE_DIR) + "/scripts/blender/load_fondue.py";
  const std::string look = R"py(
import bpy
scene = bpy.context.scene
scene.frame_set(2)
mesh = bpy.data.objects["Fondue"].data
print("materials", [m.name for m in mesh.materials], sorted({p.material_index for p in mesh.polygons}))
print("honey", round(mesh.materials[0].node_tree.nodes["Principled BSDF"].inputs["IOR"].default_value, 2))
print("camera at", [round(x, 3) + 0.0 for x in scene.camera.matrix_world.translation])
lift = bpy.data.objects["lift"]
print("lift at", [round(x, 3) + 0.0 for x in lift.matrix_world.translation])
print("frames", scene.frame_start, scene.frame_end, scene.render.fps)
)py";
  write_file(folder.path() / "look.py", look);
  const Outcome outcome =
      shell("blender -b --python " + script +
                " --python look.py -- drop/surface --scene drop/export/scene.glb --render still.png "
                "--size 64x36 --samples 2 --motion-blur --frame 1",
            folder.path());
  for (const char* part : {"materials ['one', 'other'] [0, 1]", "honey 1.49", "camera at [0.0, -5.0, 2.0]",
                           "lift at [0.0, 0.0, -1.0]", "frames 0 2 50"})
    EXPECT_NE(outcome.text.find(part), std::string::npos) << part << " in " << outcome.text;
  EXPECT_GT(fs::file_size(folder.path() / "still.png"), 100u);
}

TEST_F(Export, OtherColumnsMakeEveryFileAnew) {
  ASSERT_EQ(fondue("export run --format ply").code, 0);
  expect_text(fondue("export run --format ply --columns pressure --frames 2"), 0, "1 file written\n");
  expect_text(fondue("export run --format ply --columns pressure"), 0, "4 files written, 1 already up to date");
  const std::string text = read_file(exported(4));
  EXPECT_NE(text.find("property float pressure\n"), std::string::npos);
  EXPECT_EQ(text.find("property float density\n"), std::string::npos);
}

TEST_F(Export, FramesThatCannotBeReadAreNamedAndTheOthersDone) {
  fs::resize_file(frame(2), 1000);
  fs::remove(frame(3));
  const Outcome outcome = fondue("export run --format vtp");
  expect_text(outcome, 2, "2 of 5 frames could not be made");
  expect_text(outcome, 2, "frame 2 is skipped: cannot read frame 'run/frames/frame_000002.h5'");
  expect_text(outcome, 2, "frame 3 is skipped");
  const std::string series = read_file(folder.path() / "run/export/vtp/frames.pvd");
  for (int k = 0; k != 5; ++k) {
    const bool whole = k != 2 && k != 3;
    EXPECT_EQ(fs::exists(exported(k, "vtp")), whole) << k;
    EXPECT_EQ(series.find(exported(k, "vtp").filename().string()) != std::string::npos, whole) << k;
  }
  EXPECT_NE(series.find("timestep=\"0.08\""), std::string::npos) << series;
}

TEST_F(Export, TheSeriesHasFilesOfEarlierExportsToo) {
  ASSERT_EQ(fondue("export run --format vtp --frames 1").code, 0);
  ASSERT_EQ(fondue("export run --format vtp --frames 3").code, 0);
  const std::string series = read_file(folder.path() / "run/export/vtp/frames.pvd");
  EXPECT_NE(series.find("timestep=\"0.02\""), std::string::npos) << series;
  EXPECT_NE(series.find("timestep=\"0.06\""), std::string::npos) << series;
}

TEST_F(Export, AFrameWithoutParticlesIsAnEmptyFile) {
  std::string scene = small_scene();
  scene.replace(scene.find("[[objects]]"), scene.find("[[emitters]]") - scene.find("[[objects]]"), "");
  scene.replace(scene.find("speed = 1.5"), 11, "speed = 1.5\non = { time = [0, 0.05], value = [false, true] }");
  write_file(folder.path() / "tap.toml", scene);
  const Outcome run = fondue("run tap.toml --out tap --frames 4 --no-pictures");
  ASSERT_EQ(run.code, 0) << run.text;
  expect_text(fondue("export tap --format ply"), 0, "5 files written");
  const std::string first = read_file(folder.path() / "tap/export/ply/frame_000000.ply");
  EXPECT_NE(first.find("element vertex 0\n"), std::string::npos) << first;
  EXPECT_TRUE(first.ends_with("end_header\n")) << first;
}

TEST_F(Export, WrongOptionsAreRefusedAndNothingIsWritten) {
  expect_text(fondue("export nowhere --format ply"), 2, "it has no frames");
  expect_text(fondue("export run --format stl"), 2, "stl");
  expect_text(fondue("export run --format ply --frames 3-9"), 2, "has frames 0 to 4");
  expect_text(fondue("export run --format ply --frames ten"), 2, "10-20");
  expect_text(fondue("export run --format ply --columns presure"), 2, "'pressure'");
  expect_text(fondue("export run --format obj --columns pressure"), 2, "ply or vtp");
  expect_text(fondue("export run --format ply --voxel 0.1"), 2, "vdb");
  EXPECT_FALSE(fs::exists(folder.path() / "run/export"));
}

TEST_F(Export, AFolderThatCannotBeMadeIsAnErrorOfTheWorld) {
  write_file(folder.path() / "file", "in the way");
  expect_text(fondue("export run --format ply --out file/ply"), 3, "cannot create the folder");
}

}  // namespace
}  // namespace fondue::test_export
