#pragma once
// The viscosity that particles have, for those who only read it: a film of fluid on a sheet drags by it
// (world/contact_impulses.h).

#include "particles/column.h"

namespace fondue::columns {
inline constexpr Column<float> viscosity{"viscosity", "Pa s", "viscosity in the last step", 0, true};
}  // namespace fondue::columns
