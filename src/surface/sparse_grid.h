#pragma once
// The iso-surface f = 0 of a function on a sparse grid: blocks of 7^3 cells, of which only those near the surface
// are evaluated and none is stored.
//
// Neighbouring blocks share the corners on their common face. If the function returns bit-identical values there for
// both blocks, the surface has no seam. Blocks that are not listed are outside; blocks listed as inside are not
// evaluated, and all their corners, including shared ones, are inside.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "shapes/geometry.h"

namespace fondue {

inline constexpr int block_cells = 7, block_side = block_cells + 1,
                     block_corners = block_side * block_side * block_side;

/// Coordinates of a block, in blocks from the origin; ordered by z, then y, then x.
class BlockKey {
 public:
  /// Largest magnitude of a coordinate.
  static constexpr std::int32_t most = (1 << 20) - 2;

  BlockKey(std::int32_t x, std::int32_t y, std::int32_t z) : bits_(part(z) << 42 | part(y) << 21 | part(x)) {}
  std::int32_t x() const { return coordinate(0); }
  std::int32_t y() const { return coordinate(21); }
  std::int32_t z() const { return coordinate(42); }
  auto operator<=>(const BlockKey&) const = default;

 private:
  static constexpr std::int32_t bias = 1 << 20;
  static std::uint64_t part(std::int32_t c) { return static_cast<std::uint64_t>(c + bias); }
  std::int32_t coordinate(int shift) const { return static_cast<std::int32_t>(bits_ >> shift & 0x1fffff) - bias; }
  std::uint64_t bits_;
};

/// Value and gradient at the corners of a block; x changes fastest. Positive values are inside.
struct BlockValues {
  alignas(32) float f[block_corners];
  alignas(32) float gradient[3][block_corners];
};

struct SparseGrid {
  /// Side of a cell [m]; corner (0, 0, 0) of block (0, 0, 0) is at the origin.
  float cell;
  /// Sorted and unique.
  std::vector<BlockKey> blocks;
  /// Non-zero for blocks that are inside and not evaluated.
  std::vector<std::uint8_t> inside;

  /// Index of a block in the list; the size of the list if it is not there.
  std::size_t find(BlockKey key) const;
  Vec3 corner(BlockKey block, int x, int y, int z) const;
  float width() const { return block_cells * cell; }
};

/// Computes the values of a block; called from several threads.
using BlockFunction = std::function<void(BlockKey, BlockValues&)>;

/// The closed surface with normals from the gradient, facing outward. Vertices and triangles are in block order, for
/// any number of threads.
Geometry extract_surface(const SparseGrid& grid, const BlockFunction& evaluate);

}  // namespace fondue
