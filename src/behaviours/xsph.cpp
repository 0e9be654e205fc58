#include "behaviours/xsph.h"

#include "behaviours/pair_formulas.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Xsph::epsilon};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "density"};
constexpr std::string_view writes[] = {"drift"};
}  // namespace

const BehaviourInfo Xsph::description{.name = "xsph",
                                      .help = "Moves particles with a smoothed velocity, which keeps them orderly.",
                                      .source = "P06 (9), P09 (11), Monaghan 1989",
                                      .parameters = parameters,
                                      .reads = reads,
                                      .writes = writes,
                                      .laws = {.momentum = true, .galilean = true, .rotation = true}};

void Xsph::begin(const Evaluation& e) {
  motion_ = {e.formula_weight(), e.fields.property(e.properties.number(epsilon)), e.shared.mass};
}

void Xsph::join(PairFormulas& formulas) const { formulas.xsph = motion_; }

}  // namespace fondue
