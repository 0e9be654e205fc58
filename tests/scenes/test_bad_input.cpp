// Bad input gets a clear message, exit code 2 (3 where the outside world fails), and nothing is lost.

#include "support/program.h"

namespace fondue::test_bad_input {
namespace {

using namespace testing_support;

class BadInput : public testing::Test {
 protected:
  /// The small scene with one piece of text replaced.
  void write_scene(const std::string& old_text, const std::string& new_text) {
    std::string scene = small_scene();
    const std::size_t at = scene.find(old_text);
    ASSERT_NE(at, std::string::npos) << old_text;
    write_file(folder.path() / "small.toml", scene.replace(at, old_text.size(), new_text));
  }
  Outcome fondue(const std::string& arguments) { return shell("$FONDUE " + arguments, folder.path()); }

  /// Both check and run refuse with exit code 2 and a text that contains all parts; nothing is written.
  void expect_refused(std::initializer_list<const char*> parts) {
    for (const char* command : {"check small.toml", "run small.toml --out out"}) {
      const Outcome outcome = fondue(command);
      EXPECT_EQ(outcome.code, 2) << outcome.text;
      for (const char* part : parts)
        EXPECT_NE(outcome.text.find(part), std::string::npos) << "no '" << part << "' in: " << outcome.text;
    }
    EXPECT_FALSE(fs::exists(folder.path() / "out"));
  }
  TemporaryFolder folder;
};

TEST_F(BadInput, ATypingMistakeInAKeyIsFoundAndTheRightOneSuggested) {
  write_scene("fluid = {}", "fluid = { rest_densty = 900 }");
  expect_refused({"small.toml:12:", "rest_densty", "rest_density"});
}

TEST_F(BadInput, AWrongTypeIsNamed) {
  write_scene("spacing = 0.05", "spacing = \"fine\"");
  expect_refused({"small.toml:4:", "spacing", "number"});
}

TEST_F(BadInput, ANegativeSpacingIsRefused) {
  write_scene("spacing = 0.05", "spacing = -0.05");
  expect_refused({"small.toml:4:", "spacing"});
}

TEST_F(BadInput, NotANumberIsRefused) {
  write_scene("speed = 1.5", "speed = nan");
  expect_refused({"small.toml:27:", "speed"});
}

TEST_F(BadInput, AMissingMeshIsNamed) {
  write_scene("{ type = \"box\", min = [0, 0], max = [0.4, 0.8] }", "{ type = \"mesh\", file = \"rabbit.obj\" }");
  expect_refused({"small.toml:19:", "rabbit.obj"});
}

TEST_F(BadInput, AnEmptyMeshIsNamed) {
  write_file(folder.path() / "empty.obj", "# nothing\n");
  write_scene("{ type = \"box\", min = [0, 0], max = [0.4, 0.8] }", "{ type = \"mesh\", file = \"empty.obj\" }");
  expect_refused({"small.toml:19:", "empty.obj"});
}

TEST_F(BadInput, ATruncatedFileIsRefusedWhereItEnds) {
  write_file(folder.path() / "small.toml", small_scene().substr(0, small_scene().find("min = [0, 0], max") + 9));
  expect_refused({"small.toml:19:"});
}

TEST_F(BadInput, AllMistakesAreReportedAtOnce) {
  write_scene("fluid = {}", "fluid = { rest_densty = 900 }\ngravty = {}");
  expect_refused({"rest_density", "gravity"});
}

TEST_F(BadInput, AnObjectWithoutParticlesIsRefused) {
  write_scene("min = [0, 0], max = [0.4, 0.8]", "min = [0, 0], max = [0.001, 0.001]");
  expect_refused({"small.toml:", "column"});
}

TEST_F(BadInput, ASceneLargerThanTheMachineIsRefusedWithTheEstimate) {
  write_scene("spacing = 0.05", "spacing = 0.000001");
  for (const char* command : {"check small.toml", "run small.toml --out out"}) {
    const Outcome outcome = fondue(command);
    EXPECT_EQ(outcome.code, 2) << outcome.text;
    EXPECT_NE(outcome.text.find("GB"), std::string::npos) << outcome.text;
  }
  EXPECT_FALSE(fs::exists(folder.path() / "out"));
}

TEST_F(BadInput, ABehaviourWithoutWhatItReadsIsRefused) {
  write_scene("fluid = {}\n", "");
  expect_refused({"fluid"});
}

TEST_F(BadInput, AnUnknownOptionOrValueOfTheCommandLineIsExplained) {
  write_file(folder.path() / "small.toml", small_scene());
  EXPECT_EQ(fondue("run small.toml --spacing 3").code, 2);
  EXPECT_EQ(fondue("frobnicate").code, 2);
  const Outcome outcome = fondue("run small.toml --set scene.spacng=0.1");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.text.find("spacing"), std::string::npos) << outcome.text;
  EXPECT_FALSE(fs::exists(folder.path() / "out"));
}

TEST_F(BadInput, AnUnwritableFolderIsRefusedBeforeAnythingIsComputed) {
  write_file(folder.path() / "small.toml", small_scene());
  write_file(folder.path() / "file", "not a folder");
  const Outcome outcome = fondue("run small.toml --out file/run");
  EXPECT_EQ(outcome.code, 3) << outcome.text;
  EXPECT_NE(outcome.text.find("file/run"), std::string::npos) << outcome.text;
}

TEST_F(BadInput, ADamagedNewestFrameIsPassedOverOnResume) {
  write_file(folder.path() / "small.toml", small_scene());
  ASSERT_EQ(fondue("run small.toml --out a --frames 3 --no-pictures").code, 0);
  const fs::path last = folder.path() / "a/frames/frame_000003.h5";
  const std::string whole = read_file(last);
  for (const std::string& damaged :
       {whole.substr(0, whole.size() / 2), std::string("this is not HDF5"), std::string()}) {
    write_file(last, damaged);
    const Outcome outcome = fondue("run --resume --out a --frames 3 --no-pictures");
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("frame_000003.h5"), std::string::npos) << outcome.text;
    EXPECT_TRUE(read_file(last) == whole) << "made anew, the same";
  }
}

