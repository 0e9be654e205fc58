// Files that are not complete frames of this version: each is refused with its name and the reason.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cache/frame.h"
#include "cache/hdf5_file.h"
#include "core/error.h"
#include "support.h"

#ifdef __SANITIZE_ADDRESS__
// HDF5 1.10 itself leaks some hundred bytes for each damaged header.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
#endif

namespace fondue::test {

namespace {

std::string refusal(const std::filesystem::path& path) {
  const std::string message = message_of<InputError>([&] { read_frame(path); });
  if (message.find(path.string()) == std::string::npos) ADD_FAILURE() << "no path in '" << message << "'";
  return message;
}

/// Expects that the file is refused with these words.
void expect_refused(const std::filesystem::path& path, const std::string& words) {
  const std::string message = refusal(path);
  EXPECT_NE(message.find(words), std::string::npos) << message;
}

/// A frame that was modified with HDF5 itself.
template <class Change>
std::filesystem::path changed_frame(const TemporaryFolder& folder, Change&& change,
                                    const Particles& particles = random_particles(5, 1)) {
  const std::filesystem::path path = folder / "changed.h5";
  write_frame(path, some_header(), particles, {}, {});
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
  change(file);
  return path;
}

template <class T>
void replace_attribute(hid_t file, const char* name, T value) {
  hdf5::check(H5Adelete(file, name), "delete");
  hdf5::write_attribute(file, name, value);
}

}  // namespace

TEST(DamagedFrame, MissingFileSaysSo) {
  const TemporaryFolder folder;
  expect_refused(folder / "none.h5", "No such file or directory");
}

TEST(DamagedFrame, TextAndFoldersAndEmptyFilesAreNotHdf5) {
  const TemporaryFolder folder;
  write_text(folder / "text.h5", std::string(5000, 'x'));
  write_text(folder / "empty.h5", "");
  expect_refused(folder / "text.h5", "not an HDF5 file");
  expect_refused(folder / "empty.h5", "not an HDF5 file");
  expect_refused(folder.path(), "not an HDF5 file");
}

TEST(DamagedFrame, ForeignHdf5IsNotAFrame) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "foreign.h5";
  hdf5::Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "create");
  expect_refused(path, "not a frame of Fondue");
  const auto other = changed_frame(folder, [](hid_t file) { replace_attribute(file, "format", std::string("mesh")); });
  expect_refused(other, "not a frame of Fondue");
}

TEST(DamagedFrame, NewerFormatSaysWhatToUse) {
  const TemporaryFolder folder;
  constexpr int newer = frame_format_version + 1;
  expect_refused(changed_frame(folder, [](hid_t file) { replace_attribute(file, "format_version", newer); }),
                 fmt::format("format version {}", newer));
}

TEST(DamagedFrame, MissingPartsAreNamed) {
  const TemporaryFolder folder;
  for (const char* part : {"particles/velocity", "particles/position", "particles/id", "solids/position", "particles",
                           "solids", "state"}) {
    const auto path =
        changed_frame(folder, [&](hid_t file) { hdf5::check(H5Ldelete(file, part, H5P_DEFAULT), "delete"); });
    expect_refused(path, "is missing");
  }
  for (const char* attribute : {"time", "next_id", "scene", "format_version"}) {
    const auto path = changed_frame(folder, [&](hid_t file) { hdf5::check(H5Adelete(file, attribute), "delete"); });
    expect_refused(path, fmt::format("'{}' is missing", attribute));
  }
}

TEST(DamagedFrame, SizesAndTypesMustAgree) {
  const TemporaryFolder folder;
  const std::vector<float> numbers(30);
  const auto with_velocity = [&](std::size_t rows, int components) {
    return changed_frame(folder, [&](hid_t file) {
      hdf5::check(H5Ldelete(file, "particles/velocity", H5P_DEFAULT), "delete");
      const hdf5::Handle array = hdf5::write_array(file, "particles/velocity", numbers.data(), rows, components);
    });
  };
  expect_refused(with_velocity(6, 3), "6 rows for 5 particles");
  expect_refused(with_velocity(5, 1), "wrong type");
  expect_refused(with_velocity(5, 2), "wrong type");
}

