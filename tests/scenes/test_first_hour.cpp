// What a new user does in the first hour: edits a scene and resumes, branches, looks at stills, mistypes commands.
// Nothing is silently wrong.

#include "support/program.h"

namespace fondue::test_first_hour {
namespace {

using namespace testing_support;

class FirstHour : public testing::Test {
 protected:
  FirstHour() { write_file(folder.path() / "small.toml", small_scene()); }
  Outcome fondue(const std::string& arguments) { return shell("$FONDUE " + arguments, folder.path()); }
  void edit(const std::string& old_text, const std::string& new_text) {
    std::string scene = read_file(folder.path() / "small.toml");
    const std::size_t at = scene.find(old_text);
    ASSERT_NE(at, std::string::npos) << old_text;
    write_file(folder.path() / "small.toml", scene.replace(at, old_text.size(), new_text));
  }
  static void expect_text(const Outcome& outcome, int code, std::initializer_list<const char*> parts) {
    EXPECT_EQ(outcome.code, code) << outcome.text;
    for (const char* part : parts)
      EXPECT_NE(outcome.text.find(part), std::string::npos) << "no '" << part << "' in: " << outcome.text;
  }
  TemporaryFolder folder;
};

TEST_F(FirstHour, AMistypedMaterialInAnOptionIsRefused) {
  expect_text(fondue("run small.toml --out a --set materials.watter.fluid.rest_density=500"), 2,
              {"no material 'watter'", "did you mean 'water'?"});
  EXPECT_FALSE(fs::exists(folder.path() / "a"));
}

TEST_F(FirstHour, WhatIsMissingInACommandIsSaidInItsWords) {
  expect_text(fondue(""), 2, {"fondue: a command is missing, such as run"});
  expect_text(fondue("render"), 2, {"fondue render: 'run' is missing: folder of the run", "fondue render --help"});
  expect_text(fondue("run small.toml --ou a"), 2, {"fondue run: ", "--ou", "fondue run --help"});
}

TEST_F(FirstHour, CheckTakesChangesAsRunDoes) {
  expect_text(fondue("check small.toml --set scene.spacing=0.1"), 0, {"fine", "spacing 0.1 m"});
  expect_text(fondue("check small.toml --set scene.spacin=0.1"), 2,
              {"--set scene.spacin=0.1", "did you mean 'spacing'?"});
}

TEST_F(FirstHour, UnitsAreThoseOfTheScenesDimension) {
  ASSERT_EQ(fondue("run small.toml --out a --frames 1 --no-pictures").code, 0);
  const Outcome outcome = fondue("info a");
  expect_text(outcome, 0, {"2D", "density [kg/m^2]", "volume [m^2]"});
  ASSERT_EQ(fondue("export a --format ply --frames 1").code, 0);
  const std::string ply = read_file(folder.path() / "a/export/ply/frame_000001.ply");
  EXPECT_NE(ply.find("comment unit density kg/m^2"), std::string::npos) << ply.substr(0, 600);
}

TEST_F(FirstHour, AnEditedSceneIsNotSilentlyIgnoredByResume) {
  ASSERT_EQ(fondue("run small.toml --out a --frames 3 --no-pictures").code, 0);
  const std::string frame = read_file(folder.path() / "a/frames/frame_000003.h5");
  edit("speed = 1.5", "speed = 2.5");
  expect_text(fondue("run small.toml --resume --out a --no-pictures"), 2,
              {"emitters.jet.speed: 1.5 in the run, 2.5 in the file", "fondue run --resume --out a",
               "fondue run small.toml --out a --from-frame 3"});
  EXPECT_EQ(read_file(folder.path() / "a/frames/frame_000003.h5"), frame);
  EXPECT_FALSE(fs::exists(folder.path() / "a/frames/frame_000004.h5")) << "nothing was simulated";
  // The command it names does what it says.
  expect_text(fondue("run small.toml --out a --from-frame 3 --frames 5 --no-pictures"), 0, {"Branching from frame 3"});
  EXPECT_NE(read_file(folder.path() / "a-from-3/scene.toml").find("speed = 2.5"), std::string::npos);
  // A scene that was not edited may be named.
  edit("speed = 2.5", "speed = 1.5  # m/s");
  expect_text(fondue("run small.toml --resume --out a --frames 4 --no-pictures"), 0, {"Resuming from"});
}

TEST_F(FirstHour, ABranchCannotChangeWhatItsParticlesWereMadeWith) {
  ASSERT_EQ(fondue("run small.toml --out a --frames 2 --no-pictures").code, 0);
  expect_text(fondue("run --out a --from-frame 1 --set scene.spacing=0.02 --no-pictures"), 2,
              {"scene.spacing cannot change from 0.05 to 0.02", "the particles are there already", "fondue run"});
  EXPECT_FALSE(fs::exists(folder.path() / "a-from-1"));
}

TEST_F(FirstHour, AFinishedRunThatIsResumedSaysSo) {
  ASSERT_EQ(fondue("run small.toml --out a --no-pictures").code, 0);
  const Outcome outcome = fondue("run --resume --out a --no-pictures");
  expect_text(outcome, 0, {"The run is finished: frame 20 of 20 is there"});
  EXPECT_EQ(outcome.text.find("0 s simulated"), std::string::npos) << outcome.text;
}

TEST_F(FirstHour, InfoTellsHowARunEnded) {
  ASSERT_EQ(fondue("run small.toml --out a --frames 3 --no-pictures").code, 0);
  expect_text(fondue("info a"), 0,
              {"interrupted at frame 3 of 20", "fondue run --resume --out a", "for resuming only:", "way_to_go"});
  ASSERT_EQ(fondue("run --resume --out a --no-pictures").code, 0);
  const Outcome outcome = fondue("info a");
  expect_text(outcome, 0, {"\nfinished\n"});
  EXPECT_EQ(outcome.text.find("interrupted"), std::string::npos) << outcome.text;
  // A run that broke down leaves the state it did so in, later than its last frame.
  ASSERT_EQ(fondue("run small.toml --out b --frames 3 --no-pictures").code, 0);
  fs::copy(folder.path() / "a/frames/frame_000004.h5", folder.path() / "b/failure.h5");
  expect_text(fondue("info b"), 0, {"failed at t = 0.08 s", "b/failure.h5"});
  // One that was resumed beyond it is well again.
  ASSERT_EQ(fondue("run --resume --out b --no-pictures").code, 0);
  expect_text(fondue("info b"), 0, {"\nfinished\n"});
}

TEST_F(FirstHour, AMistypedCommandGetsTheRightOne) {
  expect_text(fondue("rn small.toml"), 2, {"unknown command 'rn'", "did you mean 'run'?"});
  expect_text(fondue("small.toml"), 2, {"did you mean 'fondue run small.toml'?"});
}

TEST_F(FirstHour, AUnitWithoutQuotesGetsAMessageAboutUnits) {
  edit("spacing = 0.05", "spacing = 5 cm");
  expect_text(fondue("check small.toml"), 2, {"small.toml:4:", "a value with a unit is a text in quotes: \"5 cm\""});
  edit("spacing = 5 cm", "spacing = \"5 cm\"");
  expect_text(fondue("check small.toml"), 0, {"spacing 0.05 m"});
}

TEST_F(FirstHour, CheckTellsWhatARunTakes) {
  expect_text(fondue("check small.toml"), 0,
              {"small.toml: fine: about 128 particles at the start, up to", "more from emitters, 20 frames",
               "1.4 x 1.2 m, spacing 0.05 m", "MB of memory; simulating takes ", "at the pace of the first steps"});
  edit("[[emitters]]", "[materials.oil]\nfluid = {}\n\n[[emitters]]");
  expect_text(fondue("check small.toml"), 0, {"note: small.toml:21:", "material 'oil' is used by no object"});
}

TEST_F(FirstHour, CheckDoubtsThatWhatIsEmittedFitsIntoMemory) {
  edit("speed = 1.5", "speed = 1.5\nrate = 1e7");
  expect_text(fondue("check small.toml"), 0,
              {"GB of memory", "note: with what emitters make it needs more memory than this machine has free"});
}

TEST_F(FirstHour, CheckTellsTheTimeAlsoOfWhatIsEmitted) {
  const std::string pour = R"([scene]
spacing = "4 mm"
[time]
duration = 2
[materials.honey]
gravity = {}
fluid = {}
viscosity = { dynamic_viscosity = { over = "temperature", at = ["20 C", "40 C"], value = [10, 1] } }
heat = {}
[[emitters]]
name = "jug"
material = "honey"
temperature = "30 C"
centre = [0, 0, "10 cm"]
radius = "8 mm"
speed = 0.5
on = { time = [0, 1], value = [true, false], interpolation = "step" }
[[colliders]]
name = "plate"
shape = { type = "cylinder", from = [0, 0, "-1 cm"], to = [0, 0, 0], radius = "15 cm" }
)";
  write_file(folder.path() / "pour.toml", pour);
  // One second of pi (8 mm)^2 times 0.5 m/s, in cubes of 4 mm; the plate is the widest thing there.
  expect_text(fondue("check pour.toml"), 0, {"up to 1571 more from emitters", "0.3 x 0.3 x", "simulating takes "});
}

TEST_F(FirstHour, AStillDoesNotReplaceThePictureOfTheLastFrame) {
  ASSERT_EQ(fondue("run small.toml --out a --frames 3 --set picture.width=160 --set picture.height=90").code, 0);
  const std::string last = read_file(folder.path() / "a/small.png");
  ASSERT_FALSE(last.empty());
  expect_text(fondue("render a --preview --particles --frames 1"), 0, {"a/small-000001.png"});
  EXPECT_EQ(read_file(folder.path() / "a/small.png"), last);
  EXPECT_GT(fs::file_size(folder.path() / "a/small-000001.png"), 500u);
}

TEST_F(FirstHour, InternalColumnsAreNotExported) {
  ASSERT_EQ(fondue("run small.toml --out a --frames 2 --no-pictures").code, 0);
  ASSERT_EQ(fondue("export a --format ply").code, 0);
  const std::string ply = read_file(folder.path() / "a/export/ply/frame_000002.ply").substr(0, 2000);
  for (const char* shown : {"vx", "density", "density_ratio", "mass"})
    EXPECT_NE(ply.find(std::string("property float ") + shown + "\n"), std::string::npos) << shown << " in " << ply;
  for (const char* internal : {"way_to_go", "opening", "remainder", "acts_"})
    EXPECT_EQ(ply.find(internal), std::string::npos) << internal;
  // Who names one gets it.
  ASSERT_EQ(fondue("export a --format ply --columns way_to_go").code, 0);
  EXPECT_NE(read_file(folder.path() / "a/export/ply/frame_000002.ply").find("property float way_to_go\n"),
            std::string::npos);
}

/// Two drops beside a small table fall off the edge of the scene; the others stay on it.
const char* const table_scene = R"([scene]
name = "table"
dimension = 2
spacing = 0.05
[time]
duration = 4
frames_per_second = 10
[materials.water]
gravity = {}
fluid = {}
artificial_viscosity = {}
[[objects]]
name = "pool"
material = "water"
shape = { type = "box", min = [0, 0], max = [1, 0.3] }
[[objects]]
name = "drop"
material = "water"
shape = { type = "box", min = [1.3, 0], max = [1.4, 0.1] }
[[colliders]]
name = "dish"
shape = { type = "difference", of = [{ type = "box", min = [-0.2, -0.2], max = [1.2, 0.6] }, { type = "box", min = [0, 0], max = [1, 1] }] }
[output]
columns = ["density"]
)";

