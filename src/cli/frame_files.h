#pragma once
// Files made from the frames of a run, one a frame: only those that are missing or out of date are made, a frame that
// cannot be read is told and left out, and Ctrl-C leaves whole files.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "cache/run_folder.h"

namespace fondue {

/// The folder files go into, and which of them need not be made again.
class FrameFiles {
 public:
  /// Settings are what the files depend on beside their frames: files that were made with others are out of date, so
  /// the folder remembers them.
  FrameFiles(std::filesystem::path folder, std::string extension, const std::string& settings);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path file(int frame) const;
  bool up_to_date(int frame, const std::filesystem::path& source) const;

 private:
  std::filesystem::path folder_;
  std::string extension_;
  std::filesystem::path settings_;
};

/// Frames of a run; InputError if it has none.
std::vector<int> frames_of_run(const RunLayout& layout);
/// "10" or "10-20", within what the run has; all if the text is empty.
std::pair<int, int> chosen_range(const std::string& text, const RunLayout& layout, const std::vector<int>& frames);

/// Makes one file of one frame.
using FrameWriter = std::function<void(const std::filesystem::path& file, const Frame& frame)>;

/// Makes the files of a range of frames, with progress; says how many, and where. InputError at the end if some could
/// not be made.
void make_files(const std::string& label, const RunLayout& layout, const FrameFiles& files, std::pair<int, int> range,
                bool overwrite, const FrameWriter& write);

}  // namespace fondue
