#pragma once
// The sections of a scene file and their keys, each declared once.

#include <array>

#include "behaviours/fracture.h"
#include "behaviours/heat.h"
#include "core/kernel.h"
#include "scene/declaration.h"

namespace fondue {

namespace keys {

using Kind = Parameter::Kind;
using Keys = Parameter::Keys;

namespace scene {
inline constexpr Parameter name{
    .name = "name", .kind = Kind::text, .help = "name of the run; that of the file if absent"};
inline constexpr Parameter help{.name = "help", .kind = Kind::text, .help = "description of the scene in one sentence"};
inline constexpr Parameter dimension{
    .name = "dimension", .kind = Kind::integer, .initial = 3, .least = 2, .most = 3, .help = "2 for the plane z = 0"};
inline constexpr Parameter spacing{.name = "spacing",
                                   .unit = "m",
                                   .least = above_zero,
                                   .required = true,
                                   .help = "distance between particles: the resolution of the scene"};
inline constexpr Parameter support_ratio{
    .name = "support_ratio", .initial = 2, .least = 1.2, .most = 6, .help = "support radius of the kernel / spacing"};
/// All but the viscosity kernel, which is singular at r = 0 and cannot be used for density.
inline constexpr auto density_kernels = std::span(kernel_names).first<6>();
inline constexpr Parameter kernel{
    .name = "kernel", .kind = Kind::choice, .choices = density_kernels, .help = "smoothing kernel"};
inline constexpr Parameter seed{.name = "seed",
                                .kind = Kind::integer,
                                .initial = 1,
                                .least = 0,
                                .most = 16777215,
                                .help = "seed of all random numbers; the same seed gives the same run"};
inline constexpr const Parameter* all[] = {&name, &help, &dimension, &spacing, &support_ratio, &kernel, &seed};
}  // namespace scene

namespace time {
inline constexpr Parameter duration{
    .name = "duration", .unit = "s", .initial = 1, .least = above_zero, .help = "length of the run"};
inline constexpr Parameter frames_per_second{.name = "frames_per_second",
                                             .unit = "1/s",
                                             .initial = 50,
                                             .least = above_zero,
                                             .help = "frames written per second of simulated time"};
inline constexpr Parameter step_factor{.name = "step_factor",
                                       .initial = 1,
                                       .least = above_zero,
                                       .most = 1,
                                       .help = "time step as a fraction of the largest stable one"};
inline constexpr Parameter largest_step{.name = "largest_step",
                                        .unit = "s",
                                        .initial = no_default,
                                        .least = above_zero,
                                        .help = "upper limit of the time step; limited only by stability if absent"};
inline constexpr Parameter individual_steps{
    .name = "individual_steps", .kind = Kind::boolean, .help = "individual time steps per particle (DC96 5.2)"};
inline constexpr const Parameter* all[] = {&duration, &frames_per_second, &step_factor, &largest_step,
                                           &individual_steps};
}  // namespace time

namespace domain {
inline constexpr Parameter min{
    .name = "min", .kind = Kind::vector, .unit = "m", .required = true, .help = "lowest corner"};
inline constexpr Parameter max{
    .name = "max", .kind = Kind::vector, .unit = "m", .required = true, .help = "highest corner"};
inline constexpr const Parameter* all[] = {&min, &max};
inline constexpr Part periodic{
    .name = "periodic", .form = "a list of \"x\", \"y\", \"z\"", .help = "axes along which the domain is periodic"};
inline constexpr Part parts[] = {periodic};
}  // namespace domain

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

/// Appearance of materials and objects.
namespace look {
inline constexpr std::string_view look_names[] = {"water", "wax",   "lava", "clay",   "metal", "paint",
                                                  "sand",  "cloth", "wood", "rubber", "glass"};
inline constexpr std::string_view skin_names[] = {"extracted", "carried", "grains"};
inline constexpr Parameter look{.name = "look",
                                .kind = Kind::choice,
                                .initial = no_default,
                                .choices = look_names,
                                .help = "appearance in finished pictures; chosen by the behaviours if absent"};
inline constexpr Parameter colour{.name = "colour",
                                  .kind = Kind::vector,
                                  .initial_vector = no_default_vector,
                                  .least = 0,
                                  .most = 1,
                                  .help = "red, green, blue in finished pictures; that of the look if absent"};
inline constexpr Parameter skin{
    .name = "skin",
    .kind = Kind::choice,
    .initial = no_default,
    .choices = skin_names,
    .help =
        "what is drawn: the surface reconstructed from its particles, its shape as a mesh carried by them, or grains"};
inline constexpr const Parameter* all[] = {&look, &colour, &skin};
}  // namespace look

namespace object {
inline constexpr std::string_view filling_names[] = {"lattice", "blue_noise"};
inline constexpr Parameter material{
    .name = "material", .kind = Kind::text, .required = true, .help = "name of its [materials.NAME]"};
inline constexpr Parameter filling{.name = "filling",
                                   .kind = Kind::choice,
                                   .choices = filling_names,
                                   .help = "how the shape is filled with particles"};
inline constexpr Parameter velocity{
    .name = "velocity", .kind = Kind::vector, .unit = "m/s", .help = "initial velocity"};
inline constexpr Parameter angular_velocity{.name = "angular_velocity",
                                            .kind = Kind::vector,
                                            .unit = "rad/s",
                                            .help = "initial angular velocity about the centre of its shape"};
inline constexpr Parameter temperature{.name = "temperature",
                                       .unit = "K",
                                       .initial = no_default,
                                       .least = 0,
                                       .keys = Keys::place,
                                       .help = "temperature at the start; none if absent"};
inline constexpr Parameter density{
    .name = "density",
    .unit = "kg/m^d",
    .initial = no_default,
    .least = above_zero,
    .help = "mass over volume of matter whose behaviours give it no rest density; 1000 if absent"};
inline constexpr const Parameter* own[] = {&common::name, &material,         &filling,     &common::spacing,
                                           &velocity,     &angular_velocity, &temperature, &density};
/// With those of its look.
inline constexpr const Parameter* all[] = {&common::name, &material,         &filling,     &common::spacing,
                                           &velocity,     &angular_velocity, &temperature, &density,
                                           &look::look,   &look::colour,     &look::skin};
inline constexpr Part parts[] = {common::shape};
}  // namespace object

namespace collider {
inline constexpr Parameter container{
    .name = "container",
    .kind = Kind::boolean,
    .help = "true: the shape is hollow and everything outside is solid; false: the shape is solid"};
inline constexpr Parameter position{
    .name = "position", .kind = Kind::vector, .unit = "m", .keys = Keys::time, .help = "translation of the shape"};
inline constexpr Parameter rotation{.name = "rotation",
                                    .kind = Kind::vector,
                                    .unit = "degrees",
                                    .keys = Keys::time,
                                    .help = "rotation of the shape about the origin: axis times angle"};
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
inline constexpr Parameter slip{.name = "slip", .least = 0, .most = 1, .help = "0: no slip, 1: free slip"};
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
inline constexpr Parameter roughness{
    .name = "roughness", .least = 0, .most = 1, .help = "fraction of the tangential speed lost on impact"};
inline constexpr Parameter friction{.name = "friction",
                                    .initial = 0.5,
                                    .least = 0,
                                    .help =
                                        "coefficient of friction with rigid bodies; of two different ones, the "
                                        "square root of their product counts"};
inline constexpr Parameter stickiness{.name = "stickiness",
                                      .unit = "Pa",
                                      .least = 0,
                                      .help = "adhesion: attractive force per unit area on fluid that touches it"};
inline constexpr Parameter visible{.name = "visible", .kind = Kind::boolean, .initial = 1, .help = "drawn in pictures"};
inline constexpr const Parameter* all[] = {&common::name, &container,   &position, &rotation,   &surface_velocity,
                                           &spacing,      &slip,        &bounce,   &roughness,  &friction,
                                           &stickiness,   &temperature, &visible,  &look::look, &look::colour};
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
inline constexpr Parameter position{.name = "position",
                                    .kind = Kind::vector,
                                    .unit = "m",
                                    .keys = Keys::time,
                                    .help = "translation of the shape at the start; while it is held it follows this"};
inline constexpr Parameter rotation{
    .name = "rotation",
    .kind = Kind::vector,
    .unit = "degrees",
    .keys = Keys::time,
    .help = "rotation of the shape about the origin at the start, axis times angle; while it is held it follows this"};
inline constexpr Parameter velocity{
    .name = "velocity", .kind = Kind::vector, .unit = "m/s", .help = "initial velocity of its centre of mass"};
inline constexpr Parameter angular_velocity{.name = "angular_velocity",
                                            .kind = Kind::vector,
                                            .unit = "rad/s",
                                            .help = "initial angular velocity about its centre of mass"};
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
                                           &look::look,
                                           &look::colour};
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

namespace emitter {
inline constexpr std::string_view kind_names[] = {"box", "disc", "surface"};
inline constexpr Parameter material{.name = "material",
                                    .kind = Kind::text,
                                    .help = "material of the emitted particles, which form an object of their own"};
inline constexpr Parameter object{
    .name = "object",
    .kind = Kind::text,
    .help = "name of an existing object to which the particles are added; give 'object' or 'material', not both"};
inline constexpr Parameter kind{.name = "kind",
                                .kind = Kind::choice,
                                .initial = 1,
                                .choices = kind_names,
                                .help = "a jet from a disc, the volume of a box, or the surface of a shape"};
inline constexpr Parameter centre{.name = "centre", .kind = Kind::vector, .unit = "m", .help = "centre of the disc"};
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
inline constexpr Parameter temperature{
    .name = "temperature",
    .unit = "K",
    .initial = no_default,
    .least = 0,
    .keys = Keys::time,
    .help = "temperature of the emitted particles; that of its object, or none, if absent"};
inline constexpr Parameter most{.name = "most",
                                .kind = Kind::integer,
                                .initial = no_default,
                                .least = 0,
                                .most = 16777215,
                                .help = "stops after this many particles"};
inline constexpr const Parameter* all[] = {&common::name, &material,  &object,         &kind, &centre,
                                           &radius,       &direction, &speed,          &rate, &temperature,
                                           &common::on,   &most,      &common::spacing};
inline constexpr Part shape{.name = "shape", .form = "a shape", .help = "the box or the surface that emits"};
inline constexpr Part parts[] = {shape};
}  // namespace emitter

namespace sink {
inline constexpr const Parameter* all[] = {&common::name, &common::on};
inline constexpr Part parts[] = {common::shape};
}  // namespace sink

namespace hot_region {
inline constexpr const Parameter* all[] = {&common::name, &Heat::region_temperature, &Heat::region_rate,
                                           &collider::position, &common::on};
inline constexpr Part parts[] = {common::shape};
}  // namespace hot_region

namespace weak_region {
inline constexpr const Parameter* all[] = {&common::name, &Fracture::region_factor, &collider::position, &common::on};
inline constexpr Part parts[] = {common::shape};
}  // namespace weak_region

namespace pin {
inline constexpr Parameter collider{
    .name = "collider",
    .kind = Kind::text,
    .help =
        "holds what is within one spacing of this collider and moves with it; give 'collider' or 'shape', not both"};
inline constexpr Parameter object{
    .name = "object", .kind = Kind::text, .help = "holds particles of this object only; of all if absent"};
inline constexpr const Parameter* all[] = {
    &common::name, &collider, &object, &keys::collider::position, &keys::collider::rotation, &common::on};
inline constexpr Part shape{.name = "shape", .form = "a shape", .help = "holds what is in it when it is switched on"};
inline constexpr Part parts[] = {shape};
}  // namespace pin

namespace probe {
inline constexpr std::string_view kind_names[] = {"point", "front", "height", "force"};
inline constexpr Parameter kind{
    .name = "kind",
    .kind = Kind::choice,
    .choices = kind_names,
    .required = true,
    .help =
        "pressure, velocity, density and temperature at a point; the farthest particle; the height of "
        "the surface; the force on a collider or body"};
inline constexpr Parameter position{
    .name = "position", .kind = Kind::vector, .unit = "m", .help = "position of a point or height probe"};
inline constexpr Parameter direction{
    .name = "direction",
    .kind = Kind::vector,
    .initial_vector = no_default_vector,
    .help = "direction along which a front (x if absent) or a height (up if absent) is measured"};
inline constexpr Parameter of{.name = "of",
                              .kind = Kind::text,
                              .help = "object of a front (all if absent), or collider or body on which a force acts"};
inline constexpr const Parameter* all[] = {&common::name, &kind, &position, &direction, &of};
}  // namespace probe

namespace picture {
inline constexpr std::string_view map_names[] = {"viridis", "heat", "water", "diverging"};
inline constexpr Parameter width{
    .name = "width", .kind = Kind::integer, .unit = "pixels", .initial = 1280, .least = 16, .most = 16384};
inline constexpr Parameter height{
    .name = "height", .kind = Kind::integer, .unit = "pixels", .initial = 720, .least = 16, .most = 16384};
inline constexpr Parameter colour_by{
    .name = "colour_by",
    .kind = Kind::text,
    .initial_text = "velocity",
    .help = "column by which particles are coloured; \"object\" gives each object its own colour"};
inline constexpr Parameter map{
    .name = "map", .kind = Kind::choice, .initial = 2, .choices = map_names, .help = "colours from low to high"};
inline constexpr Parameter min{
    .name = "min", .initial = no_default, .help = "value of the lowest colour; minimum of the run if absent"};
inline constexpr Parameter max{
    .name = "max", .initial = no_default, .help = "value of the highest colour; maximum of the run if absent"};
inline constexpr Parameter eye{.name = "eye",
                               .kind = Kind::vector,
                               .unit = "m",
                               .initial_vector = no_default_vector,
                               .help = "position of the camera; chosen automatically if absent"};
inline constexpr Parameter target{.name = "target",
                                  .kind = Kind::vector,
                                  .unit = "m",
                                  .initial_vector = no_default_vector,
                                  .help = "point that the camera looks at"};
inline constexpr Parameter field_of_view{.name = "field_of_view",
                                         .unit = "degrees",
                                         .initial = 35,
                                         .least = 1,
                                         .most = 170,
                                         .help = "vertical field of view"};
inline constexpr const Parameter* all[] = {&width, &height, &colour_by, &map,          &min,
                                           &max,   &eye,    &target,    &field_of_view};
}  // namespace picture

namespace surface {
inline constexpr std::string_view field_names[] = {"colour", "characteristic", "density", "distance", "anisotropic"};
inline constexpr Parameter field{
    .name = "field",
    .kind = Kind::choice,
    .initial = 4,
    .choices = field_names,
    .help = "scalar field whose zero level set is the surface; anisotropic preserves thin sheets and edges"};
inline constexpr Parameter cell{.name = "cell",
                                .unit = "spacings",
                                .initial = 0.5,
                                .least = 0.1,
                                .most = 2,
                                .help = "size of the marching-cubes cells; smaller gives more triangles"};
inline constexpr Parameter smoothing{.name = "smoothing",
                                     .kind = Kind::integer,
                                     .initial = 10,
                                     .least = 0,
                                     .most = 1000,
                                     .help = "passes of non-shrinking smoothing, which remove bumps of particle size"};
inline constexpr Parameter smallest_piece{.name = "smallest_piece",
                                          .unit = "particles",
                                          .initial = 0,
                                          .least = 0,
                                          .help = "drops and bubbles of less volume are removed"};
inline constexpr const Parameter* all[] = {&field, &cell, &smoothing, &smallest_piece};
inline constexpr Part attributes{.name = "attributes",
                                 .form = "a list of columns",
                                 .help = "columns interpolated to the vertices in addition to the velocity"};
inline constexpr Part parts[] = {attributes};
}  // namespace surface

namespace output {
inline constexpr Part columns{.name = "columns",
                              .form = "a list of columns",
                              .help = "columns written to frames in addition to those needed to resume"};
inline constexpr Part parts[] = {columns};
}  // namespace output

}  // namespace keys

namespace sections {
inline constexpr Section scene{"[scene]", "Name and resolution.", keys::scene::all};
inline constexpr Section time{"[time]", "Duration, frames and time steps.", keys::time::all};
inline constexpr Section domain{"[domain]", "The simulation domain: particles that leave it are deleted. Optional.",
                                keys::domain::all, keys::domain::parts};
inline constexpr Section materials{"[materials.NAME]",
                                   "A named set of behaviours: each key is a behaviour with a table of its parameters "
                                   "and a weight, or a list of such tables, which cross-fade by their weights.",
                                   keys::look::all,
                                   {},
                                   true};
inline constexpr Section objects{"[[objects]]",
                                 "Matter that exists from the start. Behaviours given here override or extend those of "
                                 "its material, parameter by parameter.",
                                 keys::object::all, keys::object::parts, true};
inline constexpr Section colliders{"[[colliders]]", "Solids and containers, fixed or moving.", keys::collider::all,
                                   keys::collider::parts};
inline constexpr Section bodies{"[[bodies]]",
                                "Rigid bodies: solids whose motion is solved for, pushed by matter and by each other.",
                                keys::body::all, keys::body::parts};
inline constexpr Section joints{"[[joints]]", "Joints between rigid bodies, or of one with a collider or with space.",
                                keys::joint::all};
inline constexpr Section emitters{"[[emitters]]", "Sources of particles during the run.", keys::emitter::all,
                                  keys::emitter::parts};
inline constexpr Section sinks{"[[sinks]]", "Regions in which particles are deleted.", keys::sink::all,
                               keys::sink::parts};
inline constexpr Section hot_regions{
    "[[hot_regions]]",
    "Flames and cold air: regions in which matter with the behaviour heat approaches a given temperature.",
    keys::hot_region::all, keys::hot_region::parts};
inline constexpr Section weak_regions{
    "[[weak_regions]]",
    "Paint matter with the behaviour fracture weaker or stronger where it lies when it becomes brittle.",
    keys::weak_region::all, keys::weak_region::parts};
inline constexpr Section pins{
    "[[pins]]",
    "Hold particles while they are on: what was in them when they were switched on moves with them and nothing else.",
    keys::pin::all, keys::pin::parts};
inline constexpr Section probes{"[[probes]]", "Quantities written to a table over time.", keys::probe::all};
inline constexpr Section picture{"[picture]", "The preview: colours and camera.", keys::picture::all};
inline constexpr Section surface{"[surface]", "Surface reconstruction.", keys::surface::all, keys::surface::parts};
inline constexpr Section output{"[output]", "What frames contain.", {}, keys::output::parts};

inline constexpr std::array all = {&scene,  &time,   &domain,   &materials, &objects,     &colliders,
                                   &bodies, &joints, &emitters, &sinks,     &hot_regions, &weak_regions,
                                   &pins,   &probes, &picture,  &surface,   &output};
}  // namespace sections

}  // namespace fondue
