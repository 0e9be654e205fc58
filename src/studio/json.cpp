#include "studio/json.h"

#include "behaviours/behaviour.h"
#include "behaviours/registry.h"
#include "scene/reading.h"
#include "scene/sections.h"
#include "scene/shape_types.h"
#include "scene/toml_file.h"
#include "scene/tracks.h"

namespace fondue {

using nlohmann::json;

namespace {

json tree(const Node& node) {
  if (const Node::Table* table = node.table()) {
    json result = json::object();
    for (const Entry& entry : *table) result[entry.key] = tree(entry.node);
    return result;
  }
  if (const Node::List* list = node.list()) {
    json result = json::array();
    for (const Node& one : *list) result.push_back(tree(one));
    return result;
  }
  if (const auto* truth = std::get_if<bool>(&node.value)) return *truth;
  if (const auto* whole = std::get_if<std::int64_t>(&node.value)) return *whole;
  if (const auto* real = std::get_if<double>(&node.value)) return *real;
  if (const std::string* text = node.text()) return *text;
  return nullptr;
}

json declaration(const Parameter& p) {
  constexpr const char* kinds[] = {"number", "vector", "integer", "boolean", "choice", "text"};
  constexpr const char* drivers[] = {"none", "time", "attribute", "place"};
  json result = {{"name", p.name},
                 {"kind", kinds[static_cast<int>(p.kind)]},
                 {"unit", std::string(p.unit) == "1" ? "" : p.unit},
                 {"keys", drivers[static_cast<int>(p.keys)]},
                 {"required", p.required},
                 {"range", range_text(p)},
                 {"help", p.help}};
  if (p.least > -1e300) result["least"] = p.least;
  if (p.most < 1e300) result["most"] = p.most;
  for (const std::string_view choice : p.choices) result["choices"].push_back(choice);
  if (!has_default(p)) return result;
  switch (p.kind) {
    case Parameter::Kind::vector:
      result["default"] = {p.initial_vector[0], p.initial_vector[1], p.initial_vector[2]};
      break;
    case Parameter::Kind::text:
      result["default"] = p.initial_text;
      break;
    case Parameter::Kind::boolean:
      result["default"] = p.initial != 0;
      break;
    case Parameter::Kind::choice:
      result["default"] = p.choices[static_cast<std::size_t>(p.initial)];
      break;
    default:
      result["default"] = p.initial;
  }
  return result;
}

json declared(std::span<const Parameter* const> parameters) {
  json result = json::array();
  for (const Parameter* p : parameters) result.push_back(declaration(*p));
  return result;
}

json declared(std::span<const Part> parts) {
  json result = json::array();
  for (const Part& part : parts)
    result.push_back({{"name", part.name}, {"form", part.form}, {"required", part.required}, {"help", part.help}});
  return result;
}

}  // namespace

json toml_as_json(std::string_view text) {
  Mistakes mistakes;
  const std::optional<Node> root = parse_toml(text, "", mistakes);
  return root ? tree(*root) : json();
}

json declarations() {
  json sections_ = json::array(), behaviours = json::array(), shapes = json::array();
  for (const Section* section : sections::all()) {
    std::string_view name = section->header;
    const bool list = name.starts_with("[[");
    while (name.starts_with('[')) name.remove_prefix(1);
    name = name.substr(0, name.find_first_of(".]"));
    sections_.push_back({{"name", name},
                         {"list", list},
                         {"named", std::string_view(section->header).find(".NAME") != std::string_view::npos},
                         {"help", section->help},
                         {"parameters", declared(section->parameters)},
                         {"parts", declared(section->parts)},
                         {"behaviours", section->behaviours}});
  }
  for (const RegisteredBehaviour& registered : behaviour_registry()) {
    json parameters = declared(registered.info->parameters);
    parameters.insert(parameters.begin(), declaration(keys::weight));
    behaviours.push_back(
        {{"name", registered.info->name}, {"help", registered.info->help}, {"parameters", std::move(parameters)}});
  }
  for (const ShapeType& type : shape_types())
    shapes.push_back({{"name", type.name},
                      {"help", type.help},
                      {"parameters", declared(type.parameters)},
                      {"parts", declared(type.parts)}});
  json interpolations = json::array();
  for (const char* name : interpolation_names) interpolations.push_back(name);
  return {{"sections", std::move(sections_)},
          {"behaviours", std::move(behaviours)},
          {"shapes", std::move(shapes)},
          {"placement", declared(keys::shape::placement)},
          {"interpolations", std::move(interpolations)},
          {"columns", shown_columns(known_columns())}};
}

}  // namespace fondue
