#pragma once
// Writing that the outside world may refuse: every failing call becomes an OutputError that names the path and the
// system's reason ("No space left on device").
//
// A file is replaced as a whole: written under another name in the same folder, flushed to the disk, renamed, and the
// folder flushed. Whoever looks, and whenever the process or the machine dies, there is the old file or the new one.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace fondue {

/// An open file that is written from its end or from its beginning; closed when it goes away.
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
  /// Returns when the disk has it.
  void sync();
  /// Reports what only closing finds (network file systems); the file cannot be used afterwards.
  void close();

 private:
  std::filesystem::path path_;
  int descriptor_;
};

void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_text_atomically(const std::filesystem::path& path, std::string_view text);

/// Whether this is the name of a file that was being written when its process was killed.
bool is_unfinished(const std::filesystem::path& path);

}  // namespace fondue
