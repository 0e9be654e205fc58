#include "scene/table_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/keyable_reader.h"
#include "scene/suggest.h"

namespace fondue {

TableReader::TableReader(const Node& table, std::string where, bool plane, Reading& reading)
    : table_(table), where_(std::move(where)), plane_(plane), reading_(reading) {
  if (!table.table()) reading.mistakes.add(table.place, fmt::format("{} needs a table, got {}", where_, table.kind()));
}

Values TableReader::given(std::span<const Parameter* const> parameters) {
  Values values;
  for (const Parameter* parameter : parameters)
    if (const Node* node = key(parameter->name)) read_value(*node, *parameter, where_, plane_, values, reading_);
  return values;
}

Values TableReader::values(std::span<const Parameter* const> parameters) {
  for (const Parameter* parameter : parameters)
    if (parameter->required && !table_.find(parameter->name)) missing(parameter->name);
  return with_defaults(parameters, given(parameters), plane_);
}

const Node* TableReader::part(const Part& part) {
  const Node* node = key(part.name);
  if (part.required && !node) missing(part.name);
  return node;
}

const Node* TableReader::key(const char* name) {
  known_.push_back(name);
  return table_.find(name);
}

void TableReader::finish() {
  if (!table_.table()) return;
  for (const Entry& entry : *table_.table())
    if (std::find(known_.begin(), known_.end(), entry.key) == known_.end())
      reading_.mistakes.add(entry.place,
                            fmt::format("unknown key '{}' in {}{}", entry.key, where_, suggestion(entry.key, known_)));
}

std::vector<std::string> TableReader::names(const Part& declared, std::span<const std::string> known) {
  std::vector<std::string> names;
  const Node* node = part(declared);
  if (!node) return names;
  if (!node->list()) {
    wrong(declared.name, fmt::format("needs {}, got {}", declared.form, node->kind()));
    return names;
  }
  for (const Node& element : *node->list()) {
    const std::string* name = element.text();
    if (!name)
      reading_.mistakes.add(element.place, fmt::format("'{}' in {} needs {}, got {} in it", declared.name, where_,
                                                       declared.form, element.kind()));
    else if (std::find(known.begin(), known.end(), *name) == known.end())
      reading_.mistakes.add(element.place, fmt::format("'{}' in {} has an unknown '{}'{}", declared.name, where_, *name,
                                                       suggestion(*name, known)));
    else
      names.push_back(*name);
  }
  return names;
}

void TableReader::wrong(const char* name, const std::string& what) {
  const Node* node = table_.find(name);
  reading_.mistakes.add(node ? node->place : table_.place, fmt::format("'{}' in {} {}", name, where_, what));
}

void TableReader::missing(const char* name) {
  if (table_.table()) reading_.mistakes.add(table_.place, fmt::format("{} needs '{}'", where_, name));
}

}  // namespace fondue
