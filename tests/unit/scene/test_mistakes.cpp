#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "scene_texts.h"

namespace fondue {
namespace {

/// What is not TOML says what would be.
TEST(SceneMistakes, LinesThatCannotBeReadSayHowToWriteThem) {
  const auto of = [](const std::string& line) {
    const std::string text = mistake_of("[scene]\n" + line + "\n");
    return text.substr(text.find(": ") + 2);
  };
  EXPECT_EQ(of("spacing = .1"), "a number has digits on both sides of its point: 0.1");
  EXPECT_EQ(of("spacing = -.5"), "a number has digits on both sides of its point: -0.5");
  EXPECT_EQ(of("spacing = 1."), "a number has digits on both sides of its point: 1.0");
  EXPECT_EQ(of("gravity = [0, 0, -.5]"), "a number has digits on both sides of its point: -0.5");
  EXPECT_EQ(of("spacing = 0,25"), "a number has a point, not a comma: 0.25");
  EXPECT_EQ(of("spacing = 1/3"), "a value is a number, not a formula such as 1/3");
  EXPECT_EQ(of("spacing = 8 mm"), "a value with a unit is a text in quotes: \"8 mm\"");
  EXPECT_EQ(of("spacing = 8 elephants"), "'elephants' behind a number is not a unit");
  EXPECT_EQ(of("name = honey"), "a word is a text in quotes: \"honey\"");
  EXPECT_EQ(of("visible = True"), "write true in small letters");
  EXPECT_EQ(of("name = \"honey"), "a text ends with a quote on the line on which it begins");
  EXPECT_EQ(of("colour = #ff8800"), "a colour is a text in quotes: \"#ff8800\"");
  EXPECT_EQ(of("spacing 0.1"), "a key is followed by '=' and its value");
  EXPECT_EQ(of("[time"), "a heading ends with a bracket: [name], or [[name]]");
  EXPECT_EQ(of("a = 1\n[time]\n[scene]"), "[scene] is there already: all its keys belong under one heading");
  EXPECT_EQ(of("a = 1\na = 2"), "'a' is there already, further up under the same heading");
  EXPECT_EQ(of("shape = { type = \"box\",\n min = [0, 0, 0] }"),
            "a table in braces { } ends on the line on which it begins; only lists in brackets [ ] may go on over "
            "several lines");
  EXPECT_EQ(of("shape = { min = [0, 0, 0] max = [1, 1, 1] }"), "a comma is missing here, between two keys");
  EXPECT_EQ(of("shape = { min = (0, 0, 0) }"), "a list is in brackets: [1, 2, 3]");
  EXPECT_EQ(of("shape = { min = [0, 0, 0, max = [1, 1, 1] }"),
            "'max' is the next key: a bracket or a brace before it is not closed, or its value is missing");
  // Anything else keeps the parser's own words.
  EXPECT_EQ(of("spacing = 00.5"), "cannot be read: floating-point: leading zeroes are prohibited");
}

/// The whole line: position, what is wrong, what would be right.
TEST(SceneMistakes, TypoInABehavioursKey) {
  EXPECT_EQ(mistake_of(beginning + cube + "fluid = { rest_denisty = 900 }\n"),
            "test.toml:11:11: unknown key 'rest_denisty' in object 'cube' > fluid; did you mean 'rest_density'?");
}

TEST(SceneMistakes, TypoInASection) {
  EXPECT_EQ(mistake_of(beginning + cube + "[tiem]\nduration = 1\n"),
            "test.toml:11:2: unknown key 'tiem' in the scene; did you mean 'time'?");
}

TEST(SceneMistakes, UnknownBehaviour) {
  EXPECT_EQ(mistake_of(beginning + "gravty = {}\n" + cube),
            "test.toml:7:1: unknown key 'gravty' in material 'water'; did you mean 'gravity'?");
}

TEST(SceneMistakes, WrongType) {
  EXPECT_EQ(mistake_of(beginning + cube + "[time]\nduration = \"long\"\n"),
            "test.toml:12:12: 'duration' in [time] needs a number, got a string");
  EXPECT_EQ(mistake_of(beginning + cube + "velocity = 3\n"),
            "test.toml:11:12: 'velocity' in object 'cube' needs a vector of 3 numbers, got a number");
  EXPECT_EQ(mistake_of(beginning + cube + "velocity = [1, 2]\n"),
            "test.toml:11:12: 'velocity' in object 'cube' needs a vector of 3 numbers, got 2");
  EXPECT_EQ(mistake_of(beginning + cube + "[time]\nindividual_steps = 1\n"),
            "test.toml:12:20: 'individual_steps' in [time] needs true or false, got a number");
  EXPECT_EQ(mistake_of(beginning + cube + "[picture]\nwidth = 640.5\n"),
            "test.toml:12:9: 'width' in [picture] needs a whole number, got a number");
  EXPECT_EQ(mistake_of(beginning + cube + "filling = 1979-05-27\n"),
            "test.toml:11:11: 'filling' in object 'cube' needs a string, got a date");
  EXPECT_EQ(mistake_of(beginning + "[objects]\nname = \"cube\"\n"),
            "test.toml:7:1: 'objects' needs a list: begin each with [[objects]]");
  EXPECT_EQ(mistake_of(beginning + "drag = 3\n" + cube),
            "test.toml:7:8: 'drag' in material 'water' needs a table of its parameters, such as { weight = 1 }, got a "
            "number");
}

TEST(SceneMistakes, OutOfRangeNamesRangeAndUnit) {
  EXPECT_EQ(mistake_of("[scene]\nspacing = -0.1\n" + cube + "[materials.water]\nfluid = {}"),
            "test.toml:2:11: 'spacing' in [scene] must be greater than 0 m, got -0.1");
  EXPECT_EQ(mistake_of(beginning + cube + "[time]\nduration = 0\n"),
            "test.toml:12:12: 'duration' in [time] must be greater than 0 s, got 0");
  EXPECT_EQ(mistake_of(beginning + cube + "[time]\nduration = 1e-3\n"),
            "test.toml:12:12: 'duration' in [time] is shorter than one frame, 0.02 s");
  EXPECT_EQ(mistake_of(beginning + cube + "fluid = { weight = 1.5 }\n"),
            "test.toml:11:20: 'weight' in object 'cube' > fluid must be between 0 and 1, got 1.5");
}

TEST(SceneMistakes, NotFinite) {
  EXPECT_EQ(mistake_of(beginning + cube + "velocity = [nan, 0, 0]\n"),
            "test.toml:11:13: 'velocity' in object 'cube' must be a finite number, got nan");
  EXPECT_EQ(mistake_of(beginning + cube + "temperature = inf\n"),
            "test.toml:11:15: 'temperature' in object 'cube' must be a finite number, got inf");
  // Finite in the file, but not in single precision.
  EXPECT_EQ(mistake_of(beginning + cube + "temperature = 1e39\n"),
            "test.toml:11:15: 'temperature' in object 'cube' must be a finite number, got 1e+39");
}

TEST(SceneMistakes, MissingKeys) {
  EXPECT_EQ(mistake_of("[scene]\n[materials.water]\n" + cube), "test.toml:1:1: [scene] needs 'spacing'");
  EXPECT_EQ(mistake_of(beginning + "[[objects]]\nname = \"cube\"\nshape = { type = \"sphere\", radius = 1 }\n"),
            "test.toml:7:1: object 'cube' needs 'material' or 'materials'");
  EXPECT_EQ(mistake_of(beginning + "[[objects]]\nmaterial = \"water\"\nshape = { type = \"sphere\" }\n"),
            "test.toml:7:1: object 1 needs 'name'\ntest.toml:9:9: object 1 > shape needs 'radius'");
  EXPECT_EQ(mistake_of(beginning + cube + "[domain]\nmin = [0, 0, 0]\n"), "test.toml:11:1: [domain] needs 'max'");
}

TEST(SceneMistakes, PressuresAreMeasuredOnSurfacesByDiscsThatParticlesResolve) {
  const std::string tank = "[[colliders]]\nname = \"tank\"\nshape = { type = \"plane\", normal = [0, 0, 1] }\n";
  const auto probe = [&](const std::string& keys) {
    return mistake_of(beginning + cube + tank + "[[probes]]\nname = \"p\"\n" + keys);
  };
  EXPECT_EQ(
      probe("kind = \"pressure\"\nof = \"tank\"\nradius = 0.05\n"),
      "test.toml:18:10: 'radius' in probe 'p' is smaller than the spacing of 0.1 m: there would be no particle in "
      "the disc most of the time; without a radius it is two spacings");
  EXPECT_EQ(
      probe("kind = \"pressure\"\nof = \"tank\"\nposition = [0, 0, 0.3]\n"),
      "test.toml:18:12: 'position' in probe 'p' is 0.3 m away from the surface of 'tank', on which the pressure is "
      "measured");
  EXPECT_EQ(probe("kind = \"force\"\nof = \"tank\"\nresponse = 0.01\n"),
            "test.toml:18:12: 'response' in probe 'p' is for pressures only");
  EXPECT_EQ(probe("kind = \"pressure\"\n"),
            "test.toml:14:1: 'of' in probe 'p' must name the collider or body the pressure acts on; it can be tank");
}

TEST(SceneMistakes, UnknownNames) {
  EXPECT_EQ(mistake_of(beginning +
                       "[[objects]]\nname = \"a\"\nmaterial = \"watr\"\nshape = { type = \"sphere\", radius = 1 }"),
            "test.toml:9:12: 'material' in object 'a' names an unknown material 'watr'; did you mean 'water'?");
  EXPECT_EQ(
      mistake_of(beginning + cube + "[[objects]]\nname = \"b\"\nmaterial = \"water\"\nshape = { type = \"spere\" }"),
      "test.toml:14:18: unknown shape 'spere' in object 'b' > shape; did you mean 'sphere'?");
  EXPECT_EQ(mistake_of("[scene]\nspacing = 0.1\nkernel = \"cubic_splin\"\n[materials.water]\n" + cube),
            "test.toml:3:10: unknown kernel 'cubic_splin' in [scene]; did you mean 'cubic_spline'?");
  EXPECT_EQ(mistake_of(beginning + cube + "fluid = { state_equation = \"tate\" }\n"),
            "test.toml:11:28: unknown state_equation 'tate' in object 'cube' > fluid; did you mean 'tait'?");
  EXPECT_EQ(mistake_of(beginning + cube + "[[probes]]\nname = \"p\"\nkind = \"front\"\nof = \"cub\"\n"),
            "test.toml:14:6: 'of' in probe 'p' names an unknown object 'cub'; did you mean 'cube'?");
  const std::string tank = "[[colliders]]\nname = \"tank\"\nshape = { type = \"plane\", normal = [0, 0, 1] }\n";
  EXPECT_EQ(mistake_of(beginning + cube + tank + "[[probes]]\nname = \"p\"\nkind = \"force\"\nof = \"tnak\"\n"),
            "test.toml:17:6: 'of' in probe 'p' names an unknown collider 'tnak'; did you mean 'tank'?");
  EXPECT_EQ(mistake_of(beginning + cube + tank + "[[probes]]\nname = \"p\"\nkind = \"pressure\"\nof = \"tnak\"\n"),
            "test.toml:17:6: 'of' in probe 'p' names an unknown collider 'tnak'; did you mean 'tank'?");
  const std::string jet = "[[emitters]]\nname = \"jet\"\nradius = 0.2\n";
  EXPECT_EQ(mistake_of(beginning + cube + jet + "object = \"cubbe\"\n"),
            "test.toml:14:10: 'object' in emitter 'jet' names an unknown object 'cubbe'; did you mean 'cube'?");
  EXPECT_EQ(mistake_of(beginning + cube + "[output]\ncolumns = [\"presure\"]\n"),
            "test.toml:12:12: 'columns' in [output] has an unknown 'presure'; did you mean 'pressure'?");
  EXPECT_EQ(mistake_of(beginning + cube + "[picture]\ncolour_by = \"velosity\"\n"),
            "test.toml:12:13: 'colour_by' in [picture] names an unknown column 'velosity'; did you mean 'velocity'?");
}

TEST(SceneMistakes, ASurfaceMovesOnlyAlongItself) {
  const std::string belt = "[[colliders]]\nname = \"belt\"\nshape = { type = \"plane\", normal = [0, 0, 1] }\n";
  EXPECT_EQ(
      parsed(beginning + cube + belt + "surface_velocity = [1, 2, 0]\n").world.colliders[0].surface_velocity.at(0),
      Vec3(1, 2, 0));
  EXPECT_EQ(mistake_of(beginning + cube + belt + "surface_velocity = [1, 0, 0.5]\n"),
            "test.toml:14:20: 'surface_velocity' in collider 'belt' is [1, 0, 0.5], of which 0.5 m/s are across the "
            "surface, whose normal is [0, 0, 1]: a surface moves only along itself; 'position' moves the whole");
  EXPECT_NE(mistake_of(beginning + cube + belt + "surface_velocity = 3\n").find("surface_velocity"), std::string::npos);
  EXPECT_NE(mistake_of(beginning + cube + belt + "spacing = 0\n").find("spacing"), std::string::npos);
}

TEST(SceneMistakes, NamesAreUnique) {
  const std::string second =
      "[[objects]]\nname = \"cube\"\nmaterial = \"water\"\n"
      "shape = { type = \"sphere\", centre = [5, 0, 0], radius = 1 }\n";
  EXPECT_EQ(mistake_of(beginning + cube + second),
            "test.toml:12:8: there are two objects named 'cube'; names must be unique");
}

TEST(SceneMistakes, EmittersNeedMaterialAndShape) {
  const std::string jet = beginning + "[[emitters]]\nname = \"jet\"\n";
  EXPECT_EQ(mistake_of(jet + "radius = 0.2\n"),
            "test.toml:7:1: emitter 'jet' needs 'material', 'materials' or 'object'");
  EXPECT_EQ(mistake_of(jet + "material = \"water\"\n"), "test.toml:7:1: emitter 'jet' needs 'radius'");
  EXPECT_EQ(mistake_of(jet + "material = \"water\"\nkind = \"surface\"\n"),
            "test.toml:7:1: emitter 'jet' needs 'shape', 'body' or 'sheet'");
  EXPECT_EQ(mistake_of(jet + "material = \"water\"\nradius = 0.2\ndirection = [0, 0, 0]\n"),
            "test.toml:11:13: 'direction' in emitter 'jet' must not be 0");
}

TEST(SceneMistakes, CamerasNeedADirection) {
  EXPECT_EQ(mistake_of(beginning + cube + "[picture]\neye = [1, 2, 3]\ntarget = [1, 2, 3]\n"),
            "test.toml:12:7: 'eye' in [picture] must differ from 'target'");
  EXPECT_EQ(mistake_of(beginning + cube + "[picture]\neye = [1, 2, 3]\n"),
            "test.toml:12:7: 'eye' in [picture] needs 'target' too");
  const std::string plane_scene = flat(beginning) +
                                  "[[objects]]\nname = \"it\"\nmaterial = \"water\"\nshape = { type = \"box\", min = "
                                  "[0, 0], max = [1, 1] }\n[picture]\norbit = ";
  EXPECT_EQ(mistake_of(plane_scene + "90\n"), "test.toml:13:9: 'orbit' in [picture] is for three dimensions");
  EXPECT_EQ(mistake_of(parsed(plane_scene + "0\n").effective), "") << "which has the default written out";
}

TEST(SceneMistakes, ScenesNeedMatter) {
  EXPECT_EQ(mistake_of(beginning),
            "test.toml:1:1: the scene has no matter: it needs [[objects]], [[emitters]] or [[bodies]]");
}

TEST(SceneMistakes, ObjectsDoNotOverlap) {
  const auto ball_at = [](double x) {
    return beginning + cube +
           "[[objects]]\nname = \"ball\"\nmaterial = \"water\"\nshape = { type = \"sphere\", centre = [" +
           std::to_string(x) + ", 0.5, 0.5], radius = 0.5 }\n";
  };
  EXPECT_EQ(mistake_of(ball_at(1.2)), "test.toml:14:9: object 'ball' overlaps object 'cube'");
  EXPECT_EQ(mistake_of(ball_at(0.5)), "test.toml:14:9: object 'ball' overlaps object 'cube'");
  EXPECT_EQ(mistake_of(ball_at(1.5)), "") << "touching is no overlap";
}

TEST(SceneMistakes, ObjectsNeedParticles) {
  EXPECT_EQ(mistake_of(beginning + "[[objects]]\nname = \"sheet\"\nmaterial = \"water\"\n"
                                   "shape = { type = \"box\", min = [0, 0, 0], max = [1, 1, 0.01] }\n"),
            "test.toml:10:9: object 'sheet' would have no particles: it is empty or too thin for a spacing of 0.1 m");
  EXPECT_EQ(
      mistake_of(beginning +
                 "[[objects]]\nname = \"nothing\"\nmaterial = \"water\"\nshape = { type = \"intersection\", of = "
                 "[{ type = \"sphere\", radius = 1 }, { type = \"sphere\", centre = [5, 0, 0], radius = 1 }] }\n"),
      "test.toml:10:9: object 'nothing' would have no particles: it is empty or too thin for a spacing of 0.1 m");
  EXPECT_EQ(mistake_of(beginning + "[[objects]]\nname = \"nothing\"\nmaterial = \"water\"\nfilling = \"blue_noise\"\n"
                                   "shape = { type = \"difference\", of = "
                                   "[{ type = \"sphere\", radius = 1 }, { type = \"sphere\", radius = 2 }] }\n"),
            "test.toml:11:9: object 'nothing' would have no particles: it is empty or too thin for a spacing of 0.1 m");
  EXPECT_EQ(mistake_of(beginning + "[[objects]]\nname = \"ground\"\nmaterial = \"water\"\n"
                                   "shape = { type = \"plane\", normal = [0, 0, 1] }\n"),
            "test.toml:10:9: the shape of object 'ground' has no end; it must have one to be filled");
  EXPECT_EQ(mistake_of(beginning + cube + "[domain]\nmin = [2, 0, 0]\nmax = [3, 1, 1]\n"),
            "test.toml:10:9: object 'cube' lies outside the domain");
}

TEST(SceneMistakes, DomainsMustNotBeEmpty) {
  EXPECT_EQ(mistake_of(beginning + cube + "[domain]\nmin = [0, 0, 0]\nmax = [1, 1, 0]\n"),
            "test.toml:13:7: 'max' in [domain] must be above 'min' along z");
  EXPECT_EQ(mistake_of(beginning + cube + "[domain]\nmin = [0, 0, 0]\nmax = [1, 1, 0.3]\nperiodic = [\"z\"]\n"),
            "test.toml:14:12: 'periodic' in [domain] along z needs a domain of at least two support radii, 0.4 m");
}

class MeshFile : public testing::Test {
 protected:
  MeshFile() : path_(std::filesystem::temp_directory_path() / "fondue_scene_test_empty.obj") {}
  ~MeshFile() override { std::filesystem::remove(path_); }
  std::string object() const {
    return beginning + "[[objects]]\nname = \"m\"\nmaterial = \"water\"\nshape = { type = \"mesh\", file = \"" +
           path_.string() + "\" }\n";
  }
  std::filesystem::path path_;
};

TEST_F(MeshFile, MissingOrEmptyIsAMistakeAtItsShape) {
  const std::string missing = mistake_of(object());
  EXPECT_EQ(missing.find("test.toml:10:9: object 'm' > shape: "), 0u) << missing;
  EXPECT_NE(missing.find(path_.string()), std::string::npos) << missing;
  std::ofstream(path_) << "# nothing\n";
  const std::string empty = mistake_of(object());
  EXPECT_EQ(empty.find("test.toml:10:9: object 'm' > shape: "), 0u) << empty;
  EXPECT_NE(empty, missing);
}

TEST(SceneMistakes, InvalidToml) {
  EXPECT_EQ(mistake_of(beginning + "[[objects]\n").find("test.toml:7:"), 0u);
  EXPECT_EQ(mistake_of("[scene]\nspacing = \n").find("test.toml:2:"), 0u);
  EXPECT_EQ(mistake_of("[scene]\nspacing = 1\nspacing = 2\n").find("test.toml:3:"), 0u);
}

TEST(SceneMistakes, MissingFile) {
  try {
    load_scene("no/such/scene.toml");
    FAIL();
  } catch (const SceneError& error) {
    EXPECT_EQ(std::string(error.what()), "no/such/scene.toml: cannot be read: No such file or directory");
  }
}

TEST(SceneMistakes, AllAreReportedInFileOrder) {
  const std::vector<std::string> mistakes = mistakes_of(R"([scene]
spacing = -1
kernel = "cubc_spline"
[time]
durtion = 2
[materials.water]
fluid = { rest_density = nan, denisty = 1 }
[[objects]]
name = "a"
material = "wine"
shape = { type = "boks" }
[[probes]]
name = "p"
kind = "force"
)");
  const std::vector<std::string> places = {"2:11", "3:10", "5:1", "7:26", "7:31", "10:12", "11:18", "12:1"};
  ASSERT_EQ(mistakes.size(), places.size());
  for (std::size_t k = 0; k != places.size(); ++k)
    EXPECT_EQ(mistakes[k].find("test.toml:" + places[k] + ": "), 0u) << mistakes[k];
}

}  // namespace
}  // namespace fondue
