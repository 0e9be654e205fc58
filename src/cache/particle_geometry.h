#pragma once
// The particles of a frame as geometry: a cloud of points with velocity, id and columns as attributes.

#include <span>
#include <string>

#include "cache/frame.h"
#include "shapes/geometry.h"

namespace fondue {

/// Velocity and ids always, then the columns named, in this order; none named: every column. Whole numbers become
/// floats, exact up to 2^24. InputError for a column the frame does not have.
Geometry particle_geometry(const Frame& frame, std::span<const std::string> columns);

}  // namespace fondue
