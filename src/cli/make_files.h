#pragma once
// Makes one file per frame of a run: only missing and outdated files are made, a frame that cannot be read is reported
// and skipped, and Ctrl-C leaves only complete files.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "cache/frame_files.h"
#include "cache/run_folder.h"
#include "scene/scene.h"

namespace fondue {

/// The scene of a run with overrides; InputError if the folder is not that of a run.
Scene scene_of_run(const std::string& folder, const std::vector<Override>& overrides = {});
/// Frames of a run; InputError if it has none.
std::vector<int> frames_of_run(const RunLayout& layout);
/// The columns of the first readable frame; none if there is no such frame.
std::vector<std::string> columns_of_run(const RunLayout& layout, const std::vector<int>& frames);
/// "10" or "10-20", within the frames of the run; all if the text is empty.
std::pair<int, int> chosen_range(const std::string& text, const RunLayout& layout, const std::vector<int>& frames);

/// Makes one file of one frame.
using FrameWriter = std::function<void(const std::filesystem::path& file, const Frame& frame)>;

/// Reads one frame.
using FrameReader = std::function<Frame(const std::filesystem::path& file)>;

/// Makes the files of a range of frames, with progress, and prints their number and folder. InputError at the end if
/// some could not be made.
void make_files(const std::string& label, const RunLayout& layout, const FrameFiles& files, std::pair<int, int> range,
                bool overwrite, const FrameWriter& write, const FrameReader& read = read_frame);

}  // namespace fondue
