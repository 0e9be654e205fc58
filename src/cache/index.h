#pragma once
// The index of a run: an XDMF file (xdmf.org, version 3 model) that ParaView opens as one series over time. It holds no
// numbers, only where they are in the HDF5 files: a temporal collection of poly-vertex grids with columns as
// attributes of the points. Frames are named relative to the index, so that a folder can be moved.

#include <filesystem>
#include <functional>
#include <string>

#include "cache/frame.h"

namespace fondue {

class FrameIndex {
 public:
  /// The index file that will be written; `scene` names the series. Only columns that `shows` accepts by their name are
  /// listed; all if it is empty.
  FrameIndex(std::filesystem::path path, const std::string& scene, std::function<bool(const std::string&)> shows = {});

  /// Adds a frame that is on the disk, later than those added before.
  void add(const std::filesystem::path& frame);
  void add(const std::filesystem::path& frame, FrameOutline outline);
  /// Replaces the index file atomically.
  void write() const;

 private:
  std::filesystem::path path_;
  std::string scene_;
  std::function<bool(const std::string&)> shows_;
  std::string grids_;
};

}  // namespace fondue
