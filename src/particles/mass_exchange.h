#pragma once
// Particles that grow, shrink, merge and split. Mass and momentum are conserved to round-off, and so is every column
// that adds up; what happens to a column is its declared rule. With a share s = dm / m_i of particle i going to j:
//
//   sum    a_j += s a_i,  a_i -= s a_i                    mass, volume
//   mean   a_j += (a_i - a_j) dm / (m_j + dm)             velocity, temperature, density ratio ...
//   keep   unchanged                                      id, object, support
//
// Positions are plain: across a periodic boundary, bring one particle to the other's side first. Bonds are not handed
// on: those of a merged particle go with it, and the new particles of a split have none.

#include <span>

#include "particles/particles.h"

namespace fondue {

/// Moves mass [kg] from one particle to another: one shrinks, one grows. Both stay where they are and keep their
/// supports. SimulationError if there is not so much mass to take.
void move_mass(Particles& particles, Index from, Index to, float mass);

/// Moves all of one particle into another, to their common centre of mass, and marks the empty one for
/// Particles::remove(). The support of the receiver grows with its volume V: R^d / V is kept.
void merge(Particles& particles, Index from, Index to, int dimension, std::span<std::uint8_t> marked);

/// Splits a particle into as many equal ones as there are offsets, at its position plus these, less their mean: the
/// centre of mass and the velocity are kept. The first of them is the particle itself; the others are new, with ids of
/// their own, and copies of it otherwise. Each has the n-th part of mass and volume, and R^d / V is kept. Returns the
/// first new index; spans are invalid afterwards.
Index split(Particles& particles, Index particle, std::span<const Vec3> offsets, int dimension);

}  // namespace fondue
