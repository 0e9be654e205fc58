#pragma once
// Which files the studio may touch: names come from a page and must not lead out of a folder.

#include <filesystem>
#include <string>

namespace fondue {

/// A file below a folder by its relative name; InputError if it would lie elsewhere, also through links, or does not
/// end like this.
std::filesystem::path file_below(const std::filesystem::path& folder, const std::string& name,
                                 const std::string& extension);

/// The name if it can be that of a folder; InputError if it has slashes or begins with a dot.
const std::string& plain_name(const std::string& name);

}  // namespace fondue
