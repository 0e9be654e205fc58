#pragma once
// A small scene with comments and a keyframed weight.

namespace fondue::testing_support {

inline const char* const small_tank = R"(# Water in a tank.
[scene]
name = "tank"
dimension = 2
spacing = 0.1        # coarse

[time]
duration = 0.5
frames_per_second = 20

[materials.water]
gravity = {}
fluid = { rest_density = 1000 }
# It becomes sluggish.
artificial_viscosity = { alpha = 0.1, weight = { time = [0.1, 0.2, 0.4], value = [1, 0.5, 1] } }   # three keys

[[objects]]
name = "column"
material = "water"
shape = { type = "box", min = [0, 0], max = [0.4, 0.8] }

[[colliders]]
name = "tank"
container = true
shape = { type = "box", min = [0, 0], max = [1.2, 1.2] }
)";

}  // namespace fondue::testing_support
