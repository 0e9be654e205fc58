#pragma once
// A frame is one HDF5 file: all a run continues from, and what the scene wants to see beside it.
//
//   /                     attributes: format, format_version, program, scene, frame, time, step, ...
//   /particles/<column>   (n) or (n, components) numbers, with attributes unit and help
//   /vertices             (n) the numbers 0 to n - 1, which the index refers to
//   /bonds/<set>          begins (n + 1) and neighbours (b) of the bonds as in particles/bonds.h,
//                         columns/<column> (b) or (b, components)
//   /solids/position      (m, 3) positions of the boundary particles
//   /state/<number>       (k) numbers, with the attribute name: whatever else a run continues from
//
// A frame gets its name when it is whole (cache/output_file.h), and HDF5 never sees a full disk: the file is built in
// memory and written in one go. Columns are in the order of their names, so equal states are equal files. Reading
// restores every bit; anything else than a whole frame is an InputError with the file and what is wrong with it.

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/vec.h"
#include "particles/particles.h"

namespace fondue {

/// Version 1 (Fondue 0.1) had no bonds; versions 1 and 2 call density_ratio "compression". Both are still read.
inline constexpr int frame_format_version = 3;
inline constexpr const char* frame_vertices = "vertices";

struct FrameHeader {
  /// Format the frame was read from; written is always the newest.
  int version = frame_format_version;
  /// Number of this frame; in a checkpoint, of the last one before it.
  int frame = 0;
  double time = 0;
  /// Steps made so far.
  std::uint64_t step = 0;
  /// The id of the next particle; written as the particles say.
  Index next_id = 0;
  int dimension = 3;
  double spacing = 0;
  std::string scene;
  /// Named lists of numbers that other parts of a run continue from: emitters, the integrator.
  std::map<std::string, std::vector<double>> state;

  bool operator==(const FrameHeader&) const = default;
};

/// Everything about a frame but the numbers of its particles.
struct FrameOutline {
  struct Column {
    std::string name, unit;
    Scalar scalar;
    int components;
    /// Name of the array in the file, if another version of Fondue gave it another one.
    std::string stored_as = {};
  };
  FrameHeader header;
  Index particles = 0;
  std::vector<Column> columns;
};

struct Frame {
  FrameHeader header;
  Particles particles;
  std::vector<Vec3> solids;
};

/// The bytes of a frame with the columns a run continues from, velocity and id, and the extra ones named.
std::vector<std::byte> frame_image(const FrameHeader& header, const Particles& particles,
                                   std::span<const std::string> extra_columns, std::span<const Vec3> solids);
/// Writes such a frame.
void write_frame(const std::filesystem::path& path, const FrameHeader& header, const Particles& particles,
                 std::span<const std::string> extra_columns, std::span<const Vec3> solids);

Frame read_frame(const std::filesystem::path& path);
FrameOutline read_frame_outline(const std::filesystem::path& path);
FrameHeader read_frame_header(const std::filesystem::path& path);

}  // namespace fondue
