#pragma once
// Columns of individual time steps (DC96 5.2): a frame has 2^finest_level ticks; a particle of level n steps over 2^-n
// of the frame.

#include "particles/column.h"

namespace fondue {

inline constexpr Index finest_level = 20;

namespace columns {
inline constexpr Column<Index> step_level{"step_level", "1", "steps per frame, as a power of two", 0, true};
inline constexpr Column<Index> step_begin{"step_begin", "ticks", "when its present step began", 0, true};
}  // namespace columns

}  // namespace fondue
