#pragma once
// The outline of a frame that is not written yet, so that an index needs not read it back.

#include "cache/frame.h"

namespace fondue {

/// What read_frame_outline will find in a frame when it is written.
FrameOutline outline_of(const Frame& frame, std::span<const std::string> extra_columns);

}  // namespace fondue
