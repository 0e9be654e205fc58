// fondue bench --studio: how many frames of a large scene a page gets per second while it is played, and by how much
// that slows the simulation.

#include <fmt/format.h>
#include <httplib.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "cache/output_file.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "studio/server.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

/// A page that takes every frame it can get and does nothing with it.
class Page {
 public:
  explicit Page(const Server& server) : http_("127.0.0.1", server.port()), path_("/" + server.token() + "/frame") {}

  /// Asks for frames until `ended`.
  void follow(const std::atomic<bool>& ended) {
    std::string after = "0";
    for (auto last = Clock::now(); !ended;) {
      const auto answer = http_.Get((path_ + "?after=" + after).c_str());
      if (!answer) throw OutputError("the studio does not answer");
      if (answer->status != 200) continue;
      after = answer->get_header_value("X-Number");
      const auto now = Clock::now();
      if (frames != 0) longest_gap = std::max(longest_gap, std::chrono::duration<double>(now - last).count());
      last = now;
      ++frames;
      bytes += static_cast<double>(answer->body.size());
    }
  }
  double frames = 0, bytes = 0, longest_gap = 0;

 private:
  using Clock = std::chrono::steady_clock;
  httplib::Client http_;
  std::string path_;
};

/// What a studio that plays has done so far, at the end of a step.
struct Moment {
  double steps, cpu;
  std::chrono::steady_clock::time_point at;
};

class Played {
 public:
  explicit Played(const std::string& scene)
      : server_({page_folder(), pictures_folder()}, {scenes_folder(), scenes_folder(), folder_, ""}) {
    told("open " + scene);
    told("play");
    while (told("state").value("steps", 0.0) < 10) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ~Played() {
    told("pause");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Played(const Played&) = delete;

  const Server& server() const { return server_; }
  double particles() { return told("state").value("particles", 0.0); }
  /// Commands are carried out between two steps.
  Moment now() {
    const nlohmann::json state = told("state");
    if (!state.value("playing", false))
      throw InputError("the scene ended before the measurement did; use less --seconds");
    return {state.value("steps", 0.0), static_cast<double>(std::clock()) / CLOCKS_PER_SEC,
            std::chrono::steady_clock::now()};
  }

 private:
  nlohmann::json told(const std::string& command) {
    nlohmann::json answer = nlohmann::json::parse(server_.engine().command(command));
    if (!answer["ok"].get<bool>()) throw InputError(answer["error"].get<std::string>());
    return answer;
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("fondue-bench-studio-{}", getpid());
  Server server_;
};

struct Stretch {
  double seconds = 0, steps = 0, cpu = 0;
  void add(const Moment& from, const Moment& to) {
    seconds += std::chrono::duration<double>(to.at - from.at).count();
    steps += to.steps - from.steps;
    cpu += to.cpu - from.cpu;
  }
  double step() const { return 1000 * seconds / steps; }
};

}  // namespace

void bench_studio(const std::string& json_file, double seconds, double) {
  Played played("benchmarks/dam-break-205k.toml");
  Stretch alone, watched;
  double frames = 0, bytes = 0, longest_gap = 0;
  // In turns, so that both see the same machine and the same stretch of the scene; first and last without a page.
  constexpr int turns = 6;
  const auto stretch = std::chrono::duration<double>(seconds / 2);
  fmt::print(
      "{:.0f} particles, {} turns of {:.1f} s each without and with a page that takes every "
      "frame:\n\n{:>10}{:>16}{:>16}{:>12}\n",
      played.particles(), turns, stretch.count(), "turn", "ms per step", "with a page", "frames/s");
  for (int turn = 0; turn <= turns; ++turn) {
    // Half as long at both ends.
    const bool at_end = turn == 0 || turn == turns;
    Stretch quiet, seen;
    const Moment begin = played.now();
    std::this_thread::sleep_for(at_end ? 0.5 * stretch : stretch);
    const Moment middle = played.now();
    quiet.add(begin, middle);
    alone.add(begin, middle);
    if (turn == turns) break;
    Page page(played.server());
    std::atomic<bool> ended = false;
    std::jthread client([&] { page.follow(ended); });
    std::this_thread::sleep_for(stretch);
    const Moment end = played.now();
    ended = true;
    client.join();
    seen.add(middle, end);
    watched.add(middle, end);
    frames += page.frames;
    bytes += page.bytes;
    longest_gap = std::max(longest_gap, page.longest_gap);
    fmt::print("{:>10}{:>16.2f}{:>16.2f}{:>12.2f}\n", turn + 1, quiet.step(), seen.step(), page.frames / seen.seconds);
    std::fflush(stdout);
  }
  const double slower = watched.step() / alone.step() - 1;
  const double cpu = watched.cpu / watched.steps * alone.steps / alone.cpu - 1;
  fmt::print(
      "\n{:.2f} frames/s of {:.2f} MB, the longest gap {:.2f} s; steps take {:.1f} % longer, {:.1f} % more CPU time "
      "with "
      "that of the page.\n",
      frames / watched.seconds, bytes / frames / 1e6, longest_gap, 100 * slower, 100 * cpu);
  if (!json_file.empty())
    write_text_atomically(
        json_file,
        fmt::format(
            "[\n  {{\"case\": \"studio-205k\", \"frames_per_second\": {:.4g}, \"bytes_per_frame\": {:.6g}, "
            "\"longest_gap\": {:.4g}, \"milliseconds\": {:.4g}, \"slower\": {:.4g}, \"more_cpu\": {:.4g}}}\n]\n",
            frames / watched.seconds, bytes / frames, longest_gap, alone.step(), slower, cpu));
}

}  // namespace fondue
