#include "cache/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace fondue {

namespace {

// Hidden, so that it does not match frame_*.
constexpr std::string_view unfinished_prefix = ".", unfinished_suffix = ".part";

[[noreturn]] void fail(const std::filesystem::path& path) {
  throw OutputError(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
}

/// Flushes the directory entry of a new file; some file systems do not support this and do not need it.
void sync_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail(folder);
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  errno = error;
  if (error != 0 && error != EINVAL && error != ENOTSUP) fail(folder);
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path, Start start)
    : path_(std::move(path)),
      descriptor_(
          ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (start == Start::empty ? O_TRUNC : O_APPEND), 0666)) {
  if (descriptor_ < 0) fail(path_);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail(path_);
    }
  }
}

void OutputFile::truncate(std::uintmax_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(path_);
}

void OutputFile::sync() {
  if (::fsync(descriptor_) != 0) fail(path_);
}

void OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_);
}

bool is_unfinished(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(unfinished_prefix) && name.ends_with(unfinished_suffix);
}

void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const std::filesystem::path unfinished =
      path.parent_path() / fmt::format("{}{}{}", unfinished_prefix, path.filename().string(), unfinished_suffix);
  try {
    OutputFile file(unfinished, OutputFile::Start::empty);
    file.write(bytes);
    file.sync();
    file.close();
    if (::rename(unfinished.c_str(), path.c_str()) != 0) fail(path);
    sync_folder(path);
  } catch (...) {
    ::unlink(unfinished.c_str());
    throw;
  }
}

void write_text_atomically(const std::filesystem::path& path, std::string_view text) {
  write_file_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace fondue
