#include "scene/shape_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "scene/shape_types.h"
#include "scene/suggest.h"
#include "scene/table_reader.h"
#include "scene/toml_text.h"
#include "scene/units.h"
#include "shapes/combine.h"

namespace fondue {

namespace {

namespace k = keys::shape;

const ShapeType* type_of(const Node& node, const std::string& where, Reading& reading) {
  const Node* type = node.find(k::type.name);
  if (!node.table() || !type || !type->text()) {
    reading.mistakes.add(type ? type->place : node.place,
                         fmt::format("{} needs a shape, a table with a type such as {{ type = \"box\", ... }}", where));
    return nullptr;
  }
  std::vector<std::string> known;
  for (const ShapeType& candidate : shape_types()) {
    if (*type->text() == candidate.name) return &candidate;
    known.push_back(candidate.name);
  }
  reading.mistakes.add(
      type->place, fmt::format("unknown shape '{}' in {}{}", *type->text(), where, suggestion(*type->text(), known)));
  return nullptr;
}

/// One row of heights; false if one of them is not a finite number.
bool read_row(const Node& node, std::vector<float>& row) {
  if (!node.list()) return false;
  for (const Node& element : *node.list()) {
    double height = NAN;
    if (const auto* real = std::get_if<double>(&element.value)) height = *real;
    if (const auto* integer = std::get_if<std::int64_t>(&element.value)) height = static_cast<double>(*integer);
    if (const auto quantity = element.text() ? quantity_of(*element.text()) : std::nullopt)
      if (const Conversion conversion = converted(*quantity, "m", 3); conversion.wrong.empty())
        height = conversion.number;
    if (!std::isfinite(static_cast<float>(height))) return false;
    row.push_back(static_cast<float>(height));
  }
  return true;
}

/// A grid, or in two dimensions a single row that is extruded.
bool read_heights(const Node& node, int dimension, Heights& heights) {
  if (!node.list()) return false;
  if (dimension == 2) {
    if (!read_row(node, heights.values)) return false;
    heights.columns = static_cast<int>(heights.values.size());
    heights.rows = 2;
    heights.values.insert(heights.values.end(), heights.values.begin(), heights.values.begin() + heights.columns);
    return true;
  }
  for (const Node& row : *node.list())
    if (!read_row(row, heights.values)) return false;
  heights.rows = static_cast<int>(node.list()->size());
  heights.columns = heights.rows ? static_cast<int>(heights.values.size()) / heights.rows : 0;
  for (const Node& row : *node.list())
    if (static_cast<int>(row.list()->size()) != heights.columns) return false;
  return true;
}

std::string heights_text(const Heights& heights, int dimension) {
  std::vector<std::string> rows;
  for (int r = 0; r != (dimension == 2 ? 1 : heights.rows); ++r) {
    const auto begin = heights.values.begin() + static_cast<std::ptrdiff_t>(r) * heights.columns;
    rows.push_back(fmt::format("[{}]", fmt::join(begin, begin + heights.columns, ", ")));
  }
  return dimension == 2 ? rows[0] : fmt::format("[{}]", fmt::join(rows, ", "));
}

/// The parts of a combined shape, and their TOML.
bool read_of(const Node& node, const std::string& where, Reading& reading, std::vector<ShapePtr>& of,
             std::string& text) {
  if (!node.list() || node.list()->empty()) {
    reading.mistakes.add(node.place, fmt::format("'of' in {} needs a list of shapes", where));
    return false;
  }
  std::vector<std::string> texts;
  for (const Node& part : *node.list()) {
    const auto shape = read_shape(part, fmt::format("{} > of {}", where, &part - node.list()->data() + 1), reading);
    if (!shape) continue;
    of.push_back(shape->shape);
    texts.push_back(shape->toml);
  }
  text = fmt::format("[{}]", fmt::join(texts, ", "));
  return of.size() == node.list()->size();
}

void make_absolute(const Parameter& file, Values& values, const Reading& reading) {
  if (values.given(file))
    values.set(file, std::filesystem::absolute(reading.folder / values.text(file)).lexically_normal().string());
}

ShapePtr placed(ShapePtr shape, const Values& values) {
  const Vec3 turn = values.vector(k::rotate).at(0);
  Placement placement{
      .translation = values.vector(k::translate).at(0), .degrees = turn.norm(), .scale = values.constant(k::scale)};
  if (placement.degrees > 0) placement.axis = turn.normalized();
  const bool moved = placement.degrees > 0 || placement.scale != 1 || !placement.translation.isZero(0);
  return moved ? make_transformed(std::move(shape), placement) : shape;
}

}  // namespace

std::optional<ReadShape> read_shape(const Node& node, const std::string& where, Reading& reading) {
  const ShapeType* type = type_of(node, where, reading);
  if (!type) return std::nullopt;
  const std::size_t before = reading.mistakes.count();

  TableReader table(node, where, false, reading);
  table.key(k::type.name);
  ShapeArguments arguments{table.values(type->parameters), {}, {}, reading.dimension};
  const Values placement = table.values(k::placement);
  for (const Parameter* file : k::files) make_absolute(*file, arguments.values, reading);
  std::vector<std::string> entries = toml_entries(type->parameters, arguments.values);
  std::optional<ReadShape> stand_in;
  for (const Part& part : type->parts) {
    const Node* given = table.part(part);
    if (!given) continue;
    if (part.name == std::string_view(k::otherwise.name)) {
      stand_in = read_shape(*given, fmt::format("{} > {}", where, part.name), reading);
    } else if (part.name == std::string_view(k::of.name)) {
      std::string of;
      if (read_of(*given, where, reading, arguments.of, of)) entries.push_back("of = " + of);
    } else if (read_heights(*given, reading.dimension, arguments.heights)) {
      entries.push_back("heights = " + heights_text(arguments.heights, reading.dimension));
    } else {
      table.wrong(part.name, reading.dimension == 2 ? "needs a list of finite numbers"
                                                    : "needs rows of finite numbers, all of one length");
    }
  }
  table.finish();
  if (reading.mistakes.count() != before) return std::nullopt;
  if (stand_in && !std::filesystem::exists(arguments.values.text(k::mesh_file))) {
    reading.note(node.place, fmt::format("{}: there is no file {}; the shape given as 'otherwise' is used instead",
                                         where, arguments.values.text(k::mesh_file)));
    return stand_in;
  }

  for (const std::string& entry : toml_entries(k::placement, placement)) entries.push_back(entry);
  try {
    return ReadShape{placed(type->make(arguments), placement),
                     fmt::format("{{ type = \"{}\", {} }}", type->name, fmt::join(entries, ", "))};
  } catch (const InputError& error) {
    reading.mistakes.add(node.place, fmt::format("{}: {}", where, error.what()));
    return std::nullopt;
  }
}

}  // namespace fondue
