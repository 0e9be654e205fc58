#include "behaviours/gravity.h"

#include "core/parallel.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Gravity::acceleration};
constexpr std::string_view writes[] = {"acceleration"};
constexpr Statistic statistics[] = {{"potential energy", "J"}};

float largest(const Track& track) {
  float most = 0;
  const Keyable<Vec3> g = track.values.vector(Gravity::acceleration);
  for (const Vec3& value : g.values()) most = std::max(most, value.norm());
  return most;
}

/// In two dimensions up is y.
Vec3 upright(const Vec3& g, bool flat) { return flat ? Vec3(g.x(), g.y() + g.z(), 0) : g; }
}  // namespace

const BehaviourInfo Gravity::description{.name = "gravity",
                                         .help = "Pulls everything with the same acceleration.",
                                         .source = "L09 7.2.1",
                                         .parameters = parameters,
                                         .reads = {},
                                         .writes = writes,
                                         .laws = {.galilean = true, .rigid_rotation = true},
                                         .statistics = statistics,
                                         .common_acceleration = largest};

void Gravity::begin(const Evaluation& e) {
  g_ = e.properties.vector(acceleration);
  weight_ = e.properties.weight();
  flat_ = e.kernel.dimension() == 2;
}

void Gravity::add_rates(const Slots& slots, const Accelerations& rates) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    rates.add(k - slots.begin, weight_(i) * upright(g_(i), flat_));
  }
}

/// Potential energy -m g.x of all particles.
void Gravity::measure(const Measured& measured, std::span<double> values) const {
  const auto x = measured.particles[columns::position];
  const auto m = measured.particles[columns::mass];
  const Property<Vec3> g = measured.properties.vector(acceleration);
  const Property<float> weight = measured.properties.weight();
  const bool flat = measured.dimension == 2;
  values[0] = parallel_reduce(
      m.size(), 0.0,
      [&](std::size_t k) {
        const Index i = static_cast<Index>(k);
        const Vec3 force = m[i] * weight(i) * upright(g(i), flat);
        return -static_cast<double>(force.x()) * x[i].x() - static_cast<double>(force.y()) * x[i].y() -
               static_cast<double>(force.z()) * x[i].z();
      },
      std::plus<>());
}

Vec3 gravity_of(std::span<const Track> tracks, double time, int dimension) {
  Vec3 sum = Vec3::Zero();
  for (const Track& track : tracks)
    if (track.behaviour == Gravity::description.name)
      sum += track.weight.at(time) * upright(track.values.vector(Gravity::acceleration).at(time), dimension == 2);
  return sum;
}

}  // namespace fondue
