#include "picture/flame.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "picture/lights.h"
#include "picture/povray_solid.h"

namespace fondue {
namespace {

/// Of the height: radius, and height of the widest circle.
constexpr float width = 0.15f, widest = 0.2f;
/// Through its middle, light is absorbed by exp(-2 opacity).
constexpr float opacity = 2.2f;

/// The half of an ellipsoid above (side 1) or below (side -1) the plane z = 0; its colours are multiplied by the tint
/// at its lower end. The gap between the halves is too thin to be seen; surfaces that coincide would be.
std::string half(float radius, float length, int side, const char* tint) {
  const float strength = opacity / radius;
  return fmt::format(
      "intersection {{ sphere {{ 0, 1 }} plane {{ {} * z, -0.0005 }} hollow no_shadow pigment {{ rgbt 1 }} interior {{ "
      "media {{ method 3 samples 8 absorption {:.5g} density {{ spherical color_map {{ [0 rgb 0] [0.3 rgb 1] }} }} }} "
      "media {{ method 3 samples 8 emission {:.5g} density {{ spherical color_map {{ [0 rgb 0] "
      "[0.12 rgb <0.55, 0.12, 0.01>] [0.35 rgb <1.5, 0.62, 0.12>] [0.7 rgb <2.0, 1.35, 0.5>] "
      "[1 rgb <2.0, 1.6, 0.9>] }} }} density {{ gradient z color_map {{ [0 rgb {}] [1 rgb 1] }} }} }} }} "
      "scale <{:.5g}, {:.5g}, {:.5g}> ",
      -side, strength, strength, tint, radius, radius, length);
}

}  // namespace

std::string povray_flame(const Vec3& lower_end, const Vec3& up, float height, bool with_lamp) {
  const Vec3 across = up.unitOrthogonal(), middle = lower_end + widest * height * up;
  const std::string place = povray_matrix((Mat3() << across, up.cross(across), up).finished(), middle);
  const float radius = width * height;
  std::string text = half(radius, (1 - widest) * height, 1, "1") + place + "}\n" +
                     half(radius, widest * height, -1, "<0.1, 0.3, 4>") + place + "}\n";
  if (with_lamp)
    text += fmt::format("light_source {{ {} color rgb <2.6, 1.7, 0.8> fade_distance {:.5g} fade_power 2 }}\n",
                        povray_vector(middle + 0.2f * height * up), 0.5f * height);
  return text;
}

}  // namespace fondue
