#pragma once
// Every behaviour there is, in the order in which they are evaluated. This is the only list: the scene reader, the
// reference, the law tests and the loops over pairs, which compose the formulas, all follow from it.

#include "behaviours/artificial_viscosity.h"
#include "behaviours/attractor.h"
#include "behaviours/cloth.h"
#include "behaviours/contact.h"
#include "behaviours/control.h"
#include "behaviours/drag.h"
#include "behaviours/elastic.h"
#include "behaviours/explosion.h"
#include "behaviours/fluid.h"
#include "behaviours/fracture.h"
#include "behaviours/gravity.h"
#include "behaviours/heat.h"
#include "behaviours/history.h"
#include "behaviours/plastic.h"
#include "behaviours/porous.h"
#include "behaviours/rigid.h"
#include "behaviours/sand.h"
#include "behaviours/shell.h"
#include "behaviours/springs.h"
#include "behaviours/surface_tension.h"
#include "behaviours/viscosity.h"
#include "behaviours/wind.h"
#include "behaviours/xsph.h"

namespace fondue {

using RegisteredBehaviours = TypeList<Gravity, Fracture, Elastic, Shell, Plastic, Cloth, Rigid, Contact, Fluid, Sand,
                                      Viscosity, ArtificialViscosity, SurfaceTension, Xsph, Springs, Heat, Porous, Wind,
                                      Drag, Attractor, Explosion, Control, History>;

/// Common combinations of rates: the loops over pairs are compiled for each of these sets, for uniform groups and for
/// all others; any other set runs in a general loop that asks each formula whether it acts.
using CommonCombinations =
    TypeList<TypeList<PressureForce>, TypeList<PressureForce, ArtificialViscousForce>,
             TypeList<PressureForce, ViscousForce>, TypeList<PressureForce, ViscousForce, ArtificialViscousForce>,
             TypeList<PressureForce, SandForce>>;

/// The same of sums that need gradients, for uniform groups.
using CommonGradients = TypeList<TypeList<SandStress>>;

using CommonCombinationsOfMixed = TypeList<TypeList<PressureForce, ArtificialViscousForce>>;

template <class B>
struct FormulasOfBehaviour {
  using type = TypeList<>;
};
template <class B>
requires requires { typename B::Formulas; }
struct FormulasOfBehaviour<B> {
  using type = typename B::Formulas;
};

template <class... B>
auto formulas_of_behaviours(TypeList<B...>) -> typename Joined<typename FormulasOfBehaviour<B>::type...>::type;

/// The formulas of one evaluation: one of each type, active or not.
struct PairFormulas : TableOf<decltype(formulas_of_behaviours(RegisteredBehaviours{}))>::type {};

template <class B>
struct SubstepFormulasOfBehaviour {
  using type = TypeList<>;
};
template <class B>
requires requires { typename B::SubstepFormulas; }
struct SubstepFormulasOfBehaviour<B> {
  using type = typename B::SubstepFormulas;
};

template <class... B>
auto substep_formulas_of_behaviours(TypeList<B...>) ->
    typename Joined<typename SubstepFormulasOfBehaviour<B>::type...>::type;

/// The formulas of the substeps of one step.
struct SubstepFormulas : TableOf<decltype(substep_formulas_of_behaviours(RegisteredBehaviours{}))>::type {};

}  // namespace fondue
