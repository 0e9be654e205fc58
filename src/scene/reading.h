#pragma once
// State shared by all readers of a scene.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scene/mistakes.h"
#include "scene/node.h"
#include "timeline/parameter.h"

namespace fondue {

struct Reading {
  Mistakes mistakes;
  int dimension = 3;
  /// Folder to which file names are relative.
  std::filesystem::path folder;
  /// All columns that particles of any scene can have.
  std::vector<std::string> columns;
  /// Columns that curves of this scene run over, with their positions in the file.
  std::vector<std::pair<std::string, Place>> attributes;
  /// Warnings that are not mistakes.
  std::vector<std::string> notes;
};

/// Names of the columns that all particles have.
std::vector<std::string> every_particles_columns();
/// Names of all columns: those of all particles, and those that behaviours read or write.
std::vector<std::string> known_columns();

}  // namespace fondue