TEST(DamagedFrame, BondsMustFitTheirParticlesAndEachOther) {
  const TemporaryFolder folder;
  Particles particles = random_particles(3, 1);
  BondSet& set = particles.require_bonds("elastic");
  set.require(weight);
  set.add(std::vector<BondSet::Pair>{{0, 1}, {0, 2}}, particles[columns::id]);
  using List = std::vector<Index>;
  const auto with = [&](const std::string& name, const auto& values) {
    const auto change = [&](hid_t file) {
      hdf5::check(H5Ldelete(file, ("bonds/elastic/" + name).c_str(), H5P_DEFAULT), "delete");
      hdf5::write_array(file, "bonds/elastic/" + name, values.data(), values.size(), 1);
    };
    return changed_frame(folder, change, particles);
  };
  EXPECT_TRUE(same_bits(read_frame(with("neighbours", List{1, 2, 0, 0})).particles, particles)) << "they are these";
  expect_refused(with("begins", List{0, 2, 3}), "3 begins of bond lists where 4 are needed");
  expect_refused(with("begins", List{0, 2, 3, 5}), "4 bonds do not fit");
  expect_refused(with("begins", List{0, 3, 2, 4}), "4 bonds do not fit");
  expect_refused(with("neighbours", List{1, 2, 0}), "3 bonds do not fit");
  expect_refused(with("neighbours", List{1, 3, 0, 0}), "lead to particle 3 of 3");
  expect_refused(with("neighbours", List{0, 2, 0, 0}), "to itself");
  expect_refused(with("neighbours", List{2, 1, 0, 0}), "not in the order of ids");
  expect_refused(with("neighbours", List{1, 2, 2, 0}), "not symmetric");
  expect_refused(with("neighbours", std::vector<float>{1, 2, 0, 0}), "are not integers");
  expect_refused(with("columns/weight", std::vector<float>{1, 2, 3}), "has 3 rows for 4 bonds");
  expect_refused(with("columns/weight", std::vector<double>{1, 2, 3, 4}), "neither 32-bit numbers nor integers");
  for (const char* part : {"bonds/elastic/begins", "bonds/elastic/neighbours", "bonds/elastic/columns"}) {
    const auto drop = [&](hid_t file) { hdf5::check(H5Ldelete(file, part, H5P_DEFAULT), "delete"); };
    expect_refused(changed_frame(folder, drop, particles), "is missing");
  }
}

TEST(DamagedFrame, ValuesMustBeValid) {
  const TemporaryFolder folder;
  expect_refused(changed_frame(folder, [](hid_t file) { replace_attribute(file, "time", std::nan("")); }),
                 "time is nan");
  expect_refused(changed_frame(folder, [](hid_t file) { replace_attribute(file, "dimension", 4); }), "dimension is 4");
  expect_refused(changed_frame(folder, [](hid_t file) { replace_attribute(file, "next_id", Index{4}); }),
                 "has the id 4, but only 4");
}

TEST(DamagedFrame, TruncatedAnywhereIsRefused) {
  const TemporaryFolder folder;
  write_frame(folder / "whole.h5", some_header(), random_bodies(300, 1), {}, {});
  const std::string whole = read_text(folder / "whole.h5");
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 40) {
    write_text(folder / "cut.h5", whole.substr(0, length));
    EXPECT_NE(refusal(folder / "cut.h5"), "") << length;
  }
}

TEST(DamagedFrame, AFlippedByteIsAnErrorOrChangesNothing) {
  const TemporaryFolder folder;
  const Particles particles = random_bodies(40, 1);
  FrameHeader header = some_header();
  write_frame(folder / "whole.h5", header, particles, {}, {});
  header.next_id = particles.next_id();
  const std::string whole = read_text(folder / "whole.h5");
  int found = 0, tried = 0;
  // The first bytes determine how the rest is read, so they are tested with several flips each.
  for (std::size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 5) {
    for (const int flip : {0xff, 0x01, 0x03, 0x80}) {
      if (at >= 64 && flip != 0xff) continue;
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ flip);
      write_text(folder / "flipped.h5", flipped);
      ++tried;
      try {
        const Frame frame = read_frame(folder / "flipped.h5");
        EXPECT_EQ(frame.header, header) << at;
        EXPECT_TRUE(same_bits(frame.particles, particles)) << at;
      } catch (const InputError&) {
        ++found;
      }
    }
  }
  EXPECT_GT(found, tried / 4);
}

TEST(DamagedFrame, Hdf5PrintsNothingAndKeepsItsSettings) {
  const TemporaryFolder folder;
  write_text(folder / "text.h5", "no frame");
  const auto cut = folder / "cut.h5";
  write_frame(cut, {}, random_particles(10, 1), {}, {});
  std::filesystem::resize_file(cut, 1000);
  H5E_auto2_t before = nullptr, after = nullptr;
  void *client_before = nullptr, *client_after = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &client_before);
  testing::internal::CaptureStderr();
  refusal(folder / "text.h5");
  refusal(cut);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  H5Eget_auto2(H5E_DEFAULT, &after, &client_after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(client_before, client_after);
}

}  // namespace fondue::test
