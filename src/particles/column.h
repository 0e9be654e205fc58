#pragma once
// A column is one quantity of every particle, declared once as a typed constant. Behaviours name the columns they need;
// the store knows all columns it has, so creating, deleting, sorting and saving are written once.
//
// A value is a number, an integer, or a block of them with any number of components: Vec3, Vec6 (a symmetric tensor),
// Mat3 (column by column), std::array<float, n>.

#include <array>
#include <string>

#include "core/vec.h"

namespace fondue {

/// What the components of a value are: float or Index.
enum class Scalar { real, integer };

/// What a column of values of type T consists of. Only types listed here can be columns.
template <class T>
struct ValueShape;
template <>
struct ValueShape<float> {
  static constexpr Scalar scalar = Scalar::real;
  static constexpr int components = 1;
};
template <>
struct ValueShape<Index> {
  static constexpr Scalar scalar = Scalar::integer;
  static constexpr int components = 1;
};
template <class T, int rows, int columns, int options>
struct ValueShape<Eigen::Matrix<T, rows, columns, options>> {
  static constexpr Scalar scalar = ValueShape<T>::scalar;
  static constexpr int components = rows * columns;
};
template <class T, std::size_t size>
struct ValueShape<std::array<T, size>> {
  static constexpr Scalar scalar = ValueShape<T>::scalar;
  static constexpr int components = static_cast<int>(size) * ValueShape<T>::components;
};

/// What becomes of a value when mass moves from one particle to another (particles/mass_exchange.h).
enum class MergeRule {
  keep,  ///< the receiver keeps its own: identity
  mean,  ///< mean weighted by mass: intensive quantities
  sum,   ///< goes with the mass: extensive quantities
};

/// Integers name things: they have no mean, and no part of them can be handed on.
constexpr MergeRule usual_rule(Scalar scalar) { return scalar == Scalar::integer ? MergeRule::keep : MergeRule::mean; }

template <class T>
struct Column {
  const char* name;
  const char* unit;
  const char* help;
  /// What a new particle starts with (every component).
  float initial = 0;
  /// Part of the state a run continues from: written to every frame. The others follow from these.
  bool state = false;
  MergeRule rule = usual_rule(ValueShape<T>::scalar);
};

/// The declaration of a column without its type, for whatever runs over all columns: saving, exporting, colouring.
struct ColumnInfo {
  std::string name, unit, help;
  Scalar scalar = Scalar::real;
  int components = 1;
  float initial = 0;
  bool state = false;
  MergeRule rule = MergeRule::mean;
};

template <class T>
ColumnInfo info_of(const Column<T>& column) {
  static_assert(sizeof(T) == ValueShape<T>::components * sizeof(float), "values follow each other without gaps");
  return {column.name,    column.unit,  column.help, ValueShape<T>::scalar, ValueShape<T>::components,
          column.initial, column.state, column.rule};
}

namespace columns {

inline constexpr Column<Vec3> position{"position", "m", "where the particle is", 0, true};
inline constexpr Column<Vec3> velocity{"velocity", "m/s", "its velocity", 0, true};
inline constexpr Column<Vec3> acceleration{"acceleration", "m/s^2", "sum of all behaviours, of the last evaluation", 0,
                                           true};
inline constexpr Column<Index> id{"id", "1", "permanent number, never used again", 0, true};
inline constexpr Column<Index> object{"object", "1", "index of the object it belongs to", 0, true};
inline constexpr Column<float> volume{"volume", "m^d", "volume at rest", 0, true, MergeRule::sum};
inline constexpr Column<float> support{"support", "m", "support radius R of its kernel", 0, true, MergeRule::keep};
inline constexpr Column<float> mass{"mass", "kg", "mass", 0, true, MergeRule::sum};
inline constexpr Column<float> density{"density", "kg/m^d", "density; mass over volume where nothing compresses it", 0,
                                       true};
inline constexpr Column<Vec3> drift{"drift", "m/s", "velocity a particle moves with in addition to its own", 0, true};

}  // namespace columns

}  // namespace fondue
