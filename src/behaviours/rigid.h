#pragma once
// Rigid matter: particles that became rigid while they were within a support radius of each other form a body, which
// moves as one from then on, in the shape it has at that moment and with its momentum and angular momentum. It rests,
// slides, tumbles and bounces on colliders as a rigid body does; fluid and sand see it as solid; other bodies meet it
// by `contact`, which it brings. Where its weight falls to zero matter is let go; what is left may be several bodies.
// Bodies that touch later on stay apart, unless matter between them becomes rigid too.
//
// It exerts no force by itself: it bonds particles and says how strictly bonded ones move as one (the column rigidity),
// and world/rigid_clusters.h moves them. A weight between 0 and 1 lets velocities approach those of a rigid motion, the
// faster the closer it is to 1; the shape is kept at 1.
//
// Conserves mass, momentum and angular momentum, and takes energy only while it stiffens or hits something.

#include "behaviours/behaviour.h"

namespace fondue {

class Rigid final : public Behaviour {
 public:
  static const BehaviourInfo description;

  const BehaviourInfo& info() const override { return description; }
  void require(Particles& particles) const override;
  void entered(Particles& particles, const Properties& properties, std::span<const Index> which) override;
  void left(Particles& particles, std::span<const Index> which) override;
  void begin(const Evaluation& evaluation) override;
};

}  // namespace fondue
