#pragma once
// The text of a scene file, edited in place as a person would: a changed value is replaced where it stands, a new key
// goes where its section ends, and everything else, comments and layout included, stays as it was written.
//
//   SceneText text("[scene]\nspacing = 0.02   # coarse\n");
//   text.set("scene.spacing", "0.01");          // spacing = 0.01   # coarse
//
// Paths are those of --set: tables by key, lists by name or by number.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fondue {

class SceneText {
 public:
  /// The text must be valid TOML (parse_scene tells); InputError if its structure cannot be followed.
  explicit SceneText(std::string text);

  const std::string& text() const { return text_; }
  /// The TOML value at a path as it is written; empty if it is absent or a section of its own.
  std::string value(std::string_view path) const;

  /// Replaces the value or adds the key; tables between that are missing are made. InputError if a list has no such
  /// element, or the value is not one TOML value.
  void set(std::string_view path, std::string_view value);
  /// Removes a key, or a whole section or element of a list, with the comments behind it. InputError if it is absent.
  void remove(std::string_view path);
  /// Adds an element: to a list of sections such as "colliders" a TOML table in one line, { name = "floor", ... }; to a
  /// list in brackets such as "objects.block.materials" any value. "objects.block.materials.1": before that element.
  void add(std::string_view list, std::string_view value);

 private:
  using Words = std::vector<std::string>;
  enum class Form {
    /// [header] or [[header]].
    section,
    /// key = value on lines of its own.
    line,
    /// In { } or [ ].
    inner
  };
  struct Entry {
    Words path;
    Form form;
    /// Where the header, the key, or the element of a list begins; where its value does; where it ends.
    std::size_t begin, value, end;
    /// Number of words of the path that stand before the key as written (in the header, or around the braces).
    std::size_t prefix;
  };
  class Scanner;

  void scan();
  /// The words of a path, names of elements replaced by their numbers as far as they exist.
  Words resolved(std::string_view path) const;
  const Entry* find(const Words& path) const;
  /// Whether anything stands at or below a path.
  bool exists(const Words& path) const;
  void replace(std::size_t begin, std::size_t end, std::string_view with);
  void add_key(const Words& parent, const Words& key, std::string_view value);
  void append_element(const Entry& list, std::string_view value);
  void insert_element(const Entry& before, std::string_view value);
  /// The blanks before an entry if nothing else stands before it in its line.
  std::optional<std::string> indentation(const Entry& entry) const;
  /// End of the last line of keys that a section has of its own.
  std::size_t end_of_keys(const Entry& section) const;
  /// End of everything that belongs to a section, sections below it included.
  std::size_t end_of_section(const Entry& section) const;
  std::size_t line_begin(std::size_t at) const;
  std::size_t line_end(std::size_t at) const;

  std::string text_;
  std::vector<Entry> entries_;
};

}  // namespace fondue
