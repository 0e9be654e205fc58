#pragma once
// Keys of the sections that say how a scene is run, measured and drawn.

#include "core/kernel.h"
#include "scene/common_keys.h"

namespace fondue::keys {

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

namespace probe {
inline constexpr std::string_view kind_names[] = {"point", "front", "height", "force", "pressure"};
inline constexpr Parameter kind{
    .name = "kind",
    .kind = Kind::choice,
    .choices = kind_names,
    .required = true,
    .help =
        "pressure, velocity, density and temperature at a point; the farthest particle; the height of "
        "the surface; the force on a collider or body; the pressure on a disc of its surface, as a transducer "
        "measures it"};
inline constexpr Parameter position{
    .name = "position",
    .kind = Kind::vector,
    .unit = "m",
    .help = "position of a point or height probe, or on the surface where a pressure is measured"};
inline constexpr Parameter radius{.name = "radius",
                                  .unit = "m",
                                  .initial = no_default,
                                  .least = above_zero,
                                  .help = "of the disc that a pressure is a mean over; two spacings if absent"};
inline constexpr Parameter response{
    .name = "response",
    .unit = "s",
    .initial = no_default,
    .least = 0,
    .help =
        "time within which a pressure follows what acts on the disc; if absent at once, with every sound wave in it"};
inline constexpr Parameter direction{
    .name = "direction",
    .kind = Kind::vector,
    .initial_vector = no_default_vector,
    .help = "direction along which a front (x if absent) or a height (up if absent) is measured"};
inline constexpr Parameter of{
    .name = "of",
    .kind = Kind::text,
    .help = "object of a front (all if absent), or collider or body on which a force or pressure acts"};
inline constexpr const Parameter* all[] = {&common::name, &kind, &position, &direction, &of, &radius, &response};
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
                               .keys = Keys::time,
                               .help = "position of the camera; chosen automatically if absent"};
inline constexpr Parameter target{.name = "target",
                                  .kind = Kind::vector,
                                  .unit = "m",
                                  .initial_vector = no_default_vector,
                                  .keys = Keys::time,
                                  .help = "point that the camera looks at"};
inline constexpr Parameter field_of_view{.name = "field_of_view",
                                         .unit = "degrees",
                                         .initial = 35,
                                         .least = 1,
                                         .most = 170,
                                         .keys = Keys::time,
                                         .help = "vertical field of view; used with 'eye' and 'target'"};
inline constexpr Parameter orbit{
    .name = "orbit",
    .unit = "degrees",
    .keys = Keys::time,
    .help =
        "angle by which the camera has gone round the vertical axis through what it looks at, seen from above "
        "against the clock; in three dimensions"};
inline constexpr std::string_view surroundings_names[] = {"studio", "kitchen-table", "outdoor"};
inline constexpr Parameter surroundings{.name = "surroundings",
                                        .kind = Kind::choice,
                                        .choices = surroundings_names,
                                        .help = "floor, light and background of finished pictures"};
inline constexpr Parameter aperture{
    .name = "aperture",
    .unit = "m",
    .least = 0,
    .keys = Keys::time,
    .help = "diameter of the lens in finished pictures: what is far from the focus is blurred; 0: everything is sharp"};
inline constexpr Parameter focus{.name = "focus",
                                 .kind = Kind::vector,
                                 .unit = "m",
                                 .initial_vector = no_default_vector,
                                 .keys = Keys::time,
                                 .help = "point that is sharp; what the camera looks at if absent"};
inline constexpr Parameter shutter{
    .name = "shutter",
    .least = 0,
    .most = 1,
    .help = "motion blur in finished pictures: part of a frame for which the shutter is open, 0.5 in most films"};
inline constexpr Parameter shutter_samples{.name = "shutter_samples",
                                           .kind = Kind::integer,
                                           .initial = 8,
                                           .least = 2,
                                           .most = 64,
                                           .help = "moments drawn for a picture with motion blur"};
inline constexpr const Parameter* all[] = {&width,        &height,   &colour_by, &map,           &min,
                                           &max,          &eye,      &target,    &field_of_view, &orbit,
                                           &surroundings, &aperture, &focus,     &shutter,       &shutter_samples};
}  // namespace picture

namespace flame {
inline constexpr Parameter position{
    .name = "position", .kind = Kind::vector, .unit = "m", .keys = Keys::time, .help = "its lower end"};
inline constexpr Parameter height{.name = "height",
                                  .unit = "m",
                                  .least = above_zero,
                                  .keys = Keys::time,
                                  .required = true,
                                  .help = "from its lower end to its tip"};
inline constexpr const Parameter* all[] = {&common::name, &position, &height, &common::on};
}  // namespace flame

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

}  // namespace fondue::keys
