#include "cache/index.h"

#include <fmt/format.h>

#include <utility>

#include "cache/frame.h"
#include "cache/output_file.h"

namespace fondue {

namespace {

std::string escaped(const std::string& text) {
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

/// Where the numbers of a column are and what they are like.
std::string data_item(const FrameOutline::Column& column, Index particles, const std::string& file) {
  return fmt::format(
      "<DataItem Dimensions=\"{}{}\" NumberType=\"{}\" Precision=\"4\" Format=\"HDF\">{}:/particles/{}</DataItem>",
      particles, column.type == ColumnView::Type::vector ? " 3" : "",
      column.type == ColumnView::Type::integer ? "UInt" : "Float", escaped(file), escaped(column.name));
}

std::string grid(const FrameOutline& frame, const std::string& name, const std::string& file) {
  std::string text = fmt::format(
      "      <Grid Name=\"{}\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{}\"/>\n"
      "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\"/>\n",
      escaped(name), frame.header.time, frame.particles);
  for (const FrameOutline::Column& column : frame.columns) {
    const std::string data = data_item(column, frame.particles, file);
    if (column.name == columns::position.name) {
      text += fmt::format("        <Geometry GeometryType=\"XYZ\">{}</Geometry>\n", data);
    } else {
      text += fmt::format("        <Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>\n",
                          escaped(column.name), column.type == ColumnView::Type::vector ? "Vector" : "Scalar", data);
    }
  }
  return text + "      </Grid>\n";
}

}  // namespace

FrameIndex::FrameIndex(std::filesystem::path path, const std::string& scene) : path_(std::move(path)), scene_(scene) {}

void FrameIndex::add(const std::filesystem::path& frame) {
  const std::filesystem::path file = frame.lexically_relative(path_.parent_path());
  grids_ += grid(read_frame_outline(frame), frame.stem().string(), file.generic_string());
}

void FrameIndex::write() const {
  write_text_atomically(path_,
                        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                    "<Xdmf Version=\"3.0\">\n"
                                    "  <Domain>\n"
                                    "    <Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n"
                                    "{}"
                                    "    </Grid>\n"
                                    "  </Domain>\n"
                                    "</Xdmf>\n",
                                    escaped(scene_), grids_));
}

}  // namespace fondue
