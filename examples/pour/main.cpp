// Cold honey is poured into a glass: a scene built in C++, run, changed while it runs, rewound and branched.

#include <behaviours/fluid.h>
#include <behaviours/viscosity.h>
#include <shapes/combine.h>
#include <shapes/primitives.h>
#include <simulation/simulation.h>

#include <cmath>
#include <cstdio>

using namespace fondue;

namespace {

/// A scene in the plane: a jet of honey above a glass that has some honey in it.
Scene honey_in_a_glass() {
  Scene scene;
  scene.name = "pour";
  scene.frames_per_second = 50;
  WorldSetup& world = scene.world;
  world.dimension = 2;
  world.spacing = 0.005f;

  // What honey does. Parameters that are not set have their defaults (fondue reference lists them).
  std::vector<Track> honey = {{"gravity"}, {"fluid"}, {"viscosity"}};
  honey[1].values.set(Fluid::rest_density, Keyable<float>(1400.0f));
  honey[2].values.set(Viscosity::dynamic_viscosity, Keyable<float>(50.0f));

  ObjectSetup pool;
  pool.name = "honey";
  pool.shape = make_box(Vec3(0, 0, -infinity), Vec3(0.1f, 0.04f, infinity));
  pool.spacing = world.spacing;
  pool.tracks = honey;
  world.objects = {pool};

  // The jet's particles join the object, object 0.
  EmitterSetup jet;
  jet.name = "jet";
  jet.object = 0;
  jet.centre = Vec3(0.05f, 0.14f, 0);
  jet.radius = 0.01f;
  jet.direction = Vec3(0, -1, 0);
  jet.speed = 0.5f;
  // Closed after a tenth of a second: from then on the mass is constant.
  jet.on = Keyable<float>(Curve<float>({0, 0.1}, {1, 0}, Interpolation::step), "time");
  world.emitters = {jet};

  // Matter stays inside a container: everything outside of it is solid.
  const ShapePtr inside = make_box(Vec3(0, 0, -infinity), Vec3(0.1f, 0.2f, infinity));
  ColliderSetup glass;
  glass.name = "glass";
  glass.shape = make_complement(inside);
  glass.container = inside->bounds();
  world.colliders = {glass};
  return scene;
}

void report(const char* what, const Simulation& simulation) {
  const Statistics s = simulation.statistics();
  std::printf("%-10s time %.2f s, %4.0f particles, mass %.6f kg, kinetic energy %.6g J\n", what, simulation.time(),
              s.particles, s.mass, s.kinetic_energy);
}

}  // namespace

int main() {
  // Mistakes in the scene, or in a change of it, are reported all at once by an InputError.
  Simulation simulation(honey_in_a_glass());
  simulation.run_to(6);
  report("poured", simulation);
  const double mass = simulation.statistics().mass;
  const Snapshot poured = simulation.save();

  // Run on, pausing after ten steps, and look at the end.
  int steps = 0;
  simulation.run_to(12, [&] { return ++steps != 10; });
  report("paused", simulation);
  simulation.run_to(12);
  report("thick", simulation);
  const Snapshot thick = simulation.save();

  // The same again from the saved state gives the same, bit for bit.
  simulation.rewind(poured);
  simulation.run_to(12);
  report("again", simulation);
  const bool repeats = simulation.save() == thick;

  // What if it were water from there on? A branch leaves the simulation itself alone.
  Simulation branch = simulation.branch(poured);
  branch.set("honey", "viscosity", "dynamic_viscosity", 0.001f);
  branch.run_to(12);
  report("branch", branch);

  // A change of the simulation itself while it runs: from now on the glass tilts, by a curve over time.
  simulation.set(
      "honey", "gravity", "acceleration",
      Keyable<Vec3>(Curve<Vec3>({0.24, 0.28}, {Vec3(0, -9.81f, 0), Vec3(2, -9.81f, 0)}, Interpolation::smooth),
                    "time"));
  simulation.run_to(18);
  report("tilted", simulation);

  std::printf("repeats bit for bit: %s\n", repeats ? "yes" : "no");
  std::printf("branch differs: %s\n", branch.save() == thick ? "no" : "yes");
  std::printf("mass stays: %s\n", std::abs(simulation.statistics().mass / mass - 1) < 1e-9 ? "yes" : "no");
  return 0;
}
