#pragma once
// A column is one quantity of every particle, declared once as a typed constant. Behaviours name the columns they need;
// the store knows all columns it has, so creating, deleting, sorting and saving are written once.

#include "core/vec.h"

namespace fondue {

template <class T>
struct Column {
  const char* name;
  const char* unit;
  const char* help;
  /// What a new particle starts with (every component).
  float initial = 0;
  /// Part of the state a run continues from: written to every frame. The others follow from these.
  bool state = false;
};

namespace columns {

inline constexpr Column<Vec3> position{"position", "m", "where the particle is", 0, true};
inline constexpr Column<Vec3> velocity{"velocity", "m/s", "its velocity", 0, true};
inline constexpr Column<Vec3> acceleration{"acceleration", "m/s^2", "sum of all behaviours, of the last evaluation", 0,
                                           true};
inline constexpr Column<Index> id{"id", "1", "permanent number, never used again", 0, true};
inline constexpr Column<Index> object{"object", "1", "index of the object it belongs to", 0, true};
inline constexpr Column<float> volume{"volume", "m^d", "volume at rest", 0, true};
inline constexpr Column<float> support{"support", "m", "support radius R of its kernel", 0, true};
inline constexpr Column<float> mass{"mass", "kg", "mass", 0, true};
inline constexpr Column<float> density{"density", "kg/m^d", "density; mass over volume where nothing compresses it", 0,
                                     true};
inline constexpr Column<Vec3> drift{"drift", "m/s", "velocity a particle moves with in addition to its own", 0, true};

}  // namespace columns

}  // namespace fondue
