// Solids and camera as glTF: a whole file whose parts agree with each other and with the run.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "picture/gltf.h"
#include "shapes/primitives.h"
#include "support/temporary_folder.h"

namespace fondue::test_gltf {
namespace {

using testing_support::TemporaryFolder;

struct Parts {
  std::string json;
  std::vector<std::byte> binary;
};

std::uint32_t number_at(const std::vector<std::byte>& bytes, std::size_t at) {
  std::uint32_t number;
  std::memcpy(&number, &bytes.at(at + 3) - 3, 4);
  return number;
}

Parts parts_of(const std::vector<std::byte>& file) {
  EXPECT_EQ(std::memcmp(file.data(), "glTF", 4), 0);
  EXPECT_EQ(number_at(file, 4), 2u);
  EXPECT_EQ(number_at(file, 8), file.size());
  const std::uint32_t length = number_at(file, 12);
  EXPECT_EQ(length % 4, 0u);
  const auto* text = reinterpret_cast<const char*>(file.data()) + 20;
  const std::size_t second = 20 + length;
  EXPECT_EQ(second + 8 + number_at(file, second), file.size());
  return {std::string(text, length), {file.begin() + static_cast<std::ptrdiff_t>(second) + 8, file.end()}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(Gltf, HasEverySolidAndTheCameraAndKeysOnlyForWhatMoves) {
  const TemporaryFolder folder;
  const RunLayout layout{folder / "run", "two"};
  Scene scene;
  scene.name = "two \"balls\"";
  scene.world.spacing = 0.1f;
  scene.picture.eye = Keyable<Vec3>(Vec3(0, -3, 1));
  scene.picture.target = Keyable<Vec3>(Vec3(0, 0, 0));
  scene.world.colliders.resize(2);
  scene.world.colliders[0].name = "still";
  scene.world.colliders[0].shape = make_sphere(Vec3::Zero(), 0.5f);
  scene.world.colliders[1].name = "moving";
  scene.world.colliders[1].shape = make_box(Vec3(0, 0, 0), Vec3(1, 1, 1));
  scene.world.colliders[1].motion.position = {Curve<Vec3>({0, 1}, {Vec3::Zero(), Vec3(0, 0, 3)}, Interpolation::linear),
                                              "time"};
  scene.solid_looks.resize(2);
  scene.solid_looks[0].emplace().look = Look::glass;
  scene.world.objects.resize(1);
  scene.world.objects[0].name = "drop";
  scene.looks.resize(1);
  scene.looks[0].look = Look::honey;
  std::vector<FrameHeader> frames(3);
  for (std::size_t k = 0; k != frames.size(); ++k) frames[k].time = 0.5 * static_cast<double>(k);

  const RunSurfaces surfaces(scene, layout);
  const RunView view(scene, layout, {}, false);
  const auto [json, binary] = parts_of(gltf_image(scene, surfaces, view, frames));
  for (const char* name : {"\"still\"", "\"moving\"", "\"camera\"", "two \\\"balls\\\""})
    EXPECT_NE(json.find(name), std::string::npos) << name << " in " << json;
  EXPECT_EQ(count(json, "\"channels\""), 1u);
  EXPECT_EQ(count(json, "\"path\""), 2u) << "translation and rotation of one solid";
  EXPECT_EQ(count(json, "KHR_materials_transmission"), 3u) << "used, and in the materials of glass and honey";
  // Matter has its material too: honey has its colour after 18 mm.
  EXPECT_NE(json.find("\"extras\":{\"matter\":[{\"object\":0,\"material\":2}]}"), std::string::npos) << json;
  EXPECT_NE(json.find("\"attenuationDistance\":0.018"), std::string::npos) << json;
  EXPECT_NE(json.find("{\"look\":\"honey\"}"), std::string::npos) << json;
  EXPECT_NE(json.find(fmt::format("\"byteLength\":{}}}]", binary.size())), std::string::npos);
  // The last translation is among the last numbers: 3 vectors, then 3 quaternions.
  std::array<float, 3> last;
  std::memcpy(last.data(), binary.data() + binary.size() - 3 * 4 * 4 - 3 * 4, sizeof last);
  EXPECT_EQ(last, (std::array<float, 3>{0, 0, 3}));
}

}  // namespace
}  // namespace fondue::test_gltf
