#pragma once
// The syntax tree of a scene file, with the position of every key and value. Readers use it instead of the TOML
// library.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fondue {

/// Position in a file; line 0 if the "file" is an option of the command line.
struct Place {
  std::shared_ptr<const std::string> file;
  int line = 0, column = 0;
};

struct Node;
struct Entry;

/// Dates and times, which no key of a scene accepts.
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
  /// The value of a key of a table; null if this is not a table or has no such key.
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
