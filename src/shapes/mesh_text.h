#pragma once
// Reads a text file line by line and word by word, keeping the line number for messages.

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "core/vec.h"

namespace fondue {

class MeshText {
 public:
  MeshText(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  /// Advances to the next non-empty line; false at the end of the file.
  bool next_line();
  const std::vector<std::string_view>& words() const { return words_; }
  /// The word at an index as a number of type T; InputError if it is missing or not a number.
  template <class T>
  T number(std::size_t place) const {
    T value{};
    const std::string_view word = place < words_.size() ? words_[place] : std::string_view();
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) fail_number(word);
    return value;
  }
  /// Three coordinates starting at a word; read as doubles, so that a number too small for a float becomes 0.
  Vec3 point(std::size_t place) const;
  /// Start of the unread part.
  std::size_t position() const { return position_; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  [[noreturn]] void fail_number(std::string_view word) const;

  std::string_view text_;
  const std::string& path_;
  std::size_t position_ = 0, line_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace fondue
