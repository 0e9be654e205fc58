#include <filesystem>

#include "cli/commands.h"

namespace fondue {

namespace {

/// Installed beside the program, or in the source tree it was built from.
std::filesystem::path data_folder(const std::filesystem::path& installed_as, const std::filesystem::path& in_source) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed = program.parent_path().parent_path() / "share/fondue" / installed_as;
  return !error && std::filesystem::exists(installed, error) ? installed
                                                             : std::filesystem::path(FONDUE_SOURCE_DIR) / in_source;
}

}  // namespace

std::filesystem::path scenes_folder() { return data_folder("scenes", "scenes"); }
std::filesystem::path pictures_folder() { return data_folder("pictures", "docs/pictures"); }
std::filesystem::path page_folder() { return data_folder("page", "src/studio/page"); }

}  // namespace fondue