TEST_F(FirstHour, StraysAreCountedRemovedAndLeaveTheCameraAlone) {
  write_file(folder.path() / "table.toml", table_scene);
  const Outcome outcome = fondue("run table.toml --out a --set picture.width=160 --set picture.height=90");
  expect_text(outcome, 0, {"4 particles have left the scene", "[domain]", "[[sinks]]"});
  EXPECT_EQ(outcome.text.find("have left"), outcome.text.rfind("have left")) << "said once";
  expect_text(fondue("info a"), 0, {"120 particles"});
  // Without the drop every picture is the same size: the camera does not follow what falls.
  const std::string with = read_file(folder.path() / "a/statistics.csv");
  EXPECT_NE(with.find(",124,"), std::string::npos) << "all are there at the start";
  // A resumed run counts the same ones.
  ASSERT_EQ(fondue("run table.toml --out b --frames 38 --no-pictures").code, 0);
  expect_text(fondue("run --resume --out b --no-pictures"), 0, {"4 particles have left the scene"});
  EXPECT_EQ(read_file(folder.path() / "a/frames/frame_000040.h5"),
            read_file(folder.path() / "b/frames/frame_000040.h5"));
  // With a domain it is the user who says where the scene ends.
  const Outcome bounded =
      fondue("run table.toml --out c --no-pictures --set domain.min='[-1, -1]' --set domain.max='[2, 2]'");
  EXPECT_EQ(bounded.text.find("have left"), std::string::npos) << bounded.text;
}

