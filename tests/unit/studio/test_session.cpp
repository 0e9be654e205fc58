// A session without a page: what is edited, undone, branched and saved is what a run of the saved scene gives.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "studio/shown_props.h"
#include "unit/studio/scenes.h"

namespace fondue::test_session {
namespace {

using namespace testing_support;

class Studio : public StudioTest {};

TEST_F(Studio, FramesAreThoseOfARunOfTheSceneAfterAnyEdit) {
  ask("open tank.toml");
  ask("run 10");
  const auto untouched = bytes_of_frame("main", 3);
  const auto old_end = bytes_of_frame("main", 10);
  const nlohmann::json answer = ask("move_key materials.water.artificial_viscosity.weight 2 0.3");
  EXPECT_EQ(answer["frames_left"], 4) << "frames 0 to 3 are before 0.2 s";
  EXPECT_EQ(bytes_of_frame("main", 3), untouched);
  ask("run 10");
  const auto new_end = bytes_of_frame("main", 10);
  EXPECT_NE(new_end, old_end);
  Simulation alone(parse_scene(session->take().text(), "tank.toml"));
  alone.run_to(10);
  EXPECT_EQ(alone.save().bytes(), new_end);

  ask("undo");
  ask("run 10");
  EXPECT_EQ(bytes_of_frame("main", 10), old_end);
  ask("redo");
  ask("run 10");
  EXPECT_EQ(bytes_of_frame("main", 10), new_end);
}

TEST_F(Studio, AnEditThatActsFromTheStartBeginsAgain) {
  ask("open tank.toml");
  ask("run 2");
  EXPECT_EQ(ask("set objects.column.velocity = [1, 0]")["frames_left"], 0);
  EXPECT_EQ(ask("run 1")["frame"], 1);
  EXPECT_EQ(ask("set picture.width = 640")["frames_removed"], 0) << "a change of pictures";
}

TEST_F(Studio, SaveKeepsCommentsAndWritesTheEdits) {
  ask("open tank.toml");
  ask("set scene.spacing = 0.2");
  ask("key materials.water.artificial_viscosity.weight 0.3 = 0");
  ask("key materials.water.fluid.rest_density 0.4 = 900");
  EXPECT_TRUE(ask("state")["changed"]);
  ask("save");
  EXPECT_FALSE(ask("state")["changed"]);
  std::string expected = small_tank;
  const auto replace = [&](const std::string& old, const std::string& with) {
    expected.replace(expected.find(old), old.size(), with);
  };
  replace("0.1        #", "0.2        #");
  replace("[0.1, 0.2, 0.4], value = [1, 0.5, 1]", "[0.1, 0.2, 0.3, 0.4], value = [1, 0.5, 0, 1]");
  replace("rest_density = 1000", "rest_density = { time = [0, 0.4], value = [1000, 900] }");
  EXPECT_EQ(text_of_file(folder / "scenes/tank.toml"), expected);
  ask("save other");
  EXPECT_EQ(text_of_file(folder / "scenes/other.toml"), expected);
}

TEST_F(Studio, KeysAreRemovedDownToAConstant) {
  ask("open tank.toml");
  const std::string path = "materials.water.artificial_viscosity.weight";
  EXPECT_NE(refused("move_key " + path + " 1 0.5").find("past the next key"), std::string::npos);
  EXPECT_NE(refused("remove_key " + path + " 3").find("it has 0 to 2"), std::string::npos);
  ask("remove_key " + path + " 0");
  ask("remove_key " + path + " 1");
  ask("remove_key " + path + " 0");
  EXPECT_NE(session->take().text().find("weight = 0.5 }"), std::string::npos) << session->take().text();
  EXPECT_NE(refused("remove_key " + path + " 0").find("not a curve"), std::string::npos);
}

/// Keys of a curve in frames stay in frames; commands speak of seconds.
TEST_F(Studio, KeysInFramesStayInFrames) {
  ask("open tank.toml");
  const std::string path = "materials.water.artificial_viscosity.weight";
  ask("set " + path + " = { frame = [2, 4, 8], value = [1, 0.5, 1] }");
  ask("move_key " + path + " 2 0.35");
  ask("key " + path + " 0.15 = 0.7");
  ask("key " + path + " 0.2 = 0.6");
  EXPECT_NE(session->take().text().find("weight = { frame = [2, 3, 4, 7], value = [1, 0.7, 0.6, 1] }"),
            std::string::npos)
      << session->take().text();
  EXPECT_NE(refused("move_key " + path + " 1 0.2").find("past the next key"), std::string::npos);
  ask("remove_key " + path + " 0");
  EXPECT_NE(session->take().text().find("frame = [3, 4, 7]"), std::string::npos);
  ask("set " + path + " = { time = [\"2 frames\", \"400 ms\"], value = [1, 0.5] }");
  ask("key " + path + " 0.1 = 0.9");
  ask("key " + path + " 0.2 = 0.8");
  EXPECT_NE(session->take().text().find("time = [\"2 frames\", 0.2, \"400 ms\"], value = [0.9, 0.8, 0.5]"),
            std::string::npos)
      << session->take().text();
}

/// Materials as clips: one that begins later keeps the frames before it, and the frames are those of a run.
TEST_F(Studio, ClipsAreMadeMovedAddedAndRemoved) {
  ask("open tank.toml");
  ask("set materials.water.artificial_viscosity.weight = 1");
  ask("set materials.oil = { gravity = {}, fluid = { rest_density = 1000 }, xsph = {} }");
  ask(R"(together ["remove objects.column.material", )"
      R"("set objects.column.materials = [{ material = \"water\" }, { material = \"oil\", from = 0.25, fade = 0.1 }]"])");
  EXPECT_TRUE(ask("undo")["ok"]) << "both edits are one";
  EXPECT_NE(session->take().text().find("material = \"water\"\n"), std::string::npos);
  ask("redo");
  ask("run 10");
  const auto early = bytes_of_frame("main", 4), late = bytes_of_frame("main", 10);
  EXPECT_EQ(ask("set objects.column.materials.1.from = \"6 frames\"")["frames_left"], 5);
  ask("run 10");
  EXPECT_EQ(bytes_of_frame("main", 4), early);
  EXPECT_NE(bytes_of_frame("main", 10), late);
  Simulation alone(parse_scene(session->take().text(), "tank.toml"));
  alone.run_to(10);
  EXPECT_EQ(alone.save().bytes(), bytes_of_frame("main", 10));
  EXPECT_EQ(ask("add objects.column.materials = { material = \"water\", from = 0.45 }")["frames_left"], 0);
  ask("remove objects.column.materials.2");
  EXPECT_NE(session->take().text().find("{ material = \"oil\", from = \"6 frames\", fade = 0.1 }]"), std::string::npos)
      << session->take().text();
  const std::string text = session->take().text();
  EXPECT_NE(refused(R"(together ["set scene.spacing = 0.2", "play"])").find("not an edit"), std::string::npos);
  EXPECT_NE(refused(R"(together ["set scene.spacing = 0.2", "remove scene.nothing"])"), "");
  EXPECT_NE(refused("together set x = 1").find("JSON"), std::string::npos);
  EXPECT_EQ(session->take().text(), text) << "all of them or none";
}

TEST_F(Studio, BranchesKeepThePastAndDifferFromThereOn) {
  ask("open tank.toml");
  ask("run 6");
  EXPECT_EQ(ask("branch 3 materials.water.fluid.rest_density = 500")["take"], "branch-1");
  EXPECT_EQ(ask("state")["last_frame"], 3);
  ask("run 6");
  EXPECT_EQ(bytes_of_frame("branch-1", 3), bytes_of_frame("main", 3));
  EXPECT_NE(bytes_of_frame("branch-1", 6), bytes_of_frame("main", 6));
  EXPECT_NE(refused("set scene.spacing = 0.05").find("cannot change"), std::string::npos);
  EXPECT_EQ(ask("set materials.water.fluid.rest_density = 600")["frames_left"], 4) << "not before the branch";
  ask("take main");
  EXPECT_EQ(ask("state")["last_frame"], 6);
  EXPECT_NE(session->take().text().find("rest_density = 1000"), std::string::npos);
  EXPECT_NE(refused("branch 9").find("0 to 6"), std::string::npos);
  EXPECT_NE(refused("branch 2 objects.column.velocity = [1, 0]").find("particles are there"), std::string::npos);
  ask("remove_take branch-1");
  EXPECT_NE(refused("take branch-1").find("no take"), std::string::npos);
}

TEST_F(Studio, RewindsAndRepeatsTheSameBits) {
  ask("open tank.toml");
  ask("run 5");
  const auto end = bytes_of_frame("main", 5);
  ask("rewind 2");
  EXPECT_EQ(ask("state")["last_frame"], 2);
  ask("run 5");
  EXPECT_EQ(bytes_of_frame("main", 5), end);
}

TEST_F(Studio, PlaysInStepsUntilTheEndAndPauses) {
  ask("open tank.toml");
  ask("play");
  EXPECT_TRUE(session->busy());
  while (session->busy()) session->advance();
  EXPECT_FALSE(session->playing());
  EXPECT_EQ(ask("state")["last_frame"], 10);
  EXPECT_EQ(ask("state")["message"], "");
  ask("show 4");
  EXPECT_NE(refused("show 11").find("0 to 10"), std::string::npos);
  ask("play");
  ask("pause");
  EXPECT_FALSE(session->busy());
}

TEST_F(Studio, FindsItsFramesAgainWhenItIsOpenedAgain) {
  ask("open tank.toml");
  ask("run 5");
  const auto end = bytes_of_frame("main", 5);
  session.reset();
  session = std::make_unique<Session>(setup());
  ask("open tank.toml");
  EXPECT_EQ(ask("state")["last_frame"], 5);
  EXPECT_EQ(bytes_of_frame("main", 5), end);
}

TEST_F(Studio, BadEditsAreRefusedWithTheLineAndChangeNothing) {
  ask("open tank.toml");
  ask("run 2");
  const nlohmann::json answer = execute(*session, "set materials.water.fluid.rest_densty = 5");
  EXPECT_FALSE(answer["ok"]);
  ASSERT_EQ(answer["mistakes"].size(), 1u);
  EXPECT_EQ(answer["mistakes"][0]["line"], 13);
  EXPECT_NE(answer["error"].get<std::string>().find("did you mean 'rest_density'?"), std::string::npos);
  EXPECT_FALSE(execute(*session, "set scene.spacing = -1")["ok"]);
  EXPECT_FALSE(execute(*session, "set objects.colum.velocity = [1, 0]")["ok"]);
  EXPECT_FALSE(execute(*session, "set scene.name = \"../../elsewhere\"")["ok"]);
  EXPECT_FALSE(execute(*session, "text \"[scene\"")["ok"]);
  EXPECT_EQ(session->take().text(), small_tank);
  EXPECT_EQ(ask("state")["last_frame"], 2);
  EXPECT_NE(refused("plya").find("did you mean 'play'?"), std::string::npos);
  EXPECT_NE(refused("play now").find("too much"), std::string::npos);
  EXPECT_NE(refused("undo").find("nothing to undo"), std::string::npos);
}

TEST_F(Studio, TouchesNothingOutsideOfItsFolder) {
  std::ofstream(folder / "secret.toml") << small_tank;
  std::filesystem::create_symlink(folder.path(), folder / "scenes/up");
  for (const char* name : {"../secret.toml", "/etc/passwd", "up/secret.toml", "a/../../secret.toml", ".hidden.toml"}) {
    EXPECT_NE(refused(std::string("open ") + name), "") << name;
    ask("open tank.toml");
    EXPECT_NE(refused(std::string("save ") + name), "") << name;
  }
  EXPECT_NE(refused("open ../scenes/dam-break"), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "passwd.toml"));
  EXPECT_EQ(text_of_file(folder / "secret.toml"), small_tank);
  EXPECT_NE(refused("set objects.column.shape = { type = \"mesh\", file = \"../secret.obj\" }").find("folder"),
            std::string::npos);
  EXPECT_NE(refused("set objects.column.shape = { type = \"mesh\", file = \"/etc/passwd\" }").find("folder"),
            std::string::npos);
}

TEST_F(Studio, OpensTheGalleryAtPreviewSize) {
  ask("open dam-break preview");
  ask("run 0");
  const auto particles = session->take().simulation()->particles().size();
  EXPECT_GT(particles, 500u);
  EXPECT_LT(particles, 4000u);
  ask("undo");
  EXPECT_EQ(session->take().text(), text_of_file(FONDUE_SOURCE_DIR "/scenes/dam-break.toml"));
}

TEST_F(Studio, BeginsASceneFromATemplate) {
  ask("new pour like jet-tank");
  EXPECT_EQ(session->take().scene().name, "pour");
  EXPECT_FALSE(std::filesystem::exists(folder / "scenes/pour.toml"));
  ask("save");
  EXPECT_TRUE(std::filesystem::exists(folder / "scenes/pour.toml"));
  EXPECT_NE(refused("new pour").find("already"), std::string::npos);
  EXPECT_NE(refused("new other like jettank").find("jet-tank"), std::string::npos);
}

TEST_F(Studio, ParticlesCanBeAskedForTheirColumns) {
  ask("open tank.toml");
  ask("run 1");
  const nlohmann::json answer = ask("particle 0 0 0");
  EXPECT_EQ(answer["object"], "column");
  bool mass = false;
  for (const auto& column : answer["columns"]) mass |= column["name"] == "mass" && column["values"][0] > 0;
  EXPECT_TRUE(mass);
}

/// Positions come back within a 65535th of the box, colours and objects with them.
TEST_F(Studio, PackedFramesHoldThePositions) {
  ask("open tank.toml");
  ask("run 4");
  const std::string packed = session->packed(session->take(), 4);
  std::uint32_t length;
  std::memcpy(&length, packed.data(), 4);
  const nlohmann::json header = nlohmann::json::parse(packed.substr(4, length));
  const Frame frame = session->take().frame(4);
  ASSERT_EQ(header["particles"], frame.particles.size());
  const std::size_t all = header["particles"].get<std::size_t>() + header["solids"].get<std::size_t>();
  ASSERT_EQ(packed.size(), 4 + length + 12 * all);
  EXPECT_EQ(length % 4, 0u);
  EXPECT_EQ(header["legend"]["title"], "speed");
  const auto position = frame.particles[columns::position];
  for (std::size_t i = 0; i != frame.particles.size(); ++i)
    for (std::size_t a = 0; a != 3; ++a) {
      std::uint16_t step;
      std::memcpy(&step, packed.data() + 4 + length + 8 * i + 2 * a, 2);
      const float low = header["min"][a], size = header["max"][a].get<float>() - low;
      EXPECT_NEAR(low + size * step / 65535, position[i][static_cast<int>(a)], size / 65535 + 1e-6f);
    }
}

/// What the page draws beside particles: solids and ghosts in their own coordinates; frames say where they are.
TEST_F(Studio, SolidsAndRegionsAreSentOnceAndEveryFrameSaysWhereTheyAre) {
  std::ofstream(folder / "scenes/props.toml") << R"([scene]
name = "props"
spacing = 0.1
[time]
duration = 0.2
frames_per_second = 10
[materials.water]
gravity = {}
fluid = {}
heat = {}
[[objects]]
name = "drop"
material = "water"
temperature = 300
shape = { type = "sphere", centre = [0, 0, 1], radius = 0.3 }
[[colliders]]
name = "plate"
shape = { type = "box", min = [-0.5, -0.5, -0.1], max = [0.5, 0.5, 0] }
position = { time = [0, 0.2], value = [[0, 0, 0], [0, 0, -0.2]] }
[[hot_regions]]
name = "warm"
temperature = 350
shape = { type = "sphere", radius = 0.5 }
[[emitters]]
name = "tap"
material = "water"
temperature = 300
centre = [0, 0, 2]
direction = [1, 0, 0]
radius = 0.2
on = { time = [0, 0.05], value = [true, false], interpolation = "step" }
)";
  ask("open props.toml");
  ask("run 2");
  const auto header_of = [](const std::string& packed) {
    std::uint32_t length;
    std::memcpy(&length, packed.data(), 4);
    return nlohmann::json::parse(packed.substr(4, length));
  };
  const nlohmann::json props = header_of(packed_props(session->take().scene()));
  ASSERT_EQ(props["props"].size(), 3u);
  const char* const expected[][2] = {{"colliders", "plate"}, {"hot_regions", "warm"}, {"emitters", "tap"}};
  for (std::size_t k = 0; k != 3; ++k) {
    EXPECT_EQ(props["props"][k]["section"], expected[k][0]);
    EXPECT_EQ(props["props"][k]["name"], expected[k][1]);
    EXPECT_EQ(props["props"][k]["ghost"], k > 0);
    EXPECT_GE(props["props"][k]["triangles"], 12);
  }
  const nlohmann::json frame = header_of(session->packed(session->take(), 2));
  EXPECT_EQ(frame["solids"], 0) << "not as points too";
  ASSERT_EQ(frame["poses"].size(), 3u);
  EXPECT_NEAR(frame["poses"][0][11].get<double>(), -0.2, 1e-6) << "the plate has moved down";
  EXPECT_EQ(frame["poses"][1][12], 1);
  EXPECT_NEAR(frame["poses"][2][6].get<double>(), 1, 1e-6) << "the jet points along x";
  EXPECT_EQ(frame["poses"][2][12], 0) << "and is off";
  ask("open tank.toml");
  EXPECT_EQ(packed_props(session->take().scene()), "") << "two dimensions have points";
}

/// The triangles of a solid that changes its shape are sent once, its vertices with every frame.
TEST_F(Studio, AFrameHasTheShapeOfASolidThatDeforms) {
  for (const int k : {0, 1})
    std::ofstream(folder / fmt::format("scenes/grow-{}.obj", k))
        << fmt::format("v 0 0 {0}\nv 1 0 {0}\nv 0 1 {0}\nv 0 0 -1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n", k);
  std::ofstream(folder / "scenes/grow.toml") << R"([scene]
name = "grow"
spacing = 0.1
[time]
duration = 1
frames_per_second = 4
[materials.water]
gravity = {}
fluid = {}
[[objects]]
name = "drop"
material = "water"
shape = { type = "sphere", centre = [0, 0, 9], radius = 0.2 }
[[colliders]]
name = "growing"
shape = { type = "mesh_sequence", files = "grow-%d.obj", frames_per_second = 1 }
)";
  ask("open grow.toml");
  ask("run 1");
  std::uint32_t length;
  const std::string packed = session->packed(session->take(), 1), mesh = packed_props(session->take().scene());
  std::memcpy(&length, mesh.data(), 4);
  const nlohmann::json props = nlohmann::json::parse(mesh.substr(4, length))["props"];
  ASSERT_EQ(props.size(), 1u);
  EXPECT_EQ(props[0]["vertex"], 0);
  EXPECT_EQ(props[0]["triangles"], 4);
  std::memcpy(&length, packed.data(), 4);
  const nlohmann::json header = nlohmann::json::parse(packed.substr(4, length));
  EXPECT_EQ(header["solids"], 0) << "not as points too";
  ASSERT_EQ(header["deformed"], nlohmann::json::parse(R"([{"prop": 0, "vertices": 4}])"));
  const std::size_t at = 4 + length + 12 * header["particles"].get<std::size_t>();
  ASSERT_EQ(packed.size(), at + 16 * 4);
  float first[3];
  std::memcpy(first, packed.data() + at, 12);
  EXPECT_NEAR(first[2], 0.25f, 1e-4f) << "a quarter of the way at a quarter of a second";
}

TEST_F(Studio, DeclarationsNameEveryBehaviourAndSection) {
  const nlohmann::json all = ask("declarations");
  EXPECT_EQ(all["behaviours"].size(), behaviour_registry().size());
  for (const auto& behaviour : all["behaviours"]) {
    EXPECT_EQ(behaviour["parameters"][0]["name"], "weight");
    for (const auto& parameter : behaviour["parameters"])
      EXPECT_EQ(parameter["kind"] == "choice", parameter.contains("choices")) << parameter;
  }
}

}  // namespace
}  // namespace fondue::test_session
