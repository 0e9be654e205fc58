#pragma once
// Boundary particles of all bodies (Akinci 2012). They lie half a spacing below the surface, complete the density sum
// of fluid there and push back by pressure:
//
//   V_b = gamma / sum_k W_bk,   gamma such that a fluid lattice resting on a flat wall measures its rest density,
//
// so one layer stands for all the missing ones and uneven sampling does no harm; its viscous pull and the heat it
// conducts are scaled in the same way, and so is what particles of another spacing see of it (wall_scales.h). They move
// with their body, those of a mesh sequence with its triangles, and those of a flat shape without end only as far as
// the shape itself moves (endless.h). Their velocity is that of the body's surface.

#include <optional>
#include <vector>

#include "behaviours/behaviour.h"
#include "bodies/body.h"
#include "bodies/endless.h"
#include "bodies/wall_scales.h"
#include "core/progress_report.h"

namespace fondue {

class BoundaryParticles {
 public:
  /// Region: where they are needed on shapes without end.
  BoundaryParticles(const std::vector<Body>& bodies, const Lattice& lattice, const Box& region,
                    const ProgressReport& report = {});

  /// Moves them to where the bodies are now; false if nothing of them has changed since the last call.
  bool follow_bodies(double time);
  const Walls& walls() const { return walls_; }

 private:
  void sample(std::size_t c, const Box& region, int dimension, const ProgressReport& report);
  void bind_to_triangles();
  void find_volumes(const Lattice& lattice);
  /// Temperature, pull and slip of a time.
  void follow_surfaces(double time);

  const std::vector<Body>& bodies_;
  /// By body: set for moving flat shapes without end; its pose at the start.
  std::vector<std::optional<EndlessShape>> endless_;
  std::vector<Pose> start_;
  Vec3d centre_;
  bool placed_ = false;
  Walls walls_;
  /// Those that change once they are placed.
  std::vector<Index> unsteady_;
  /// In the frame of their body; those of a mesh sequence also by where they lie at its triangles.
  std::vector<Vec3> local_position_, local_normal_;
  std::vector<MeshAnchor> anchors_;
};

}  // namespace fondue