TEST_F(FirstHour, NewMakesACommentedSceneThatRuns) {
  expect_text(fondue("new pour"), 0, {"pour.toml", "fondue run pour.toml"});
  const std::string scene = read_file(folder.path() / "pour.toml");
  EXPECT_NE(scene.find("# pour: begun as a copy of the scene dam-break"), std::string::npos) << scene;
  EXPECT_NE(scene.find("name = \"pour\""), std::string::npos) << scene;
  expect_text(fondue("run pour.toml --frames 1 --no-pictures --set scene.spacing=0.06"), 0, {"out/pour/frames.xdmf"});
  expect_text(fondue("new pour"), 2, {"'pour.toml' is there already"});
  expect_text(fondue("new wax --like candel"), 2, {"did you mean 'candle'?"});
  EXPECT_FALSE(fs::exists(folder.path() / "wax.toml"));
}

TEST_F(FirstHour, EveryModelOfNewIsAScene) {
  // What needs other files cannot be copied; everything else that comes with Fondue can.
  expect_text(fondue("new bunny --like bunny-melt"), 2, {"can be copied"});
  for (const char* model : {"candle", "dam-break", "jelly", "stack", "jet-tank"}) {
    ASSERT_EQ(fondue(std::string("new my-") + model + " --like " + model).code, 0) << model;
    EXPECT_EQ(fondue(std::string("run my-") + model + ".toml --frames 0 --no-pictures").code, 0) << model;
  }
}

}  // namespace
}  // namespace fondue::test_first_hour
