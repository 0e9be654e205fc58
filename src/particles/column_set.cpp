#include "particles/column_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/parallel.h"

namespace fondue {

namespace {

constexpr std::size_t word = sizeof(float);
static_assert(sizeof(Index) == word);

std::string shape_text(Scalar scalar, int components) {
  const char* kind = scalar == Scalar::integer ? "integer" : "real number";
  return fmt::format("{} {}{}", components, kind, components == 1 ? "" : "s");
}

/// Calls body(bytes per row), with a constant for the usual widths so that copying a row is a few instructions.
template <class Body>
void with_row_size(int components, Body&& body) {
  switch (components) {
    case 1:
      return body(std::integral_constant<std::size_t, word>{});
    case 3:
      return body(std::integral_constant<std::size_t, 3 * word>{});
    case 6:
      return body(std::integral_constant<std::size_t, 6 * word>{});
    default:
      return body(static_cast<std::size_t>(components) * word);
  }
}

std::uint32_t initial_word(const ColumnInfo& info) {
  return info.scalar == Scalar::integer ? static_cast<Index>(info.initial) : std::bit_cast<std::uint32_t>(info.initial);
}

}  // namespace

double magnitude(const ColumnView& column, Index row) {
  const auto components = static_cast<std::size_t>(column.components);
  if (column.scalar == Scalar::integer) {
    const Index* value = static_cast<const Index*>(column.data) + row * components;
    double squares = 0;
    for (std::size_t k = 0; k != components; ++k) squares += static_cast<double>(value[k]) * value[k];
    return components == 1 ? *value : std::sqrt(squares);
  }
  const float* value = static_cast<const float*>(column.data) + row * components;
  return static_cast<double>(components == 1 ? *value : length({value, components}));
}

const ColumnSet::Stored* ColumnSet::find(std::string_view name) const {
  const auto found = std::ranges::find_if(columns_, [&](const Stored& column) { return column.info.name == name; });
  return found == columns_.end() ? nullptr : &*found;
}

void* ColumnSet::data(std::string_view name, Scalar scalar, int components) const {
  const Stored* column = find(name);
  if (!column)
    throw SimulationError(fmt::format("{}s have no column '{}': require() it before it is used", row_name_, name));
  const ColumnInfo& info = column->info;
  if (info.scalar != scalar || info.components != components) {
    throw SimulationError(fmt::format("column '{}' holds {} per {} and was asked for as {}", name,
                                      shape_text(info.scalar, info.components), row_name_,
                                      shape_text(scalar, components)));
  }
  return const_cast<std::byte*>(column->bytes.data());
}

void* ColumnSet::require(const ColumnInfo& info) {
  if (info.scalar == Scalar::integer && info.rule != MergeRule::keep) {
    throw SimulationError(
        fmt::format("column '{}' holds integers, which cannot be shared out: its rule must be keep", info.name));
  }
  if (Stored* column = find(info.name)) {
    void* values = data(info.name, info.scalar, info.components);
    column->info.rule = info.rule;
    return values;
  }
  Stored& column = columns_.emplace_back(Stored{info, {}});
  column.bytes.resize(rows_ * static_cast<std::size_t>(info.components) * word);
  fill(column, 0, rows_);
  return column.bytes.data();
}

std::vector<ColumnView> ColumnSet::views() const {
  std::vector<ColumnView> views;
  for (const Stored& column : columns_) views.push_back({column.info, const_cast<std::byte*>(column.bytes.data())});
  return views;
}

std::size_t ColumnSet::bytes_per_row() const {
  std::size_t components = 0;
  for (const Stored& column : columns_) components += static_cast<std::size_t>(column.info.components);
  return components * word;
}

void ColumnSet::fill(Stored& column, Index from, Index to) {
  const std::uint32_t initial = initial_word(column.info);
  const auto components = static_cast<std::size_t>(column.info.components);
  for (std::size_t k = from * components; k != to * components; ++k)
    std::memcpy(column.bytes.data() + k * word, &initial, word);
}

void ColumnSet::resize(Index rows) {
  for (Stored& column : columns_) {
    column.bytes.resize(rows * static_cast<std::size_t>(column.info.components) * word);
    if (rows > rows_) fill(column, rows_, rows);
  }
  rows_ = rows;
}

void ColumnSet::gather(std::span<const Index> source) {
  for (Stored& column : columns_) {
    const auto components = static_cast<std::size_t>(column.info.components);
    Bytes moved(source.size() * components * word);
    const std::vector<std::uint32_t> initial(components, initial_word(column.info));
    with_row_size(column.info.components, [&](auto row) {
      const auto* from = column.bytes.data();
      const auto* fresh = reinterpret_cast<const std::byte*>(initial.data());
      std::byte* to = moved.data();
      parallel_for(source.size(), [=](std::size_t i) {
        std::memcpy(to + i * row, source[i] == no_row ? fresh : from + source[i] * row, row);
      });
    });
    column.bytes = std::move(moved);
  }
  rows_ = static_cast<Index>(source.size());
}

}  // namespace fondue
