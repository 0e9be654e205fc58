#pragma once
// A program that is not installed.

#include <cstdlib>
#include <string>

namespace fondue::testing_support {

/// Has another search path for programs while it lives.
class OtherPath {
 public:
  explicit OtherPath(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
  ~OtherPath() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

}  // namespace fondue::testing_support
