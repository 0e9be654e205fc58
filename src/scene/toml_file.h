#pragma once
// Parses TOML text to a tree of nodes; the only file that uses the TOML library.

#include <optional>
#include <string>
#include <string_view>

#include "scene/mistakes.h"
#include "scene/node.h"

namespace fondue {

/// The whole file as a table; nothing, and a mistake, if it is not valid TOML.
std::optional<Node> parse_toml(std::string_view text, const std::string& file, Mistakes& mistakes);

/// One "key = value" of the command line: nested tables for its dotted key, each with one entry, down to the value.
struct OptionNode {
  Node root;
  /// Number of words in the dotted key.
  int depth = 0;
};
/// A value that is not valid TOML is taken as a string, so that names need no nested quotes.
std::optional<OptionNode> parse_option(const std::string& key, const std::string& value, Mistakes& mistakes);

}  // namespace fondue
