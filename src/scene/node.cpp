#include "scene/node.h"

#include <utility>

namespace fondue {

const Node* Node::find(std::string_view key) const {
  if (const Table* entries = table())
    for (const Entry& entry : *entries)
      if (entry.key == key) return &entry.node;
  return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

const char* Node::kind() const {
  static constexpr const char* names[] = {"a boolean", "a number", "a number", "a string",
                                          "a date",    "a list",   "a table"};
  return names[value.index()];
}

}  // namespace fondue
