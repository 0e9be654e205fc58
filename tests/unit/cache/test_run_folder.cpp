#include <gtest/gtest.h>

#include "cache/run_folder.h"
#include "core/error.h"
#include "support.h"

namespace fondue::test {

namespace {

namespace fs = std::filesystem;

void write_state(const fs::path& path, int frame, double time) {
  FrameHeader header;
  header.frame = frame;
  header.time = time;
  header.step = static_cast<std::uint64_t>(time * 1000);
  write_frame(path, header, random_particles(5, 1), {}, {});
}

/// A run of frames 0 to 3, a tenth of a second apart.
RunLayout some_run(const TemporaryFolder& folder) {
  const RunLayout layout{folder / "run", "dam"};
  const RunFolder run(layout, OldRun::refuse);
  for (int i = 0; i != 4; ++i) write_state(layout.frame(i), i, 0.1 * i);
  return layout;
}

void damage(const fs::path& path) { fs::resize_file(path, fs::file_size(path) / 2); }

}  // namespace

TEST(RunFolder, HasTheAgreedNames) {
  const RunLayout layout{"out/dam", "dam"};
  EXPECT_EQ(layout.frame(123), "out/dam/frames/frame_000123.h5");
  EXPECT_EQ(layout.frame(1234567), "out/dam/frames/frame_1234567.h5");
  EXPECT_EQ(layout.index(), "out/dam/frames.xdmf");
  EXPECT_EQ(layout.picture(), "out/dam/dam.png");
}

TEST(RunFolder, ListsFramesAndNothingElse) {
  const TemporaryFolder folder;
  const RunLayout layout{folder.path(), "dam"};
  EXPECT_TRUE(list_frames(layout).empty());
  fs::create_directories(layout.frames());
  for (const char* name : {"frame_000010.h5", "frame_000002.h5", "frame_1000000.h5", ".frame_000003.h5.part",
                           "frame_000004.h5.part", "frame_12.h5", "frame_00001x.h5", "frame_-00001.h5", "notes.txt"}) {
    write_text(layout.frames() / name, "");
  }
  EXPECT_EQ(list_frames(layout), (std::vector<int>{2, 10, 1000000}));
}

TEST(RunFolder, AnOldRunIsReplacedOnlyOnRequest) {
  const TemporaryFolder folder;
  const RunLayout layout = some_run(folder);
  write_text(layout.folder / "notes.txt", "mine");
  write_text(layout.statistics(), "old");
  const std::string message = message_of<InputError>([&] { RunFolder(layout, OldRun::refuse); });
  EXPECT_NE(message.find("--resume"), std::string::npos) << message;
  EXPECT_NE(message.find("--overwrite"), std::string::npos) << message;
  RunFolder(layout, OldRun::resume);
  EXPECT_EQ(list_frames(layout).size(), 4u);
  EXPECT_EQ(read_text(layout.statistics()), "old");
  RunFolder(layout, OldRun::overwrite);
  EXPECT_TRUE(list_frames(layout).empty());
  EXPECT_FALSE(fs::exists(layout.statistics()));
  EXPECT_EQ(read_text(layout.folder / "notes.txt"), "mine");
}

TEST(RunFolder, ACheckpointAloneIsARunToo) {
  const TemporaryFolder folder;
  const RunLayout layout{folder.path(), "dam"};
  write_state(layout.checkpoint(), 0, 0.01);
  EXPECT_THROW(RunFolder(layout, OldRun::refuse), InputError);
}

TEST(RunFolder, OneRunAtATime) {
  const TemporaryFolder folder;
  const RunLayout layout{folder / "run", "dam"};
  {
    const RunFolder first(layout, OldRun::refuse);
    const std::string message = message_of<InputError>([&] { RunFolder(layout, OldRun::refuse); });
    EXPECT_NE(message.find("another run"), std::string::npos) << message;
    EXPECT_EQ(run_in_child([&] {
                return message_of<InputError>([&] { RunFolder(layout, OldRun::overwrite); }).empty() ? 1 : 0;
              }),
              0);
  }
  const RunFolder second(layout, OldRun::refuse);
}

TEST(RunFolder, AKilledRunHoldsNoLock) {
  const TemporaryFolder folder;
  const RunLayout layout{folder / "run", "dam"};
  run_in_child([&] {
    const RunFolder run(layout, OldRun::refuse);
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  ASSERT_TRUE(fs::exists(layout.frames()));
  EXPECT_NO_THROW(RunFolder(layout, OldRun::refuse));
}

TEST(RunFolder, IsRefusedBeforeAnythingIsComputedIfItCannotBeWritten) {
  const TemporaryFolder folder;
  write_text(folder / "file", "");
  for (const fs::path& place : {folder / "file", folder / "file" / "run", fs::path("/proc/fondue")}) {
    const std::string message = message_of<OutputError>([&] { RunFolder({place, "dam"}, OldRun::refuse); });
    EXPECT_NE(message.find(place.string()), std::string::npos) << message;
  }
}

TEST(RunFolder, RemovesIncompleteFilesOfAKilledRun) {
  const TemporaryFolder folder;
  const RunLayout layout = some_run(folder);
  write_text(layout.frames() / ".frame_000004.h5.part", "half");
  write_text(layout.folder / ".checkpoint.h5.part", "half");
  const RunFolder run(layout, OldRun::resume);
  EXPECT_FALSE(fs::exists(layout.frames() / ".frame_000004.h5.part"));
  EXPECT_FALSE(fs::exists(layout.folder / ".checkpoint.h5.part"));
  run.remove_frames_after(1);
  EXPECT_EQ(list_frames(layout), (std::vector<int>{0, 1}));
}

TEST(NewestState, IsTheLaterOfFrameAndCheckpoint) {
  const TemporaryFolder folder;
  const RunLayout layout = some_run(folder);
  std::vector<std::string> messages;
  EXPECT_EQ(newest_state(layout, messages)->path, layout.frame(3));
  write_state(layout.checkpoint(), 3, 0.35);
  EXPECT_EQ(newest_state(layout, messages)->path, layout.checkpoint());
  write_state(layout.checkpoint(), 2, 0.25);
  EXPECT_EQ(newest_state(layout, messages)->path, layout.frame(3));
  EXPECT_TRUE(messages.empty());
}

TEST(NewestState, SkipsAndReportsDamagedStates) {
  const TemporaryFolder folder;
  const RunLayout layout = some_run(folder);
  damage(layout.frame(3));
  write_state(layout.checkpoint(), 3, 0.35);
  damage(layout.checkpoint());
  std::vector<std::string> messages;
  const auto state = newest_state(layout, messages);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->path, layout.frame(2));
  EXPECT_EQ(state->state.header.frame, 2);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_NE((messages[0] + messages[1]).find("frame_000003.h5"), std::string::npos);
  EXPECT_NE((messages[0] + messages[1]).find("checkpoint.h5"), std::string::npos);
}

TEST(NewestState, SkipsStatesWithDamagedNumbers) {
  const TemporaryFolder folder;
  const RunLayout layout = some_run(folder);
  // A flipped byte in the data: the header is intact, the particles are not.
  const Particles particles = random_particles(3000, 1);
  FrameHeader header;
  header.time = 0.35;
  write_frame(layout.checkpoint(), header, particles, {}, {});
  std::string bytes = read_text(layout.checkpoint());
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  write_text(layout.checkpoint(), bytes);
  ASSERT_NO_THROW(read_frame_header(layout.checkpoint()));
  std::vector<std::string> messages;
  EXPECT_EQ(newest_state(layout, messages)->path, layout.frame(3));
  EXPECT_EQ(messages.size(), 1u);
}

TEST(NewestState, IsNoneInAnEmptyOrMissingFolder) {
  const TemporaryFolder folder;
  std::vector<std::string> messages;
  EXPECT_FALSE(newest_state({folder / "none", "dam"}, messages));
  EXPECT_TRUE(messages.empty());
}

}  // namespace fondue::test
