#include <filesystem>

#include "cli/commands.h"

namespace fondue {

std::filesystem::path scenes_folder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed = program.parent_path().parent_path() / "share/fondue/scenes";
  return !error && std::filesystem::exists(installed, error) ? installed : std::filesystem::path(FONDUE_SCENES);
}

}  // namespace fondue
