#include <gtest/gtest.h>

#include <fstream>

#include "scene/timeline_rows.h"
#include "support/temporary_folder.h"

namespace fondue {
namespace {

Scene fading_scene() {
  const testing_support::TemporaryFolder folder;
  const auto path = folder.path() / "fading.toml";
  std::ofstream(path) << R"([scene]
spacing = 0.1
[time]
duration = 4
[materials.wax]
fluid = {}
gravity = { weight = { over = "temperature", at = [300, 350], value = [0, 1] } }
heat = {}
drag = { linear = { time = [1, 3], value = [2, 6] }, weight = { time = [0, 2], value = [1, 0] } }
[[objects]]
name = "block"
material = "wax"
temperature = 300
shape = { type = "box", min = [0, 0, 0], max = [1, 1, 1] }
[[colliders]]
name = "plate"
shape = { type = "box", min = [0, 0, -1], max = [1, 1, -0.5] }
position = { time = [0, 2], value = [[0, 0, 0], [0, 0, 3]] }
rotation = { time = [0, 2], value = [[0, 0, 0], [0, 0, 90]] }
)";
  return load_scene(path.string());
}

const TimelineRow& row_of(const std::vector<TimelineRow>& rows, const std::string& name) {
  const auto found = std::ranges::find(rows, name, &TimelineRow::name);
  if (found == rows.end()) throw std::runtime_error("no row " + name);
  return *found;
}

TEST(TimelineRows, AreTheWeightsOfAllTracksAndWhatIsKeyframed) {
  const std::vector<TimelineRow> rows = timeline_rows(fading_scene());
  EXPECT_EQ(row_of(rows, "fluid").height(2), 1);
  EXPECT_TRUE(row_of(rows, "fluid").keys.empty());
  EXPECT_EQ(row_of(rows, "drag").height(1), 0.5);
  EXPECT_EQ(row_of(rows, "drag").keys, (std::vector<double>{0, 2}));
  const TimelineRow& linear = row_of(rows, "drag > linear");
  EXPECT_EQ(linear.least, 2);
  EXPECT_EQ(linear.most, 6);
  EXPECT_EQ(linear.height(2), 0.5);
  EXPECT_EQ(row_of(rows, "position").owner, "collider 'plate'");
  EXPECT_FLOAT_EQ(row_of(rows, "position").most, 3);
  EXPECT_FLOAT_EQ(row_of(rows, "rotation").most, 90) << "degrees, as in the file";
  EXPECT_NEAR(row_of(rows, "rotation").height(1), 0.5, 1e-6);
  EXPECT_EQ(row_of(rows, "gravity").text, "over temperature: 300: 0, 350: 1");
}

TEST(TimelineRows, BeginWithTheMaterialsOfAList) {
  const Scene scene = parse_scene(R"([scene]
spacing = 0.1
[time]
duration = 4
[materials.water]
fluid = {}
[materials.honey]
fluid = {}
viscosity = {}
[[objects]]
name = "block"
materials = [ { material = "water" }, { material = "honey", from = 1, fade = 2 } ]
shape = { type = "box", min = [0, 0, 0], max = [1, 1, 1] }
)",
                                  "fading.toml");
  const std::vector<TimelineRow> rows = timeline_rows(scene);
  EXPECT_EQ(rows.at(0).name, "material 'water'");
  EXPECT_EQ(row_of(rows, "material 'honey'").height(2), 0.5);
  EXPECT_EQ(row_of(rows, "material 'honey'").keys, (std::vector<double>{1, 3}));
  EXPECT_NE(timeline_text(scene).find("material 'honey'"), std::string::npos);
}

TEST(TimelineRows, AreDrawnAsTextAndAsSvg) {
  const Scene scene = fading_scene();
  const std::string text = timeline_text(scene), svg = timeline_svg(scene);
  EXPECT_NE(text.find("object 'block'"), std::string::npos) << text;
  EXPECT_NE(text.find("2 to 6  keys at 1, 3 s"), std::string::npos) << text;
  EXPECT_NE(svg.find("drag &gt; linear"), std::string::npos) << svg;
  // Two keys each of the weight, the parameter, the position and the rotation.
  std::size_t circles = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++circles;
  EXPECT_EQ(circles, 8u);
}

}  // namespace
}  // namespace fondue
