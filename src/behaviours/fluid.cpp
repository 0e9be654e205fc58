#include "behaviours/fluid.h"

#include <cmath>

#include "behaviours/pair_formulas.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Fluid::rest_density,   &Fluid::density,         &Fluid::state_equation,
                                           &Fluid::speed_of_sound, &Fluid::compressibility, &Fluid::allow_tension,
                                           &Fluid::reinitialise};
constexpr std::string_view reads[] = {"position", "velocity", "volume", "support", "object", "compression"};
constexpr std::string_view writes[] = {"acceleration", "compression", "density", "pressure", "mass"};
}  // namespace

const BehaviourInfo Fluid::description{
    .name = "fluid",
    .help = "Weakly compressible fluid: keeps its volume by pressure.",
    .source = "L09 3.4-3.10, DC96 3.1, P06 6, Solenthaler & Pajarola 2008, Akinci 2012",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = every_law};

void Fluid::require(Particles& particles) const {
  particles.require(columns::compression);
  particles.require(columns::compression_rate);
  particles.require(columns::density);
  particles.require(columns::pressure);
}

void Fluid::begin(const Evaluation& e) {
  rho0_ = e.properties.number(rest_density);
  weight_ = e.properties.weight();
  elapsed_ = e.elapsed;
  used_rate_ = e.particles[columns::compression_rate];
  V_ = e.particles[columns::volume];
  R_ = e.particles[columns::support];
  object_ = e.particles[columns::object];
  s_ = e.particles[columns::compression];
  rho_ = e.particles[columns::density];
  p_ = e.particles[columns::pressure];
  m_ = e.particles[columns::mass];
  records_ = e.records;

  pulls_.clear();
  float stickiest = 0;
  for (std::size_t c = 0; c != e.walls.stickiness.size(); ++c) {
    const float stickiness = e.walls.stickiness[c];
    pulls_.push_back(e.walls.layers[c].pull_scale * stickiness);
    stickiest = std::max(stickiest, stickiness);
  }
  materials_.clear();
  any_normalised_ = any_continuity_ = false;
  bool one_sound_speed = true;
  for (Index o = 0; o != e.properties.objects(); ++o) {
    const auto tracks = e.properties.tracks(o);
    const Values values = tracks.empty() ? Values{} : tracks.front().values;
    const float given = values.constant(speed_of_sound);
    const float automatic = e.expected_speed / std::sqrt(values.constant(compressibility));
    materials_.push_back({static_cast<DensityEstimator>(values.choice(density)),
                          static_cast<StateEquation>(values.choice(state_equation)), values.boolean(allow_tension),
                          given > 0 ? given : automatic, values.constant(reinitialise), 0});
    float lightest = infinity;
    const Keyable<float> given_density = values.number(rest_density);
    for (const float rho0 : given_density.values()) lightest = std::min(lightest, rho0);
    materials_.back().step_over_support =
        0.4f / std::max(materials_.back().sound_speed, std::sqrt(stickiest / lightest));
    any_normalised_ |= materials_.back().density != DensityEstimator::summation;
    any_continuity_ |= materials_.back().density == DensityEstimator::continuity;
    one_sound_speed &= materials_.back().sound_speed == materials_.front().sound_speed;
  }

  const bool volume_varies = e.shared.volume.stride != 0;
  full_ = e.properties.full();
  e.shared.mass = e.fields.of(rho0_.varies() || volume_varies, [&](Index i) { return rho0_(i) * V_[i]; });
  e.shared.sound_speed = e.fields.of(!one_sound_speed, [&](Index i) { return materials_[object_[i]].sound_speed; });
  const std::size_t slots = e.records.size();
  summed_.resize(slots);
  compression_ = {
      .active = true,
      .volume = full_ ? e.shared.volume : e.fields.of(true, [&](Index i) { return weight_(i) > 0 ? V_[i] : 0.0f; }),
      .summed = summed_.data()};
  pressure_ = {e.formula_weight(), e.shared.volume, e.fields.of(rho0_.varies(), [&](Index i) { return 1 / rho0_(i); }),
               e.predict_compression, pulls_.empty() ? nullptr : pulls_.data()};

  normalised_ = {};
  if (!any_normalised_) return;
  one_.resize(slots);
  rate_.resize(slots);
  share_ = e.fields.array(normalised_.share);
  share_of_present_ = e.fields.array(normalised_.share_of_present);
  normalised_.active = true;
  normalised_.continuity = any_continuity_;
  normalised_.one = one_.data();
  normalised_.rate = rate_.data();
  if (!any_continuity_) return;
  const auto v = e.particles[columns::velocity], a = e.particles[columns::acceleration];
  const auto middle = [&](int axis) {
    return e.fields.of(true, [&, axis](Index i) { return v[i][axis] - 0.5f * elapsed_(i) * a[i][axis]; });
  };
  normalised_.middle_vx = middle(0);
  normalised_.middle_vy = middle(1);
  normalised_.middle_vz = middle(2);
}

