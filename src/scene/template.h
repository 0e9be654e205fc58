#pragma once
// Beginning a scene as a commented copy of one that comes with Fondue.

#include <filesystem>
#include <string>
#include <vector>

namespace fondue {

/// Names of the scenes in a folder that need no other file, sorted.
std::vector<std::string> template_names(const std::filesystem::path& folder);

/// The text of a new scene: that of the template under another name, and instead of its introduction how to go on with
/// the file. InputError with the nearest right name if there is no such template.
std::string text_from_template(const std::filesystem::path& folder, const std::string& like, const std::string& name,
                               const std::string& file);

/// All of a file; InputError if it cannot be read.
std::string text_of_file(const std::filesystem::path& path);

}  // namespace fondue
