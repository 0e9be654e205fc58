#pragma once
// Reads one table of a scene by the declarations of its keys and records which keys were requested: every other key is
// a mistake, reported with the closest known key.

#include <span>
#include <string>
#include <vector>

#include "scene/declaration.h"
#include "scene/reading.h"

namespace fondue {

class TableReader {
 public:
  /// `where` names the table in messages: "[time]", "object 'column' > shape". In two dimensions (`plane`) vectors have
  /// no z component.
  TableReader(const Node& table, std::string where, bool plane, Reading& reading);

  /// The values that the table gives for these parameters.
  Values given(std::span<const Parameter* const> parameters);
  /// The same with all defaults; a mistake where a required one is missing.
  Values values(std::span<const Parameter* const> parameters);
  /// The value of a key that is not a parameter; null if it is absent.
  const Node* part(const Part& part);
  const Node* key(const char* name);
  /// Reports every key that was not requested.
  void finish();

  /// The list of names given for this key; all must be known.
  std::vector<std::string> names(const Part& part, std::span<const std::string> known);
  /// A mistake at a key of this table, or at the table itself if the key is absent.
  void wrong(const char* key, const std::string& what);
  void missing(const char* key);
  const std::string& where() const { return where_; }

 private:
  const Node& table_;
  std::string where_;
  bool plane_;
  Reading& reading_;
  std::vector<std::string> known_;
};

}  // namespace fondue
