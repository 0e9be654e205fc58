#include "scene/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace fondue {

namespace {

std::string all_of(const std::vector<SceneMistake>& mistakes) {
  std::string text;
  for (const SceneMistake& mistake : mistakes) {
    if (!text.empty()) text += '\n';
    text += mistake.text();
  }
  return text;
}

}  // namespace

std::string SceneMistake::text() const {
  if (line == 0) return file + ": " + message;
  return fmt::format("{}:{}:{}: {}", file, line, column, message);
}

SceneError::SceneError(std::vector<SceneMistake> list) : InputError(all_of(list)), mistakes(std::move(list)) {}

void Mistakes::add(const Place& place, std::string message) {
  const std::string& file = *place.file;
  for (const SceneMistake& known : mistakes_)
    if (known.line == place.line && known.column == place.column && known.message == message && known.file == file)
      return;
  mistakes_.push_back({file, place.line, place.column, std::move(message)});
}

void Mistakes::raise() {
  if (mistakes_.empty()) return;
  std::stable_sort(mistakes_.begin(), mistakes_.end(), [](const SceneMistake& a, const SceneMistake& b) {
    // Options of the command line (line 0) come after the file.
    return std::tuple(a.line == 0, a.line, a.column) < std::tuple(b.line == 0, b.line, b.column);
  });
  throw SceneError(std::move(mistakes_));
}

}  // namespace fondue
