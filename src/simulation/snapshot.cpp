#include "simulation/snapshot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cache/output_file.h"
#include "core/error.h"

namespace fondue {

namespace {

/// A file for as long as this lives, for the reader of frames, which takes a path.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::span<const std::byte> bytes)
      : path_((std::filesystem::temp_directory_path() / "fondue-snapshot-XXXXXX").string()) {
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0)
      throw OutputError(fmt::format("cannot make the temporary file '{}': {}", path_, std::strerror(errno)));
    ::close(descriptor);
    try {
      OutputFile(path_, OutputFile::Start::empty).write(bytes);
    } catch (...) {
      ::unlink(path_.c_str());
      throw;
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

Frame Snapshot::frame() const { return read_frame(TemporaryFile(bytes_).path()); }

void Snapshot::write(const std::filesystem::path& path) const { write_file_atomically(path, bytes_); }

}  // namespace fondue
