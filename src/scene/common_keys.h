#pragma once
// Keys that several sections of a scene file share: names, shapes, motion, appearance.

#include "scene/declaration.h"

namespace fondue::keys {

using Kind = Parameter::Kind;
using Keys = Parameter::Keys;

/// Keys shared by several sections.
namespace common {
inline constexpr Parameter name{
    .name = "name", .kind = Kind::text, .required = true, .help = "unique name, used in messages, tables and --set"};
inline constexpr Parameter spacing{.name = "spacing",
                                   .unit = "m",
                                   .initial = no_default,
                                   .least = above_zero,
                                   .help = "distance between its particles; that of the scene if absent"};
inline constexpr Parameter on{
    .name = "on", .kind = Kind::boolean, .initial = 1, .keys = Keys::time, .help = "active only while this is true"};
inline constexpr Part shape{.name = "shape", .form = "a shape", .required = true, .help = "where it is"};
}  // namespace common

/// Where something is and how it moves. A point x of the shape goes to position + pivot + R (x - pivot): first turned
/// about the pivot, then moved.
namespace motion {
/// The same key, described for another section.
constexpr Parameter described(Parameter parameter, const char* help) {
  parameter.help = help;
  return parameter;
}
inline constexpr Parameter position{.name = "position",
                                    .kind = Kind::vector,
                                    .unit = "m",
                                    .keys = Keys::time,
                                    .help = "translation of the shape, after its rotation"};
inline constexpr Parameter rotation{
    .name = "rotation",
    .kind = Kind::vector,
    .unit = "degrees",
    .keys = Keys::time,
    .help = "rotation of the shape about 'pivot', before its translation: axis times angle"};
inline constexpr Parameter pivot{.name = "pivot",
                                 .kind = Kind::vector,
                                 .unit = "m",
                                 .help = "point about which 'rotation' turns the shape; moves with 'position'"};
inline constexpr Parameter velocity{
    .name = "velocity", .kind = Kind::vector, .unit = "m/s", .help = "initial velocity"};
inline constexpr Parameter angular_velocity{.name = "angular_velocity", .kind = Kind::vector, .unit = "rad/s"};
}  // namespace motion

/// Appearance of materials and objects.
namespace look {
inline constexpr std::string_view look_names[] = {"water",     "wax",  "lava",   "clay",  "metal", "paint",   "sand",
                                                  "cloth",     "wood", "rubber", "glass", "stone", "ceramic", "honey",
                                                  "chocolate", "ice",  "milk",   "snow",  "sponge"};
inline constexpr std::string_view skin_names[] = {"extracted", "carried", "grains", "fixed_grains"};
inline constexpr Parameter look{.name = "look",
                                .kind = Kind::choice,
                                .initial = no_default,
                                .choices = look_names,
                                .keys = Keys::attribute,
                                .help =
                                    "appearance in finished pictures; a curve over a column or time goes from one "
                                    "to the next; chosen by the behaviours if absent"};
inline constexpr Parameter colour{
    .name = "colour",
    .kind = Kind::vector,
    .initial_vector = no_default_vector,
    .least = 0,
    .most = 1,
    .help = "red, green, blue or \"#rrggbb\" in finished pictures; that of the look if absent"};
inline constexpr Parameter clarity{.name = "clarity",
                                   .unit = "m",
                                   .initial = no_default,
                                   .least = above_zero,
                                   .help =
                                       "of water, glass, honey and ice: how far white light travels through it until "
                                       "it has the colour; that of the look if absent"};
inline constexpr Parameter skin{.name = "skin",
                                .kind = Kind::choice,
                                .initial = no_default,
                                .choices = skin_names,
                                .help =
                                    "what is drawn: the surface reconstructed from its particles, its shape as a mesh "
                                    "carried by them, grains of sand "
                                    "that flow with them, or grains that keep their places around their particle"};
inline constexpr Parameter grains_per_particle{
    .name = "grains_per_particle",
    .kind = Kind::integer,
    .initial = no_default,
    .least = 1,
    .most = 1000,
    .help = "how many grains of sand are drawn for a particle; 32 if absent"};
inline constexpr const Parameter* all[] = {&look, &colour, &clarity, &skin, &grains_per_particle};
/// Of colliders and rigid bodies, which have no columns that it could follow.
inline constexpr Parameter solid_look{.name = "look",
                                      .kind = Kind::choice,
                                      .initial = no_default,
                                      .choices = look_names,
                                      .help = "appearance in finished pictures; grey and matt if absent"};
}  // namespace look

}  // namespace fondue::keys
