#pragma once
// Shared by the tests of the cache: states of arbitrary bits, files, child processes.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>

#include "cache/frame.h"
#include "support/temporary_folder.h"

namespace fondue::test {

using testing_support::TemporaryFolder;

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::remove(path);  // faster than truncating, which some file systems follow by a flush
  std::ofstream(path, std::ios::binary) << text;
}

inline constexpr Column<float> temperature{"temperature", "K", "how hot it is", 300, true};
inline constexpr Column<Index> colour{"colour", "1", "neither state nor wanted by default"};

/// Particles with columns of every type whose numbers are arbitrary bits, including NaNs and denormals.
inline Particles random_particles(Index count, unsigned seed) {
  Particles particles;
  particles.require(columns::velocity);
  particles.require(temperature);
  particles.require(columns::object);
  particles.require(columns::mass);
  particles.require(colour);
  particles.create(count);
  std::mt19937 random(seed);
  for (const ColumnView& column : particles.columns()) {
    if (column.name == columns::id.name) continue;
    auto* words = static_cast<std::uint32_t*>(column.data);
    for (std::size_t i = 0; i != std::size_t{count} * column.components(); ++i) words[i] = random();
  }
  return particles;
}

inline FrameHeader some_header() {
  FrameHeader header;
  header.frame = 12;
  header.time = 0.1 + 0.2;
  header.step = 123456789012345;
  header.dimension = 2;
  header.spacing = 0.01;
  header.scene = "dam-break";
  header.state = {{"emitter tap/1", {0.1, -0.0, 1e-310}}, {"integrator", {}}};
  return header;
}

inline const ColumnView* find_column(const std::vector<ColumnView>& columns, const std::string& name) {
  for (const ColumnView& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

/// Whether every column of `restored` is bit-identical to that of `original`.
inline bool same_bits(const Particles& restored, const Particles& original) {
  const std::vector<ColumnView> originals = original.columns();
  for (const ColumnView& column : restored.columns()) {
    const ColumnView* twin = find_column(originals, column.name);
    if (!twin || twin->type != column.type || twin->unit != column.unit || twin->help != column.help ||
        twin->state != column.state || twin->initial != column.initial) {
      return false;
    }
    const std::size_t bytes = std::size_t{original.size()} * column.components() * sizeof(float);
    if (bytes > 0 && std::memcmp(column.data, twin->data, bytes) != 0) return false;
  }
  return restored.size() == original.size() && restored.next_id() == original.next_id();
}

/// The message of the error that call() throws; empty if it throws none of this kind.
template <class Error, class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Runs body in a child process and returns its exit code; exceptions count as 99.
inline int run_in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

}  // namespace fondue::test
