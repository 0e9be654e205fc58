// From a run to surfaces and finished pictures, as a user asks for them; what cannot be done is named, the rest is
// done.

#include <fmt/format.h>

#include "support/program.h"
#include "unit/surface/meshes.h"

namespace fondue::test_pictures {
namespace {

using namespace testing_support;

class Pictures : public testing::Test {
 protected:
  static constexpr int last = 24;
  /// The default scene, coarser, until the water is up the far wall.
  static void SetUpTestSuite() {
    folder = std::make_unique<TemporaryFolder>();
    const Outcome run = fondue(
        fmt::format("run {}/scenes/dam-break.toml --out run --frames {} --no-pictures --set scene.spacing=0.04 --set "
                    "time.frames_per_second=25 --set picture.width=64 --set picture.height=36",
                    FONDUE_SOURCE_DIR, last));
    ASSERT_EQ(run.code, 0) << run.text;
  }
  static void TearDownTestSuite() { folder.reset(); }
  static Outcome fondue(const std::string& arguments) { return shell("$FONDUE " + arguments, folder->path()); }
  static fs::path path(const std::string& name) { return folder->path() / name; }
  static std::string frame(int number) { return fmt::format("frame_{:06}", number); }
  static void expect_text(const Outcome& outcome, int code, const std::string& part) {
    EXPECT_EQ(outcome.code, code) << outcome.text;
    EXPECT_NE(outcome.text.find(part), std::string::npos) << "no '" << part << "' in: " << outcome.text;
  }
  static std::unique_ptr<TemporaryFolder> folder;
};
std::unique_ptr<TemporaryFolder> Pictures::folder;

TEST_F(Pictures, SurfacesOfTheDamBreakKeepItsVolumeOverTheRun) {
  expect_text(fondue("surface run"), 0, fmt::format("{} files written", last + 1));
  for (int k = 0; k <= last; ++k) {
    const TriangleMesh mesh = read_mesh(path(fmt::format("run/surface/{}.ply", frame(k))).string());
    EXPECT_EQ(manifold_fault(mesh), "") << "frame " << k;
    EXPECT_NEAR(enclosed_volume(mesh) / (0.6 * 0.48 * 0.78), 1, 0.1) << "frame " << k;
  }
  expect_text(fondue("surface run"), 0, fmt::format("0 files written, {} already up to date", last + 1));
  expect_text(fondue("surface run --frames 3-4 --set surface.cell=1"), 0, "2 files written");
}

TEST_F(Pictures, ColumnsComeToTheVertices) {
  ASSERT_EQ(fondue("surface run --frames 5 --columns pressure --out with-pressure").code, 0);
  const std::string text = read_file(path("with-pressure/frame_000005.ply"));
  for (const char* property : {"vx", "pressure", "object"})
    EXPECT_NE(text.find(fmt::format("property float {}\n", property)), std::string::npos) << property;
}

TEST_F(Pictures, WrongWordsAreRefusedWithTheRightOnes) {
  expect_text(fondue("surface run --columns presure"), 2, "'pressure'");
  expect_text(fondue("surface run --set surface.field=distant"), 2, "distance");
  expect_text(fondue("surface nowhere"), 2, "nowhere is not the folder of a run");
  expect_text(fondue("surface run --set surface.attributes='[\"temperature\"]'"), 2, "output.columns");
  expect_text(fondue("render run --colour-by presure --preview"), 2, "pressure");
  expect_text(fondue("render run --frames 20-90"), 2, "has frames 0 to");
}

TEST_F(Pictures, WithoutPovrayTheMessageNamesThePackage) {
  // The shell finds nothing but the program itself.
  const Outcome outcome = shell("PATH=/nowhere $FONDUE render run --frames 2", folder->path());
  expect_text(outcome, 3, "povray");
  expect_text(outcome, 3, "install");
}

TEST_F(Pictures, FinishedPicturesAreDrawnOnceAndTheVideoFollows) {
  // A copy with few frames, one of them damaged.
  fs::copy(path("run"), path("short"), fs::copy_options::recursive);
  for (int k = 4; k <= last; ++k) fs::remove(path(fmt::format("short/frames/{}.h5", frame(k))));
  fs::resize_file(path("short/frames/frame_000002.h5"), 1000);
  const Outcome outcome = fondue("render short");
  expect_text(outcome, 2, "frame_000002.h5");
  expect_text(outcome, 2, "1 of 4 frames");
  for (const int k : {0, 1, 3}) EXPECT_TRUE(fs::exists(path(fmt::format("short/pictures/{}.png", frame(k))))) << k;
  EXPECT_TRUE(fs::exists(path("short/dam-break.mp4")));
  EXPECT_TRUE(fs::exists(path("short/dam-break.png")));
  const auto before = fs::last_write_time(path("short/pictures/frame_000001.png"));
  fs::remove(path("short/pictures/frame_000003.png"));
  EXPECT_EQ(fondue("render short").code, 2);
  EXPECT_EQ(fs::last_write_time(path("short/pictures/frame_000001.png")), before);
  EXPECT_TRUE(fs::exists(path("short/pictures/frame_000003.png")));
}

TEST_F(Pictures, PreviewsLeaveOutWhatCannotBeRead) {
  fs::copy(path("run"), path("damaged"), fs::copy_options::recursive);
  for (int k = 4; k <= last; ++k) fs::remove(path(fmt::format("damaged/frames/{}.h5", frame(k))));
  fs::remove(path("damaged/frames/frame_000001.h5"));
  const Outcome outcome = fondue("render damaged --preview");
  expect_text(outcome, 2, "frame_000001.h5");
  expect_text(outcome, 2, "1 of 4 frames");
  EXPECT_TRUE(fs::exists(path("damaged/dam-break.mp4")));
}

TEST_F(Pictures, SmoothedFallKeepsItsArea) {
  // DC96 s. 4.2, fig. 6-7, with their iso-density: they saw the enclosed area vary by at most ten percent. Here the
  // body splits into several groups, whose longer outline adds a little: 10 to 12 percent either way of the mean.
  const Outcome run =
      fondue(fmt::format("run {}/scenes/smoothed-fall.toml --out fall --no-pictures", FONDUE_SOURCE_DIR));
  ASSERT_EQ(run.code, 0) << run.text;
  ASSERT_EQ(fondue("surface fall").code, 0);
  double least = infinity, most = 0;
  for (int k = 0; fs::exists(path(fmt::format("fall/surface/{}.ply", frame(k)))); ++k) {
    const TriangleMesh mesh = read_mesh(path(fmt::format("fall/surface/{}.ply", frame(k))).string());
    EXPECT_EQ(manifold_fault(mesh), "") << "frame " << k;
    least = std::min(least, enclosed_volume(mesh));
    most = std::max(most, enclosed_volume(mesh));
  }
  EXPECT_LT((most - least) / (most + least), 0.13);
}

}  // namespace
}  // namespace fondue::test_pictures
