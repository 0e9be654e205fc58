#include "scene/scene.h"

#include <filesystem>
#include <fstream>

#include "scene/overrides.h"
#include "scene/scene_reader.h"
#include "scene/toml_file.h"

namespace fondue {

Scene parse_scene(std::string_view toml, const std::string& path, const std::vector<Override>& overrides) {
  Reading reading;
  reading.folder = std::filesystem::path(path).parent_path();
  reading.columns = known_columns();
  reading.units = column_units();
  std::optional<Node> root = parse_toml(toml, path, reading.mistakes);
  Scene scene;
  if (root) {
    apply_overrides(*root, overrides, reading.mistakes);
    scene = SceneReader(*root, path, reading).read();
  }
  reading.mistakes.raise();
  return scene;
}

Scene load_scene(const std::string& path, const std::vector<Override>& overrides) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) throw SceneError({{path, 0, 0, "cannot be read: " + (error ? error.message() : "no access")}});
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  return parse_scene(text, path, overrides);
}

}  // namespace fondue
