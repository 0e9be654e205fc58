#pragma once
// State shared by all readers of a scene.

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scene/mistakes.h"
#include "scene/node.h"
#include "timeline/parameter.h"
#include "world/setup.h"

namespace fondue {

struct Reading {
  Mistakes mistakes;
  int dimension = 3;
  /// Folder to which file names are relative.
  std::filesystem::path folder;
  /// All columns that particles of any scene can have.
  std::vector<std::string> columns;
  /// What is not wrong but should be known.
  std::vector<std::string> notes;
};

/// Names of all columns there are: those of every particle, and those behaviours read or write.
std::vector<std::string> known_columns();
/// Names of the columns that particles of this setup have: those of every particle, and those of its behaviours.
std::set<std::string, std::less<>> columns_of(const WorldSetup& world);

}  // namespace fondue
