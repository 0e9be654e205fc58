#include "simulation/snapshot.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cache/output_file.h"
#include "core/error.h"

namespace fondue {

namespace {

/// A file without a name that exists only in memory (Linux), for readers that take a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::byte> bytes) : descriptor_(::memfd_create("fondue-snapshot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail();
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(); }
  std::filesystem::path path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[noreturn]] void fail() {
    const int reason = errno;
    close();
    throw OutputError(fmt::format("cannot keep a snapshot in memory: {}", std::strerror(reason)));
  }

  int descriptor_;
};

}  // namespace

Frame Snapshot::frame() const { return read_frame(MemoryFile(bytes_).path()); }

void Snapshot::write(const std::filesystem::path& path) const { write_file_atomically(path, bytes_); }

}  // namespace fondue
