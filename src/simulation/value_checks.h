#pragma once
// Checks of single values against the declaration of their parameter (timeline/parameter.h).

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "timeline/parameter.h"

namespace fondue {

/// Adds to a list what is wrong with the values of one thing, such as "object 'water' > fluid".
class ValueChecks {
 public:
  using Columns = std::set<std::string, std::less<>>;
  ValueChecks(std::string where, int dimension, std::vector<std::string>& mistakes)
      : where_(std::move(where)), dimension_(dimension), mistakes_(mistakes) {}

  /// Range, finite values and keys of a value of a parameter. `columns` are those that curves may run over.
  template <class T>
  void check(const Parameter& parameter, const Keyable<T>& value, const Columns& columns = {});
  void wrong(const std::string& what) { mistakes_.push_back(where_ + ": " + what); }
  void wrong(const Parameter& parameter, const std::string& what);

 private:
  void check_over(const Parameter& parameter, const std::string& over, const Columns& columns);
  void check_keys(const Parameter& parameter, const std::vector<double>& keys, std::size_t values);
  bool check_number(const Parameter& parameter, float value);
  bool check_value(const Parameter& parameter, float value) { return check_number(parameter, value); }
  bool check_value(const Parameter& parameter, const Vec3& value);

  std::string where_;
  int dimension_;
  std::vector<std::string>& mistakes_;
};

}  // namespace fondue