void Fluid::join(PairFormulas& formulas) const {
  formulas.compression = compression_;
  formulas.normalised = normalised_;
  formulas.pressure = pressure_;
}

inline float Fluid::equation_of_state(const Material& material, float rho0, float s) const {
  const float stiffness = rho0 * material.sound_speed * material.sound_speed;
  float p = stiffness * (s - 1);
  if (material.equation == StateEquation::tait) {
    const float s2 = s * s, s4 = s2 * s2;
    p = stiffness / 7 * (s4 * s2 * s - 1);
  }
  const bool tension = material.tension || material.equation == StateEquation::cohesive;
  return tension ? p : std::max(p, 0.0f);
}

inline void Fluid::find_state(Index slot, Index i) {
  const Material& material = materials_[object_[i]];
  const float rho0 = rho0_(i), s = s_[i];
  m_[i] = rho0 * V_[i];
  rho_[i] = rho0 * s;
  p_[i] = equation_of_state(material, rho0, s);
  records_[slot].density = rho_[i];
  records_[slot].push = p_[i] / (s * s);
}

/// Divides by the same sum of a field that is one everywhere.
void Fluid::normalise(Index slot, Index i) {
  const Material& material = materials_[object_[i]];
  const float normalised = summed_[slot] / one_[slot];
  if (material.density == DensityEstimator::normalised) {
    s_[i] = normalised;
  } else if (material.density == DensityEstimator::continuity) {
    // The motion has advanced it with the rate of the step before.
    rate_[slot] = s_[i] * rate_[slot] + material.reinitialise * (normalised - s_[i]);
    s_[i] += elapsed_(i) * (rate_[slot] - used_rate_[i]);
  }
}

void Fluid::after_sums(int pass, const Slots& slots) {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!full_ && weight_(i) <= 0) {
      if (pass == 0 && any_normalised_) share_[k] = share_of_present_[k] = 0;
      continue;
    }
    if (pass == 0) {
      // Particles whose sums are not due now keep what they had.
      if (!slots.due(k)) summed_[k] = s_[i];
      if (slots.due(k) && materials_[object_[i]].density == DensityEstimator::summation) s_[i] = summed_[k];
      if (any_normalised_) {
        share_[k] = V_[i] / summed_[k];
        share_of_present_[k] = V_[i] / s_[i];
      }
    } else if (slots.due(k)) {
      normalise(k, i);
    }
    if (pass + 1 == sums()) find_state(k, i);
  }
}

void Fluid::add_rates(const Slots& slots, const RateArrays& rates) const {
  if (!any_continuity_) return;
  for (Index k = slots.begin; k != slots.end; ++k)
    if (materials_[object_[slots.particle(k)]].density == DensityEstimator::continuity)
      rates.compression[k - slots.begin] = rate_[k];
}

void Fluid::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const float limit = R_[i] * materials_[object_[i]].step_over_support;
    if (full_ || weight_(i) > 0) limits[k - slots.begin] = std::min(limits[k - slots.begin], limit);
  }
}

}  // namespace fondue
