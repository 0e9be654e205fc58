// fondue check: lists all mistakes in scene files, doubts about them, and what running them will take.

#include <fmt/format.h>

#include <cmath>

#include "cli/commands.h"
#include "core/memory.h"
#include "scene/scene.h"
#include "simulation/outlook.h"
#include "world/world.h"

namespace fondue {

namespace {

std::string readable_size(const Scene& scene, const Vec3& size) {
  const std::string flat = fmt::format("{:.3g} x {:.3g}", size.x(), size.y());
  return scene.world.dimension == 2 ? flat : fmt::format("{} x {:.3g}", flat, size.z());
}

std::string readable_memory(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.2g} MB", bytes / 1e6) : fmt::format("{:.0f} GB", bytes / 1e9);
}

/// What is there at the start is checked before; what emitters make comes later.
void doubt_memory(const Scene& scene, const Outlook& outlook) {
  const auto available = static_cast<double>(available_memory());
  if (outlook.bytes > available)
    fmt::print(stderr,
               "note: with what emitters make it needs more memory than this machine has free, {}; a spacing of "
               "{:.3g} m would fit\n",
               readable_memory(available),
               scene.world.spacing * std::pow(outlook.bytes / (0.8 * available), 1.0 / scene.world.dimension));
}

void tell(const std::string& file, const Scene& scene) {
  check_memory(scene.world);
  const Outlook outlook = outlook_of(scene);
  fmt::print("{}: fine: about {:.0f} particles at the start{}, {} frames\n", file, outlook.particles,
             outlook.emitted >= 1 ? fmt::format(", up to {:.0f} more from emitters", outlook.emitted) : "",
             scene.frames());
  fmt::print("  {} m, spacing {:.3g} m, about {} of memory{}\n", readable_size(scene, outlook.size),
             scene.world.spacing, readable_memory(outlook.bytes),
             outlook.seconds
                 ? fmt::format("; simulating takes {} at the pace of the first steps", readable_time(*outlook.seconds))
                 : "");
  doubt_memory(scene, outlook);
  for (const std::string& note : scene.notes) fmt::print(stderr, "note: {}\n", note);
}

}  // namespace

void add_check(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("check", "List all mistakes in scene files, doubts, and the size and time of a run");
  auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("scenes", *files, "scene files")->required();
  auto set = std::make_shared<std::vector<std::string>>();
  command->add_option("--set", *set, "key=value: a change to the scene, e.g. scene.spacing=0.01; may be repeated")
      ->allow_extra_args(false);
  command->callback([files, set] {
    const std::vector<Override> overrides = overrides_of(*set);
    std::vector<SceneMistake> mistakes;
    for (const std::string& file : *files) {
      try {
        tell(file, load_scene(file, overrides));
      } catch (const SceneError& error) {
        mistakes.insert(mistakes.end(), error.mistakes.begin(), error.mistakes.end());
      }
    }
    if (!mistakes.empty()) throw SceneError(mistakes);
  });
}

}  // namespace fondue
