#include "studio/files.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace fondue {

namespace fs = std::filesystem;

fs::path file_below(const fs::path& folder, const std::string& name, const std::string& extension) {
  const fs::path relative = fs::path(name).lexically_normal();
  const bool upward = std::ranges::any_of(relative, [](const fs::path& part) { return part == ".."; });
  if (name.empty() || name.find('\0') != name.npos || relative.is_absolute() || upward || name.size() > 255)
    throw InputError(fmt::format("'{}' is not a file in the folder of the scenes", name));
  if (relative.extension() != extension || relative.stem().string().starts_with('.'))
    throw InputError(fmt::format("'{}' is not the name of a {} file", name, extension));
  std::error_code error;
  const fs::path root = fs::weakly_canonical(folder, error), file = fs::weakly_canonical(root / relative, error);
  if (error || std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first != root.end())
    throw InputError(fmt::format("'{}' lies outside of the folder of the scenes", name));
  return file;
}

const std::string& plain_name(const std::string& name) {
  if (name.empty() || name.starts_with('.') || name.find('/') != name.npos || name.find('\0') != name.npos ||
      name.size() > 100)
    throw InputError(
        fmt::format("'{}' cannot be the name of a scene here: it must not have slashes or begin with a dot", name));
  return name;
}

}  // namespace fondue
