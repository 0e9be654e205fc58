#pragma once
// Columns of equal length without their types: the storage behind particles and bonds. Whatever happens to rows is
// written here once, for any number of components.

#include <tbb/cache_aligned_allocator.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "particles/column.h"

namespace fondue {

/// A column and where its values are: `components` floats or Indices per row.
struct ColumnView : ColumnInfo {
  void* data = nullptr;
};

/// The value in a row; the length of one with several components.
double magnitude(const ColumnView& column, Index row);

class ColumnSet {
 public:
  /// Stands for a row that does not exist.
  static constexpr Index no_row = std::numeric_limits<Index>::max();

  /// What a row belongs to, for messages: "particle", "bond".
  explicit ColumnSet(const char* row_name) : row_name_(row_name) {}

  Index rows() const { return rows_; }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Where the values of a column are; SimulationError if it is not there or has another shape.
  void* data(std::string_view name, Scalar scalar, int components) const;
  /// Makes sure the column exists; a new one starts with its initial value everywhere. The others do not move.
  void* require(const ColumnInfo& info);
  std::vector<ColumnView> views() const;
  std::size_t bytes_per_row() const;

  /// Appends rows with the initial values, or cuts off the last ones.
  void resize(Index rows);
  /// New row i is old row source[i], or has the initial values where that is `no_row`.
  void gather(std::span<const Index> source);

 private:
  /// Aligned for any value, and not filled with zeros before its values are written.
  struct Allocator : tbb::cache_aligned_allocator<std::byte> {
    using value_type = std::byte;
    template <class>
    struct rebind {
      using other = Allocator;
    };
    template <class U>
    void construct(U* place) {
      ::new (static_cast<void*>(place)) U;
    }
  };
  using Bytes = std::vector<std::byte, Allocator>;
  struct Stored {
    ColumnInfo info;
    /// Objects of the column's type: they begin to live with the bytes, being implicit-lifetime types.
    Bytes bytes;
  };
  const Stored* find(std::string_view name) const;
  Stored* find(std::string_view name) { return const_cast<Stored*>(std::as_const(*this).find(name)); }
  static void fill(Stored& column, Index from, Index to);

  const char* row_name_;
  std::vector<Stored> columns_;
  Index rows_ = 0;
};

}  // namespace fondue
