#pragma once
// File output with error checks: every failing call becomes an OutputError that names the path and the system's reason
// ("No space left on device").
//
// Files are replaced atomically: written under a temporary name in the same folder, flushed to disk, renamed, and the
// folder flushed. If the process or the machine fails at any time, either the old or the new file is there.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace fondue {

/// A file opened for writing, empty or at its end; closed by the destructor.
class OutputFile {
 public:
  enum class Start { empty, append };
  OutputFile(std::filesystem::path path, Start start);
  OutputFile(OutputFile&&) noexcept;
  OutputFile(const OutputFile&) = delete;
  ~OutputFile();

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void truncate(std::uintmax_t size);
  /// Returns when the data is on disk.
  void sync();
  /// Reports errors that occur only on closing (network file systems); the file cannot be used afterwards.
  void close();

 private:
  std::filesystem::path path_;
  int descriptor_;
};

void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_text_atomically(const std::filesystem::path& path, std::string_view text);

/// Whether this is the temporary name of an incomplete file, left by a process that was killed.
bool is_unfinished(const std::filesystem::path& path);

}  // namespace fondue
