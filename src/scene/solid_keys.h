#pragma once
// Keys of colliders, rigid bodies and joints.

#include "scene/common_keys.h"

namespace fondue::keys {

namespace collider {
inline constexpr Parameter container{
    .name = "container",
    .kind = Kind::boolean,
    .help = "true: the shape is hollow and everything outside is solid; false: the shape is solid"};
inline constexpr Parameter spacing{
    .name = "spacing",
    .unit = "m",
    .initial = no_default,
    .least = above_zero,
    .help = "distance between its boundary particles; the finest spacing of all matter if absent"};
inline constexpr Parameter surface_velocity{
    .name = "surface_velocity",
    .kind = Kind::vector,
    .unit = "m/s",
    .keys = Keys::time,
    .help = "moves its surface but not its shape, like a conveyor; in its own frame, the part along the surface"};
inline constexpr Parameter slip{
    .name = "slip", .least = 0, .most = 1, .keys = Keys::time, .help = "0: no slip, 1: free slip"};
inline constexpr Parameter bounce{.name = "bounce",
                                  .least = 0,
                                  .most = 1,
                                  .help = "coefficient of restitution: fraction of the normal speed kept on impact"};
inline constexpr Parameter temperature{
    .name = "temperature",
    .unit = "K",
    .initial = no_default,
    .least = 0,
    .keys = Keys::time,
    .help = "temperature of its surface, which conducts heat to matter with the behaviour heat; insulated if absent"};
inline constexpr Parameter roughness{.name = "roughness",
                                     .least = 0,
                                     .most = 1,
                                     .keys = Keys::time,
                                     .help = "fraction of the tangential speed lost on impact"};
inline constexpr Parameter friction{.name = "friction",
                                    .initial = 0.5,
                                    .least = 0,
                                    .help =
                                        "coefficient of friction with rigid bodies; of two different ones, the "
                                        "square root of their product counts"};
inline constexpr Parameter stickiness{.name = "stickiness",
                                      .unit = "Pa",
                                      .least = 0,
                                      .keys = Keys::time,
                                      .help = "adhesion: attractive force per unit area on fluid that touches it"};
inline constexpr Parameter visible{.name = "visible", .kind = Kind::boolean, .initial = 1, .help = "drawn in pictures"};
inline constexpr const Parameter* all[] = {
    &common::name, &container, &motion::position, &motion::rotation, &motion::pivot, &surface_velocity,
    &spacing,      &slip,      &bounce,           &roughness,        &friction,      &stickiness,
    &temperature,  &visible,   &look::solid_look, &look::colour,     &look::clarity};
inline constexpr Part parts[] = {common::shape};
}  // namespace collider

/// Rigid bodies: what colliders have, and what makes them move.
namespace body {
inline constexpr Parameter density{.name = "density",
                                   .unit = "kg/m^d",
                                   .initial = no_default,
                                   .least = above_zero,
                                   .help = "mass over volume; give 'density' or 'mass'"};
inline constexpr Parameter mass{
    .name = "mass", .unit = "kg", .initial = no_default, .least = above_zero, .help = "mass of the whole"};
inline constexpr Parameter position = motion::described(
    motion::position, "translation of the shape at the start, after its rotation; while it is held it follows this");
inline constexpr Parameter rotation = motion::described(
    motion::rotation,
    "rotation of the shape about 'pivot' at the start, axis times angle; while it is held it follows this");
inline constexpr Parameter velocity = motion::described(motion::velocity, "initial velocity of its centre of mass");
inline constexpr Parameter angular_velocity =
    motion::described(motion::angular_velocity, "initial angular velocity about its centre of mass");
inline constexpr Parameter gravity{.name = "gravity",
                                   .kind = Kind::vector,
                                   .unit = "m/s^2",
                                   .initial_vector = {0, 0, -9.81f},
                                   .keys = Keys::time,
                                   .help = "acceleration by gravity"};
inline constexpr Parameter dynamic{
    .name = "dynamic",
    .kind = Kind::boolean,
    .initial = 1,
    .keys = Keys::time,
    .help = "true: its motion is solved for; false: it is held where it is and follows its keyframes from there"};
inline constexpr const Parameter* all[] = {&common::name,
                                           &density,
                                           &mass,
                                           &position,
                                           &rotation,
                                           &motion::pivot,
                                           &velocity,
                                           &angular_velocity,
                                           &gravity,
                                           &dynamic,
                                           &collider::friction,
                                           &collider::bounce,
                                           &collider::slip,
                                           &collider::roughness,
                                           &collider::stickiness,
                                           &collider::spacing,
                                           &collider::temperature,
                                           &collider::visible,
                                           &look::solid_look,
                                           &look::colour,
                                           &look::clarity};
inline constexpr Part parts[] = {common::shape};
}  // namespace body

namespace joint {
inline constexpr std::string_view kind_names[] = {"fixed", "hinge", "ball", "slider"};
inline constexpr Parameter kind{.name = "kind",
                                .kind = Kind::choice,
                                .choices = kind_names,
                                .required = true,
                                .help =
                                    "what it leaves free: nothing, turning about an axis, turning about a point, "
                                    "sliding along an axis"};
inline constexpr Parameter body{
    .name = "body", .kind = Kind::text, .required = true, .help = "name of the rigid body that it holds"};
inline constexpr Parameter to{
    .name = "to",
    .kind = Kind::text,
    .help = "name of the rigid body or collider that it is joined to, and does not collide with; space if absent"};
inline constexpr Parameter anchor{.name = "anchor",
                                  .kind = Kind::vector,
                                  .unit = "m",
                                  .help = "where a hinge or ball is, with the body where it is at the start"};
inline constexpr Parameter axis{.name = "axis",
                                .kind = Kind::vector,
                                .initial_vector = {0, 0, 1},
                                .help = "of a hinge or slider; in two dimensions a hinge turns in the plane"};
inline constexpr Parameter speed{
    .name = "speed",
    .unit = "rad/s or m/s",
    .initial = no_default,
    .keys = Keys::time,
    .help = "makes it a motor: speed of the body relative to what it is joined to, about or along the axis"};
inline constexpr Parameter strength{.name = "strength",
                                    .unit = "N m or N",
                                    .initial = no_default,
                                    .least = 0,
                                    .help = "largest torque or force of the motor; as much as it takes if absent"};
inline constexpr const Parameter* all[] = {&common::name, &kind,  &body,     &to,        &anchor,
                                           &axis,         &speed, &strength, &common::on};
}  // namespace joint

}  // namespace fondue::keys
