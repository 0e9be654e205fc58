#pragma once
// What the components of a value are called in files of other programs.

#include <string>
#include <vector>

namespace fondue {

/// x, y, z of a vector; xx, yy, zz, xy, xz, yz of a symmetric tensor; the entries of a matrix column by column; numbers
/// from 0 for anything else. One component needs no name.
inline std::vector<std::string> component_names(int components) {
  switch (components) {
    case 1:
      return {""};
    case 3:
      return {"x", "y", "z"};
    case 6:
      return {"xx", "yy", "zz", "xy", "xz", "yz"};
    case 9:
      return {"xx", "yx", "zx", "xy", "yy", "zy", "xz", "yz", "zz"};
    default: {
      std::vector<std::string> names;
      for (int k = 0; k != components; ++k) names.push_back(std::to_string(k));
      return names;
    }
  }
}

}  // namespace fondue
