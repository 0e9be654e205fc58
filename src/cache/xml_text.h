#pragma once
// Escaping of text in XML.

#include <string>
#include <string_view>

namespace fondue {

/// The text escaped for use between tags or in attributes.
inline std::string xml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace fondue
