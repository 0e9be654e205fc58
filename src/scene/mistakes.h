#pragma once
// Collects every mistake of a scene, so that one reading reports them all.

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
  /// Throws SceneError, in the order of the file, if there were any.
  void raise();

 private:
  std::vector<SceneMistake> mistakes_;
};

}  // namespace fondue
