#pragma once
// The state of a simulation at one moment, kept in memory: the bytes of a frame file. What is restored from a snapshot
// is therefore what would be restored from the file.

#include <cstddef>
#include <filesystem>
#include <vector>

#include "cache/frame.h"

namespace fondue {

class Snapshot {
 public:
  /// The bytes of a whole frame (frame_image).
  explicit Snapshot(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  /// The particles and the state, read from the bytes; any number of times.
  Frame frame() const;
  /// Writes the frame file, or leaves the old one if it cannot be written.
  void write(const std::filesystem::path& path) const;
  const std::vector<std::byte>& bytes() const { return bytes_; }
  bool operator==(const Snapshot&) const = default;

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace fondue
