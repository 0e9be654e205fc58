// A kitchen table and open air (picture/studio.h).

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "picture/look.h"
#include "picture/povray_solid.h"
#include "picture/studio.h"

namespace fondue {

std::string kitchen_table(const Stage& stage) {
  const Vec3 right = stage.right(), up = stage.up(), behind = stage.behind();
  const Vec3 window = (0.8f * up - right + 0.1f * behind).normalized();
  const Vec3 fill = (0.5f * up + 0.6f * right + behind).normalized();
  const Mat3 axes = (Mat3() << right, -behind, up).finished();

  std::string text;
  // A plastered wall far behind, out of focus: brighter towards the window.
  text += fmt::format(
      "sky_sphere {{ pigment {{ gradient {0} color_map {{ [0.0 srgb <0.93, 0.89, 0.82>] [0.5 srgb <0.84, 0.78, 0.69>] "
      "[1.0 srgb <0.52, 0.46, 0.40>] }} scale 2 translate {1} }} }}\n",
      povray_vector((right + 0.35f * up).normalized()), povray_vector(-(right + 0.35f * up).normalized()));
  text += lamp(window, 36, 16, 1.05f * Vec3(1.0f, 0.98f, 0.94f), 9, stage.shadows());
  text += plain_light(fill, 0.30f * Vec3(1.0f, 0.93f, 0.84f));
  text += plain_light(up, 0.16f * Vec3(1.0f, 0.97f, 0.92f));
  text += reflected_room(up,
                         "[0.30 srgb <0.55, 0.40, 0.26>] [0.48 srgb <0.50, 0.36, 0.24>] [0.5 srgb <0.62, 0.55, 0.47>] "
                         "[0.7 srgb <0.75, 0.70, 0.63>] [0.9 srgb <0.92, 0.90, 0.87>]");
  // Two panes of a window.
  const Vec3 across = window.cross(up).normalized(), along = across.cross(window).normalized();
  for (const float side : {-1.0f, 1.0f})
    text += panel(30 * window + side * 4.2f * across, 3.8f * across, 7 * along, Vec3(9.0f, 9.4f, 10.0f));
  if (const auto height = stage.floor_height())
    text += fmt::format(
        "box {{ <-60, -60, -1.2>, <60, 30, 0> texture {{ pigment {{ wood turbulence <0.03, 0.06, 0.02> octaves 3 "
        "color_map {{ [0.0 srgb <0.66, 0.46, 0.29>] [0.55 srgb <0.60, 0.40, 0.24>] [0.9 srgb <0.47, 0.30, 0.17>] "
        "[1.0 srgb <0.62, 0.42, 0.26>] }} rotate <0, 88.5, 0> translate <0, 0.7, 3.3> scale <1.6, 0.8, 0.8> }} "
        "normal {{ bumps 0.012 scale <3, 0.05, 0.05> }} "
        "finish {{ diffuse 0.72 specular 0.12 roughness 0.03 reflection {{ 0.0, 0.35 fresnel on }} }} }} "
        "interior {{ ior 1.4 }} {}}}\n",
        povray_matrix(axes, *height * up));
  return text;
}

std::string outdoor(const Stage& stage) {
  const Vec3 right = stage.right(), up = stage.up(), behind = stage.behind();
  const Vec3 sun = (0.95f * up - 0.75f * right + 0.55f * behind).normalized();
  const Mat3 axes = (Mat3() << right, -behind, up).finished();

  std::string text;
  // Along the vertical from -1 to 1: haze on the horizon, blue above, and thin clouds.
  text += fmt::format(
      "sky_sphere {{ pigment {{ gradient z color_map {{ [0.0 srgb <0.80, 0.85, 0.90>] [0.5 srgb <0.84, 0.90, 0.95>] "
      "[0.58 srgb <0.62, 0.78, 0.93>] [0.8 srgb <0.30, 0.52, 0.82>] }} scale 2 translate -z }} "
      "pigment {{ bozo turbulence 0.75 octaves 6 omega 0.6 lambda 2.2 color_map {{ [0.45 rgbt <1, 1, 1, 1>] "
      "[0.75 rgbt <1, 1, 1, 0.35>] [1.0 rgbt <1, 1, 1, 0.1>] }} scale <0.6, 0.6, 0.18> }} {}}}\n",
      povray_matrix(axes, Vec3::Zero()));
  text += lamp(sun, 80, 3, 1.15f * Vec3(1.0f, 0.96f, 0.87f), 7, stage.shadows());
  text += plain_light(up, 0.26f * Vec3(0.80f, 0.90f, 1.0f));
  text += plain_light((0.4f * up + 0.7f * right + 0.6f * behind).normalized(), 0.16f * Vec3(0.85f, 0.93f, 1.0f));
  text += panel(70 * sun, 3.0f * sun.cross(up).normalized(), 3.0f * up.cross(sun).cross(sun).normalized(),
                40 * Vec3(1.0f, 0.96f, 0.88f));
  if (const auto height = stage.floor_height())
    text += fmt::format(
        "plane {{ z, 0 texture {{ pigment {{ granite turbulence 0.2 color_map {{ [0.0 srgb <0.78, 0.74, 0.67>] "
        "[0.5 srgb <0.73, 0.69, 0.62>] [1.0 srgb <0.60, 0.56, 0.50>] }} scale 6 }} normal {{ granite 0.12 scale 2 }} "
        "finish {{ diffuse 0.85 }} }} {}}}\n",
        povray_matrix(axes, *height * up));
  // Haze hides the far end of the ground.
  return text + "fog { fog_type 1 distance 260 srgb <0.84, 0.90, 0.95> }\n";
}

}  // namespace fondue
