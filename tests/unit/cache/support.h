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
#include <numeric>
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
inline constexpr Column<Vec6> stress{"stress", "Pa", "a symmetric tensor", 0, true};
inline constexpr BondColumn<Vec3> reference{"reference", "m", "from one particle to the other", 0.5f};
inline constexpr BondColumn<float> weight{"weight", "1", "how strong it is"};

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
    for (std::size_t i = 0; i != std::size_t{count} * column.components; ++i) words[i] = random();
  }
  return particles;
}

/// Adds columns of several widths and two sets of bonds, one of them empty.
inline Particles random_bodies(Index count, unsigned seed) {
  Particles particles = random_particles(count, seed);
  particles.require(stress);
  particles.require(Column<Mat3>{"gradient", "1", "a matrix", 0, true});
  particles.require(Column<std::array<Index, 2>>{"corners", "1", "two integers", 3, true});
  std::mt19937 random(seed);
  const auto scramble = [&](const ColumnView& column, std::size_t rows) {
    auto* words = static_cast<std::uint32_t*>(column.data);
    for (std::size_t k = 0; k != rows * column.components; ++k) words[k] = random();
  };
  for (const ColumnView& column : particles.columns())
    if (column.components > 1) scramble(column, count);
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), Index{0});
  std::shuffle(order.begin(), order.end(), random);
  particles.reorder(order);
  BondSet& bonds = particles.require_bonds("elastic");
  bonds.require(reference);
  bonds.require(weight);
  std::vector<BondSet::Pair> pairs;
  for (Index i = 0; i + 7 < count; ++i) pairs.insert(pairs.end(), {{i, i + 1}, {i + 7, i}});
  bonds.add(pairs, particles[columns::id]);
  for (const ColumnView& column : bonds.columns()) scramble(column, bonds.size());
  particles.require_bonds("cloth");
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

/// Whether every restored column is bit by bit that of the original.
inline bool same_bits(const std::vector<ColumnView>& restored, const std::vector<ColumnView>& originals,
                      std::size_t rows) {
  for (const ColumnView& column : restored) {
    const ColumnView* twin = find_column(originals, column.name);
    if (!twin || twin->scalar != column.scalar || twin->components != column.components || twin->unit != column.unit ||
        twin->help != column.help || twin->state != column.state || twin->initial != column.initial) {
      return false;
    }
    const std::size_t bytes = rows * column.components * sizeof(float);
    if (bytes > 0 && std::memcmp(column.data, twin->data, bytes) != 0) return false;
  }
  return true;
}

inline bool same_bits(const BondSet& restored, const BondSet& original) {
  return std::ranges::equal(restored.begins(), original.begins()) &&
         std::ranges::equal(restored.neighbours(), original.neighbours()) &&
         std::ranges::equal(restored.reverses(), original.reverses()) &&
         restored.columns().size() == original.columns().size() &&
         same_bits(restored.columns(), original.columns(), original.size());
}

inline bool same_bits(const Particles& restored, const Particles& original) {
  if (restored.bond_sets() != original.bond_sets()) return false;
  for (const std::string& set : original.bond_sets())
    if (!same_bits(restored.bonds(set), original.bonds(set))) return false;
  return restored.size() == original.size() && restored.next_id() == original.next_id() &&
         same_bits(restored.columns(), original.columns(), original.size());
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
