#include "behaviours/drag.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Drag::linear, &Drag::quadratic};
constexpr std::string_view reads[] = {"velocity"};
constexpr std::string_view writes[] = {"acceleration"};
}  // namespace

const BehaviourInfo Drag::description{.name = "drag",
                                      .help = "Slows everything down against still surroundings.",
                                      .source = "derived",
                                      .parameters = parameters,
                                      .reads = reads,
                                      .writes = writes,
                                      .laws = {.rotation = true}};

void Drag::begin(const Evaluation& e) {
  linear_ = e.properties.number(linear);
  quadratic_ = e.properties.number(quadratic);
  weight_ = e.properties.weight();
  v_ = e.particles[columns::velocity];
}

void Drag::rates(const Row& row, Rates& rates) const { rates.acceleration -= rate(row.i) * v_[row.i]; }

float Drag::largest_step(Index i) const { return 1 / std::max(rate(i), 1e-12f); }

}  // namespace fondue
