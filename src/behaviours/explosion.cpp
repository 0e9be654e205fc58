#include "behaviours/explosion.h"

#include <cmath>
#include <numbers>

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Explosion::centre, &Explosion::strength, &Explosion::radius,
                                           &Explosion::start,  &Explosion::speed,    &Explosion::duration};
constexpr std::string_view reads[] = {"position"};
constexpr std::string_view writes[] = {"acceleration"};

/// Part of the pulse that a step may take.
constexpr float step_fraction = 0.125f;

}  // namespace

const BehaviourInfo Explosion::description{.name = "explosion",
                                           .help = "A blast wave that pushes matter away from a point as it passes.",
                                           .source = "L09 7.2.1 (named there), derived",
                                           .parameters = parameters,
                                           .reads = reads,
                                           .writes = writes,
                                           .laws = {.galilean = true, .rotation = true, .rigid_rotation = true},
                                           .tracks_add = true};

void Explosion::begin(const Evaluation& e) {
  time_ = e.time;
  centre_ = e.properties.vector(centre);
  strength_ = e.properties.number(strength);
  radius_ = e.properties.number(radius);
  start_ = e.properties.number(start);
  speed_ = e.properties.number(speed);
  duration_ = e.properties.number(duration);
  weight_ = e.properties.weight();
  x_ = e.particles[columns::position];
}

double Explosion::arrival(Index i) const {
  return static_cast<double>(start_(i)) + static_cast<double>((x_[i] - centre_(i)).norm()) / speed_(i);
}

void Explosion::add_rates(const Slots& slots, const Accelerations& rates) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!(weight_(i) > 0)) continue;
    const float phase = static_cast<float>((time_ - arrival(i)) / duration_(i));
    const Vec3 from_centre = x_[i] - centre_(i);
    const float r = from_centre.norm(), r0 = radius_(i);
    if (!(phase > 0 && phase < 1) || !(r > 0)) continue;
    const float sine = std::sin(std::numbers::pi_v<float> * phase), fall = r0 / std::max(r, r0);
    const float push = weight_(i) * strength_(i) * fall * fall / duration_(i) * 2 * sine * sine;
    rates.add(k - slots.begin, push / r * from_centre);
  }
}

void Explosion::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!(weight_(i) > 0)) continue;
    const double until = arrival(i) - time_;
    if (until + duration_(i) < 0) continue;
    const float short_step = step_fraction * duration_(i);
    limits[k - slots.begin] = std::min(limits[k - slots.begin], std::max(short_step, static_cast<float>(until)));
  }
}

}  // namespace fondue
