#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "behaviours/fluid.h"
#include "cache/frame.h"
#include "cache/frame_outline.h"
#include "cache/hdf5_file.h"
#include "cache/index.h"
#include "core/error.h"
#include "support.h"

namespace fondue::test {

namespace {

const std::vector<Vec3> some_solids = {Vec3(1, 2, 3), Vec3(-0.0f, 1e-40f, 5)};

class RoundTrip : public testing::TestWithParam<Index> {};

TEST_P(RoundTrip, RestoresEveryBit) {
  const TemporaryFolder folder;
  const Particles particles = random_particles(GetParam(), 1);
  FrameHeader header = some_header();
  const std::vector<std::string> extra = {"mass", "colour"};
  write_frame(folder / "frame.h5", header, particles, extra, some_solids);
  const Frame frame = read_frame(folder / "frame.h5");
  header.next_id = particles.next_id();
  EXPECT_EQ(frame.header, header);
  EXPECT_TRUE(same_bits(frame.particles, particles));
  EXPECT_EQ(frame.particles.columns().size(), particles.columns().size());
  ASSERT_EQ(frame.solids.size(), some_solids.size());
  EXPECT_EQ(std::memcmp(frame.solids.data(), some_solids.data(), sizeof(Vec3) * some_solids.size()), 0);
}

TEST_P(RoundTrip, RestoresEveryBitOfBondsAndOfColumnsOfAnyWidth) {
  const TemporaryFolder folder;
  const Particles particles = random_bodies(GetParam(), 6);
  write_frame(folder / "frame.h5", some_header(), particles, {}, {});
  const Frame frame = read_frame(folder / "frame.h5");
  EXPECT_TRUE(same_bits(frame.particles, particles));
  EXPECT_EQ(frame.particles.bond_sets(), (std::vector<std::string>{"cloth", "elastic"}));
  for (const char* name : {"stress", "gradient", "corners"}) EXPECT_TRUE(frame.particles.has(name)) << name;
  write_frame(folder / "again.h5", frame.header, frame.particles, {}, {});
  EXPECT_EQ(read_text(folder / "frame.h5"), read_text(folder / "again.h5"));
}

INSTANTIATE_TEST_SUITE_P(Frame, RoundTrip, testing::Values(0, 1, 1000, 100000));

}  // namespace

TEST(Frame, SeveralAreMadeAtATime) {
  // As when a frame is written by another thread while a state is kept to rewind to.
  hdf5::FileInMemory one, other;
  hdf5::write_attribute(one, "which", 1);
  hdf5::write_attribute(other, "which", 2);
  EXPECT_NE(one.finish(), other.finish());
}

TEST(Frame, ContainsStateAndRequestedColumnsOnly) {
  const TemporaryFolder folder;
  const Particles particles = random_particles(10, 2);
  const std::vector<std::string> extra = {"mass"};
  write_frame(folder / "frame.h5", {}, particles, extra, {});
  const Frame frame = read_frame(folder / "frame.h5");
  for (const char* name : {"position", "velocity", "id", "temperature", "object", "mass"}) {
    EXPECT_TRUE(frame.particles.has(name)) << name;
  }
  EXPECT_FALSE(frame.particles.has("colour"));
}

TEST(Frame, NewParticlesOfARestoredStoreStartLikeThoseOfTheOldOne) {
  const TemporaryFolder folder;
  write_frame(folder / "frame.h5", {}, random_particles(3, 3), {}, {});
  Frame frame = read_frame(folder / "frame.h5");
  const Index fresh = frame.particles.create(1);
  EXPECT_EQ(frame.particles[temperature][fresh], 300);
  EXPECT_EQ(frame.particles[columns::id][fresh], 3u);
}

TEST(Frame, IdsAreNotReusedAfterTheNewestParticleIsDeleted) {
  const TemporaryFolder folder;
  Particles particles = random_particles(3, 3);
  particles.remove(std::vector<std::uint8_t>{0, 0, 1});
  write_frame(folder / "frame.h5", {}, particles, {}, {});
  Frame frame = read_frame(folder / "frame.h5");
  const Index fresh = frame.particles.create(1);
  EXPECT_EQ(frame.particles[columns::id][fresh], 3u);
}

TEST(Frame, EqualStatesGiveEqualFilesForAnyTimeAndColumnOrder) {
  const TemporaryFolder folder;
  Particles first, second;
  first.create(100);
  first.require(columns::velocity);
  first.require(columns::volume);
  second.require(columns::volume);
  second.require(columns::velocity);
  second.create(100);
  write_frame(folder / "first.h5", some_header(), first, {}, some_solids);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 could note seconds
  write_frame(folder / "second.h5", some_header(), second, {}, some_solids);
  EXPECT_EQ(read_text(folder / "first.h5"), read_text(folder / "second.h5"));
}

TEST(Frame, ARestoredStateWrittenAgainIsTheSameFile) {
  const TemporaryFolder folder;
  write_frame(folder / "first.h5", some_header(), random_particles(5000, 4), {}, some_solids);
  const Frame frame = read_frame(folder / "first.h5");
  write_frame(folder / "second.h5", frame.header, frame.particles, {}, frame.solids);
  EXPECT_EQ(read_text(folder / "first.h5"), read_text(folder / "second.h5"));
}

TEST(Frame, ColumnsReadWithoutTheirTypeAreThoseOfTheirDeclaration) {
  const TemporaryFolder folder;
  const Particles particles = random_bodies(9, 8);
  write_frame(folder / "frame.h5", {}, particles, {}, {});
  Frame frame = read_frame(folder / "frame.h5");
  const auto before = particles[stress], after = std::as_const(frame.particles).operator[](stress);
  EXPECT_EQ(std::memcmp(after.data(), before.data(), before.size_bytes()), 0);
  EXPECT_THROW(frame.particles.require(Column<Vec3>{"stress", "Pa", "narrower"}), SimulationError);
  BondSet& bonds = frame.particles.bonds("elastic");
  EXPECT_EQ(bonds.require(reference).size(), bonds.size());
  EXPECT_THROW(bonds.require(BondColumn<float>{"reference", "m", "narrower"}), SimulationError);
}

TEST(Frame, OfVersionOneIsReadAndSaysSo) {
  const TemporaryFolder folder;
  const Particles particles = random_particles(5, 9);
  write_frame(folder / "frame.h5", some_header(), particles, {}, {});
  EXPECT_EQ(read_frame(folder / "frame.h5").header.version, frame_format_version);
  {
    const hdf5::Handle file(H5Fopen((folder / "frame.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
    hdf5::check(H5Adelete(file, "format_version"), "delete");
    hdf5::write_attribute(file, "format_version", std::int32_t{1});
  }
  const Frame frame = read_frame(folder / "frame.h5");
  EXPECT_EQ(frame.header.version, 1);
  EXPECT_EQ(read_frame_header(folder / "frame.h5").version, 1);
  EXPECT_TRUE(same_bits(frame.particles, particles));
  EXPECT_TRUE(frame.particles.bond_sets().empty());
}

TEST(Frame, OfVersionTwoHasItsColumnsUnderTheirPresentNames) {
  const TemporaryFolder folder;
  Particles particles = random_particles(5, 9);
  particles.require(columns::density_ratio);
  particles.require(columns::density_ratio_rate);
  for (Index i = 0; i != 5; ++i) particles[columns::density_ratio][i] = 1 + 0.01f * static_cast<float>(i);
  write_frame(folder / "frame.h5", some_header(), particles, {}, {});
  {
    const hdf5::Handle file(H5Fopen((folder / "frame.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
    hdf5::check(H5Adelete(file, "format_version"), "delete");
    hdf5::write_attribute(file, "format_version", std::int32_t{2});
    for (const auto& [now, then] :
         {std::pair{"density_ratio", "compression"}, {"density_ratio_rate", "compression_rate"}})
      hdf5::check(H5Lmove(file, (std::string("particles/") + now).c_str(), file,
                          (std::string("particles/") + then).c_str(), H5P_DEFAULT, H5P_DEFAULT),
                  "rename");
  }
  EXPECT_TRUE(same_bits(read_frame(folder / "frame.h5").particles, particles));
  // The index for ParaView refers to the array in the file, whatever it is called there.
  FrameIndex index(folder / "frames.xdmf", "scene");
  index.add(folder / "frame.h5");
  index.write();
  const std::string text = read_text(folder / "frames.xdmf");
  EXPECT_NE(text.find("<Attribute Name=\"density_ratio\""), std::string::npos) << text;
  EXPECT_NE(text.find("frame.h5:/particles/compression<"), std::string::npos) << text;
}

TEST(Frame, KeepsLongTextsAndListsAndOddNames) {
  const TemporaryFolder folder;
  FrameHeader header;
  header.scene = std::string(200000, 'x');
  header.scene += "ü";
  header.state["."] = std::vector<double>(100000, 0.1);
  header.state[""] = {1};
  header.state["größe/λ"] = {2};
  write_frame(folder / "frame.h5", header, random_particles(0, 1), {}, {});
  EXPECT_EQ(read_frame_header(folder / "frame.h5"), header);
}

TEST(Frame, OutlineHasColumnsAndCount) {
  const TemporaryFolder folder;
  write_frame(folder / "frame.h5", some_header(), random_particles(7, 5), {}, {});
  const FrameOutline outline = read_frame_outline(folder / "frame.h5");
  EXPECT_EQ(outline.particles, 7u);
  EXPECT_EQ(outline.header.time, some_header().time);
  std::map<std::string, std::pair<Scalar, int>> types;
  for (const auto& column : outline.columns) types[column.name] = {column.scalar, column.components};
  const std::map<std::string, std::pair<Scalar, int>> expected = {
      {"position", std::pair{Scalar::real, 3}}, {"velocity", std::pair{Scalar::real, 3}},
      {"id", std::pair{Scalar::integer, 1}},    {"object", std::pair{Scalar::integer, 1}},
      {"mass", std::pair{Scalar::real, 1}},     {"temperature", std::pair{Scalar::real, 1}}};
  EXPECT_EQ(types, expected);
}

TEST(Frame, OutlineBeforeWritingIsTheOneThatIsRead) {
  const TemporaryFolder folder;
  const std::vector<std::string> extra = {"temperature"};
  const Frame frame{some_header(), random_particles(7, 5), {}};
  write_frame(folder / "frame.h5", frame.header, frame.particles, extra, frame.solids);
  const FrameOutline expected = outline_of(frame, extra), outline = read_frame_outline(folder / "frame.h5");
  EXPECT_EQ(outline.header, expected.header);
  EXPECT_EQ(outline.particles, expected.particles);
  ASSERT_EQ(outline.columns.size(), expected.columns.size());
  for (std::size_t k = 0; k != outline.columns.size(); ++k) {
    EXPECT_EQ(outline.columns[k].name, expected.columns[k].name);
    EXPECT_EQ(outline.columns[k].unit, expected.columns[k].unit);
    EXPECT_EQ(outline.columns[k].scalar, expected.columns[k].scalar);
    EXPECT_EQ(outline.columns[k].components, expected.columns[k].components);
  }
}

TEST(Frame, AnUnknownColumnIsRefusedAndNothingIsWritten) {
  const TemporaryFolder folder;
  const std::vector<std::string> extra = {"presure"};
  const std::string message =
      message_of<InputError>([&] { write_frame(folder / "frame.h5", {}, random_particles(1, 1), extra, {}); });
  EXPECT_NE(message.find("'presure'"), std::string::npos) << message;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace fondue::test
