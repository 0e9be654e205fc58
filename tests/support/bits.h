#pragma once
// Whether two worlds are the same to the last bit in everything that a run continues from.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "world/world.h"

namespace fondue::testing_support {

using Bytes = std::map<std::string, std::vector<char>>;

inline void add_bytes(Bytes& bytes, const std::string& prefix, const std::vector<ColumnView>& columns,
                      std::size_t rows) {
  for (const ColumnView& column : columns) {
    const char* data = static_cast<const char*>(column.data);
    if (column.state) bytes[prefix + column.name] = {data, data + rows * column.components * sizeof(float)};
  }
}

/// All columns that a run continues from, those of bonds too.
inline Bytes bytes_of(const Particles& particles) {
  Bytes bytes;
  add_bytes(bytes, "", particles.columns(), particles.size());
  for (const std::string& name : particles.bond_sets())
    add_bytes(bytes, name + ".", particles.bonds(name).columns(), particles.bonds(name).size());
  return bytes;
}

inline void expect_same_bits(const World& one, const World& other) {
  EXPECT_EQ(one.steps(), other.steps());
  const Bytes expected = bytes_of(one.particles()), got = bytes_of(other.particles());
  for (const auto& [name, bytes] : expected) EXPECT_TRUE(got.contains(name) && got.at(name) == bytes) << name;
  EXPECT_EQ(expected.size(), got.size());
  EXPECT_EQ(one.state(), other.state());
}

}  // namespace fondue::testing_support
