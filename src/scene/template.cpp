#include "scene/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/error.h"
#include "scene/suggest.h"
#include "scene/toml_text.h"

namespace fondue {

namespace fs = std::filesystem;

std::string text_of_file(const fs::path& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !fs::is_regular_file(path, error)) throw InputError(fmt::format("'{}' cannot be read", path.string()));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> template_names(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string text = text_of_file(entry.path());
    const auto has = [&](const char* key) { return text.find(key) != std::string::npos; };
    if (!has("file = \"") && !has("files = \"") && !has("image = \"")) names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::string text_from_template(const fs::path& folder, const std::string& like, const std::string& name,
                               const std::string& file) {
  const std::vector<std::string> known = template_names(folder);
  if (std::ranges::find(known, like) == known.end())
    throw InputError(fmt::format("there is no scene '{}' that can be copied{}", like, suggestion(like, known)));
  std::string result = fmt::format(
      "# {0}: begun as a copy of the scene {2}. All numbers are in SI units; \"8 cm\", \"20 C\", \"5 deg\", \"2 ms\" "
      "work "
      "too.\n"
      "#   fondue check {1}      mistakes, doubts, and how long a run will take\n"
      "#   fondue run {1}        simulate: frames, a picture and a video in out/{0}\n"
      "#   fondue render out/{0}      finished pictures\n"
      "#   fondue reference      every section and every key\n",
      name, file, like);
  std::istringstream lines(text_of_file(folder / (like + ".toml")));
  bool introduction = true, named = false;
  for (std::string line; std::getline(lines, line);) {
    introduction &= line.starts_with('#');
    if (introduction) continue;
    if (!named && line.starts_with("name = ")) {
      line = "name = " + toml_string(name);
      named = true;
    }
    result += line + '\n';
  }
  return result;
}

}  // namespace fondue
