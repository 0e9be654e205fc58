#pragma once
// Typed errors. Only main() turns them into exit codes; everything else throws.

#include <stdexcept>
#include <string>

namespace fondue {

/// The base of everything Fondue throws on purpose; its text is meant for the user.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the user gave is wrong: a scene, an option, a mesh, a frame. Exit code 2, nothing written.
struct InputError : Error {
  using Error::Error;
};

/// The outside world failed: a full disk, an unwritable folder, no graphics. Exit code 3, what was written before is
/// intact.
struct OutputError : Error {
  using Error::Error;
};

/// The simulation itself went wrong: NaN, a runaway. Exit code 4, a checkpoint is left to look at.
struct SimulationError : Error {
  using Error::Error;
};

}  // namespace fondue
