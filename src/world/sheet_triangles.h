#pragma once
// The triangles of all sheets (particles/sheets.h), kept up to date, and how far other matter is from them.

#include <vector>

#include "particles/sheets.h"

namespace fondue {

class SheetTriangles {
 public:
  /// False if there are none.
  bool follow(const Particles& particles);
  std::span<const SheetTriangle> all() const { return triangles_; }
  /// Distances are known up to this many spacings of a particle.
  static constexpr float known = 1.9f;
  /// By particle: distance from the nearest sheet that it is not part of, infinite if that is farther.
  std::vector<float> gaps(const Particles& particles, float support_ratio) const;

 private:
  std::vector<SheetTriangle> triangles_;
  std::uint64_t revision_ = 0;
  Index particles_ = 0;
};

}  // namespace fondue
