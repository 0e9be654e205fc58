#pragma once
// The bonds of cloth, as far as others know them.

#include <string>

#include "particles/bonds.h"

namespace fondue::cloth_bonds {

inline const std::string bond_set = "cloth";
inline constexpr BondColumn<float> rest_length{"length", "m", "distance at rest"};

}  // namespace fondue::cloth_bonds
