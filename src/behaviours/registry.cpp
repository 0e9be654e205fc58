#include "behaviours/artificial_viscosity.h"
#include "behaviours/attractor.h"
#include "behaviours/behaviour.h"
#include "behaviours/drag.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/surface_tension.h"
#include "behaviours/viscosity.h"
#include "behaviours/wind.h"
#include "behaviours/xsph.h"

namespace fondue {

namespace {
template <class B>
RegisteredBehaviour entry() {
  return {&B::description, []() -> std::unique_ptr<Behaviour> { return std::make_unique<B>(); }};
}
}  // namespace

std::span<const RegisteredBehaviour> behaviour_registry() {
  static const RegisteredBehaviour all[] = {
      entry<Gravity>(), entry<Fluid>(), entry<Viscosity>(), entry<ArtificialViscosity>(), entry<SurfaceTension>(),
      entry<Xsph>(),    entry<Wind>(),  entry<Drag>(),      entry<Attractor>(),
  };
  return all;
}

}  // namespace fondue
