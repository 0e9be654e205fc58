#include "shapes/mesh_text.h"

#include <fmt/format.h>

#include "core/error.h"

namespace fondue {

bool MeshText::next_line() {
  constexpr std::string_view blanks = " \t\r\v\f";
  words_.clear();
  while (position_ < text_.size() && words_.empty()) {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const std::string_view line = text_.substr(position_, end - position_);
    position_ = std::min(end + 1, text_.size());
    ++line_;
    for (std::size_t from = line.find_first_not_of(blanks); from != line.npos;) {
      const std::size_t to = std::min(line.find_first_of(blanks, from), line.size());
      words_.push_back(line.substr(from, to - from));
      from = line.find_first_not_of(blanks, to);
    }
  }
  return !words_.empty();
}

Vec3 MeshText::point(std::size_t place) const {
  const Vec3d x(number<double>(place), number<double>(place + 1), number<double>(place + 2));
  if (!x.cast<float>().allFinite()) fail("a coordinate is not a finite number");
  return x.cast<float>();
}

void MeshText::fail(const std::string& what) const { throw InputError(fmt::format("{}:{}: {}", path_, line_, what)); }

void MeshText::fail_number(std::string_view word) const {
  if (word.empty()) fail("a number is missing at the end of the line");
  fail(fmt::format("'{}' is not a valid number here", word));
}

}  // namespace fondue
