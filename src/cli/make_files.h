#pragma once
// Making the files of a run's frames: only those that are missing or out of date are made, a frame that
// cannot be read is told and left out, and Ctrl-C leaves whole files.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "cache/frame_files.h"
#include "cache/run_folder.h"
#include "scene/scene.h"

namespace fondue {

/// The scene of a run, perhaps changed; InputError if the folder is not that of a run.
Scene scene_of_run(const std::string& folder, const std::vector<Override>& overrides = {});
/// Frames of a run; InputError if it has none.
std::vector<int> frames_of_run(const RunLayout& layout);
/// The columns of the first frame that can be read; none if there is no such frame.
std::vector<std::string> columns_of_run(const RunLayout& layout, const std::vector<int>& frames);
/// "10" or "10-20", within what the run has; all if the text is empty.
std::pair<int, int> chosen_range(const std::string& text, const RunLayout& layout, const std::vector<int>& frames);

/// Makes one file of one frame.
using FrameWriter = std::function<void(const std::filesystem::path& file, const Frame& frame)>;

/// Makes the files of a range of frames, with progress; says how many, and where. InputError at the end if some could
/// not be made.
void make_files(const std::string& label, const RunLayout& layout, const FrameFiles& files, std::pair<int, int> range,
                bool overwrite, const FrameWriter& write);

}  // namespace fondue
