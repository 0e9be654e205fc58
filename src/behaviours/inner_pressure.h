#pragma once
// What a solid body and the fluid in its pores tell each other. Whoever needs a column requires it; a solid behaviour
// writes the first and obeys the second where the store has them.

#include "particles/column.h"

namespace fondue::columns {

inline constexpr Column<float> dilation{"dilation", "1",  "present volume of solid matter over its volume at rest",
                                        1,          true, MergeRule::keep};
inline constexpr Column<float> inner_pressure{
    "inner_pressure", "Pa", "pressure on solid matter from inside: it swells", 0, true, MergeRule::keep};

}  // namespace fondue::columns
