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

void Drag::add_rates(const Slots& slots, const Accelerations& rates) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (weight_(i) > 0) rates.add(k - slots.begin, -rate(i) * v_[i]);
  }
}

void Drag::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (weight_(i) > 0) limits[k - slots.begin] = std::min(limits[k - slots.begin], 1 / std::max(rate(i), 1e-12f));
  }
}

}  // namespace fondue
