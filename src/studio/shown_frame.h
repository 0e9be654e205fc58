#pragma once
// A frame as it is sent to the page: small and ready for the graphics card.
//
//   4 bytes   n, length of the header
//   n bytes   header: JSON, padded with blanks so that n is a multiple of 4
//   8 bytes   per point: x, y, z in 65535ths of the box in the header, radius in 65535ths of the largest one
//   4 bytes   per point: red, green, blue, and the object (255: a solid)
//             places and normals of solids that change their shape
//
// Points are the particles, then the boundary particles of visible solids where these are not sent as triangles
// (studio/shown_props.h). All numbers are little-endian.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "picture/legend.h"
#include "picture/run_view.h"

namespace fondue {

/// What the page asked to see.
struct Shown {
  /// Column to colour by, or "object"; that of the scene if empty.
  std::string colour_by;
  std::string map;
  /// Range of the colours; that of the frames seen so far if min >= max.
  float min = 0, max = 0;
};

/// Makes frames for the page. Remembers the range of values, so that colours do not flicker.
class FramePacker {
 public:
  void show(Shown shown) {
    shown_ = std::move(shown);
    forget_range();
  }
  const Shown& shown() const { return shown_; }
  void forget_range() { low_ = infinity, high_ = -infinity; }

  /// `header` is what else the page should know of this frame. The memory of `bytes` is used again.
  std::string pack(const Scene& scene, const Particles& particles, const FrameHeader& frame,
                   std::span<const Vec3> solids, nlohmann::json header, std::string bytes = {});

 private:
  Legend legend_of(const Scene& scene, const Particles& particles, const std::string& column,
                   std::span<const float> values);

  Shown shown_;
  float low_ = infinity, high_ = -infinity;
  /// Of the column to colour by; kept because new memory costs as much as what is done with it.
  std::vector<float> values_;
};

}  // namespace fondue
