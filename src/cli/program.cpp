#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <new>
#include <optional>

#include "cli/commands.h"
#include "core/error.h"
#include "core/progress.h"
#include "scene/suggest.h"

namespace fondue {

namespace {
volatile std::sig_atomic_t interrupts = 0;

void count_interrupt(int signal) {
  interrupts = interrupts + 1;
  std::signal(signal, SIG_DFL);
}

/// The first word is a command; a wrong one gets the nearest right one.
void check_command(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const std::string word = argv[1];
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  if (std::ranges::find(known, word) != known.end()) return;
  if (word.ends_with(".toml"))
    throw InputError(fmt::format("'{0}' is a scene, not a command; did you mean 'fondue run {0}'?", word));
  throw InputError(fmt::format("unknown command '{}'{}", word, suggestion(word, known)));
}

/// What the parser of the command line did not like, in the form of all other messages.
std::string complaint(const CLI::App* app, const CLI::Error& error) {
  const std::vector<CLI::App*> used = app->get_subcommands();
  if (used.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return "fondue: a command is missing, such as run; 'fondue --help' lists them\n";
  const std::string command = used.empty() ? "" : " " + used.front()->get_name();
  std::string what = error.what();
  if (const std::size_t at = what.find(" is required"); at != std::string::npos && !used.empty())
    if (const CLI::Option* option = used.front()->get_option_no_throw(what.substr(0, at)))
      what = fmt::format("'{}' is missing: {}", what.substr(0, at), option->get_description());
  return fmt::format("fondue{}: {}\n'fondue{} --help' lists what it takes\n", command, what, command);
}
}  // namespace

InterruptGuard::InterruptGuard() {
  interrupts = 0;
  std::signal(SIGINT, count_interrupt);
  std::signal(SIGTERM, count_interrupt);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::asked() const { return interrupts != 0; }

ProgressReport preparation_shown(const InterruptGuard& interrupt) {
  using Clock = std::chrono::steady_clock;
  struct Shown {
    Clock::time_point begin = Clock::now();
    std::string task;
    std::optional<Progress> progress;
  };
  return ProgressReport([&interrupt, shown = std::make_shared<Shown>()](const std::string& task, double fraction) {
    if (interrupt.asked()) throw Interrupted{};
    if (Clock::now() - shown->begin < std::chrono::seconds(1)) return;
    if (!shown->progress || task != shown->task) shown->progress.emplace("Preparing", "");
    shown->task = task;
    shown->progress->update(fraction, 0, task);
  });
}

std::vector<Override> overrides_of(const std::vector<std::string>& set) {
  std::vector<Override> overrides;
  for (const std::string& text : set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError("--set " + text + ": needs key=value, e.g. --set scene.spacing=0.01");
    overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return overrides;
}

int run_program(int argc, const char* const* argv) {
  // Exceeding the file size limit is reported as a write error instead of terminating the program.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Fondue melts, pours, soaks and folds: one particle solver for every material.", "fondue");
  app.require_subcommand(1);
  app.failure_message(complaint);
  app.set_version_flag("--version", FONDUE_VERSION);
  add_new(app);
  add_run(app);
  add_check(app);
  add_surface(app);
  add_render(app);
  add_export(app);
  add_info(app);
  add_scenes(app);
  add_gallery(app);
  add_timeline(app);
  add_reference(app);
  add_bench(app);
  add_studio(app);
  try {
    check_command(app, argc, argv);
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const Interrupted&) {
    return 130;
  } catch (const SceneError& error) {
    // One line per mistake, each with file, line and column in the form that editors understand.
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const InputError& error) {
    fmt::print(stderr, "fondue: {}\n", error.what());
    return 2;
  } catch (const OutputError& error) {
    fmt::print(stderr, "fondue: {}\n", error.what());
    return 3;
  } catch (const SimulationError& error) {
    fmt::print(stderr, "fondue: {}\n", error.what());
    return 4;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "fondue: out of memory; use a larger spacing\n");
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fondue: internal error: {}\n", error.what());
    return 1;
  }
}

}  // namespace fondue
