#pragma once
// Collects all mistakes in a scene, so that they are reported together.

#include <string>
#include <vector>

#include "scene/node.h"
#include "scene/scene.h"

namespace fondue {

class Mistakes {
 public:
  /// The same mistake at the same place counts once.
  void add(const Place& place, std::string message);
  std::size_t count() const { return mistakes_.size(); }
  /// Throws SceneError, sorted by position in the file, if there were any.
  void raise();

 private:
  std::vector<SceneMistake> mistakes_;
};

}  // namespace fondue
