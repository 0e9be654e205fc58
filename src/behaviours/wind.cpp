#include "behaviours/wind.h"

#include "behaviours/fluid.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Wind::velocity, &Wind::strength};
constexpr std::string_view reads[] = {"velocity", "density_ratio"};
constexpr std::string_view writes[] = {"acceleration"};
}  // namespace

const BehaviourInfo Wind::description{.name = "wind",
                                      .help = "Blows along what lies at the surface.",
                                      .source = "derived",
                                      .parameters = parameters,
                                      .reads = reads,
                                      .writes = writes,
                                      .laws = {},
                                      .tracks_add = true};

void Wind::require(Particles& particles) const { particles.require(columns::density_ratio); }

void Wind::begin(const Evaluation& e) {
  u_ = e.properties.vector(velocity);
  strength_ = e.properties.number(strength);
  weight_ = e.properties.weight();
  v_ = e.particles[columns::velocity];
  s_ = e.particles[columns::density_ratio];
}

void Wind::add_rates(const Slots& slots, const Accelerations& rates) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const float exposure = std::clamp((1 - s_[i]) / 0.3f, 0.0f, 1.0f);
    rates.add(k - slots.begin, weight_(i) * strength_(i) * exposure * (u_(i) - v_[i]));
  }
}

void Wind::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    limits[k - slots.begin] = std::min(limits[k - slots.begin], 1 / std::max(weight_(i) * strength_(i), 1e-12f));
  }
}

}  // namespace fondue
