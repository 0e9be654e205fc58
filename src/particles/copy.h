#pragma once
// A second store with the same particles, for work that goes on while the first one changes.

#include "particles/particles.h"

namespace fondue {

/// The same columns, bonds and ids.
Particles copy_of(const Particles& particles);

}  // namespace fondue
