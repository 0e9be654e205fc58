#pragma once
// The iso-surface f = 0 of a function that is given on a sparse grid: blocks of seven cells a side, of which only those
// near the surface are ever evaluated and none is kept.
//
// Every grid corner belongs to the closed block on its lower side and to those it touches; a function whose value does
// not depend on which block asks gives the same bits on both sides of a block's face, and the surface has no seam.
// Blocks that are not listed lie outside, blocks that are listed as inside are not evaluated: their corners, also those
// they share with others, are inside.

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
  /// Coordinates up to this size, either way.
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

/// Value and gradient at the corners of a block; x runs fastest. Positive values are inside.
struct BlockValues {
  alignas(32) float f[block_corners];
  alignas(32) float gradient[3][block_corners];
};

struct SparseGrid {
  /// Side of a cell [m]; corner (0, 0, 0) of block (0, 0, 0) is at the origin.
  float cell;
  /// In order, each once.
  std::vector<BlockKey> blocks;
  /// Non-zero for blocks that lie inside and are not evaluated.
  std::vector<std::uint8_t> inside;

  /// Place of a block in the list; its size if it is not there.
  std::size_t find(BlockKey key) const;
  Vec3 corner(BlockKey block, int x, int y, int z) const;
  float width() const { return block_cells * cell; }
};

/// Fills in the values of a block; called from several threads.
using BlockFunction = std::function<void(BlockKey, BlockValues&)>;

/// The closed surface with normals from the gradient, facing outward. Vertices and triangles follow the order of the
/// blocks, whatever the number of threads.
Geometry extract_surface(const SparseGrid& grid, const BlockFunction& evaluate);

}  // namespace fondue
