#pragma once
// Small scenes that simulations of tests are made from.

#include <string>

#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "simulation/simulation.h"
#include "support/setups.h"

namespace fondue::testing_support {

/// A block of water and a jet in a tank, in the plane, filled in C++.
inline Scene tank_in_cpp() {
  Scene scene;
  scene.name = "tank";
  scene.duration = 0.2;
  scene.world = world_setup(2, 0.05f);
  scene.world.objects.push_back(object("block", rectangle(0, 0, 0.4f, 0.6f), 0.05f,
                                       {track("gravity"), track("fluid"), track("artificial_viscosity")}));
  scene.world.objects.push_back(object("drops", nullptr, 0.05f, {track("gravity"), track("fluid")}));
  EmitterSetup jet;
  jet.name = "jet";
  jet.object = 1;
  jet.centre = Vec3(0.8f, 0.9f, 0);
  jet.radius = 0.1f;
  jet.direction = Vec3(0, -1, 0);
  scene.world.emitters.push_back(jet);
  scene.world.colliders.push_back(container("tank", rectangle(0, 0, 1.2f, 1.2f)));
  return scene;
}

/// Two blocks of one material and a jet, as a file.
inline const std::string two_blocks = R"([scene]
name = "two"
dimension = 2
spacing = 0.05

[materials.water]
look = "water"
gravity = {}
fluid = {}
artificial_viscosity = {}

[[objects]]
name = "left"
material = "water"
fluid = { rest_density = 900 }
shape = { type = "box", min = [0, 0], max = [0.4, 0.4] }

[[objects]]
name = "right"
material = "water"
shape = { type = "box", min = [0.6, 0], max = [1, 0.4] }

[[emitters]]
name = "jet"
material = "water"
centre = [0.5, 0.9]
radius = 0.1
direction = [0, -1]

[[colliders]]
name = "tank"
container = true
shape = { type = "box", min = [0, 0], max = [1, 1.2] }

[[probes]]
name = "front"
kind = "front"
direction = [1, 0]
)";

}  // namespace fondue::testing_support
