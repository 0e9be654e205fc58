// Sheets in scene files, and mistakes in them.

#include <gtest/gtest.h>

#include "behaviours/cloth.h"
#include "scene_texts.h"

namespace fondue {
namespace {

/// Lines 1 to 9; behaviours are in line 4, more keys of the object in line 8, its shape in line 9.
std::string sheet(const std::string& behaviours, const std::string& keys,
                  const std::string& shape = "type = \"rectangle\", width = 1, length = 0.6") {
  return "[scene]\nspacing = 0.1\n[materials.cotton]\n" + behaviours +
         "\n[[objects]]\nname = \"flag\"\nmaterial = \"cotton\"\n" + keys + "\nshape = { " + shape + " }\n";
}

TEST(SceneSheets, AThicknessMakesASheet) {
  const Scene scene = parsed(sheet("cloth = { stretch = 800 }", "thickness = \"1 mm\""));
  ASSERT_TRUE(scene.world.objects[0].sheet());
  EXPECT_FLOAT_EQ(scene.world.objects[0].thickness, 1e-3f);
  EXPECT_EQ(scene.looks[0].look, Look::cloth);
  EXPECT_EQ(parsed(scene.effective).effective, scene.effective);
  for (const char* shape : {"type = \"disc\", radius = 1", "type = \"sphere\", radius = 1"})
    EXPECT_EQ(mistake_of(sheet("cloth = {}", "thickness = 0.01", shape)), "");
}

TEST(SceneSheets, WhatCannotBeASheetSaysWhy) {
  EXPECT_EQ(mistake_of(sheet("cloth = {}", "thickness = 0.2")),
            "test.toml:9:9: object 'flag' is a sheet 0.2 m thick, which is more than its spacing of 0.1 m; make it "
            "thinner or fill a solid");
  EXPECT_NE(mistake_of(sheet("cloth = {}", "thickness = 0.01", "type = \"box\", min = [0, 0, 0], max = [1, 1, 1]"))
                .find("its shape is not a surface; take a rectangle, disc, bowl, sphere, height_field or mesh"),
            std::string::npos);
  EXPECT_NE(mistake_of(sheet("gravity = {}", "")).find("has no inside to fill; give it a 'thickness'"),
            std::string::npos);
  EXPECT_NE(mistake_of(sheet("cloth = {}", "", "type = \"box\", min = [0, 0, 0], max = [1, 1, 1]"))
                .find("has 'cloth', which is for sheets; give it a 'thickness'"),
            std::string::npos);
  EXPECT_NE(mistake_of(sheet("fluid = {}", "thickness = 0.01")).find("is a sheet, which cannot have 'fluid'"),
            std::string::npos);
  EXPECT_NE(mistake_of(sheet("cloth = { stretch = 0 }", "thickness = 0.01")).find("test.toml:4:"), std::string::npos);
  EXPECT_NE(mistake_of(sheet("cloth = {}", "thickness = 0")).find("test.toml:8:"), std::string::npos);
}

TEST(SceneSheets, MistakesInShellsSayWhatWouldBeRight) {
  EXPECT_EQ(mistake_of(sheet("shell = {}", "thickness = 0.01")), "");
  EXPECT_EQ(mistake_of(sheet("shell = {}\nplastic = {}\nfracture = {}", "thickness = 0.01")), "");
  EXPECT_EQ(mistake_of(sheet("cloth = {}\nfracture = {}", "thickness = 0.01")), "");
  EXPECT_EQ(mistake_of(sheet("shell = {}", "thickness = 0.01",
                             "type = \"height_field\", min = [0, 0, -1], max = [1, 1, 1], heights = [[0, 0, 0.3], [0, "
                             "0, 0.3]]")),
            "");
  EXPECT_EQ(mistake_of(sheet("shell = {}", "thickness = 0.2")),
            "test.toml:9:9: object 'flag' is a sheet 0.2 m thick, which is more than its spacing of 0.1 m; make it "
            "thinner or fill a solid");
  EXPECT_NE(mistake_of(sheet("shell = {}", "", "type = \"box\", min = [0, 0, 0], max = [1, 1, 1]"))
                .find("has 'shell', which is for sheets; give it a 'thickness'"),
            std::string::npos);
  EXPECT_NE(mistake_of(sheet("shell = { youngs_modulus = 0 }", "thickness = 0.01")).find("test.toml:4:"),
            std::string::npos);
  EXPECT_NE(mistake_of(sheet("shell = { youngs_modulus = -1e6 }", "thickness = 0.01")).find("test.toml:4:"),
            std::string::npos);
  for (const char* ratio : {"0.6", "-1"})
    EXPECT_NE(mistake_of(sheet(std::string("shell = { poissons_ratio = ") + ratio + " }", "thickness = 0.01"))
                  .find("test.toml:4:"),
              std::string::npos);
  EXPECT_NE(mistake_of(sheet("shell = { damping = 2 }", "thickness = 0.01")).find("test.toml:4:"), std::string::npos);
  EXPECT_NE(
      mistake_of(sheet("shell = { youngs_modulos = 1 }", "thickness = 0.01")).find("did you mean 'youngs_modulus'"),
      std::string::npos);
  EXPECT_NE(mistake_of(sheet("cloth = {}\nplastic = {}", "thickness = 0.01")).find("add 'elastic' or 'shell'"),
            std::string::npos);
  EXPECT_NE(mistake_of(sheet("gravity = {}\nfracture = {}", "thickness = 0.01")).find("'shell' or 'cloth'"),
            std::string::npos);
}

TEST(SceneSheets, SheetsMeltAndNothingBecomesASheet) {
  const auto curve = [](const char* values) {
    return std::string("{ weight = { time = [0, 0.1, 0.5, 0.6], value = ") + values + " } }";
  };
  const auto fading = [&](const char* cloth, const char* fluid) {
    return mistake_of(sheet("cloth = " + curve(cloth) + "\nfluid = " + curve(fluid), "thickness = 0.05"));
  };
  EXPECT_EQ(fading("[1, 0, 0, 0]", "[0, 1, 1, 1]"), "");
  EXPECT_NE(fading("[1, 0, 0, 1]", "[0, 1, 1, 0]")
                .find("is a sheet that has melted at 0.1 s and is to be one again by 0.6 s"),
            std::string::npos);
  EXPECT_NE(mistake_of(sheet("cloth = {}\nfluid = {}", "thickness = 0.05")).find("'fluid' from the start"),
            std::string::npos);
  EXPECT_NE(
      mistake_of(sheet("cloth = " + curve("[1, 0, 0, 0]") + "\nelastic = " + curve("[0, 1, 1, 1]"), "thickness = 0.05"))
          .find("is a sheet, which cannot have 'elastic': one layer of particles is no body"),
      std::string::npos);
  EXPECT_NE(mistake_of(sheet("cloth = {}\nrigid = {}", "thickness = 0.05")).find("take 'shell'"), std::string::npos);
  EXPECT_NE(mistake_of(sheet("fluid = " + curve("[1, 0, 0, 0]") + "\ncloth = " + curve("[0, 1, 1, 1]"), "",
                             "type = \"box\", min = [0, 0, 0], max = [1, 1, 1]"))
                .find("it cannot turn into one"),
            std::string::npos);
}

TEST(SceneSheets, ImplicitStepsBesideASheetAreRefused) {
  const auto beside = [](const std::string& scheme) {
    return mistake_of(sheet("cloth = {}", "thickness = 0.01") + "[materials.steel]\nelastic = { scheme = \"" + scheme +
                      "\" }\n[[objects]]\nname = \"block\"\nmaterial = \"steel\"\ndensity = 1000\n" +
                      "shape = { type = \"box\", min = [2, 2, 2], max = [3, 3, 3] }\n");
  };
  EXPECT_EQ(beside("automatic"), "");
  EXPECT_NE(beside("implicit").find("object 'block' asks for elastic.scheme = \"implicit\""), std::string::npos);
}

TEST(SceneSheets, APinBesideTheSheetHoldsNothing) {
  const std::string pin = "[[pins]]\nname = \"pole\"\nshape = { type = \"sphere\", radius = 0.1, centre = ";
  const std::string flag = sheet("cloth = {}", "thickness = 0.01");
  EXPECT_EQ(mistake_of(flag + pin + "[0.5, 0.3, 0] }\n"), "");
  EXPECT_EQ(mistake_of(flag + pin + "[0.5, 0.3, 0.2] }\n"),
            "test.toml:10:1: pin 'pole' holds nothing: at the start no particle is inside its shape");
}

}  // namespace
}  // namespace fondue
