#include "behaviours/gravity.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Gravity::acceleration};
constexpr std::string_view writes[] = {"acceleration"};

/// In two dimensions up is y.
Vec3 upright(const Vec3& g, bool flat) { return flat ? Vec3(g.x(), g.y() + g.z(), 0) : g; }
}  // namespace

const BehaviourInfo Gravity::description{.name = "gravity",
                                         .help = "Pulls everything with the same acceleration.",
                                         .source = "L09 7.2.1",
                                         .parameters = parameters,
                                         .reads = {},
                                         .writes = writes,
                                         .laws = {.galilean = true, .rigid_rotation = true}};

void Gravity::begin(const Evaluation& e) {
  g_ = e.properties.vector(acceleration);
  weight_ = e.properties.weight();
  flat_ = e.kernel.dimension() == 2;
}

void Gravity::add_rates(const Slots& slots, const RateArrays& rates) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    rates.accelerate(k - slots.begin, weight_(i) * upright(g_(i), flat_));
  }
}

Vec3 gravity_of(std::span<const Track> tracks, double time, int dimension) {
  Vec3 sum = Vec3::Zero();
  for (const Track& track : tracks)
    if (track.behaviour == Gravity::description.name)
      sum += track.weight.at(time) * upright(track.values.vector(Gravity::acceleration).at(time), dimension == 2);
  return sum;
}

}  // namespace fondue
