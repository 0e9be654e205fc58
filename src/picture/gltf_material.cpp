#include "picture/gltf_material.h"

#include <fmt/format.h>

#include "picture/look.h"
#include "scene/common_keys.h"

namespace fondue {
namespace {

float roughness_of(Look look) {
  switch (look) {
    case Look::water:
    case Look::honey:
    case Look::glass:
      return 0;
    case Look::ceramic:
    case Look::paint:
    case Look::ice:
    case Look::milk:
      return 0.1f;
    case Look::chocolate:
    case Look::metal:
    case Look::wax:
      return 0.3f;
    case Look::rubber:
    case Look::wood:
      return 0.5f;
    case Look::lava:
    case Look::clay:
    case Look::sand:
    case Look::cloth:
    case Look::stone:
    case Look::snow:
    case Look::sponge:
      return 0.9f;
  }
  return 0.9f;
}

std::string triple(const Vec3& v) { return fmt::format("{},{},{}", v.x(), v.y(), v.z()); }

}  // namespace

std::string json_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\', result += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  return result + '"';
}

std::string gltf_material(const std::string& name, const std::optional<LookSetup>& look) {
  const Vec3 colour = to_linear(look ? look_colour(*look) : Vec3(0.62f, 0.63f, 0.65f));
  const bool metal = look && look->look == Look::metal, clear = look && is_clear(look->look);
  std::string rest;
  if (clear)
    rest += fmt::format(
        ",\"extensions\":{{\"KHR_materials_transmission\":{{\"transmissionFactor\":1}},\"KHR_materials_ior\":{{\"ior\":"
        "{}}},\"KHR_materials_volume\":{{\"thicknessFactor\":{},\"attenuationDistance\":{},\"attenuationColor\":[{}]}}}"
        "}",
        look_refraction(look->look), look_clarity(*look), look_clarity(*look), triple(colour));
  if (look && glows(*look)) rest += fmt::format(",\"emissiveFactor\":[{}]", triple(glow(unknown_heat).cwiseMin(1.0f)));
  if (look)
    rest += fmt::format(",\"extras\":{{\"look\":{}}}",
                        json_text(std::string(keys::look::look_names[static_cast<std::size_t>(look->look)])));
  return fmt::format(
      "{{\"name\":{},\"pbrMetallicRoughness\":{{\"baseColorFactor\":[{},1],\"metallicFactor\":{},\"roughnessFactor\":{}"
      "}}{}}}",
      json_text(name), triple(clear ? Vec3(Vec3::Ones()) : colour), metal ? 1 : 0,
      look ? roughness_of(look->look) : 0.7f, rest);
}

}  // namespace fondue
