#include "scene/overrides.h"

#include <fmt/format.h>

#include <charconv>

#include "scene/suggest.h"
#include "scene/toml_file.h"

namespace fondue {

namespace {

Node* element(Node::List& list, const std::string& key, std::vector<std::string>& known) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error == std::errc() && end == key.data() + key.size()) return index < list.size() ? &list[index] : nullptr;
  for (Node& node : list)
    if (const Node* name = node.find("name"); name && name->text()) {
      if (*name->text() == key) return &node;
      known.push_back(*name->text());
    }
  return nullptr;
}

/// Sets the value that is `depth` words below an option's table in the target.
void put(Node& target, Node& option, int depth, const std::string& parent, Mistakes& mistakes) {
  Entry& word = std::get<Node::Table>(option.value).front();
  Node* next = target.find(word.key);
  if (Node::List* list = std::get_if<Node::List>(&target.value)) {
    std::vector<std::string> known;
    next = element(*list, word.key, known);
    if (!next) {
      const std::string which = known.empty() ? fmt::format("; it has {}", list->size()) : suggestion(word.key, known);
      mistakes.add(word.place, fmt::format("no '{}' in {}{}", word.key, parent, which));
      return;
    }
  }
  if (!next && depth > 1 && parent == "materials") {
    std::vector<std::string> known;
    for (const Entry& entry : *target.table()) known.push_back(entry.key);
    mistakes.add(word.place, fmt::format("no material '{}' in the scene{}", word.key, suggestion(word.key, known)));
  } else if (!next) {
    std::get<Node::Table>(target.value).push_back(std::move(word));
  } else if (depth == 1 || !(next->table() || next->list())) {
    *next = std::move(word.node);
  } else {
    put(*next, word.node, depth - 1, word.key, mistakes);
  }
}

}  // namespace

void apply_overrides(Node& scene, const std::vector<Override>& overrides, Mistakes& mistakes) {
  for (const auto& [key, value] : overrides)
    if (std::optional<OptionNode> option = parse_option(key, value, mistakes))
      put(scene, option->root, option->depth, "the scene", mistakes);
}

}  // namespace fondue
