#include "behaviours/gravity.h"

#include "core/parallel.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Gravity::acceleration};
constexpr std::string_view writes[] = {"acceleration"};
constexpr Statistic statistics[] = {{"potential energy", "J"}};
}  // namespace

const BehaviourInfo Gravity::description{.name = "gravity",
                                         .help = "Pulls everything with the same acceleration.",
                                         .source = "L09 7.2.1",
                                         .parameters = parameters,
                                         .reads = {},
                                         .writes = writes,
                                         .laws = {.galilean = true, .rigid_rotation = true},
                                         .statistics = statistics,
                                         .common_acceleration = &acceleration,
                                         .at_rest = [](const Track&) { return AtRest::stays; }};

void Gravity::begin(const Evaluation& e) {
  g_ = e.properties.vector(acceleration);
  weight_ = e.properties.weight();
  dimension_ = e.kernel.dimension();
  const std::span<const Vec3> pulls = g_.by_object();
  const std::span<const float> weights = weight_.by_object();
  everywhere_ = !pulls.empty() && !weights.empty() && !g_.varies() && !weight_.varies();
}

void Gravity::add_rates(const Slots& slots, const Accelerations& rates) const {
  if (everywhere_) {
    const Vec3 g = weight_(0) * upright(g_(0), dimension_);
    for (Index k = 0; k != slots.end - slots.begin; ++k) rates.add(k, g);
    return;
  }
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    rates.add(k - slots.begin, weight_(i) * upright(g_(i), dimension_));
  }
}

/// Potential energy -m g.x of all particles.
void Gravity::measure(const Measured& measured, std::span<double> values) const {
  const auto x = measured.particles[columns::position];
  const auto m = measured.particles[columns::mass];
  const Property<Vec3> g = measured.properties.vector(acceleration);
  const Property<float> weight = measured.properties.weight();
  values[0] = parallel_reduce(
      m.size(), 0.0,
      [&](std::size_t k) {
        const Index i = static_cast<Index>(k);
        const Vec3 force = m[i] * weight(i) * upright(g(i), measured.dimension);
        return -static_cast<double>(force.x()) * x[i].x() - static_cast<double>(force.y()) * x[i].y() -
               static_cast<double>(force.z()) * x[i].z();
      },
      std::plus<>());
}

}  // namespace fondue
