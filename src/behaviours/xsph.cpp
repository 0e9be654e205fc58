#include "behaviours/xsph.h"

#include "behaviours/fluid.h"

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
  epsilon_ = e.properties.number(epsilon);
  v_ = e.particles[columns::velocity];
  m_ = e.particles[columns::mass];
  rho_ = e.particles[columns::density];
}

void Xsph::rates(const Row& row, Rates& rates) const {
  const Index i = row.i;
  for (const Pair& pair : row.pairs) {
    const Index j = pair.j;
    const float eps = 0.5f * (epsilon_(i) + epsilon_(j));
    rates.drift += eps * 2 * m_[j] / (rho_[i] + rho_[j]) * pair.W * (v_[j] - v_[i]);
  }
}

}  // namespace fondue
