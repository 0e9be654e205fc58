#pragma once
// The subcommands, one file each. Each adds itself to the program and runs when it is chosen; errors are thrown and
// turned into exit codes by main().

#include <CLI/CLI.hpp>

#include "cache/run_folder.h"
#include "core/progress_report.h"
#include "scene/scene.h"

namespace fondue {

void add_new(CLI::App& app);
void add_run(CLI::App& app);
void add_check(CLI::App& app);
void add_surface(CLI::App& app);
void add_render(CLI::App& app);
void add_export(CLI::App& app);
void add_info(CLI::App& app);
void add_scenes(CLI::App& app);
void add_gallery(CLI::App& app);
void add_timeline(CLI::App& app);
void add_reference(CLI::App& app);
void add_bench(CLI::App& app);
void add_studio(CLI::App& app);

/// Interrupted by the user with Ctrl-C after saving everything: exit code 130.
struct Interrupted {};

/// During its lifetime the first Ctrl-C (or SIGTERM) only requests an end; a second one terminates the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  bool asked() const;
};

/// Shows how far the preparation of a run is once it takes longer than a second; throws Interrupted if that is asked.
/// The guard must outlive it.
ProgressReport preparation_shown(const InterruptGuard& interrupt);

/// The overrides of a scene given by --set, key=value each.
std::vector<Override> overrides_of(const std::vector<std::string>& set);

/// Where the scenes that come with Fondue are: installed beside the program, or in the source tree it was built from.
std::filesystem::path scenes_folder();
/// The same for the pictures of the gallery and for the files of the studio's page.
std::filesystem::path pictures_folder();
std::filesystem::path page_folder();

/// Makes the picture and the video of a run, with progress; says where they are.
void draw(const Scene& scene, const RunLayout& layout, const InterruptGuard& interrupt);

/// Runs the program as main() does; returns the exit code.
int run_program(int argc, const char* const* argv);

}  // namespace fondue
