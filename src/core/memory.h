#pragma once
// How much memory this process may still allocate, so that a scene that cannot fit is refused before it is built.

#include <cstdint>
#include <filesystem>

namespace fondue {

/// Bytes that can be allocated without swapping: the machine's MemAvailable, or less where a control group (v2 or v1:
/// containers, batch systems) of this process or one of its parents allows less. The largest number if nothing is
/// known. `root` is the folder that contains /proc and /sys.
std::uint64_t available_memory(const std::filesystem::path& root = "/");

}  // namespace fondue
