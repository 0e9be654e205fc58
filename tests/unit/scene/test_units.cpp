// Values with units: any unit of the right kind, converted to that of the parameter; everything else is refused.

#include <gtest/gtest.h>

#include "scene/units.h"
#include "scene_texts.h"

namespace fondue {
namespace {

double in(const std::string& unit, const std::string& text, int dimension = 3) {
  const auto quantity = quantity_of(text);
  if (!quantity) throw std::invalid_argument(text);
  const Conversion conversion = converted(*quantity, unit, dimension);
  if (!conversion.wrong.empty()) throw std::invalid_argument(conversion.wrong);
  return conversion.number;
}

TEST(Units, AreConvertedToThatOfTheParameter) {
  EXPECT_DOUBLE_EQ(in("m", "8 cm"), 0.08);
  EXPECT_DOUBLE_EQ(in("m", "8cm"), 0.08);
  EXPECT_DOUBLE_EQ(in("m", "-2.5e1 mm"), -0.025);
  EXPECT_DOUBLE_EQ(in("s", "2 ms"), 0.002);
  EXPECT_DOUBLE_EQ(in("s", "1.5 min"), 90);
  EXPECT_DOUBLE_EQ(in("K", "20 C"), 293.15);
  EXPECT_DOUBLE_EQ(in("K", "-40 °C"), 233.15);
  EXPECT_DOUBLE_EQ(in("K", "300 K"), 300);
  EXPECT_DOUBLE_EQ(in("degrees", "5 deg"), 5);
  EXPECT_NEAR(in("degrees", "3.14159265358979 rad"), 180, 1e-12);
  EXPECT_NEAR(in("rad/s", "60 rpm"), 2 * 3.14159265358979, 1e-12);
  EXPECT_DOUBLE_EQ(in("m/s", "36 km/h"), 10);
  EXPECT_DOUBLE_EQ(in("kg", "200 g"), 0.2);
  EXPECT_DOUBLE_EQ(in("Pa s", "5 mPa s"), 0.005);
  EXPECT_DOUBLE_EQ(in("Pa", "2 kN/m^2"), 2000);
  EXPECT_DOUBLE_EQ(in("W/(m^2 K)", "1 W/(cm^2 K)"), 10000);
  EXPECT_DOUBLE_EQ(in("J/(kg K)", "4.2 kJ/(kg K)"), 4200);
  EXPECT_DOUBLE_EQ(in("N/m", "72 mN/m"), 0.072);
  EXPECT_DOUBLE_EQ(in("1", "50 %"), 0.5);
}

TEST(Units, ExponentsFollowTheDimension) {
  EXPECT_DOUBLE_EQ(in("kg/m^d", "1 g/cm^3"), 1000);
  EXPECT_DOUBLE_EQ(in("m^d/s", "2 l/s"), 0.002);
  EXPECT_DOUBLE_EQ(in("kg/m^d", "1 kg/m^2", 2), 1);
  EXPECT_THROW(in("kg/m^d", "1 kg/m^3", 2), std::invalid_argument);
}

TEST(Units, OfAlternativesOneMustFit) {
  EXPECT_DOUBLE_EQ(in("rad/s or m/s", "3 cm/s"), 0.03);
  EXPECT_NEAR(in("rad/s or m/s", "180 deg/s"), 3.14159265358979, 1e-12);
  EXPECT_THROW(in("rad/s or m/s", "3 s"), std::invalid_argument);
}

TEST(Units, InASceneEveryNumberMayHaveOne) {
  const Scene scene = parsed(R"([scene]
spacing = "10 cm"
[time]
duration = "1.5 min"
[materials.water]
gravity = {}
fluid = { rest_density = "1 g/cm^3" }
viscosity = { dynamic_viscosity = { over = "temperature", at = ["20 C", "80 C"], value = ["10 Pa s", 1] } }
heat = {}
[[objects]]
name = "cube"
material = "water"
temperature = "20 C"
velocity = ["50 cm/s", 0, "-3.6 km/h"]
shape = { type = "box", min = [0, 0, 0], max = ["100 cm", 1, "1000 mm"], rotate = [0, 0, "0.5 turn"] }
[[colliders]]
name = "floor"
position = { time = ["0 s", "500 ms"], value = [[0, 0, 0], [0, 0, "-2 cm"]] }
shape = { type = "plane", point = [0, 0, "-1 m"], normal = [0, 0, 1] }
)");
  EXPECT_FLOAT_EQ(scene.world.spacing, 0.1f);
  EXPECT_DOUBLE_EQ(scene.duration, 90);
  const ObjectSetup& cube_object = scene.world.objects[0];
  EXPECT_EQ(cube_object.velocity, Vec3(0.5f, 0, -1));
  EXPECT_FLOAT_EQ(cube_object.initial.find("temperature")->at(0), 293.15f);
  EXPECT_TRUE(cube_object.shape->contains({-0.9f, -0.9f, 0.9f})) << "half a turn";
  EXPECT_FLOAT_EQ(scene.world.colliders[0].motion.position.at(0.5).z(), -0.02f);
  EXPECT_NE(scene.effective.find("at = [293.15, 353.15], value = [10, 1]"), std::string::npos) << scene.effective;
  EXPECT_NE(scene.effective.find("rest_density = 1000"), std::string::npos) << "SI numbers in the effective scene";
  EXPECT_TRUE(scene.notes.empty()) << scene.notes[0];
}

TEST(Units, ThatDoNotFitAreRefusedWithWhatWould) {
  const auto with_spacing = [](const std::string& value) {
    return mistake_of("[scene]\nspacing = " + value + "\n[materials.water]\ngravity = {}\nfluid = {}\n" + cube);
  };
  EXPECT_EQ(
      with_spacing("\"8 s\""),
      "test.toml:2:11: 'spacing' in [scene] needs a value in m: a plain number, or one with a unit of its kind, such "
      "as \"8 cm\", got \"8 s\"");
  EXPECT_EQ(with_spacing("\"8 cn\""),
            "test.toml:2:11: 'spacing' in [scene] has an unknown unit 'cn'; did you mean 'cm'?");
  EXPECT_EQ(with_spacing("\"20 C\"").find("test.toml:2:11: 'spacing' in [scene] needs a value in m"), 0u);
  EXPECT_EQ(with_spacing("\"0.1\""),
            "test.toml:2:11: 'spacing' in [scene] is a number in quotes; write it without them");
  EXPECT_EQ(with_spacing("\"fine\""), "test.toml:2:11: 'spacing' in [scene] needs a number, got a string");
  EXPECT_EQ(with_spacing("\"-8 cm\""), "test.toml:2:11: 'spacing' in [scene] must be greater than 0 m, got -0.08");
}

TEST(Units, WithoutQuotesGetAMessageAboutThem) {
  EXPECT_EQ(mistake_of("[scene]\nspacing = 8 cm\n").substr(0, 12), "test.toml:2:");
  for (const char* line : {"spacing = 8 cm", "spacing = 8cm", "spacing = 8 cm # fine"})
    EXPECT_NE(mistake_of(std::string("[scene]\n") + line + "\n").find("a value with a unit is a text in quotes: \"8"),
              std::string::npos)
        << mistake_of(std::string("[scene]\n") + line + "\n");
  EXPECT_NE(mistake_of("[domain]\nmin = [0, -1.5 m, 0]\n").find("in quotes: \"-1.5 m\""), std::string::npos);
  EXPECT_EQ(mistake_of("[scene]\nspacing = 8 elephants\n").find("in quotes"), std::string::npos);
}

TEST(Units, WorkInOptionsWithoutBlanks) {
  const Scene scene = parsed(beginning + cube, {{"scene.spacing", "5cm"}, {"time.duration", "200 ms"}});
  EXPECT_FLOAT_EQ(scene.world.spacing, 0.05f);
  EXPECT_DOUBLE_EQ(scene.duration, 0.2);
}

}  // namespace
}  // namespace fondue
