#pragma once
// Columns that frames do not store because they follow from those they do: pressure, rate of shear and the like. They
// are made again by one evaluation of the world at the saved state.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "scene/scene.h"

namespace fondue {

/// A frame with these columns, as far as it has them or the scene makes them while it runs.
Frame read_frame_with(const std::filesystem::path& path, const Scene& scene, std::span<const std::string> columns);

/// Names of the columns of a frame and of those that can be made again, each once.
std::vector<std::string> columns_to_show(std::vector<std::string> stored, const Scene& scene);

}  // namespace fondue
