#pragma once
// Keys of objects and of what adds, removes, heats, weakens and holds matter.

#include "scene/common_keys.h"

namespace fondue::keys {

namespace object {
inline constexpr std::string_view filling_names[] = {"lattice", "blue_noise"};
inline constexpr Parameter material{
    .name = "material", .kind = Kind::text, .help = "name of its [materials.NAME]; or give 'materials'"};
/// Of objects and emitters.
inline constexpr Part materials{
    .name = "materials",
    .form = "a list of tables with 'material', 'from' and 'fade', or with 'material' and 'weight'",
    .help = "several materials that fade into each other, in place of 'material'"};
inline constexpr Parameter filling{.name = "filling",
                                   .kind = Kind::choice,
                                   .choices = filling_names,
                                   .help = "how the shape is filled with particles"};
inline constexpr Parameter angular_velocity =
    motion::described(motion::angular_velocity, "initial angular velocity about the centre of its shape");
inline constexpr Parameter density{
    .name = "density",
    .unit = "kg/m^d",
    .initial = no_default,
    .least = above_zero,
    .help = "mass over volume of matter whose behaviours give it no rest density; 1000 if absent"};
inline constexpr Parameter thickness{
    .name = "thickness",
    .unit = "m",
    .initial = no_default,
    .least = above_zero,
    .help =
        "makes it a sheet of this thickness: one layer of particles over the surface of its shape, which must be a "
        "rectangle, disc, bowl, sphere, height_field or mesh; its mass is density times thickness times area"};
/// Beside the initial values of its behaviours and its look.
inline constexpr const Parameter* own[] = {&common::name, &material,         &filling,          &common::spacing,
                                           &thickness,    &motion::velocity, &angular_velocity, &density};
inline constexpr Part parts[] = {common::shape, materials};
}  // namespace object

namespace emitter {
inline constexpr std::string_view kind_names[] = {"box", "disc", "surface"};
inline constexpr Parameter material{.name = "material",
                                    .kind = Kind::text,
                                    .help = "material of the emitted particles, which form an object of their own"};
inline constexpr Parameter object{
    .name = "object",
    .kind = Kind::text,
    .help = "name of an existing object to which the particles are added, in place of 'material'"};
inline constexpr Parameter kind{
    .name = "kind",
    .kind = Kind::choice,
    .initial = 1,
    .choices = kind_names,
    .help = "a jet from a disc, the volume of a box, or the surface of a shape or of a body"};
inline constexpr Parameter centre{.name = "centre",
                                  .kind = Kind::vector,
                                  .unit = "m",
                                  .keys = Keys::time,
                                  .help = "centre of the disc; what is in the opening moves with it"};
inline constexpr Parameter radius{
    .name = "radius", .unit = "m", .initial = no_default, .least = above_zero, .help = "radius of the disc"};
inline constexpr Parameter direction{.name = "direction",
                                     .kind = Kind::vector,
                                     .initial_vector = {0, 0, -1},
                                     .keys = Keys::time,
                                     .help = "direction of the jet; a surface emits along its normals"};
inline constexpr Parameter speed{.name = "speed",
                                 .unit = "m/s",
                                 .initial = 1,
                                 .least = 0,
                                 .keys = Keys::time,
                                 .help = "speed of the emitted particles"};
inline constexpr Parameter rate{.name = "rate",
                                .unit = "m^d/s",
                                .initial = no_default,
                                .least = 0,
                                .keys = Keys::time,
                                .help = "volume emitted per second; area of the opening times speed if absent"};
inline constexpr Parameter rate_per_area{
    .name = "rate_per_area",
    .unit = "m/s",
    .initial = no_default,
    .least = 0,
    .keys = Keys::time,
    .help =
        "volume emitted per second and per area of the opening, in place of 'rate'; "
        "at most the speed"};
inline constexpr Parameter body{
    .name = "body",
    .kind = Kind::text,
    .help =
        "name of a collider or rigid body that it is fixed to. A disc, as the spout of a jug: 'centre' and 'direction' "
        "are then where they are on its shape before it moves. A surface: that of the body, or of a 'shape' in its "
        "frame; what leaves it has the velocity of the body there, and 'speed' outwards"};
inline constexpr Parameter sheet{
    .name = "sheet",
    .kind = Kind::text,
    .help =
        "name of an object that is a sheet, whose front side a surface emits from; what leaves it has the velocity "
        "of the sheet there, and 'speed' outwards"};
inline constexpr Parameter most{.name = "most",
                                .kind = Kind::integer,
                                .initial = no_default,
                                .least = 0,
                                .most = 16777215,
                                .help = "stops after this many particles"};
/// Beside the initial values of the behaviours of what it emits.
inline constexpr const Parameter* own[] = {&common::name, &material,  &object,          &kind, &centre,
                                           &radius,       &direction, &speed,           &rate, &rate_per_area,
                                           &common::on,   &most,      &common::spacing, &body, &sheet};
inline constexpr Part shape{.name = "shape", .form = "a shape", .help = "the box or the surface that emits"};
inline constexpr Part parts[] = {shape, keys::object::materials};
}  // namespace emitter

namespace sink {
inline constexpr const Parameter* all[] = {&common::name, &common::on};
inline constexpr Part parts[] = {common::shape};
}  // namespace sink

namespace pin {
inline constexpr Parameter collider{
    .name = "collider",
    .kind = Kind::text,
    .help =
        "holds what is within one spacing of this collider and moves with it; give 'collider' or 'shape', not both"};
inline constexpr Parameter object{
    .name = "object", .kind = Kind::text, .help = "holds particles of this object only; of all if absent"};
inline constexpr const Parameter* all[] = {&common::name,     &collider,      &object,    &motion::position,
                                           &motion::rotation, &motion::pivot, &common::on};
inline constexpr Part shape{.name = "shape", .form = "a shape", .help = "holds what is in it when it is switched on"};
inline constexpr Part parts[] = {shape};
}  // namespace pin

}  // namespace fondue::keys
