#include "cache/frame_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "cache/output_file.h"
#include "core/error.h"

namespace fondue {

namespace fs = std::filesystem;

FrameFiles::FrameFiles(fs::path folder, std::string extension, const std::string& settings)
    : folder_(std::move(folder)), extension_(std::move(extension)), settings_(folder_ / ".settings") {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw OutputError(fmt::format("cannot create the folder '{}': {}", folder_.string(), error.message()));
  std::ifstream file(settings_, std::ios::binary);
  if (std::string(std::istreambuf_iterator<char>(file), {}) != settings) write_text_atomically(settings_, settings);
}

fs::path FrameFiles::file(int frame) const { return folder_ / fmt::format("frame_{:06}.{}", frame, extension_); }

bool FrameFiles::up_to_date(int frame, const fs::path& source) const {
  std::error_code error;
  const fs::file_time_type made = fs::last_write_time(file(frame), error);
  if (error) return false;
  const fs::file_time_type needed = std::max(fs::last_write_time(source, error), fs::last_write_time(settings_));
  return !error && made >= needed;
}

}  // namespace fondue
