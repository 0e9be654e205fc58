#include "scene/scene_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/error.h"
#include "scene/suggest.h"
#include "scene/toml_text.h"

namespace fondue {

namespace {

bool starts_with(const std::vector<std::string>& path, const std::vector<std::string>& with) {
  return path.size() >= with.size() && std::equal(with.begin(), with.end(), path.begin());
}

constexpr const char* blanks = " \t";
constexpr const char* blanks_and_breaks = " \t\r\n";

bool bare_key(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }

}  // namespace

/// Walks through valid TOML and notes where everything stands.
class SceneText::Scanner {
 public:
  Scanner(std::string_view text, std::vector<Entry>& entries) : text_(text), entries_(entries) {}

  void document() {
    Words section;
    for (skip_blank(); !done(); skip_blank()) {
      const std::size_t begin = at_;
      if (peek() == '[') {
        section = header(begin);
      } else {
        Words path = section;
        for (const std::string& word : dotted_key()) path.push_back(word);
        expect('=');
        skip_spaces();
        keyed(std::move(path), Form::line, begin, section.size());
      }
    }
  }

  Words dotted_key() {
    Words words;
    do {
      skip_spaces();
      words.push_back(key());
      skip_spaces();
    } while (accept('.'));
    return words;
  }

  /// One value from here on; entries for all that is in it.
  void value(const Words& path) {
    if (done()) lost();
    if (peek() == '"' || peek() == '\'') return string();
    if (accept('[')) return list(path);
    if (accept('{')) return table(path);
    const std::size_t begin = at_;
    while (!done() && std::string_view(",]}#\n\r").find(peek()) == std::string_view::npos) ++at_;
    while (at_ > begin && (text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t')) --at_;
    if (at_ == begin) lost();
  }

  bool done() const { return at_ >= text_.size(); }
  void skip_spaces() {
    while (!done() && (peek() == ' ' || peek() == '\t')) ++at_;
  }

 private:
  char peek() const { return text_[at_]; }
  bool accept(char c) {
    if (done() || peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    skip_spaces();
    if (!accept(c)) lost();
  }
  [[noreturn]] void lost() const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw InputError(fmt::format("line {} is not understood as TOML", line));
  }
  /// Spaces, line breaks and comments.
  void skip_blank() {
    while (!done()) {
      if (peek() == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (std::string_view(" \t\r\n").find(peek()) != std::string_view::npos)
        ++at_;
      else
        return;
    }
  }

  Words header(std::size_t begin) {
    ++at_;
    const bool element = accept('[');
    Words path;
    for (const std::string& word : dotted_key()) {
      path.push_back(word);
      // A list on the way stands for its newest element.
      if (const auto list = elements_.find(path); list != elements_.end())
        pending_ = list->second;
      else
        pending_ = -1;
      if (pending_ >= 0) path.push_back(std::to_string(pending_));
    }
    if (element) {
      if (pending_ >= 0) path.pop_back();
      const int number = ++elements_.try_emplace(path, -1).first->second;
      path.push_back(std::to_string(number));
    }
    expect(']');
    if (element) expect(']');
    entries_.push_back({path, Form::section, begin, begin, at_, 0});
    return path;
  }

  void keyed(Words path, Form form, std::size_t begin, std::size_t prefix) {
    const std::size_t number = entries_.size();
    entries_.push_back({path, form, begin, at_, at_, prefix});
    value(path);
    entries_[number].end = at_;
  }

  void list(Words path) {
    int number = 0;
    for (skip_blank(); !accept(']'); skip_blank()) {
      path.push_back(std::to_string(number++));
      keyed(path, Form::inner, at_, path.size() - 1);
      path.pop_back();
      skip_blank();
      accept(',');
    }
  }

  void table(const Words& path) {
    for (skip_blank(); !accept('}'); skip_blank()) {
      const std::size_t begin = at_;
      Words inside = path;
      for (const std::string& word : dotted_key()) inside.push_back(word);
      expect('=');
      skip_spaces();
      keyed(std::move(inside), Form::inner, begin, path.size());
      skip_blank();
      accept(',');
    }
  }

  std::string key() {
    if (done()) lost();
    const std::size_t begin = at_;
    if (peek() == '"' || peek() == '\'') {
      string();
      return std::string(text_.substr(begin + 1, at_ - begin - 2));
    }
    while (!done() && bare_key(peek())) ++at_;
    if (at_ == begin) lost();
    return std::string(text_.substr(begin, at_ - begin));
  }

  void string() {
    const char quote = peek();
    const std::string three(3, quote);
    const bool long_string = text_.substr(at_, 3) == three;
    at_ += long_string ? 3 : 1;
    for (;; ++at_) {
      if (done()) lost();
      if (peek() == '\\' && quote == '"') {
        ++at_;
      } else if (long_string && text_.substr(at_, 3) == three) {
        at_ += 3;
        while (!done() && peek() == quote) ++at_;
        return;
      } else if (!long_string && peek() == quote) {
        ++at_;
        return;
      } else if (!long_string && peek() == '\n') {
        lost();
      }
    }
  }

  std::string_view text_;
  std::vector<Entry>& entries_;
  std::size_t at_ = 0;
  /// Number of the newest element of every list of sections.
  std::map<Words, int> elements_;
  int pending_ = -1;
};

SceneText::SceneText(std::string text) : text_(std::move(text)) { scan(); }

void SceneText::scan() {
  entries_.clear();
  Scanner(text_, entries_).document();
}

const SceneText::Entry* SceneText::find(const Words& path) const {
  const auto found = std::ranges::find(entries_, path, &Entry::path);
  return found == entries_.end() ? nullptr : &*found;
}

bool SceneText::exists(const Words& path) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) { return starts_with(entry.path, path); });
}

SceneText::Words SceneText::resolved(std::string_view path) const {
  Words words;
  {
    std::vector<Entry> none;
    Scanner scanner(path, none);
    words = scanner.dotted_key();
    if (!scanner.done()) throw InputError(fmt::format("'{}' is not a path such as objects.column.velocity", path));
  }
  for (std::size_t k = 1; k < words.size(); ++k) {
    const Words list(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(k));
    Words first = list;
    first.push_back("0");
    if (!exists(first)) continue;
    std::vector<std::string> known;
    std::string number;
    for (int n = 0;; ++n) {
      Words element = list;
      element.push_back(std::to_string(n));
      if (!exists(element)) break;
      if (element.back() == words[k]) number = words[k];
      element.push_back("name");
      const Entry* name = find(element);
      if (!name) continue;
      const std::string quoted = text_.substr(name->value, name->end - name->value);
      known.push_back(quoted.size() >= 2 ? quoted.substr(1, quoted.size() - 2) : quoted);
      if (known.back() == words[k]) number = std::to_string(n);
    }
    if (number.empty())
      throw InputError(fmt::format("no '{}' in {}{}", words[k], fmt::join(list, "."), suggestion(words[k], known)));
    words[k] = number;
  }
  return words;
}

std::string SceneText::value(std::string_view path) const {
  const Entry* entry = find(resolved(path));
  return entry && entry->form != Form::section ? text_.substr(entry->value, entry->end - entry->value) : "";
}

void SceneText::replace(std::size_t begin, std::size_t end, std::string_view with) {
  std::string changed = text_.substr(0, begin).append(with).append(text_, end);
  std::swap(text_, changed);
  try {
    scan();
  } catch (...) {
    text_ = changed;
    scan();
    throw;
  }
}

std::size_t SceneText::line_begin(std::size_t at) const {
  const std::size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  return before == std::string::npos ? 0 : before + 1;
}

std::size_t SceneText::line_end(std::size_t at) const {
  const std::size_t end = text_.find('\n', at);
  return end == std::string::npos ? text_.size() : end + 1;
}

std::size_t SceneText::end_of_keys(const Entry& section) const {
  std::size_t end = section.end;
  for (auto entry = entries_.begin() + (&section - entries_.data()) + 1; entry != entries_.end(); ++entry) {
    if (entry->form == Form::section) break;
    end = std::max(end, entry->end);
  }
  return line_end(end);
}

std::size_t SceneText::end_of_section(const Entry& section) const {
  std::size_t end = end_of_keys(section);
  for (auto entry = entries_.begin() + (&section - entries_.data()) + 1; entry != entries_.end(); ++entry) {
    if (entry->form != Form::section) continue;
    if (!starts_with(entry->path, section.path)) break;
    end = end_of_keys(*entry);
  }
  return end;
}

void SceneText::set(std::string_view path, std::string_view value) {
  {
    std::vector<Entry> none;
    Scanner scanner(value, none);
    scanner.skip_spaces();
    scanner.value({});
    scanner.skip_spaces();
    if (!scanner.done()) throw InputError(fmt::format("{}: '{}' is not one TOML value", path, value));
  }
  const Words words = resolved(path);
  if (const Entry* entry = find(words); entry && entry->form != Form::section)
    return replace(entry->value, entry->end, value);
  if (exists(words)) throw InputError(fmt::format("{} is a section; set its keys", path));
  // Under the nearest table that is there.
  Words parent = words;
  do parent.pop_back();
  while (!parent.empty() && !exists(parent));
  add_key(parent, Words(words.begin() + static_cast<std::ptrdiff_t>(parent.size()), words.end()), value);
}

void SceneText::add_key(const Words& parent, const Words& key, std::string_view value) {
  // { a = { b = value } } for the tables that are missing below the first `depth` words.
  const auto entry = [&](std::size_t depth) {
    std::string nested(value);
    for (std::size_t k = key.size() - 1; k > depth; --k)
      nested = fmt::format("{{ {} = {} }}", toml_key(key[k]), nested);
    return fmt::format("{} = {}", toml_key(key[depth]), nested);
  };
  const Entry* table = find(parent);
  if (table && table->form != Form::section) {
    if (text_[table->value] != '{')
      throw InputError(fmt::format("{} is a single value and has no keys", fmt::join(parent, ".")));
    const std::size_t brace = table->end - 1, last = text_.find_last_not_of(" \t\r\n", brace - 1);
    return replace(last + 1, brace, fmt::format("{} {} ", last == table->value ? "" : ",", entry(0)));
  }
  if (table) {
    const std::size_t end = end_of_keys(*table);
    const bool open = end == text_.size() && !text_.ends_with('\n');
    return replace(end, end, fmt::format("{}{}\n", open ? "\n" : "", entry(0)));
  }
  // A table that only dotted keys make: another one after the last of them.
  const Entry* last = nullptr;
  for (const Entry& one : entries_)
    if (one.form == Form::line && one.prefix < parent.size() && starts_with(one.path, parent)) last = &one;
  if (last) {
    std::string prefix;
    for (std::size_t k = last->prefix; k != parent.size(); ++k) prefix += toml_key(parent[k]) + ".";
    const std::size_t end = line_end(last->end);
    return replace(end, end, fmt::format("{}{}\n", prefix, entry(0)));
  }
  // A new section at the end.
  if (parent.empty() && key.size() == 1) throw InputError(fmt::format("'{}' is a key outside of any section", key[0]));
  const std::size_t depth = key.size() == 1 ? 0 : 1;
  std::vector<std::string> header;
  for (const std::string& word : parent) header.push_back(toml_key(word));
  if (depth == 1) header.push_back(toml_key(key[0]));
  const char* gap = text_.empty() || text_.ends_with("\n\n") ? "" : text_.ends_with('\n') ? "\n" : "\n\n";
  replace(text_.size(), text_.size(), fmt::format("{}[{}]\n{}\n", gap, fmt::join(header, "."), entry(depth)));
}

void SceneText::remove(std::string_view path) {
  const Words words = resolved(path);
  const Entry* entry = find(words);
  if (!entry && exists(words)) {
    // Only dotted keys or sections below it: all of them, one after the other.
    while (exists(words)) {
      const auto below = std::ranges::find_if(entries_, [&](const Entry& one) { return starts_with(one.path, words); });
      if (below->form == Form::section)
        replace(line_begin(below->begin), end_of_section(*below), "");
      else
        replace(line_begin(below->begin), line_end(below->end), "");
    }
    return;
  }
  if (!entry) throw InputError(fmt::format("there is no {} in the scene", path));
  if (entry->form == Form::section) {
    std::size_t end = end_of_section(*entry);
    while (end < text_.size() && text_[end] == '\n') ++end;
    return replace(line_begin(entry->begin), end, "");
  }
  if (entry->form == Form::line) return replace(line_begin(entry->begin), line_end(entry->end), "");
  // With one comma, the one behind it if there is one.
  std::size_t begin = entry->begin, end = entry->end;
  const std::size_t after = text_.find_first_not_of(blanks_and_breaks, end);
  if (text_[after] == ',') {
    end = text_.find_first_not_of(blanks, after + 1);
    // An element that has its line for itself goes with it.
    if (indentation(*entry) && (text_[end] == '\n' || text_[end] == '\r' || text_[end] == '#')) {
      begin = line_begin(begin);
      end = line_end(end);
    }
  } else {
    const std::size_t before = text_.find_last_not_of(blanks_and_breaks, begin - 1);
    if (text_[before] == ',') begin = before;
  }
  replace(begin, end, "");
}

std::optional<std::string> SceneText::indentation(const Entry& entry) const {
  const std::size_t begin = line_begin(entry.begin);
  const std::string before = text_.substr(begin, entry.begin - begin);
  if (before.find_first_not_of(blanks) != before.npos) return std::nullopt;
  return before;
}

void SceneText::insert_element(const Entry& before, std::string_view value) {
  const auto indent = indentation(before);
  replace(before.begin, before.begin, indent ? fmt::format("{},\n{}", value, *indent) : fmt::format("{}, ", value));
}

void SceneText::append_element(const Entry& list, std::string_view value) {
  Words path = list.path;
  path.push_back("0");
  const Entry* last = nullptr;
  for (int n = 0; const Entry* one = find(path); path.back() = std::to_string(++n)) last = one;
  if (!last) return replace(list.value, list.end, fmt::format("[{}]", value));
  const auto indent = indentation(*last);
  const std::size_t end = last->end, break_ = line_end(end);
  if (!indent || break_ >= list.end) return replace(end, end, fmt::format(", {}", value));
  // On a line of its own, behind the comment of the one before it.
  const bool comma = text_[text_.find_first_not_of(blanks_and_breaks, end)] == ',';
  const std::string line = fmt::format("{}{}{}\n", *indent, value, comma ? "," : "");
  replace(end, break_, fmt::format("{}{}{}", comma ? "" : ",", text_.substr(end, break_ - end), line));
}

void SceneText::add(std::string_view list, std::string_view value) {
  std::vector<Entry> inside;
  Scanner scanner(value, inside);
  scanner.skip_spaces();
  scanner.value({});
  scanner.skip_spaces();
  if (const Entry* entry = find(resolved(list)); entry && entry->form != Form::section && scanner.done()) {
    if (text_[entry->value] == '[') return append_element(*entry, value);
    // Elements of lists have no key.
    if (entry->form == Form::inner && entry->begin == entry->value) return insert_element(*entry, value);
    throw InputError(fmt::format("{} is not a list", list));
  }
  if (!scanner.done() || value.find('{') == value.npos || inside.empty())
    throw InputError(fmt::format("{}: needs a table such as {{ name = \"floor\" }}", list));
  // The keys of the table, one a line.
  std::string block = fmt::format("[[{}]]\n", list);
  for (const Entry& one : inside) {
    if (one.prefix != 0) continue;
    block += fmt::format("{} = {}\n", fmt::join(one.path, "."), value.substr(one.value, one.end - one.value));
  }
  const Entry* last = nullptr;
  for (const Entry& one : entries_)
    if (one.form == Form::section && one.path.size() == 2 && one.path[0] == list) last = &one;
  const std::size_t end = last ? end_of_section(*last) : text_.size();
  const bool open = end == text_.size() && !text_.empty() && !text_.ends_with('\n');
  replace(end, end, fmt::format("{}\n{}", open ? "\n" : "", block));
}

}  // namespace fondue
