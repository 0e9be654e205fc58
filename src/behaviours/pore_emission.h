#pragma once
// How fluid leaves pores and how particles that have almost vanished end (PHYSICS 5, after L09 6.5 and Adams et al.
// 2007). m0 is the mass of a full particle of the fluid.
//
//   born     a site whose emission account holds 0.1 m0 makes a particle of it, with its own velocity, at the best of
//   20
//            places: 0.7 to 1.15 spacings outward, not inside porous matter or a body, 0.55 spacings from all others at
//            least. Where there is none, it joins the nearest free fluid of less than m0; if there is none either, an
//            account of a whole m0 takes the best place even if it is closer than that.
//   merged   free fluid below 0.05 m0 becomes part of the nearest full enough neighbour of its kind (at their common
//            centre of mass), or of a pore with room; if there is neither, it stays.
//
// Mass and momentum are conserved. Supports stay what they are.

#include "behaviours/exchange.h"
#include "behaviours/pore_flow.h"

namespace fondue {

/// A full particle of a fluid.
struct FullParticle {
  float mass, volume, support, spacing;
};

/// Sites, in the order of their ids, with the particles they stand for, and all that is near each of them.
struct PoreSurroundings {
  std::vector<PoreSite>& sites;
  std::span<const Index> particle;
  const PoreFlow& flow;
  /// By object of a fluid.
  std::span<const FullParticle> full;
};

/// Births from the accounts of all sites; accounts[k] [kg] is that of site k.
void emit(const Exchange& exchange, const PoreSurroundings& around, std::span<float> accounts);
/// Ends what is too small; pores take what they are given into `held`.
void merge_small(const Exchange& exchange, const PoreSurroundings& around);

}  // namespace fondue
