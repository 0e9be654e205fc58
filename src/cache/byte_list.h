#pragma once
// Files are built in memory as a list of bytes and written at once (cache/output_file.h). Numbers are little endian,
// the native order of all supported machines.

#include <bit>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace fondue {

static_assert(std::endian::native == std::endian::little, "files with binary numbers are written little endian");

using ByteList = std::vector<std::byte>;

inline void append(ByteList& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

inline void append(ByteList& bytes, std::string_view text) { append(bytes, std::as_bytes(std::span(text))); }

}  // namespace fondue
