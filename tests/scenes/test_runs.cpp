// Runs as a user has them: interrupted, killed, resumed, branched, with one thread or two.

#include <regex>

#include "support/program.h"

namespace fondue::test_runs {
namespace {

using namespace testing_support;

/// Everything a run writes, but pictures: names and bytes.
std::map<std::string, std::string> contents(const fs::path& run) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(run))
    if (entry.is_regular_file() && entry.path().extension() != ".mp4" && entry.path().extension() != ".png" &&
        entry.path().filename().string().front() != '.')
      files[fs::relative(entry.path(), run).string()] = read_file(entry.path());
  return files;
}

void expect_same(const fs::path& a, const fs::path& b) {
  const auto first = contents(a), second = contents(b);
  for (const auto& [name, bytes] : first) {
    ASSERT_TRUE(second.count(name)) << name << " is missing";
    EXPECT_TRUE(second.at(name) == bytes) << name << " differs";
  }
  EXPECT_EQ(first.size(), second.size());
}

class Runs : public testing::Test {
 protected:
  Runs() { write_file(folder.path() / "small.toml", small_scene()); }
  Outcome fondue(const std::string& arguments) { return shell("$FONDUE " + arguments, folder.path()); }
  /// Runs the program into the folder `out` and sends it the signal when it has written its fifth frame: a moment in
  /// the middle of the run on a machine of any speed.
  Outcome stopped(const std::string& arguments, const std::string& out, const std::string& signal) {
    return shell("$FONDUE " + arguments + " --out " + out + " & run=$!; " + "while kill -0 $run && ! [ -e " + out +
                     "/frames/frame_000005.h5 ]; do sleep 0.01; done; " + "kill -s " + signal + " $run; wait $run",
                 folder.path());
  }
  TemporaryFolder folder;
};

TEST_F(Runs, LeaveFramesTablesIndexAndTheEffectiveScene) {
  const Outcome outcome = fondue("run small.toml --out a --frames 3 --no-pictures");
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  for (const char* name : {"frames/frame_000000.h5", "frames/frame_000003.h5", "frames.xdmf", "statistics.csv",
                           "probes.csv", "scene.toml"})
    EXPECT_TRUE(fs::exists(folder.path() / "a" / name)) << name;
  // The effective scene is the scene: running it gives the same frames.
  ASSERT_EQ(fondue("run a/scene.toml --out b --frames 3 --no-pictures").code, 0);
  expect_same(folder.path() / "a", folder.path() / "b");
}

TEST_F(Runs, PicturesAreMadeWithoutADisplay) {
  const Outcome outcome =
      shell("env -u DISPLAY $FONDUE run small.toml --out a --frames 2 --set picture.width=320 --set picture.height=180",
            folder.path());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_GT(fs::file_size(folder.path() / "a/small.png"), 1000u);
  const Outcome frames = shell(
      "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 a/small.mp4", folder.path());
  EXPECT_EQ(frames.text.substr(0, 1), "3") << frames.text;
}

TEST_F(Runs, OneAndTwoThreadsGiveTheSameBytes) {
  ASSERT_EQ(fondue("run small.toml --out one --threads 1 --no-pictures").code, 0);
  ASSERT_EQ(fondue("run small.toml --out two --threads 2 --no-pictures").code, 0);
  expect_same(folder.path() / "one", folder.path() / "two");
}

TEST_F(Runs, KilledAtAnyMomentAndResumedGiveTheSameBytes) {
  ASSERT_EQ(fondue("run small.toml --out whole --no-pictures --set time.duration=3").code, 0);
  // Kill again and again, each time a little later, until it gets through.
  const Outcome first = stopped("run small.toml --no-pictures --set time.duration=3", "killed", "KILL");
  ASSERT_EQ(first.code, 137) << first.text;
  Outcome outcome{};
  for (int attempt = 0; attempt != 40; ++attempt) {
    const double seconds = 0.1 + 0.07 * attempt;
    outcome = shell("timeout -s KILL " + std::to_string(seconds) + " $FONDUE run --resume --out killed --no-pictures",
                    folder.path());
    if (outcome.code == 0) break;
    ASSERT_EQ(outcome.code, 137) << outcome.text;
  }
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  expect_same(folder.path() / "whole", folder.path() / "killed");
}

TEST_F(Runs, CtrlCKeepsAStateBetweenFramesAndSaysHowToGoOn) {
  const std::string run = "run small.toml --no-pictures --set time.individual_steps=true --set time.duration=4";
  ASSERT_EQ(fondue(run + " --out whole").code, 0);
  const Outcome outcome = stopped(run, "stopped", "INT");
  ASSERT_EQ(outcome.code, 130) << outcome.text;
  EXPECT_NE(outcome.text.find("fondue run --resume --out stopped"), std::string::npos) << outcome.text;
  EXPECT_TRUE(fs::exists(folder.path() / "stopped/checkpoint.h5"));
  ASSERT_EQ(fondue("run --resume --out stopped --no-pictures").code, 0);
  expect_same(folder.path() / "whole", folder.path() / "stopped");
}

