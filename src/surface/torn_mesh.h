#pragma once
// The surface of a body that has torn or broken, in its shape at rest, for carried_mesh.h: that of the body's shape,
// and along cracks two surfaces, one for each side, so that every piece is closed.
//
// The shape is sampled on a grid, and each grid point belongs to the nearest particle. An edge of the grid is cut where
// the particles of its ends are neighbours that nothing holds together any more (body_links.h). Within a cell the
// points that uncut edges join are one piece; each piece gets its own surface by marching cubes, whose vertices on cut
// edges are as far from the one particle as from the other. So cracks run between particles, as rough as their
// arrangement, and a crack that ends inside the body ends in the mesh as well. A vertex follows the particle that owns
// the inner end of its edge; both cells at a face agree about that, so pieces are closed, but for hairlines at the tips
// of cracks.

#include <array>

#include "shapes/geometry.h"
#include "shapes/shape.h"
#include "surface/body_links.h"

namespace fondue {

class TornMesh {
 public:
  /// Samples a shape that is filled with particles.
  TornMesh(const Shape& shape, const Box& within, float cell, const std::vector<Vec3>& particles,
           std::span<const float> supports);

  struct Torn {
    Geometry surface;
    /// By vertex: the particle on whose side it is.
    std::vector<Index> owners;
  };
  Torn cut(const BodyLinks& links) const;

 private:
  struct Cell;
  std::size_t index(const std::array<int, 3>& at) const {
    return static_cast<std::size_t>(at[0]) +
           static_cast<std::size_t>(size_[0]) *
               (static_cast<std::size_t>(at[1]) + static_cast<std::size_t>(size_[1]) * static_cast<std::size_t>(at[2]));
  }
  Vec3 position(const std::array<int, 3>& at) const;
  /// Where the surface of the piece of `from` crosses the way to `to`, from 0 to 1.
  float crossing(const Vec3& x_from, const Vec3& x_to, std::size_t from, std::size_t to, bool cut) const;

  float cell_;
  Vec3 origin_;
  /// Grid points along each axis.
  std::array<int, 3> size_;
  /// By grid point: signed distance, negative inside; nearest particle.
  std::vector<float> distance_;
  std::vector<Index> owner_;
  std::vector<Vec3> particles_;
};

}  // namespace fondue
