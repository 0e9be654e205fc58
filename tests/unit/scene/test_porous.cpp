// Porous matter in scene files, and mistakes in it.

#include <gtest/gtest.h>

#include "behaviours/porous.h"
#include "scene_texts.h"

namespace fondue {
namespace {

/// A cube of water and a sponge beside it: what stands in its material and in the object. Lines 11 to 17.
std::string soaking(const std::string& behaviours, const std::string& object = "") {
  return beginning + cube + "[materials.sponge]\n" + behaviours + "\n[[objects]]\nname = \"sponge\"\n" +
         "material = \"sponge\"\nshape = { type = \"box\", min = [2, 0, 0], max = [3, 1, 1] }\n" + object + "\n";
}
const std::string elastic = "elastic = {}\n";

TEST(ScenePorous, SaturationFluidAndRegionsAreRead) {
  const Scene scene = parsed(soaking(elastic + "porous = { porosity = 0.7, fluid = \"cube\" }",
                                     "saturation = { over = \"z\", at = [0, 1], value = [1, 0] }") +
                             "[[pore_regions]]\nname = \"channel\"\npermeability = 1e-15\n"
                             "shape = { type = \"sphere\", radius = 0.2 }\n");
  EXPECT_FLOAT_EQ(at_place(*scene.world.objects[1].initial.find("saturation"), Vec3(0, 0, 0.25f)), 0.75f);
  const Track& track = scene.world.objects[1].tracks.back();
  EXPECT_EQ(track.values.text(Porous::fluid), "cube");
  EXPECT_FLOAT_EQ(track.values.constant(Porous::porosity), 0.7f);
  ASSERT_EQ(scene.world.regions.size(), 1u);
  EXPECT_FLOAT_EQ(scene.world.regions[0].values.constant(Porous::region_permeability), 1e-15f);
}

TEST(ScenePorous, ValuesOutOfRangeAreMistakes) {
  for (const std::string wrong : {"porosity = 1.2", "porosity = 0", "porosity = -0.1", "permeability = 0",
                                  "permeability = -1e-12", "viscosity = 0", "capillary_strength = -1"}) {
    const std::string mistake = mistake_of(soaking(elastic + "porous = { " + wrong + " }"));
    EXPECT_NE(mistake.find("test.toml:13:"), std::string::npos) << wrong << ": " << mistake;
    EXPECT_NE(mistake.find("must be"), std::string::npos) << wrong << ": " << mistake;
  }
  for (const std::string wrong : {"saturation = 1.1", "saturation = -0.1"}) {
    const std::string mistake = mistake_of(soaking(elastic + "porous = {}", wrong));
    EXPECT_NE(mistake.find("test.toml:18:"), std::string::npos) << wrong << ": " << mistake;
  }
}

TEST(ScenePorous, PoresNeedABody) {
  EXPECT_EQ(
      mistake_of(soaking("fluid = {}\n porous = {}")),
      "test.toml:16:12: object 'sponge' has 'porous', which needs a body that has the pores; add 'elastic', 'cloth' "
      "or 'sand' to its material");
  EXPECT_EQ(mistake_of(soaking(elastic, "saturation = 0.5")),
            "test.toml:16:12: object 'sponge' has a saturation, but no pores; add 'porous' to its material, or remove "
            "'saturation'");
}

TEST(ScenePorous, TheFluidMustBeThereAndBeTheOnlyOneOrNamed) {
  EXPECT_EQ(mistake_of(soaking(elastic + "porous = { fluid = \"wine\" }")),
            "test.toml:16:12: object 'sponge' takes up 'wine', which is no fluid of the scene; there is 'cube'");
  const std::string oil =
      "[[objects]]\nname = \"oil\"\nmaterial = \"water\"\nshape = { type = \"box\", min = [4, 0, 0], max = [5, 1, 1] "
      "}\n";
  EXPECT_EQ(mistake_of(soaking(elastic + "porous = {}") + oil),
            "test.toml:16:12: object 'sponge' has 'porous', and the scene has several fluids; say which it takes up: "
            "porous = { fluid = \"cube\" }");
  EXPECT_EQ(mistake_of(soaking(elastic + "porous = { fluid = \"oil\" }") + oil), "");
}

TEST(ScenePorous, CurvesMayRunOverSaturation) {
  const std::string soft =
      "elastic = { youngs_modulus = { over = \"saturation\", at = [0, 1], value = [1e5, 1e4] } }\n";
  EXPECT_EQ(mistake_of(soaking(soft + "porous = {}")), "");
  EXPECT_NE(mistake_of(soaking(soft)).find("but it has no saturation"), std::string::npos);
}

}  // namespace
}  // namespace fondue
