#pragma once
// Every pair formula there is, by what it adds to. A new one becomes a member here and a line in the function below it;
// the loops compose whatever is active in one pass.

#include "behaviours/artificial_viscosity.h"
#include "behaviours/deformation_rate.h"
#include "behaviours/fluid.h"
#include "behaviours/heat.h"
#include "behaviours/surface_tension.h"
#include "behaviours/viscosity.h"
#include "behaviours/xsph.h"

namespace fondue {

template <unsigned number>
struct FormulaNumber {
  static constexpr unsigned bit = 1u << number;
};

struct PairFormulas {
  /// Sums that must be complete before the rates.
  CompressionSum compression;
  NormalisedCompression normalised;
  DeformationRate deformation;
  ExposedArea exposed;

  /// Rates of change.
  PressureForce pressure;
  ViscousForce viscosity;
  ArtificialViscousForce artificial_viscosity;
  CohesionForce surface_tension;
  SmoothedMotion xsph;
  HeatFlow heat;
  StressForce stress;

  /// Viscosity that is solved for after the rates instead of being one of them (world/viscous_solve.h).
  ViscousForce implicit_viscosity;

  /// Calls visit(formula, number) for each formula of rates.
  template <class Visit>
  FONDUE_INLINE void each_rate(Visit&& visit) const {
    visit(pressure, FormulaNumber<0>{});
    visit(viscosity, FormulaNumber<1>{});
    visit(artificial_viscosity, FormulaNumber<2>{});
    visit(surface_tension, FormulaNumber<3>{});
    visit(xsph, FormulaNumber<4>{});
    visit(heat, FormulaNumber<5>{});
    visit(stress, FormulaNumber<6>{});
  }
};

}  // namespace fondue
