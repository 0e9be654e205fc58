#pragma once
// TOML text to the tree of nodes; the only file that knows the TOML library.

#include <optional>
#include <string>
#include <string_view>

#include "scene/mistakes.h"
#include "scene/node.h"

namespace fondue {

/// The whole file as a table; a mistake and nothing if it is no TOML.
std::optional<Node> parse_toml(std::string_view text, const std::string& file, Mistakes& mistakes);

/// One "key = value" of the command line: the tables its dotted key stands for, each with one entry, down to the value.
struct OptionNode {
  Node root;
  /// Number of words in the dotted key.
  int depth = 0;
};
/// A value that is no TOML is taken as a string, so that names need no quotes within quotes.
std::optional<OptionNode> parse_option(const std::string& key, const std::string& value, Mistakes& mistakes);

}  // namespace fondue
