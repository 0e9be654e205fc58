#pragma once
// The particle store: a structure of arrays whose columns are added by whoever needs them. Position and id are there
// from the start. Spans stay valid until particles are created, removed or reordered; adding a column does not move the
// others.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "particles/column.h"

namespace fondue {

/// One column without its type, for whatever runs over all columns: saving, exporting, colouring.
struct ColumnView {
  enum class Type { number, vector, integer };
  std::string name, unit, help;
  Type type;
  float initial;
  bool state;
  /// size() times components() of float (number, vector) or Index (integer).
  void* data;
  int components() const { return type == Type::vector ? 3 : 1; }
};

class Particles {
 public:
  Particles();
  Particles(Particles&&) noexcept;
  Particles& operator=(Particles&&) noexcept;
  ~Particles();

  Index size() const { return size_; }

  /// The values of a column; an error if nobody has asked for it with require(), or with another type.
  template <class T>
  std::span<T> operator[](const Column<T>& column);
  template <class T>
  std::span<const T> operator[](const Column<T>& column) const;
  bool has(std::string_view name) const;
  /// Makes sure the column exists and returns it; a new one starts with its initial value everywhere.
  template <class T>
  std::span<T> require(const Column<T>& column);

  /// Appends count particles with every column at its initial value and new ids; returns the first new index.
  Index create(Index count);
  /// Deletes the particles marked non-zero; the others keep their order.
  void remove(std::span<const std::uint8_t> marked);
  /// New particle i is old particle order[i]; order is a permutation.
  void reorder(std::span<const Index> order);

  /// Every column, in the order they were required.
  std::vector<ColumnView> columns() const;
  /// Bytes held for each particle.
  std::size_t bytes_per_particle() const;

  Index next_id() const { return next_id_; }
  void set_next_id(Index next) { next_id_ = next; }

 private:
  struct Storage;
  Storage* find(std::string_view name) const;
  template <class T>
  std::vector<T>& values(const Column<T>& column) const;
  std::vector<std::unique_ptr<Storage>> storage_;
  Index size_ = 0;
  Index next_id_ = 0;
};

/// The column, or nothing if no one has asked for it.
template <class T>
std::span<T> optional_column(Particles& particles, const Column<T>& column) {
  return particles.has(column.name) ? particles[column] : std::span<T>{};
}

}  // namespace fondue
