#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "cache/hdf5_file.h"
#include "cache/index.h"
#include "core/error.h"
#include "support.h"

namespace fondue::test {

namespace {

/// An element of an XML file: tag, attributes, text and children.
struct Element {
  std::string tag, text;
  std::map<std::string, std::string> attributes;
  std::vector<Element> inside;

  std::vector<const Element*> all(const std::string& wanted) const {
    std::vector<const Element*> found;
    for (const Element& element : inside) {
      if (element.tag == wanted) found.push_back(&element);
    }
    return found;
  }
};

/// A strict parser of XML without comments; throws if it is not well-formed.
class XmlReader {
 public:
  explicit XmlReader(std::string text) : text_(std::move(text)) {}

  Element document() {
    expect("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    skip_space();
    Element root = element();
    skip_space();
    if (at_ != text_.size()) fail("text after the root element");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " at byte " + std::to_string(at_));
  }
  bool take(std::string_view token) {
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) fail("expected " + std::string(token));
  }
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ == begin) fail("expected a name");
    return text_.substr(begin, at_ - begin);
  }
  std::string text_until(char end) {
    static const std::map<std::string, char> entities = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}};
    std::string result;
    while (at_ < text_.size() && text_[at_] != end) {
      if (text_[at_] == '<') fail("a bare <");
      if (take("&")) {
        const auto entity = entities.find(word());
        if (entity == entities.end()) fail("unknown entity");
        expect(";");
        result += entity->second;
      } else {
        result += text_[at_++];
      }
    }
    return result;
  }
  Element element() {
    expect("<");
    Element result;
    result.tag = word();
    while (take(" ")) {
      const std::string name = word();
      expect("=\"");
      if (!result.attributes.emplace(name, text_until('"')).second) fail("attribute given twice");
      expect("\"");
    }
    if (take("/>")) return result;
    expect(">");
    while (true) {
      result.text += text_until('<');
      if (take("</")) break;
      result.inside.push_back(element());
    }
    expect(result.tag + ">");
    return result;
  }

  std::string text_;
  std::size_t at_ = 0;
};

/// Expects that a data item describes the array that it refers to.
void expect_matches(const Element& item, const std::filesystem::path& folder) {
  EXPECT_EQ(item.attributes.at("Format"), "HDF");
  const std::size_t colon = item.text.find(':');
  const std::filesystem::path file = item.text.substr(0, colon);
  EXPECT_TRUE(file.is_relative());
  const hdf5::Handle frame = hdf5::open_file(folder / file);
  const hdf5::Array array = hdf5::open_array(frame, item.text.substr(colon + 2));
  const std::string rows = std::to_string(array.rows);
  EXPECT_EQ(item.attributes.at("Dimensions"),
            array.components > 1 ? rows + " " + std::to_string(array.components) : rows);
  EXPECT_EQ(item.attributes.at("Precision"), "4");
  EXPECT_TRUE(item.attributes.at("NumberType") == "UInt" ? array.holds<Index>() : array.holds<float>()) << item.text;
}

}  // namespace

TEST(Index, IsValidXmlWithCorrectReferences) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "frames");
  FrameIndex index(folder / "frames.xdmf", "cut & <paste> \"1\"");
  const std::vector<Index> counts = {0, 1, 250};
  for (std::size_t i = 0; i != counts.size(); ++i) {
    FrameHeader header;
    header.time = 0.1 * static_cast<double>(i);
    const std::filesystem::path path = folder / ("frames/frame_00000" + std::to_string(i) + ".h5");
    write_frame(path, header, random_particles(counts[i], 1), {}, {});
    index.add(path);
    index.write();
  }
  const Element root = XmlReader(read_text(folder / "frames.xdmf")).document();
  EXPECT_EQ(root.tag, "Xdmf");
  const Element& series = *root.all("Domain").at(0)->all("Grid").at(0);
  EXPECT_EQ(series.attributes.at("CollectionType"), "Temporal");
  EXPECT_EQ(series.attributes.at("Name"), "cut & <paste> \"1\"");
  const auto grids = series.all("Grid");
  ASSERT_EQ(grids.size(), counts.size());
  for (std::size_t i = 0; i != grids.size(); ++i) {
    EXPECT_EQ(std::stod(grids[i]->all("Time").at(0)->attributes.at("Value")), 0.1 * static_cast<double>(i));
    const Element& topology = *grids[i]->all("Topology").at(0);
    EXPECT_EQ(topology.attributes.at("TopologyType"), "Polyvertex");
    EXPECT_EQ(topology.attributes.at("NumberOfElements"), std::to_string(counts[i]));
    if (counts[i] == 0) {
      // ParaView opens a grid without arrays only in this form.
      EXPECT_TRUE(topology.inside.empty());
      EXPECT_TRUE(grids[i]->all("Geometry").at(0)->inside.empty());
      EXPECT_TRUE(grids[i]->all("Attribute").empty());
      continue;
    }
    EXPECT_TRUE(topology.all("DataItem").at(0)->text.ends_with(":/vertices"));
    expect_matches(*topology.all("DataItem").at(0), folder.path());
    const Element& positions = *grids[i]->all("Geometry").at(0)->all("DataItem").at(0);
    EXPECT_TRUE(positions.text.ends_with(":/particles/position"));
    expect_matches(positions, folder.path());
    std::map<std::string, std::string> types;
    for (const Element* attribute : grids[i]->all("Attribute")) {
      types[attribute->attributes.at("Name")] = attribute->attributes.at("AttributeType");
      expect_matches(*attribute->all("DataItem").at(0), folder.path());
    }
    const std::map<std::string, std::string> expected = {
        {"velocity", "Vector"}, {"id", "Scalar"}, {"object", "Scalar"}, {"mass", "Scalar"}, {"temperature", "Scalar"}};
    EXPECT_EQ(types, expected);
  }
}

TEST(Index, NamesTensorsAsSuch) {
  const TemporaryFolder folder;
  write_frame(folder / "frame_000000.h5", {}, random_bodies(20, 1), {}, {});
  FrameIndex index(folder / "frames.xdmf", "scene");
  index.add(folder / "frame_000000.h5");
  index.write();
  const Element root = XmlReader(read_text(folder / "frames.xdmf")).document();
  const Element& grid = *root.all("Domain").at(0)->all("Grid").at(0)->all("Grid").at(0);
  std::map<std::string, std::string> types;
  for (const Element* attribute : grid.all("Attribute")) {
    types[attribute->attributes.at("Name")] = attribute->attributes.at("AttributeType");
    expect_matches(*attribute->all("DataItem").at(0), folder.path());
  }
  EXPECT_EQ(types.at("stress"), "Tensor6");
  EXPECT_EQ(types.at("gradient"), "Tensor");
  EXPECT_EQ(types.at("corners"), "Matrix");
  EXPECT_EQ(types.at("velocity"), "Vector");
}

TEST(Index, RefusesWhatIsNotAFrameAndStaysAsItWas) {
  const TemporaryFolder folder;
  write_frame(folder / "frame_000000.h5", {}, random_particles(3, 1), {}, {});
  write_text(folder / "frame_000001.h5", "text");
  FrameIndex index(folder / "frames.xdmf", "scene");
  index.add(folder / "frame_000000.h5");
  EXPECT_THROW(index.add(folder / "frame_000001.h5"), InputError);
  index.write();
  const Element root = XmlReader(read_text(folder / "frames.xdmf")).document();
  EXPECT_EQ(root.all("Domain").at(0)->all("Grid").at(0)->all("Grid").size(), 1u);
}

}  // namespace fondue::test