TEST_F(Runs, PreparationIsShownAndStopsAtCtrlC) {
  // So fine that the boundary particles of the rock take longer than this on any machine. In the foreground `timeout`
  // sends one signal; otherwise two, and the second may end the program at once.
  const std::string scene = std::string(FONDUE_SOURCE_DIR) + "/scenes/sugar-loaf.toml";
  const Outcome outcome = shell(
      "timeout --foreground -s INT 3 $FONDUE run '" + scene + "' --out early --no-pictures --set scene.spacing=0.004",
      folder.path());
  ASSERT_EQ(outcome.code, 124) << outcome.text;
  EXPECT_NE(outcome.text.find("Preparing"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("boundary particles of 'rock'"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("fondue run --resume --out early"), std::string::npos) << outcome.text;
  EXPECT_TRUE(fs::exists(folder.path() / "early/scene.toml")) << "what it is started again from";
}

TEST_F(Runs, ABranchSharesThePastAndNotTheFuture) {
  ASSERT_EQ(fondue("run small.toml --out a --no-pictures").code, 0);
  const Outcome outcome =
      fondue("run --out a --from-frame 10 --no-pictures --set materials.water.gravity.acceleration=[0,9.81]");
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto original = contents(folder.path() / "a"), branch = contents(folder.path() / "a-from-10");
  EXPECT_EQ(original.at("frames/frame_000010.h5"), branch.at("frames/frame_000010.h5"));
  EXPECT_NE(original.at("frames/frame_000020.h5"), branch.at("frames/frame_000020.h5"));
  // A branch that changes nothing is the same run.
  ASSERT_EQ(fondue("run --out a --from-frame 10 --no-pictures").code, 0);
  expect_same(folder.path() / "a", folder.path() / "a-from-10-2");
}

TEST_F(Runs, AnOldRunIsNotOverwrittenUnasked) {
  ASSERT_EQ(fondue("run small.toml --out a --frames 1 --no-pictures").code, 0);
  const auto before = contents(folder.path() / "a");
  const Outcome outcome = fondue("run small.toml --out a --frames 2 --no-pictures");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.text.find("--overwrite"), std::string::npos) << outcome.text;
  EXPECT_EQ(contents(folder.path() / "a"), before);
  EXPECT_EQ(fondue("run small.toml --out a --frames 2 --no-pictures --overwrite").code, 0);
}

TEST_F(Runs, TheGalleryGoesOnWhereItWasStopped) {
  const Outcome first = fondue("gallery --out g");
  ASSERT_EQ(first.code, 0) << first.text;
  EXPECT_TRUE(std::regex_search(first.text, std::regex("smoothed-fall +not run"))) << first.text;
  const Outcome stopped = shell(
      "$FONDUE gallery smoothed-fall --no-pictures --out g & run=$!; while kill -0 $run && ! [ -e "
      "g/smoothed-fall/frames/frame_000005.h5 ]; do sleep 0.01; done; kill -s INT $run; wait $run",
      folder.path());
  ASSERT_EQ(stopped.code, 130) << stopped.text;
  EXPECT_NE(stopped.text.find("The same command (fondue gallery) goes on from here"), std::string::npos)
      << stopped.text;
  const Outcome between = fondue("gallery --out g");
  EXPECT_TRUE(std::regex_search(between.text, std::regex("smoothed-fall +stopped at frame [0-9]+ of 75 ")))
      << between.text;
  const Outcome coarser = fondue("gallery smoothed-fall --no-pictures --out g --coarser 2");
  EXPECT_EQ(coarser.code, 2);
  EXPECT_NE(coarser.text.find("has a spacing of 0.1 m, and 0.2 m is asked for; go on with it by --coarser 1,"),
            std::string::npos)
      << coarser.text;
  EXPECT_NE(fondue("gallery smooth-fall --out g").text.find("smoothed-fall"), std::string::npos) << "a suggestion";
  const Outcome on = fondue("gallery smoothed-fall --no-pictures --out g");
  ASSERT_EQ(on.code, 0) << on.text;
  const Outcome last = fondue("gallery --out g");
  EXPECT_TRUE(std::regex_search(last.text, std::regex("smoothed-fall +run"))) << last.text;
  // The same as a run that nobody stopped.
  ASSERT_EQ(fondue("run " + std::string(FONDUE_SOURCE_DIR) + "/scenes/smoothed-fall.toml --no-pictures --out a").code,
            0);
  expect_same(folder.path() / "a", folder.path() / "g/smoothed-fall");
}

}  // namespace
}  // namespace fondue::test_runs
