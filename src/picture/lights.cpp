#include "picture/lights.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

namespace fondue {

std::string povray_vector(const Vec3& v) { return fmt::format("<{:.7g}, {:.7g}, {:.7g}>", v.x(), v.y(), v.z()); }

std::string lamp(const Vec3& direction, float distance, float side, const Vec3& colour, int lights, Shadows shadows) {
  const Vec3 to_lamp = direction.normalized();
  const Vec3 across = to_lamp.unitOrthogonal(), along = to_lamp.cross(across);
  return fmt::format("light_source {{ {} color {} area_light {}, {}, {}, {} adaptive {} circular orient jitter }}\n",
                     povray_vector(distance * to_lamp), povray_vector(colour), povray_vector(side * across),
                     povray_vector(side * along), lights, lights, static_cast<int>(shadows));
}

std::string plain_light(const Vec3& direction, const Vec3& colour) {
  return fmt::format("light_source {{ {} color {} shadowless }}\n", povray_vector(60 * direction),
                     povray_vector(colour));
}

std::string panel(const Vec3& centre, const Vec3& half_across, const Vec3& half_along, const Vec3& brightness) {
  return fmt::format(
      "mesh {{ triangle {{ {0}, {1}, {2} }} triangle {{ {2}, {3}, {0} }} pigment {{ rgb {4} }} finish {{ diffuse 0 "
      "emission 1 }} no_image no_shadow }}\n",
      povray_vector(centre - half_across - half_along), povray_vector(centre + half_across - half_along),
      povray_vector(centre + half_across + half_along), povray_vector(centre - half_across + half_along),
      povray_vector(brightness));
}

std::string reflected_room(const Vec3& up, const std::string& colours) {
  return fmt::format(
      "sphere {{ 0, 1 pigment {{ gradient {} color_map {{ {} }} scale 2 translate {} }} finish {{ diffuse 0 emission 1 "
      "}} scale 120 hollow no_image no_shadow }}\n",
      povray_vector(up), colours, povray_vector(-up));
}

}  // namespace fondue
