// fondue bench --pictures: speed of surface reconstruction and previews.

#include <fmt/format.h>

#include <cmath>

#include "cache/output_file.h"
#include "cli/bench.h"
#include "core/kernel.h"
#include "core/random.h"
#include "picture/preview.h"
#include "surface/reconstruction.h"

namespace fondue {

namespace {

/// A box of disordered particles, with a small surface relative to its volume.
SurfaceParticles box_of_particles(double count) {
  const int side = static_cast<int>(std::lround(std::cbrt(count)));
  const float spacing = 1.0f / static_cast<float>(side), R = 2 * spacing;
  const float V = lattice_volume(Kernel(KernelShape::cubic_spline, 3), spacing, R);
  SurfaceParticles particles;
  std::uint64_t number = 0;
  for (int z = 0; z != side; ++z)
    for (int y = 0; y != side; ++y)
      for (int x = 0; x != side; ++x)
        particles.position.push_back(spacing * (Vec3(float(x), float(y), float(z)) + 0.5f * random_point(1, number++)));
  particles.support.assign(particles.size(), R);
  particles.volume.assign(particles.size(), V);
  return particles;
}

/// Shortest time of repeated runs.
double best_of(double seconds, const std::function<void()>& work) {
  double best = infinity;
  for (double spent = 0; spent < seconds;) {
    const double took = seconds_of(work);
    spent += took;
    best = std::min(best, took);
  }
  return best;
}

}  // namespace

void bench_pictures(const std::string& json_file, double seconds, double largest) {
  constexpr const char* fields[] = {"colour", "characteristic", "density", "distance", "anisotropic"};
  std::string json = "[\n";
  const auto report = [&](const std::string& name, double particles, double took, std::size_t triangles) {
    fmt::print("{:<28}{:>10.0f}{:>11.3f}{:>10.2f}{:>12}\n", name, particles, took, 1 / took, triangles);
    std::fflush(stdout);
    json += fmt::format("{}  {{\"case\": \"{}\", \"particles\": {:.0f}, \"seconds\": {:.4g}, \"triangles\": {}}}",
                        json.size() > 2 ? ",\n" : "", name, particles, took, triangles);
  };
  fmt::print("{:<28}{:>10}{:>11}{:>10}{:>12}\n", "case", "particles", "seconds", "per second", "triangles");
  Geometry mesh;
  for (const double count : {1e5, 1e6}) {
    if (count > largest) continue;
    const SurfaceParticles particles = box_of_particles(count);
    for (int field = 0; field != 5; ++field) {
      SurfaceSetup setup;
      setup.field = static_cast<SurfaceField>(field);
      Geometry surface;
      const double took = best_of(seconds, [&] { surface = reconstruct(particles, setup, {}); });
      report(fmt::format("surface-{}", fields[field]), static_cast<double>(particles.size()), took,
             surface.mesh.triangles.size());
      if (count == 1e5) mesh = std::move(surface);
    }
  }
  const SurfaceParticles particles = box_of_particles(1e5);
  const std::vector<float> radii(particles.size(), 0.3f * particles.support[0]);
  PreviewRenderer renderer(1280, 720);
  PreviewScene scene;
  scene.camera = default_camera({Vec3::Zero(), Vec3::Ones()}, 3);
  scene.floor = 0.0f;
  scene.positions = particles.position;
  scene.radii = radii;
  report("preview-particles-720p", static_cast<double>(particles.size()),
         best_of(seconds, [&] { renderer.render(scene); }), 0);
  scene.positions = {};
  scene.radii = {};
  scene.meshes.push_back({&mesh, {}, {}, Vec3(0.3f, 0.6f, 0.8f)});
  report("preview-surface-720p", static_cast<double>(particles.size()),
         best_of(seconds, [&] { renderer.render(scene); }), mesh.mesh.triangles.size());
  if (!json_file.empty()) write_text_atomically(json_file, json + "\n]\n");
}

}  // namespace fondue
