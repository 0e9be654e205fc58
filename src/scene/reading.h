#pragma once
// What every reader of one scene shares.

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
  /// Files are looked for from here.
  std::filesystem::path folder;
  /// Every column some particle of some scene may have.
  std::vector<std::string> columns;
  /// What is not wrong but should be known.
  std::vector<std::string> notes;
};

/// Names of all columns there are: those of every particle, and those behaviours read or write.
std::vector<std::string> known_columns();

}  // namespace fondue
