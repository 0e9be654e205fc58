#include "scene/toml_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "scene/units.h"

namespace fondue {

namespace {

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// A value such as 8 cm that is written without quotes; empty if there is none.
std::string unquoted_quantity(std::string_view line) {
  for (std::size_t at = line.find_first_of("=[,"); at != line.npos; at = line.find_first_of("=[,", at + 1)) {
    const std::string_view value = line.substr(at + 1, line.find_first_of(",]}#", at + 1) - at - 1);
    if (const auto quantity = quantity_of(value); quantity && !quantity->unit.empty() && is_unit(quantity->unit))
      return std::string(value.substr(value.find_first_not_of(' '), value.find_last_not_of(" \r") + 1));
  }
  return "";
}

/// Where a word that a place in a line belongs to begins and ends.
std::pair<std::size_t, std::size_t> word_at(std::string_view line, std::size_t place) {
  constexpr std::string_view separators = " \t\r=,[]{}#";
  std::size_t begin = std::min(place, line.size()), end = begin;
  while (begin > 0 && separators.find(line[begin - 1]) == separators.npos) --begin;
  while (end < line.size() && separators.find(line[end]) == separators.npos) ++end;
  return {begin, end};
}

/// A number as TOML wants it, from .5 or 5.; empty if it is neither.
std::string completed_number(std::string_view word) {
  const std::size_t sign = !word.empty() && (word[0] == '-' || word[0] == '+') ? 1 : 0, point = word.find('.');
  if (point == word.npos) return "";
  const bool before = point > sign, after = point + 1 < word.size() && digit(word[point + 1]);
  if (before == after || (before && !digit(word[point - 1]))) return "";
  std::string text(word);
  text.insert(before ? point + 1 : point, "0");
  return text;
}

/// The first name in quotes in a description.
std::string_view quoted_in(std::string_view text) {
  const std::size_t begin = text.find('\'');
  if (begin == text.npos) return "";
  return text.substr(begin + 1, text.find('\'', begin + 1) - begin - 1);
}

/// About the value at which the parser stopped; empty if nothing is known about it.
std::string advice_on_value(std::string_view line, std::size_t place) {
  const auto [begin, end] = word_at(line, place);
  const std::string_view word = line.substr(begin, end - begin);
  if (const std::string number = completed_number(word); !number.empty())
    return fmt::format("a number has digits on both sides of its point: {}", number);
  if (place < line.size() && line[place] == '#' && line.size() >= place + 7 &&
      std::ranges::all_of(line.substr(place + 1, 6),
                          [](char c) { return std::isxdigit(static_cast<unsigned char>(c)); }))
    return fmt::format("a colour is a text in quotes: \"{}\"", line.substr(place, 7));
  if (place > 0 && place + 1 < line.size() && line[place] == ',' && digit(line[place - 1]) && digit(line[place + 1]))
    return fmt::format("a number has a point, not a comma: {}.{}", word,
                       line.substr(place + 1, word_at(line, place + 1).second - place - 1));
  if (word.starts_with('(')) return "a list is in brackets: [1, 2, 3]";
  if (!word.empty() && letter(word[0])) {
    const std::size_t next = line.find_first_not_of(" \t", end);
    if (next != line.npos && line[next] == '=')
      return fmt::format("'{}' is the next key: a bracket or a brace before it is not closed, or its value is missing",
                         word);
    std::string small(word);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (small == "true" || small == "false") return fmt::format("write {} in small letters", small);
    const std::size_t before = begin == 0 ? line.npos : line.find_last_not_of(" \t", begin - 1);
    if (before != line.npos && digit(line[before])) return fmt::format("'{}' behind a number is not a unit", word);
    return fmt::format("a word is a text in quotes: \"{}\"", word);
  }
  if (word.find_first_of("+-*/", 1) != word.npos && digit(word[0]) && word.find_first_of("eE") == word.npos)
    return fmt::format("a value is a number, not a formula such as {}", word);
  return "";
}

}  // namespace

std::string toml_advice(std::string_view description, std::string_view line, int column) {
  const auto says = [&](std::string_view part) { return description.find(part) != description.npos; };
  const std::size_t place = column > 0 ? static_cast<std::size_t>(column - 1) : 0;
  if (const std::string quantity = unquoted_quantity(line); !quantity.empty())
    return fmt::format("a value with a unit is a text in quotes: \"{}\"", quantity);
  if (says("cannot redefine")) {
    const std::string_view name = quoted_in(description);
    return says("table header") ? fmt::format("[{}] is there already: all its keys belong under one heading", name)
                                : fmt::format("'{}' is there already, further up under the same heading", name);
  }
  if (says("string") && says("control characters")) return "a text ends with a quote on the line on which it begins";
  if (says("table header") && says("expected ']'")) return "a heading ends with a bracket: [name], or [[name]]";
  if (says("expected '='")) return "a key is followed by '=' and its value";
  if (says("inline table") && says("saw '\\n'"))
    return "a table in braces { } ends on the line on which it begins; only lists in brackets [ ] may go on "
           "over several lines";
  if (says("inline table") && says("expected comma")) return "a comma is missing here, between two keys";
  if (const std::string advice = advice_on_value(line, place); !advice.empty()) return advice;
  constexpr std::string_view opening = "Error while parsing ";
  return description.starts_with(opening) ? fmt::format("cannot be read: {}", description.substr(opening.size()))
                                          : std::string(description);
}

}  // namespace fondue