TEST_F(BadInput, NothingButDamagedFramesIsAnError) {
  write_file(folder.path() / "small.toml", small_scene());
  ASSERT_EQ(fondue("run small.toml --out a --frames 1 --no-pictures").code, 0);
  const fs::path frame = folder.path() / "a/frames/frame_000001.h5";
  write_file(frame, read_file(frame).substr(0, 1000));
  const Outcome outcome = fondue("run --out a --from-frame 1 --no-pictures");
  EXPECT_EQ(outcome.code, 2) << outcome.text;
  EXPECT_NE(outcome.text.find("frame_000001.h5"), std::string::npos) << outcome.text;
}

TEST_F(BadInput, AFullDiskStopsTheRunAndKeepsEarlierFrames) {
  write_file(folder.path() / "small.toml", small_scene());
  // No file may grow beyond this size: the statistics table, or a frame, hits it in the middle of the run.
  const Outcome outcome =
      shell("(trap '' XFSZ; ulimit -f 24; $FONDUE run small.toml --out a --no-pictures)", folder.path());
  EXPECT_EQ(outcome.code, 3) << outcome.text;
  EXPECT_NE(outcome.text.find("a/"), std::string::npos) << outcome.text;
  // With room again the run goes on from what is there.
  const Outcome resumed = fondue("run --resume --out a --no-pictures");
  EXPECT_EQ(resumed.code, 0) << resumed.text;
  ASSERT_EQ(fondue("run small.toml --out b --no-pictures").code, 0);
  EXPECT_TRUE(read_file(folder.path() / "a/frames/frame_000020.h5") ==
              read_file(folder.path() / "b/frames/frame_000020.h5"));
}

TEST_F(BadInput, SandNeedsAPressureAndSensibleNumbers) {
  write_scene("fluid = {}", "sand = {}");
  expect_refused({"'sand' needs the", "'fluid'"});
  write_scene("fluid = {}", "fluid = {}\nsand = { friction_angle = 61 }");
  expect_refused({"small.toml:13:", "friction_angle", "60"});
  write_scene("fluid = {}", "fluid = {}\nsand = { friction_angle = -1 }");
  expect_refused({"small.toml:13:", "friction_angle", "0"});
  write_scene("fluid = {}", "fluid = {}\nsand = { cohesion = -5 }");
  expect_refused({"small.toml:13:", "cohesion", "0"});
  write_scene("fluid = {}", "fluid = {}\nsand = { friction_angle = 10, dilatancy_angle = 12 }");
  expect_refused({"dilatancy_angle", "above its 'friction_angle'"});
  write_scene("fluid = {}", "fluid = { state_equation = \"cohesive\" }\nsand = {}");
  expect_refused({"state equation 'cohesive'", "give the sand a 'cohesion'"});
}

}  // namespace
}  // namespace fondue::test_bad_input
