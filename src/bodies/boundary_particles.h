#pragma once
// Boundary particles of all bodies (Akinci 2012). They lie half a spacing below the surface, complete the density sum
// of fluid there and push back by pressure:
//
//   V_b = gamma / sum_k W_bk,   gamma such that a fluid lattice resting on a flat wall measures its rest density,
//
// so one layer stands for all the missing ones and uneven sampling does no harm; its viscous pull and the heat it
// conducts are scaled in the same way (wall_scales.h). Those of a mesh sequence go with its triangles.

#include <vector>

#include "behaviours/behaviour.h"
#include "bodies/body.h"
#include "bodies/wall_scales.h"

namespace fondue {

class BoundaryParticles {
 public:
  /// Region: where they are needed on shapes without end.
  BoundaryParticles(const std::vector<Body>& bodies, const Lattice& lattice, const Box& region);

  /// Moves them to where they are at a time; false if they have not moved since the last call.
  bool move_to(double time);
  const Walls& walls() const { return walls_; }

 private:
  void bind_to_triangles();
  void find_volumes(const Lattice& lattice);

  const std::vector<Body>& bodies_;
  bool all_still_ = true, moved_ = false;
  Walls walls_;
  /// In the frame of their body; those of a mesh sequence also by where they lie at its triangles.
  std::vector<Vec3> local_position_, local_normal_;
  std::vector<MeshAnchor> anchors_;
};

}  // namespace fondue
