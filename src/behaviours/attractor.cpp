#include "behaviours/attractor.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Attractor::centre, &Attractor::strength, &Attractor::radius};
constexpr std::string_view reads[] = {"position"};
constexpr std::string_view writes[] = {"acceleration"};
}  // namespace

const BehaviourInfo Attractor::description{.name = "attractor",
                                           .help = "Pulls everything towards a point.",
                                           .source = "derived",
                                           .parameters = parameters,
                                           .reads = reads,
                                           .writes = writes,
                                           .laws = {.galilean = true, .rotation = true, .rigid_rotation = true},
                                           .tracks_add = true};

void Attractor::begin(const Evaluation& e) {
  centre_ = e.properties.vector(centre);
  strength_ = e.properties.number(strength);
  radius_ = e.properties.number(radius);
  weight_ = e.properties.weight();
  x_ = e.particles[columns::position];
}

void Attractor::add_rates(const Slots& slots, const Accelerations& rates) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const Vec3 to_centre = centre_(i) - x_[i];
    const float r0 = radius_(i), r = std::max(to_centre.norm(), r0);
    rates.add(k - slots.begin, weight_(i) * strength_(i) * r0 * r0 / (r * r * r) * to_centre);
  }
}

}  // namespace fondue
