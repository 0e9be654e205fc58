// fondue studio: the interactive page, or a script of its commands.

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include "cache/output_file.h"
#include "cli/commands.h"
#include "studio/commands.h"
#include "studio/server.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

struct StudioArguments {
  std::string scene, script, out = "out/studio";
  int threads = 0, port = 0;
  bool no_browser = false;
};

SessionSetup session_setup(const StudioArguments& arguments) {
  SessionSetup setup;
  const fs::path scene = fs::absolute(arguments.scene.empty() ? "." : arguments.scene);
  setup.folder = arguments.scene.empty() ? fs::current_path() : scene.parent_path();
  setup.gallery = scenes_folder();
  setup.out = fs::absolute(arguments.out);
  std::error_code error;
  setup.program = fs::read_symlink("/proc/self/exe", error).string();
  return setup;
}

/// Carries out the commands of a file (- for standard input), one per line; answers go to standard output, one per
/// line. Empty lines and those that begin with # are left out. Stops at the first that fails.
void run_script(Session& session, const std::string& file) {
  std::ifstream from_file;
  if (file != "-") {
    from_file.open(file);
    if (!from_file) throw InputError(fmt::format("the script '{}' cannot be read", file));
  }
  std::istream& lines = file == "-" ? std::cin : from_file;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos || line[first] == '#') continue;
    const nlohmann::json answer = execute(session, line);
    fmt::print("{}\n", answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    std::fflush(stdout);
    if (!answer["ok"].get<bool>())
      throw InputError(fmt::format("{}:{}: {}", file, number, answer["error"].get<std::string>()));
  }
}

/// Opens the page in the user's browser, if there is a display.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  const std::string line = fmt::format("xdg-open '{}' >/dev/null 2>&1 &", address);
  if (std::system(line.c_str()) != 0) fmt::print(stderr, "note: no browser could be opened\n");
}

/// The address is kept beside the runs, for the user's eyes only, so that a running studio can be found again.
class AddressFile {
 public:
  AddressFile(const fs::path& folder, const std::string& address) : path_(folder / "address") {
    fs::create_directories(folder);
    write_text_atomically(path_, "");
    fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_write);
    OutputFile(path_, OutputFile::Start::append).write(address + '\n');
  }
  ~AddressFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  AddressFile(const AddressFile&) = delete;

 private:
  fs::path path_;
};

void serve(const StudioArguments& arguments, SessionSetup setup, const std::string& scene) {
  const InterruptGuard interrupt;
  const fs::path out = setup.out;
  Server server({page_folder(), pictures_folder(), arguments.port}, std::move(setup));
  if (!scene.empty()) {
    const nlohmann::json answer = nlohmann::json::parse(server.engine().command("open " + scene));
    if (!answer["ok"].get<bool>()) throw InputError(answer["error"].get<std::string>());
  }
  const AddressFile address(out, server.address());
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  fmt::print(stderr,
             "The studio is open at this address, on this machine only. It goes on when the page is closed; Ctrl-C "
             "ends it.\n");
  if (!arguments.no_browser) open_browser(server.address());
  while (!interrupt.asked()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  fmt::print(stderr, "\nThe frames are in {}\n", out.string());
}

void studio(const StudioArguments& arguments) {
  SessionSetup setup = session_setup(arguments);
  const std::string scene = fs::path(arguments.scene).filename().string();
  if (!scene.empty() && !scene.ends_with(".toml"))
    throw InputError(fmt::format("'{}' is not a scene file: its name must end with .toml", arguments.scene));
  if (arguments.script.empty()) return serve(arguments, std::move(setup), scene);
  Session session(std::move(setup));
  if (!scene.empty()) session.open(scene);
  run_script(session, arguments.script);
}

}  // namespace

void add_studio(CLI::App& app) {
  CLI::App* command = app.add_subcommand("studio", "Model a scene while it runs, on a page in the browser");
  auto arguments = std::make_shared<StudioArguments>();
  command->add_option("scene", arguments->scene, "scene file; without one the page begins with the gallery");
  command->add_option("--script", arguments->script,
                      "carry out the commands in this file (- for standard input) instead, one per line");
  command->add_option("--out", arguments->out, "folder of the runs (default: out/studio)");
  command->add_option("--port", arguments->port, "port of the page (default: any that is free)")
      ->check(CLI::Range(1, 65535));
  command->add_flag("--no-browser", arguments->no_browser, "only print the address of the page");
  command->add_option("--threads", arguments->threads, "threads (default: all cores); results do not depend on it")
      ->check(CLI::PositiveNumber);
  command->callback([arguments] {
    std::optional<tbb::global_control> threads;
    if (arguments->threads > 0) threads.emplace(tbb::global_control::max_allowed_parallelism, arguments->threads);
    studio(*arguments);
  });
}

}  // namespace fondue
