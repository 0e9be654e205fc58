// Failures of the environment: killed processes, full disks, folders that are not writable.

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "cache/frame.h"
#include "cache/output_file.h"
#include "cache/table.h"
#include "core/error.h"
#include "support.h"

namespace fondue::test {

namespace {

namespace fs = std::filesystem;

fs::path frame_path(const fs::path& folder, int number) { return folder / ("frame_" + std::to_string(number) + ".h5"); }

/// A frame whose contents are determined by its number.
void write_numbered(const fs::path& folder, int number, Index particles) {
  FrameHeader header;
  header.frame = number;
  write_frame(frame_path(folder, number), header, random_particles(particles, static_cast<unsigned>(number)), {}, {});
}

bool is_numbered(const fs::path& folder, int number, Index particles) {
  const Frame frame = read_frame(frame_path(folder, number));
  return frame.header.frame == number &&
         same_bits(frame.particles, random_particles(particles, static_cast<unsigned>(number)));
}

/// Limits the file size, like a disk that becomes full in the middle of a write.
void limit_file_size(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {bytes, bytes};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) throw std::runtime_error("setrlimit");
}

/// Writes frame 0, then one that does not fit. Returns 0 if the message contains these words, frame 0 is intact, and
/// nothing else is left.
int fill_up(const fs::path& folder, const std::string& words) {
  write_numbered(folder, 0, 10);
  const std::string message = message_of<OutputError>([&] { write_numbered(folder, 1, 20000); });
  if (message.find(words) == std::string::npos || message.find("frame_1.h5") == std::string::npos) return 1;
  if (!is_numbered(folder, 0, 10)) return 2;
  if (std::distance(fs::directory_iterator(folder), fs::directory_iterator()) != 1) return 3;
  // A frame that fits can still be written.
  write_numbered(folder, 2, 10);
  return is_numbered(folder, 2, 10) ? 0 : 4;
}

constexpr int not_allowed = 77;

}  // namespace

TEST(Killed, LeavesOnlyCompleteFrames) {
  const TemporaryFolder folder;
  constexpr Index particles = 2000;
  std::mt19937 random(7);
  int written = 0;
  for (int attempt = 0; attempt != 20; ++attempt) {
    int begun[2];
    ASSERT_EQ(::pipe(begun), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      for (int number = 0;; number = (number + 1) % 30) {
        write_numbered(folder.path(), number, particles);
        if (::write(begun[1], "x", 1) != 1) ::_exit(1);
      }
    }
    char first_frame;
    ASSERT_EQ(::read(begun[0], &first_frame, 1), 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 50000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(begun[0]);
    ::close(begun[1]);
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("frame_")) {
        EXPECT_TRUE(is_unfinished(entry.path())) << name;
        continue;
      }
      EXPECT_TRUE(is_numbered(folder.path(), std::stoi(name.substr(6)), particles)) << name;
      ++written;
    }
  }
  EXPECT_GE(written, 20);
}

TEST(FullDisk, AWriteThatFailsHalfWayLeavesEarlierFramesAndNothingElse) {
  const TemporaryFolder folder;
  const int code = run_in_child([&] {
    limit_file_size(100000);
    return fill_up(folder.path(), "File too large");
  });
  EXPECT_EQ(code, 0);
}

TEST(FullDisk, ADiskOfHalfAMegabyteFillsUp) {
  const TemporaryFolder folder;
  const int code = run_in_child([&] {
    const bool mounted = ::unshare(CLONE_NEWNS) == 0 &&
                         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         ::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=512k") == 0;
    return mounted ? fill_up(folder.path(), "No space left on device") : not_allowed;
  });
  if (code == not_allowed) GTEST_SKIP() << "mounting a small disk is not allowed here";
  EXPECT_EQ(code, 0);
}

TEST(FullDisk, IsReportedWithPathAndReason) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  const TemporaryFolder folder;
  // The temporary name of a frame is a link to a device that is always full.
  fs::create_symlink("/dev/full", folder / ".frame_1.h5.part");
  const std::string message = message_of<OutputError>([&] { write_numbered(folder.path(), 1, 10); });
  EXPECT_EQ(message, "cannot write '" + (folder / ".frame_1.h5.part").string() + "': No space left on device");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(FullDisk, ATableKeepsCompleteRows) {
  const TemporaryFolder folder;
  const int code = run_in_child([&] {
    limit_file_size(1001);
    Table table(folder / "table.csv", {{"time", "s"}, {"mass", "kg"}});
    const auto fill = [&] {
      for (int i = 0;; ++i) table.append(std::vector<double>{i * 0.001, 1.0 / 3});
    };
    return message_of<OutputError>(fill).find("File too large") == std::string::npos ? 1 : 0;
  });
  EXPECT_EQ(code, 0);
  const std::string text = read_text(folder / "table.csv");
  EXPECT_GT(text.size(), 900u);
  EXPECT_EQ(text.substr(text.size() - 20), ",0.3333333333333333\n");
}

TEST(Unwritable, FoldersAreReportedWithPathAndReason) {
  const TemporaryFolder folder;
  write_text(folder / "file", "");
  const auto attempt = [&](const fs::path& path) {
    const std::string message = message_of<OutputError>([&] { write_numbered(path, 0, 1); });
    EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    return message;
  };
  EXPECT_NE(attempt(folder / "file").find("Not a directory"), std::string::npos);
  EXPECT_NE(attempt(folder / "none").find("No such file or directory"), std::string::npos);
  EXPECT_NE(attempt("/proc").find("cannot write"), std::string::npos);
}

TEST(OutputFile, ReplacesFilesAtomicallyAndReportsErrors) {
  const TemporaryFolder folder;
  write_text_atomically(folder / "text", "a long first text");
  write_text_atomically(folder / "text", "second");
  EXPECT_EQ(read_text(folder / "text"), "second");
  fs::create_directories(folder / "taken" / "inside");
  const std::string message = message_of<OutputError>([&] { write_text_atomically(folder / "taken", "text"); });
  EXPECT_NE(message.find("Is a directory"), std::string::npos) << message;
  EXPECT_FALSE(fs::exists(folder / ".taken.part"));
}

}  // namespace fondue::test
