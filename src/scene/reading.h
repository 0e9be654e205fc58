#pragma once
// State shared by all readers of a scene.

#include <filesystem>
#include <map>
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
  /// Of the run [s]; 0 until they are read.
  double duration = 0, frames_per_second = 0;
  /// Folder to which file names are relative.
  std::filesystem::path folder;
  /// All columns that particles of any scene can have, and their units.
  std::vector<std::string> columns;
  std::map<std::string, std::string> units;
  /// What is not wrong but should be known.
  std::vector<std::string> notes;

  void note(const Place& place, const std::string& what);
  /// Of a column, or of a coordinate (x, y, z).
  std::string unit_of(const std::string& attribute) const;
};

/// Names of all columns there are: those of every particle, and those behaviours read or write.
std::vector<std::string> known_columns();
/// Those of these columns that mean something outside of the solver: what rounding and solves leave over, and what only
/// a resumed run needs, does not.
std::vector<std::string> shown_columns(const std::vector<std::string>& names);
/// Units of the columns that behaviours make.
std::map<std::string, std::string> column_units();
/// Names of the columns that particles of this setup have: those of every particle, and those of its behaviours.
std::set<std::string, std::less<>> columns_of(const WorldSetup& world);

}  // namespace fondue
