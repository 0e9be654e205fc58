#include "scene/toml_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

#include "scene/toml_advice.h"
#include "scene/toml_text.h"

namespace fondue {

namespace {

using File = std::shared_ptr<const std::string>;

Place place_of(const toml::source_region& source, const File& file, bool lines) {
  return {file, lines ? static_cast<int>(source.begin.line) : 0, lines ? static_cast<int>(source.begin.column) : 0};
}

Node converted(const toml::node& node, const File& file, bool lines) {
  Node result{place_of(node.source(), file, lines), Date{}};
  if (const auto* table = node.as_table()) {
    Node::Table entries;
    for (const auto& [key, child] : *table)
      entries.push_back({std::string(key.str()), place_of(key.source(), file, lines), converted(child, file, lines)});
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    result.value = std::move(entries);
  } else if (const auto* array = node.as_array()) {
    Node::List list;
    for (const toml::node& child : *array) list.push_back(converted(child, file, lines));
    result.value = std::move(list);
  } else if (const auto* text = node.as_string()) {
    result.value = text->get();
  } else if (const auto* integer = node.as_integer()) {
    result.value = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    result.value = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    result.value = boolean->get();
  }
  return result;
}

/// Number of words in a dotted key, from the parsed table.
int depth_of(const toml::table& table) {
  if (table.size() != 1) return 0;
  const toml::table* inner = table.begin()->second.as_table();
  return 1 + (inner ? depth_of(*inner) : 0);
}

std::string_view line_of(std::string_view text, int number) {
  for (int k = 1; k < number; ++k) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::optional<Node> parse_toml(std::string_view text, const std::string& file, Mistakes& mistakes) {
  const File shared = std::make_shared<const std::string>(file);
  try {
    return converted(toml::parse(text), shared, true);
  } catch (const toml::parse_error& error) {
    const Place place = place_of(error.source(), shared, true);
    mistakes.add(place, toml_advice(error.description(), line_of(text, place.line), place.column));
    return std::nullopt;
  }
}

std::optional<OptionNode> parse_option(const std::string& key, const std::string& value, Mistakes& mistakes) {
  const File option = std::make_shared<const std::string>("--set " + key + "=" + value);
  int depth = 0;
  try {
    depth = depth_of(toml::parse(key + " = 0"));
  } catch (const toml::parse_error&) {
  }
  if (depth == 0) {
    mistakes.add({option}, "the key is not a dotted path such as time.duration or objects.column.velocity");
    return std::nullopt;
  }
  for (const std::string& text : {value, toml_string(value)}) {
    try {
      const toml::table table = toml::parse(key + " = " + text);
      if (table.size() == 1) return OptionNode{converted(table, option, false), depth};
    } catch (const toml::parse_error&) {
    }
  }
  mistakes.add({option}, "the value is not valid TOML");
  return std::nullopt;
}

}  // namespace fondue
