#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "picture/colour_map.h"
#include "picture/legend.h"

namespace fondue::test_colours {
namespace {

/// Relative luminance of a display colour (ITU-R BT.709 weights, sRGB curve taken as a power of 2.2).
float luminance(const Vec3& c) { return Vec3(0.2126f, 0.7152f, 0.0722f).dot(c.array().pow(2.2f).matrix()); }

TEST(ColourMap, LightnessGrowsAlongSequentialMaps) {
  for (const char* name : {"viridis", "heat", "water"}) {
    const ColourMap map(name);
    for (int i = 1; i <= 200; ++i)
      ASSERT_GT(luminance(map(static_cast<float>(i) / 200)), luminance(map(static_cast<float>(i - 1) / 200)))
          << name << i;
  }
}

TEST(ColourMap, EndsMatchTheNames) {
  const ColourMap viridis("viridis"), heat("heat"), water("water"), diverging("diverging");
  EXPECT_GT(viridis(0).z(), 2 * viridis(0).y()) << "violet";
  EXPECT_GT(viridis(1).y(), 4 * viridis(1).z()) << "yellow";
  EXPECT_LT(luminance(heat(0)), 0.01f) << "black";
  EXPECT_GT(luminance(heat(1)), 0.9f) << "white";
  EXPECT_GT(heat(0.45f).x(), 3 * heat(0.45f).z()) << "red to orange between";
  EXPECT_GT(water(0).z(), 1.8f * water(0).y()) << "deep blue";
  EXPECT_GT(luminance(water(1)), 0.95f) << "foam";
  EXPECT_GT(diverging(0).z(), 2 * diverging(0).x()) << "blue";
  EXPECT_GT(diverging(1).x(), 2 * diverging(1).z()) << "red";
  const Vec3 middle = diverging(0.5f);
  EXPECT_LT(middle.maxCoeff() - middle.minCoeff(), 0.03f) << "grey";
}

TEST(ColourMap, ValuesBeyondTheEndsAreClamped) {
  for (const std::string_view name : colour_map_names) {
    const ColourMap map(name);
    EXPECT_EQ(map(-3), map(0));
    EXPECT_EQ(map(infinity), map(1));
  }
}

TEST(ColourMap, UnknownNameListsTheKnownOnes) {
  try {
    ColourMap("jet");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("viridis, heat, water, diverging"), std::string::npos) << error.what();
  }
}

TEST(Legend, TicksAreRoundEvenAndCoverTheRange) {
  const std::vector<std::pair<float, float>> ranges = {{0, 1},      {0, 3.2f},          {-4.9e5f, 5e5f},
                                                       {280, 373},  {0.0012f, 0.0031f}, {999, 1001.5f},
                                                       {-7, -2.5f}, {1e-9f, 3.5e-9f},   {0, 99999}};
  for (const auto& [min, max] : ranges) {
    const std::vector<Tick> ticks = legend_ticks(min, max);
    ASSERT_GE(ticks.size(), 3u) << min << " to " << max;
    ASSERT_LE(ticks.size(), 7u) << min << " to " << max;
    const double step = ticks[1].value - ticks[0].value, slack = 1e-3 * step;
    const double lead = step / std::pow(10, std::floor(std::log10(step) + 1e-6));
    EXPECT_TRUE(std::abs(lead - 1) < 1e-6 || std::abs(lead - 2) < 1e-6 || std::abs(lead - 5) < 1e-6) << step;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      EXPECT_GE(ticks[i].value, min - slack);
      EXPECT_LE(ticks[i].value, max + slack);
      EXPECT_NEAR(ticks[i].value / step, std::round(ticks[i].value / step), 1e-6) << "a multiple of the step";
      EXPECT_TRUE(i == 0 || ticks[i].label != ticks[i - 1].label) << "enough digits: " << ticks[i].label;
    }
    EXPECT_LT(ticks.front().value - min, step + slack) << "no tick is missing below";
    EXPECT_LT(max - ticks.back().value, step + slack) << "or above";
  }
}

TEST(Legend, LabelsAreReadable) {
  const auto labels = [](float min, float max) {
    std::string text;
    for (const Tick& tick : legend_ticks(min, max)) text += tick.label + " ";
    return text;
  };
  EXPECT_EQ(labels(0, 1), "0.0 0.2 0.4 0.6 0.8 1.0 ");
  EXPECT_EQ(labels(-10, 10), "−10 −5 0 5 10 ");
  EXPECT_EQ(labels(0, 4e6f), "0 1×10⁶ 2×10⁶ 3×10⁶ 4×10⁶ ");
  EXPECT_EQ(labels(0, 2e-5f), "0 0.5×10⁻⁵ 1.0×10⁻⁵ 1.5×10⁻⁵ 2.0×10⁻⁵ ");
}

TEST(Legend, RangeOfOneValueHasOneTickInTheMiddle) {
  const std::vector<Tick> ticks = legend_ticks(2.5f, 2.5f);
  ASSERT_EQ(ticks.size(), 1u);
  EXPECT_EQ(ticks[0].label, "2.5");
  EXPECT_EQ((Legend{"", "", 2.5f, 2.5f, "heat"}.position(2.5f)), 0.5f);
}

}  // namespace
}  // namespace fondue::test_colours
