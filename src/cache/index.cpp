#include "cache/index.h"

#include <fmt/format.h>

#include <utility>

#include "cache/frame.h"
#include "cache/output_file.h"
#include "cache/xml_text.h"

namespace fondue {

namespace {

/// Where the numbers of an array are and what they are like.
std::string data_item(const std::string& place, Index rows, Scalar scalar, int components) {
  return fmt::format("<DataItem Dimensions=\"{}{}\" NumberType=\"{}\" Precision=\"4\" Format=\"HDF\">{}</DataItem>",
                     rows, components > 1 ? fmt::format(" {}", components) : "",
                     scalar == Scalar::integer ? "UInt" : "Float", xml_escaped(place));
}

const char* attribute_type(int components) {
  switch (components) {
    case 1:
      return "Scalar";
    case 3:
      return "Vector";
    case 6:
      return "Tensor6";
    case 9:
      return "Tensor";
    default:
      return "Matrix";
  }
}

std::string column_element(const FrameOutline::Column& column, Index rows, const std::string& file) {
  const std::string& stored = column.stored_as.empty() ? column.name : column.stored_as;
  const std::string data =
      data_item(fmt::format("{}:/particles/{}", file, stored), rows, column.scalar, column.components);
  if (column.name == columns::position.name) return fmt::format("<Geometry GeometryType=\"XYZ\">{}</Geometry>", data);
  return fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"Node\">{}</Attribute>",
                     xml_escaped(column.name), attribute_type(column.components), data);
}

std::string grid(const FrameOutline& frame, const std::string& name, const std::string& file) {
  std::string text = fmt::format(
      "      <Grid Name=\"{}\" GridType=\"Uniform\">\n"
      "        <Time Value=\"{}\"/>\n"
      "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\">",
      xml_escaped(name), frame.header.time, frame.particles);
  if (frame.particles == 0) {
    // ParaView cannot read arrays of nothing, and it crashes on a grid without a geometry.
    return text + "</Topology>\n        <Geometry GeometryType=\"XYZ\"/>\n      </Grid>\n";
  }
  text += data_item(fmt::format("{}:/{}", file, frame_vertices), frame.particles, Scalar::integer, 1);
  text += "</Topology>\n";
  for (const FrameOutline::Column& column : frame.columns) {
    text += fmt::format("        {}\n", column_element(column, frame.particles, file));
  }
  return text + "      </Grid>\n";
}

}  // namespace

FrameIndex::FrameIndex(std::filesystem::path path, const std::string& scene,
                       std::function<bool(const std::string&)> shows)
    : path_(std::move(path)), scene_(scene), shows_(std::move(shows)) {}

void FrameIndex::add(const std::filesystem::path& frame) { add(frame, read_frame_outline(frame)); }

void FrameIndex::add(const std::filesystem::path& frame, FrameOutline outline) {
  const std::filesystem::path file = frame.lexically_relative(path_.parent_path());
  std::erase_if(outline.columns, [&](const FrameOutline::Column& column) {
    return shows_ && column.name != columns::position.name && !shows_(column.name);
  });
  grids_ += grid(outline, frame.stem().string(), file.generic_string());
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
                                    xml_escaped(scene_), grids_));
}

}  // namespace fondue
