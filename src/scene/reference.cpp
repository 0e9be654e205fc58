// Generates the reference of scene files from the declarations.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "behaviours/behaviour.h"
#include "scene/material_list.h"
#include "scene/scene.h"
#include "scene/sections.h"
#include "scene/shape_types.h"
#include "scene/toml_text.h"
#include "scene/tracks.h"

namespace fondue {

namespace {

/// One key of the reference.
struct Line {
  std::string key, takes, unit, initial, driven_by, help;
};

std::string takes(const Parameter& p) {
  const std::string range = range_text({.unit = "1", .least = p.least, .most = p.most});
  const std::string limits = range.empty() ? "" : ", " + range;
  switch (p.kind) {
    case Parameter::Kind::number:
      return "number" + limits;
    case Parameter::Kind::vector:
      return "vector" + limits;
    case Parameter::Kind::integer:
      return "whole number" + limits;
    case Parameter::Kind::boolean:
      return "true or false";
    case Parameter::Kind::choice:
      return fmt::format("{}", fmt::join(p.choices, ", "));
    case Parameter::Kind::text:
      return "text";
  }
  return "";
}

Line line_of(const Parameter& p) {
  constexpr const char* drivers[] = {"", "time", "time, attribute", "position (x, y, z)"};
  std::string initial = p.required ? "required" : "";
  if (has_default(p)) {
    const Parameter* const one[] = {&p};
    initial = toml_value(p, with_defaults(one, {}, false));
  }
  return {p.name, takes(p), std::string(p.unit) == "1" ? "" : p.unit, initial, drivers[static_cast<int>(p.keys)],
          p.help};
}

Line line_of(const Part& part) { return {part.name, part.form, "", part.required ? "required" : "", "", part.help}; }

std::vector<Line> lines_of(std::span<const Parameter* const> parameters, std::span<const Part> parts = {}) {
  std::vector<Line> lines;
  for (const Parameter* parameter : parameters) lines.push_back(line_of(*parameter));
  for (const Part& part : parts) lines.push_back(line_of(part));
  return lines;
}

std::string plain(const Line& line) {
  std::vector<std::string> facts = {line.takes};
  if (!line.unit.empty()) facts.push_back("in " + line.unit);
  if (!line.initial.empty()) facts.push_back(line.initial == "required" ? line.initial : "default " + line.initial);
  if (!line.driven_by.empty()) facts.push_back("driven by " + line.driven_by);
  return fmt::format("{}{}({})", line.help, line.help.empty() ? "" : " ", fmt::join(facts, "; "));
}

std::string markdown(const Line& l) {
  const bool code = !l.initial.empty() && l.initial != "required";
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", l.key, l.takes, l.unit,
                     code ? fmt::format("`{}`", l.initial) : l.initial, l.driven_by, l.help);
}

/// The same reference as plain text or as Markdown.
class Page {
 public:
  explicit Page(ReferenceFormat format) : markdown_(format == ReferenceFormat::markdown) {}

  void title(const std::string& text) {
    out_ +=
        markdown_ ? fmt::format("{}# {}\n", gap(), text) : fmt::format("{}{}\n{:=<{}}\n", gap(), text, "", text.size());
  }
  void heading(const std::string& text) {
    out_ += markdown_ ? fmt::format("\n## `{}`\n", text) : fmt::format("\n{}\n", text);
  }
  void paragraph(const std::string& text) {
    out_ += markdown_ ? fmt::format("\n{}\n", text) : fmt::format("  {}\n", text);
  }
  void example(const std::string& text) {
    out_ += markdown_ ? fmt::format("\n```toml\n{}\n```\n", text) : fmt::format("    {}\n", text);
  }
  void table(const std::vector<Line>& lines) {
    if (lines.empty()) return;
    if (markdown_) {
      out_ += "\n| key | takes | unit | default | driven by | |\n| --- | --- | --- | --- | --- | --- |\n";
      for (const Line& l : lines) out_ += markdown(l);
      return;
    }
    std::size_t width = 0;
    for (const Line& l : lines) width = std::max(width, l.key.size());
    for (const Line& l : lines) out_ += fmt::format("    {:<{}}  {}\n", l.key, width, plain(l));
  }
  std::string text() && { return std::move(out_); }

 private:
  const char* gap() const { return out_.empty() ? "" : "\n"; }
  bool markdown_;
  std::string out_;
};

void add_sections(Page& page) {
  page.title("Sections of a scene file");
  page.paragraph(
      "Plain numbers are in SI units; a text with a unit (\"8 cm\") is converted. In two dimensions vectors may have "
      "two components, and up is y.");
  page.paragraph(
      "Parameters driven by time can be curves over time; those driven by an attribute can also run over any column of "
      "the particles:");
  page.example("speed = { time = [0, 2], value = [1, 3], interpolation = \"smooth\" }");
  page.example("dynamic_viscosity = { over = \"temperature\", at = [300, 340], value = [100, 0.1] }");
  page.paragraph(fmt::format("Interpolation is one of {}.", fmt::join(interpolation_names, ", ")));
  page.paragraph(
      "Curves over time can be keyed in frames (`frame` in place of `time`), and start again after their last key "
      "(`repeat = true`). A time can be written in frames, as \"12 frames\".");
  for (const Section* section : sections::all()) {
    page.heading(section->header);
    page.paragraph(section->help);
    page.table(lines_of(section->parameters, section->parts));
    if (section->behaviours) page.paragraph("Every behaviour is also a key of this section.");
    if (section == &sections::objects()) {
      page.paragraph("An element of its list of materials has these keys:");
      page.table(lines_of(keys::listed_material::all));
    }
  }
}

void add_shapes(Page& page) {
  page.title("Shapes");
  page.paragraph("A shape is a table with its type:");
  page.example("shape = { type = \"sphere\", centre = [0, 0, 1], radius = 0.5 }");
  page.paragraph("Every shape can be placed:");
  page.table(lines_of(keys::shape::placement));
  for (const ShapeType& type : shape_types()) {
    page.heading(type.name);
    page.paragraph(type.help);
    page.table(lines_of(type.parameters, type.parts));
  }
}

void add_behaviours(Page& page) {
  page.title("Behaviours");
  page.paragraph("Keys of materials and objects; several tables of one behaviour cross-fade by their weights.");
  const Parameter* const weight[] = {&keys::weight};
  page.table(lines_of(weight));
  for (const RegisteredBehaviour& registered : behaviour_registry()) {
    page.heading(registered.info->name);
    page.paragraph(registered.info->help);
    page.paragraph(fmt::format("Source: {}.", registered.info->source));
    page.table(lines_of(registered.info->parameters));
  }
}

}  // namespace

std::string reference(ReferenceFormat format) {
  Page page(format);
  add_sections(page);
  add_shapes(page);
  add_behaviours(page);
  return std::move(page).text();
}

}  // namespace fondue
