#include "core/memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace fondue {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

/// The number at the beginning of a file; none for "max" and for missing files.
std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::uint64_t number;
  if (file >> number) return number;
  return std::nullopt;
}

/// The number after a word at the beginning of a line: "MemAvailable: 123 kB", "inactive_file 456".
std::optional<std::uint64_t> number_after(const fs::path& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    std::uint64_t number;
    if (words >> first && first == word && words >> number) return number;
  }
  return std::nullopt;
}

/// File names of a control group in one version of the interface.
struct GroupFiles {
  const char *limit, *usage, *reclaimable;
};
constexpr GroupFiles version_2 = {"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

/// The limit minus the memory that is used and cannot be reclaimed.
std::uint64_t left_in_group(const fs::path& group, const GroupFiles& files) {
  const auto limit = number_in(group / files.limit), usage = number_in(group / files.usage);
  if (!limit || !usage) return unknown;
  const std::uint64_t cache = number_after(group / "memory.stat", files.reclaimable).value_or(0);
  const std::uint64_t held = *usage - std::min(*usage, cache);
  return *limit - std::min(*limit, held);
}

/// The smallest amount left in a group and all its parents, up to the mount point.
std::uint64_t left_up_to(const fs::path& mount, const fs::path& group, const GroupFiles& files) {
  std::uint64_t left = left_in_group(mount, files);
  fs::path above = mount;
  for (const fs::path& part : group.relative_path()) {
    above /= part;
    left = std::min(left, left_in_group(above, files));
  }
  return left;
}

}  // namespace

std::uint64_t available_memory(const fs::path& root) {
  std::uint64_t available = unknown;
  if (const auto kilobytes = number_after(root / "proc/meminfo", "MemAvailable:")) available = *kilobytes * 1024;
  // Lines are "number:controllers:/path"; version 2 has no controllers.
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const fs::path path = line.substr(second + 1);
    if (controllers == ",,") {
      available = std::min(available, left_up_to(root / "sys/fs/cgroup", path, version_2));
    } else if (controllers.find(",memory,") != std::string::npos) {
      available = std::min(available, left_up_to(root / "sys/fs/cgroup/memory", path, version_1));
    }
  }
  return available;
}

}  // namespace fondue
