#pragma once
// What follows the name of a command, word by word.

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include "core/error.h"

namespace fondue {

class Words {
 public:
  explicit Words(std::string_view text) : rest_(trimmed(text)) {}

  bool empty() const { return rest_.empty(); }
  /// The next word; InputError that says what is missing.
  std::string word(const char* what) {
    if (rest_.empty()) throw InputError(fmt::format("{} is missing", what));
    // A path may have quoted words with blanks in them.
    std::size_t end = 0;
    for (char quote = 0; end != rest_.size() && (quote || !std::isspace(static_cast<unsigned char>(rest_[end]))); ++end)
      if (rest_[end] == '"') quote = quote ? 0 : '"';
    const std::string result(rest_.substr(0, end));
    rest_ = trimmed(rest_.substr(end));
    return result;
  }
  /// The only word that is left.
  std::string last(const char* what) {
    std::string result = word(what);
    end();
    return result;
  }
  template <class Number>
  Number number(const char* what) {
    const std::string text = word(what);
    Number result{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    bool finite = true;
    if constexpr (std::is_floating_point_v<Number>) finite = std::isfinite(result);
    if (error != std::errc{} || end != text.data() + text.size() || !finite)
      throw InputError(fmt::format("{} must be a number, got '{}'", what, text));
    return result;
  }
  /// What comes after the equals sign.
  std::string value() {
    if (!rest_.starts_with('=')) throw InputError("'= VALUE' is missing");
    const std::string result(trimmed(rest_.substr(1)));
    rest_ = {};
    if (result.empty()) throw InputError("the value is missing");
    return result;
  }
  std::string_view rest() {
    const std::string_view all = rest_;
    rest_ = {};
    return all;
  }
  void end() const {
    if (!rest_.empty()) throw InputError(fmt::format("'{}' is too much", rest_.substr(0, 40)));
  }

 private:
  static std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
  }

  std::string_view rest_;
};

}  // namespace fondue
