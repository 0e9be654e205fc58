#include "scene/suggest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace fondue {

namespace {

/// Number of insertions, deletions, replacements and swaps of neighbours that change a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[b.size()];
}

std::string letters_in_order(std::string_view word) {
  std::string letters(word);
  std::erase_if(letters, [](unsigned char c) { return !std::isalnum(c); });
  std::sort(letters.begin(), letters.end());
  return letters;
}

/// Distance of a known word from the given one, in edits.
double distance_between(std::string_view word, std::string_view known) {
  double nearest = static_cast<double>(edit_distance(word, known));
  if (letters_in_order(word) == letters_in_order(known)) nearest = std::min(nearest, 1.0);
  if (word.size() >= 3 && known.find(word) != known.npos) nearest = std::min(nearest, 1.0);
  if (known.size() >= 3 && word.find(known) != word.npos) nearest = std::min(nearest, 1.0);
  // A part of a compound name costs half an edit more than the name itself.
  for (std::size_t begin = 0; begin < known.size();) {
    const std::size_t end = std::min(known.find('_', begin), known.size());
    nearest = std::min(nearest, edit_distance(word, known.substr(begin, end - begin)) + 0.5);
    begin = end + 1;
  }
  return nearest;
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  if (known.empty()) return "";
  // Very long words have no suggestion; this keeps the distance tables small.
  const std::string written = lower_case(word.substr(0, 100));
  const std::string* best = nullptr;
  const double length = static_cast<double>(written.size());
  double least = length < 4 ? std::min(1.5, length - 0.5) : std::max(2.0, 0.4 * length);
  for (const std::string& candidate : known) {
    const double distance = distance_between(written, lower_case(candidate));
    if (distance < least || (!best && distance <= least)) best = &candidate, least = distance;
  }
  if (best) return fmt::format("; did you mean '{}'?", *best);
  return fmt::format("; it can be {}", fmt::join(known, ", "));
}

}  // namespace fondue
