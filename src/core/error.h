#pragma once
// Typed errors. Only main() turns them into exit codes; everything else throws.

#include <stdexcept>
#include <string>

namespace fondue {

/// Base class of all errors that Fondue throws deliberately; the message is meant for the user.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Invalid input: a scene, an option, a mesh or a frame. Exit code 2, nothing is written.
struct InputError : Error {
  using Error::Error;
};

/// The environment failed: a full disk, an unwritable folder, no graphics. Exit code 3; files written before stay
/// intact.
struct OutputError : Error {
  using Error::Error;
};

/// The simulation failed: NaN or divergence. Exit code 4; a checkpoint is left for inspection.
struct SimulationError : Error {
  using Error::Error;
};

}  // namespace fondue
