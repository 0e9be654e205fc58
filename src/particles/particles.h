#pragma once
// The particle store: a structure of arrays whose columns are added by whoever needs them. Position and id are there
// from the start. Spans stay valid until particles are created, removed or reordered; adding a column does not move the
// others. Sets of bonds (particles/bonds.h) follow the particles in all of this.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "particles/bonds.h"
#include "particles/column.h"
#include "particles/column_set.h"

namespace fondue {

class Particles {
 public:
  Particles();
  Particles(Particles&&) noexcept = default;
  Particles& operator=(Particles&&) noexcept = default;

  Index size() const { return columns_.rows(); }

  /// The values of a column; an error if nobody has asked for it with require(), or with another type.
  template <class T>
  std::span<T> operator[](const Column<T>& column) {
    return {values(column), size()};
  }
  template <class T>
  std::span<const T> operator[](const Column<T>& column) const {
    return {values(column), size()};
  }
  bool has(std::string_view name) const { return columns_.has(name); }
  /// Makes sure the column exists and returns it; a new one starts with its initial value everywhere.
  template <class T>
  std::span<T> require(const Column<T>& column) {
    return {static_cast<T*>(require(info_of(column))), size()};
  }
  /// The same for a column whose type is known only when the program runs.
  void* require(const ColumnInfo& column) { return columns_.require(column); }

  /// Appends count particles with every column at its initial value and new ids; returns the first new index.
  Index create(Index count);
  /// Deletes the particles marked non-zero; the others keep their order.
  void remove(std::span<const std::uint8_t> marked);
  /// New particle i is old particle order[i]; order is a permutation.
  void reorder(std::span<const Index> order);

  /// Every column, in the order they were required.
  std::vector<ColumnView> columns() const { return columns_.views(); }
  /// Bytes held per particle in columns.
  std::size_t bytes_per_particle() const { return columns_.bytes_per_row(); }

  /// A set of bonds; valid as long as the store; an error if nobody has asked for it with require_bonds().
  BondSet& bonds(std::string_view name) { return const_cast<BondSet&>(std::as_const(*this).bonds(name)); }
  const BondSet& bonds(std::string_view name) const;
  bool has_bonds(std::string_view name) const { return bonds_.find(name) != bonds_.end(); }
  /// Makes sure the set exists and returns it; a new one has no bonds.
  BondSet& require_bonds(const std::string& name);
  /// Names of all sets, sorted.
  std::vector<std::string> bond_sets() const;

  Index next_id() const { return next_id_; }
  void set_next_id(Index next) { next_id_ = next; }

 private:
  template <class T>
  T* values(const Column<T>& column) const {
    return static_cast<T*>(columns_.data(column.name, ValueShape<T>::scalar, ValueShape<T>::components));
  }

  ColumnSet columns_{"particle"};
  std::map<std::string, BondSet, std::less<>> bonds_;
  Index next_id_ = 0;
};

/// The column, or nothing if no one has asked for it.
template <class T>
std::span<T> optional_column(Particles& particles, const Column<T>& column) {
  return particles.has(column.name) ? particles[column] : std::span<T>{};
}
template <class T>
std::span<const T> optional_column(const Particles& particles, const Column<T>& column) {
  return particles.has(column.name) ? particles[column] : std::span<const T>{};
}

}  // namespace fondue
