#include "scene/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fondue {

namespace {

struct Value {
  std::string path, text;
};

/// The header of a table without its brackets: "objects" of "[[objects]]".
std::string_view inner(std::string_view header) {
  while (header.starts_with('[')) header.remove_prefix(1);
  while (header.ends_with(']')) header.remove_suffix(1);
  return header;
}

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

/// Every value of an effective scene with its path. The effective text has one key per line, and the name of an element
/// of a list comes first in it.
std::vector<Value> flattened(std::string_view text) {
  std::vector<Value> values;
  /// Paths of the elements that [objects.fluid] and the like continue, and how often a nested list has come.
  std::map<std::string, std::string, std::less<>> element;
  std::map<std::string, int> nested;
  std::string path;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (line.front() == '[') {
      path = inner(line);
      const std::size_t dot = path.find('.');
      if (const auto found = element.find(std::string_view(path).substr(0, dot));
          found != element.end() && dot != std::string::npos)
        path = found->second + path.substr(dot);
      if (line.starts_with("[[") && dot != std::string::npos) path += fmt::format(".{}", nested[path]++);
      if (line.starts_with("[[") && dot == std::string::npos) element[path] = path;
      continue;
    }
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, equals), value = line.substr(equals + 3);
    if (const auto list = element.find(path); key == "name" && list != element.end()) {
      list->second = fmt::format("{}.{}", path, unquoted(value));
      path = list->second;
    }
    values.push_back({fmt::format("{}.{}", path, key), std::string(value)});
  }
  return values;
}

const Value* find(const std::vector<Value>& values, const std::string& path) {
  const auto found = std::ranges::find(values, path, &Value::path);
  return found == values.end() ? nullptr : &*found;
}

}  // namespace

std::vector<SceneDifference> differences(std::string_view effective_before, std::string_view effective_after) {
  const std::vector<Value> before = flattened(effective_before), after = flattened(effective_after);
  std::vector<SceneDifference> result;
  for (const Value& value : before) {
    const Value* other = find(after, value.path);
    if (!other || other->text != value.text) result.push_back({value.path, value.text, other ? other->text : ""});
  }
  for (const Value& value : after)
    if (!find(before, value.path)) result.push_back({value.path, "", value.text});
  return result;
}

std::string listed(const std::vector<SceneDifference>& differences, std::string_view before, std::string_view now) {
  constexpr std::size_t most = 8;
  std::string text;
  for (const SceneDifference& one : differences) {
    if (&one - differences.data() == most) return text + fmt::format("\n  and {} more", differences.size() - most);
    const auto shown = [](const std::string& value) { return value.empty() ? "absent" : value; };
    text += fmt::format("\n  {}: {} {}, {} {}", one.path, shown(one.before), before, shown(one.after), now);
  }
  return text;
}

}  // namespace fondue
