#pragma once
// What fills the pores of an object, as its tracks and the other objects of the scene say.

#include "behaviours/behaviour.h"
#include "behaviours/pore_flow.h"

namespace fondue {

/// What the pores of one object are filled with, and those of their constants that do not vary.
struct PoreMaterial {
  Index fluid = PoreSite::none;
  double fluid_density = 1000, porosity = 0, alpha = 0, beta = 0, viscosity = 1, pressure_constant = 0;
};

/// By object.
std::vector<PoreMaterial> pore_materials(const Properties& properties, const MatterOutline& matter);
/// Of a fluid's tracks; 0 if they give none.
float rest_density_of(const MatterOutline::Object& object);

/// Pores need a body around them, and one fluid.
void check_pores(const MatterOutline& matter, const ReportMistake& report);

}  // namespace fondue
