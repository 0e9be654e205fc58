#pragma once
// A scene that uses all features of scene files.

#include <string>

namespace fondue {

inline const std::string whole_scene = R"(# Everything at once
[scene]
name = "everything"
help = "All sections, most keys."
spacing = 0.1
support_ratio = 2.2
kernel = "quartic"
seed = 7

[time]
duration = 2.5
frames_per_second = 24
step_factor = 0.7
largest_step = 0.01
individual_steps = true

[domain]
min = [-5, -5, -5]
max = [5, 5, 5.5]
periodic = ["x", "y"]

[materials.water]
gravity = {}
fluid = { rest_density = 998.2, state_equation = "linear" }
viscosity = { dynamic_viscosity = { over = "temperature", at = [280, 350], value = [0.002, 0.0003] } }

[materials.wax]
gravity = { acceleration = { time = [0, 1], value = [[0, 0, -9.81], [1, 0, -9.81]] } }
heat = { conductivity = { over = "melted", at = [0, 1], value = [0.2, 0.3] }, latent_heat = 2e5, melting_point = 335 }
fluid = [
  { rest_density = 900, weight = { time = [0, 1.5], value = [1, 0], interpolation = "smooth" } },
  { rest_density = 700, weight = { time = [0, 1.5], value = [0, 1], interpolation = "smooth" } },
]

[[objects]]
name = "block"
material = "water"
filling = "blue_noise"
spacing = 0.05
velocity = [0.1, 0.2, 0.3]
angular_velocity = [0, 0, 1]
temperature = 300
shape = { type = "box", min = [0, 0, 0], max = [1, 1, 1] }
viscosity = { weight = 0.5 }
drag = {}

[[objects]]
name = "ring"
material = "wax"
temperature = { over = "x", at = [-4, -2], value = [330, 340] }
shape = { type = "smooth_difference", radius = 0.1, of = [
  { type = "torus", ring_radius = 1, tube_radius = 0.4 },
  { type = "sphere", centre = [1, 0, 0], radius = 0.5, scale = 1.1 },
], translate = [-3, 0, 0], rotate = [90, 0, 0] }

[[colliders]]
name = "tank"
container = true
shape = { type = "box", min = [-5, -5, -5], max = [5, 5, 5] }
slip = 0.25
temperature = { time = [0, 1], value = [290, 350] }

[[colliders]]
name = "paddle"
shape = { type = "capsule", from = [3, 0, 0], to = [3, 1, 0], radius = 0.3 }
position = { time = [0, 1, 2], value = [[0, 0, 0], [0, 0.7, 0], [0, 0, 0]], interpolation = "step" }
rotation = { time = [0, 2], value = [[0, 0, 0], [0, 0, 33.3]] }
bounce = 0.1
roughness = 0.5
stickiness = 20
visible = false

[[emitters]]
name = "jet"
material = "water"
centre = [0, 0, 3]
radius = 0.3
direction = [1, 0, -1]
speed = { time = [0, 1], value = [1, 3] }
temperature = 310
on = { time = [0, 1], value = [true, false] }

[[emitters]]
name = "rain"
object = "block"
kind = "box"
shape = { type = "box", min = [-1, -1, 4], max = [1, 1, 4.5] }
rate = 0.01
most = 500

[[sinks]]
name = "drain"
shape = { type = "cylinder", from = [0, 0, -5], to = [0, 0, -4.5], radius = 1 }

[[hot_regions]]
name = "flame"
shape = { type = "sphere", centre = [-3, 0, 0], radius = 0.5 }
position = { time = [0, 1], value = [[0, 0, 0], [0, 0, 2]] }
temperature = 1200
rate = 0.5
on = { time = [0, 2], value = [true, false] }

[[probes]]
name = "pressure"
kind = "point"
position = [0.5, 0.5, 0.1]

[[probes]]
name = "front"
kind = "front"
of = "ring"

[[probes]]
name = "push"
kind = "force"
of = "paddle"

[picture]
width = 640
height = 360
colour_by = "temperature"
map = "heat"
min = 280
max = 350
eye = [10, -10, 5]
target = [0, 0, 0]
field_of_view = 30

[output]
columns = ["density", "pressure"]
)";

/// Objects of a two-dimensional scene.
inline const std::string flat_objects = R"([[objects]]
name = "disc"
material = "water"
shape = { type = "circle", centre = [1, 2.5], radius = 0.5 }
velocity = [3, 4]
angular_velocity = 5

[[colliders]]
name = "tank"
container = true
shape = { type = "box", min = [0, 0], max = [4, 4] }
rotation = { time = [0, 1], value = [0, 10] }

[[colliders]]
name = "ground"
shape = { type = "height_field", min = [0, -1], max = [4, 1], heights = [0, 0.1, 0.3, 0.15] }

[[emitters]]
name = "jet"
material = "water"
centre = [0, 4]
radius = 0.2
)";

}  // namespace fondue
