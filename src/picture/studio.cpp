#include "picture/studio.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "picture/look.h"

namespace fondue {
namespace {

/// Display colours of the background: at the bottom of the picture and at its top.
const Vec3 paper(0.945f, 0.95f, 0.955f), far_paper(0.80f, 0.84f, 0.885f);
const Vec3 flat_paper(0.93f, 0.936f, 0.945f);

constexpr float key_light = 0.86f, sky_light = 0.30f, fill_light = 0.34f;

/// Rays are reflected in transparent matter several times before they leave it; truncated ones would be black.
std::string head(bool clear) {
  return fmt::format(
      "#version 3.7;\nglobal_settings {{ assumed_gamma 1.0 max_trace_level {} adc_bailout {} ambient_light 0 }}\n"
      "#default {{ finish {{ ambient 0 }} }}\n",
      clear ? 16 : 5, clear ? 0.02 : 0.01);
}

/// Given by its axes, so that POV-Ray's left-handed coordinates do not matter; orthogonal to double precision.
std::string camera_text(const Stage& stage) {
  const ViewFrame& view = stage.view;
  const Vec3d right = view.rotation.row(0).transpose().cast<double>().normalized();
  const Vec3d back = right.cross(view.rotation.row(1).transpose().cast<double>()).normalized(), up = back.cross(right);
  const double measure = view.perspective ? 1 : stage.units.scale;
  const auto text = [](const Vec3d& v) { return fmt::format("<{:.15g}, {:.15g}, {:.15g}>", v.x(), v.y(), v.z()); };
  std::string lens;
  if (view.perspective && stage.aperture > 0)
    lens = fmt::format("aperture {:.6g} focal_point {} blur_samples 4, 37 confidence 0.9 variance 0.0004",
                       stage.units.scale * stage.aperture, povray_vector(stage.units.to_scene(stage.focus)));
  return fmt::format("camera {{ {} location {} direction {} right {} up {} {} }}\n",
                     view.perspective ? "perspective" : "orthographic", povray_vector(stage.units.to_scene(view.eye)),
                     text(-back), text(2 * view.extent.x() * measure * right), text(2 * view.extent.y() * measure * up),
                     lens);
}

/// Darker towards the top of the picture, independent of the view direction.
std::string background(const Vec3& picture_up, float half_height) {
  const auto place = [&](float in_picture) { return 0.5f + 0.5f * std::sin(std::atan(in_picture * half_height)); };
  return fmt::format(
      "sky_sphere {{ pigment {{ gradient {} color_map {{ [{:.4f} {}] [{:.4f} {}] }} scale 2 translate {} }} }}\n",
      povray_vector(picture_up), place(-0.2f), povray_colour(paper), place(1), povray_colour(far_paper),
      povray_vector(-picture_up));
}

/// Lit by all lamps it shows the background's colour. Transmission starts at 3 %: a smaller, invisible amount would be
/// cut off by adc_bailout at some distance and leave an edge.
std::string floor_text(const Vec3& up, const Vec3& below, float key_cosine, float fill_cosine, bool mirrored) {
  const float light = key_light * key_cosine + sky_light + fill_light * fill_cosine;
  const std::string colour = fmt::format("rgb {:.4f}", to_linear(paper).y() / light);
  return fmt::format(
      "disc {{ {0}, {1}, 40 texture {{ pigment {{ spherical color_map {{ [0 {2} transmit 1] [0.55 {2} transmit 0.35] "
      "[0.8 {2} transmit 0.03] [0.8 {2} transmit 0] }} scale 26 translate {0} }} finish {{ diffuse 1 }} }} hollow {3} "
      "}}\n",
      povray_vector(below), povray_vector(up), colour, mirrored ? "" : "no_reflection");
}

std::string studio(const Stage& stage) {
  const Vec3 right = stage.right(), up = stage.up(), behind = stage.behind();
  const Vec3 key = (up - 0.62f * right + 0.80f * behind).normalized();
  const Vec3 fill = (0.30f * up + 0.8f * right + behind).normalized();
  const ViewFrame& view = stage.view;

  std::string text = background(view.rotation.row(1), view.perspective ? view.extent.y() : 0.3f);
  text += lamp(key, 34, 12, key_light * Vec3(1.03f, 1.0f, 0.95f), 9, stage.shadows());
  const Vec3 sky_colour = sky_light * Vec3(0.97f, 1.0f, 1.04f);
  text += stage.clear ? plain_light(up, sky_colour) : lamp(up + 0.1f * right, 30, 34, sky_colour, 9, stage.shadows());
  text += plain_light(fill, fill_light * Vec3(0.96f, 0.99f, 1.05f));
  text += reflected_room(up, "[0.30 rgb 0.75] [0.47 rgb 0.60] [0.50 rgb 0.16] [0.62 rgb 0.28] [0.85 rgb 0.80]");
  text += panel(30 * key, 4.5f * key.cross(up).normalized(), 4.5f * up.cross(key).cross(key).normalized(),
                Vec3::Constant(14));
  text += panel(26 * (right + 0.25f * up), 6 * behind, 9 * up, Vec3::Constant(0.9f));
  if (const auto height = stage.floor_height())
    text += floor_text(up, *height * up, key.dot(up), fill.dot(up), !stage.clear);
  return text;
}

}  // namespace

std::optional<float> Stage::floor_height() const {
  if (!floor) return std::nullopt;
  return units.scale * (*floor - up().dot(home.target));
}

std::string stage_text(const Stage& stage) {
  std::string text = head(stage.clear) + camera_text(stage);
  text += stage.surroundings == Surroundings::studio    ? studio(stage)
          : stage.surroundings == Surroundings::outdoor ? outdoor(stage)
                                                        : kitchen_table(stage);
  return text +
         "#declare Rod = texture { pigment { srgbt <0.40, 0.45, 0.50, 0.3> } finish { diffuse 0 emission 0.9 } }\n";
}

std::string flat_stage(const Stage& stage) {
  return fmt::format(
      "{}{}background {{ {} }}\n#declare Rod = texture {{ pigment {{ {} }} finish {{ diffuse 0 emission 1 }} }}\n",
      head(false), camera_text(stage), povray_colour(flat_paper), povray_colour(Vec3(0.36f, 0.40f, 0.46f)));
}

std::string dark_stage(const Stage& stage) { return head(false) + camera_text(stage) + "background { rgb 0 }\n"; }

std::string solid_texture(const Vec3& colour) {
  return fmt::format("texture {{ pigment {{ {} }} finish {{ diffuse 0.75 specular 0.08 roughness 0.08 }} }}",
                     povray_colour(colour));
}

}  // namespace fondue
