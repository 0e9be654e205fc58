#pragma once
// The tree of a scene file as it was written, with the place of every key and value. The only view of TOML the other
// readers have.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fondue {

/// Where something was written; line 0 when the "file" is an option of the command line.
struct Place {
  std::shared_ptr<const std::string> file;
  int line = 0, column = 0;
};

struct Node;
struct Entry;

/// What no key of a scene takes: dates and times.
struct Date {};

struct Node {
  using List = std::vector<Node>;
  /// In the order they were written.
  using Table = std::vector<Entry>;

  Place place;
  std::variant<bool, std::int64_t, double, std::string, Date, List, Table> value;

  const Table* table() const { return std::get_if<Table>(&value); }
  const List* list() const { return std::get_if<List>(&value); }
  const std::string* text() const { return std::get_if<std::string>(&value); }
  /// The entry of a table; null if this is no table or has no such key.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  /// "a number", "a table", ... for messages.
  const char* kind() const;
};

struct Entry {
  std::string key;
  Place place;
  Node node;
};

}  // namespace fondue
