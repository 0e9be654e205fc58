#pragma once
// Runs the program as a user does, in a folder of its own.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/temporary_folder.h"

namespace fondue::testing_support {

namespace fs = std::filesystem;

struct Outcome {
  int code;
  /// Standard output and standard error together.
  std::string text;
};

/// Runs a shell command line in which $FONDUE is the program.
inline Outcome shell(const std::string& command, const fs::path& in) {
  const std::string line =
      "cd '" + in.string() + "' && export FONDUE='" + FONDUE_PROGRAM + "' && { " + command + "; } 2>&1";
  FILE* pipe = popen(line.c_str(), "r");
  std::string text;
  char buffer[4096];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text};
}

inline std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write_file(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// A small dam break in two dimensions with an emitter: everything a run can lose.
inline std::string small_scene() {
  return R"([scene]
name = "small"
dimension = 2
spacing = 0.05

[time]
duration = 0.4
frames_per_second = 50

[materials.water]
gravity = {}
fluid = {}
artificial_viscosity = {}
xsph = { epsilon = 0.3 }

[[objects]]
name = "column"
material = "water"
shape = { type = "box", min = [0, 0], max = [0.4, 0.8] }

[[emitters]]
name = "jet"
material = "water"
centre = [1.0, 0.9]
radius = 0.1
direction = [0, -1]
speed = 1.5

[[colliders]]
name = "tank"
container = true
shape = { type = "box", min = [0, 0], max = [1.4, 1.2] }

[[probes]]
name = "front"
kind = "front"
direction = [1, 0]

[[probes]]
name = "load"
kind = "force"
of = "tank"

[[probes]]
name = "transducer"
kind = "pressure"
of = "tank"
position = [0.6, 0]
response = "20 ms"
)";
}

}  // namespace fondue::testing_support
