#pragma once
// The subcommands, one file each. Each adds itself to the program and runs when it was chosen; errors are thrown,
// main() turns them into exit codes.

#include <CLI/CLI.hpp>

#include "cache/run_folder.h"
#include "scene/scene.h"

namespace fondue {

void add_run(CLI::App& app);
void add_check(CLI::App& app);
void add_surface(CLI::App& app);
void add_render(CLI::App& app);
void add_export(CLI::App& app);
void add_info(CLI::App& app);
void add_scenes(CLI::App& app);
void add_reference(CLI::App& app);
void add_bench(CLI::App& app);

/// Ended by the user with Ctrl-C, having kept everything: exit code 130.
struct Interrupted {};

/// While this lives, the first Ctrl-C (or SIGTERM) asks for an end instead of ending the program; a second one ends it.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  bool asked() const;
};

/// The changes to a scene that --set asks for: key=value each.
std::vector<Override> overrides_of(const std::vector<std::string>& set);

/// Where the scenes that come with Fondue are: installed beside the program, or in the source tree it was built from.
std::filesystem::path scenes_folder();

/// Makes the picture and the video of a run, with progress; says where they are.
void draw(const Scene& scene, const RunLayout& layout, const InterruptGuard& interrupt);

/// Runs the program as main() does; returns the exit code.
int run_program(int argc, const char* const* argv);

}  // namespace fondue
