#pragma once
// A folder with one file for each frame of a run: frame_000123.ply. A file is up to date if it is younger than its
// frame and was made with the settings that are wanted now.

#include <filesystem>
#include <string>

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

}  // namespace fondue
