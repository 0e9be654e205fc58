#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "core/memory.h"
#include "support/temporary_folder.h"

namespace fondue {

namespace {

/// A fake system: files in a temporary folder.
class FakeSystem {
 public:
  FakeSystem() { write("proc/meminfo", "MemTotal:  8000 kB\nMemFree:   100 kB\nMemAvailable:  4000 kB\n"); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::uint64_t available() const { return available_memory(root_.path()); }

 private:
  testing_support::TemporaryFolder root_;
};

}  // namespace

TEST(Memory, IsWhatTheMachineHasAvailable) {
  const FakeSystem system;
  EXPECT_EQ(system.available(), 4000u * 1024);
}

TEST(Memory, IsLimitedByAControlGroupOfVersion2) {
  const FakeSystem system;
  system.write("proc/self/cgroup", "0::/jobs/mine\n");
  system.write("sys/fs/cgroup/jobs/mine/memory.max", "max\n");
  system.write("sys/fs/cgroup/jobs/mine/memory.current", "500000\n");
  EXPECT_EQ(system.available(), 4000u * 1024);
  // The limit of the parent group applies too; its reclaimable memory counts as available.
  system.write("sys/fs/cgroup/jobs/memory.max", "1000000\n");
  system.write("sys/fs/cgroup/jobs/memory.current", "700000\n");
  EXPECT_EQ(system.available(), 300000u);
  system.write("sys/fs/cgroup/jobs/memory.stat", "anon 600000\ninactive_file 100000\n");
  EXPECT_EQ(system.available(), 400000u);
}

TEST(Memory, IsLimitedByAControlGroupOfVersion1) {
  const FakeSystem system;
  system.write("proc/self/cgroup", "5:cpu,memory:/mine\n2:pids:/other\n0::/\n");
  system.write("sys/fs/cgroup/memory/mine/memory.limit_in_bytes", "1000000\n");
  system.write("sys/fs/cgroup/memory/mine/memory.usage_in_bytes", "1200000\n");
  EXPECT_EQ(system.available(), 0u);
  system.write("sys/fs/cgroup/memory/mine/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(system.available(), 4000u * 1024);
}

TEST(Memory, InAContainerTheMountPointIsTheGroup) {
  const FakeSystem system;
  system.write("proc/self/cgroup", "0::/named/outside\n");
  system.write("sys/fs/cgroup/memory.max", "1000\n");
  system.write("sys/fs/cgroup/memory.current", "400\n");
  EXPECT_EQ(system.available(), 600u);
}

TEST(Memory, OfThisMachineIsSomethingBelowAnExabyte) {
  EXPECT_GT(available_memory(), 0u);
  EXPECT_LT(available_memory(), std::uint64_t{1} << 60);
  EXPECT_EQ(available_memory("/nowhere"), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace fondue
