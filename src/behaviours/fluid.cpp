#include "behaviours/fluid.h"

#include <cmath>

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Fluid::rest_density,   &Fluid::density,         &Fluid::state_equation,
                                           &Fluid::speed_of_sound, &Fluid::compressibility, &Fluid::allow_tension,
                                           &Fluid::reinitialise};
constexpr std::string_view reads[] = {"position", "velocity", "volume", "support", "object", "compression"};
constexpr std::string_view writes[] = {"acceleration", "compression", "density", "pressure", "sound_speed", "mass"};
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
  particles.require(columns::sound_speed);
}

void Fluid::begin(const Evaluation& e) {
  kernel_ = &e.kernel;
  walls_ = &e.walls;
  predict_compression_ = e.predict_compression;
  rho0_ = e.properties.number(rest_density);
  weight_ = e.properties.weight();
  v_ = e.particles[columns::velocity];
  a_ = e.particles[columns::acceleration];
  used_rate_ = e.particles[columns::compression_rate];
  elapsed_ = e.elapsed;
  V_ = e.particles[columns::volume];
  R_ = e.particles[columns::support];
  object_ = e.particles[columns::object];
  s_ = e.particles[columns::compression];
  rho_ = e.particles[columns::density];
  p_ = e.particles[columns::pressure];
  c_ = e.particles[columns::sound_speed];
  m_ = e.particles[columns::mass];
  // Particles whose sums are not due now keep what they had.
  summed_.assign(s_.begin(), s_.end());
  advanced_.assign(s_.begin(), s_.end());
  rate_.assign(used_rate_.begin(), used_rate_.end());

  materials_.clear();
  any_normalised_ = false;
  for (Index o = 0; o != e.properties.objects(); ++o) {
    const auto tracks = e.properties.tracks(o);
    const Values values = tracks.empty() ? Values{} : tracks.front().values;
    const float given = values.constant(speed_of_sound);
    const float automatic = e.expected_speed / std::sqrt(values.constant(compressibility));
    materials_.push_back({static_cast<DensityEstimator>(values.choice(density)),
                          static_cast<StateEquation>(values.choice(state_equation)), values.boolean(allow_tension),
                          given > 0 ? given : automatic, values.constant(reinitialise)});
    any_normalised_ |= materials_.back().density != DensityEstimator::summation;
  }
}

void Fluid::sum(int pass, const Row& row) {
  const Index i = row.i;
  if (pass == 0) {
    float s = V_[i] * kernel_->W(0, R_[i]);
    for (const Pair& pair : row.pairs)
      if (weight_(pair.j) > 0) s += V_[pair.j] * pair.W;
    for (const Pair& wall : row.walls) s += walls_->volume[wall.j] * wall.W;
    summed_[i] = s;
    if (materials_[object_[i]].density == DensityEstimator::summation) s_[i] = s;
  } else if (materials_[object_[i]].density != DensityEstimator::summation) {
    // Normalise by the same sum of a field that is one everywhere.
    float one = V_[i] / summed_[i] * kernel_->W(0, R_[i]);
    for (const Pair& pair : row.pairs)
      if (weight_(pair.j) > 0) one += V_[pair.j] / summed_[pair.j] * pair.W;
    for (const Pair& wall : row.walls) one += walls_->volume[wall.j] * wall.W;
    const float normalised = summed_[i] / one;
    if (materials_[object_[i]].density == DensityEstimator::normalised) {
      s_[i] = normalised;
    } else {
      // The motion has advanced it with the rate of the step before.
      rate_[i] = rate_of_continuity(row) + materials_[object_[i]].reinitialise * (normalised - s_[i]);
      advanced_[i] = s_[i] + elapsed_[i] * (rate_[i] - used_rate_[i]);
    }
  }
}

float Fluid::equation_of_state(const Material& material, float rho0, float s) const {
  const float stiffness = rho0 * material.sound_speed * material.sound_speed;
  float p = stiffness * (s - 1);
  if (material.equation == StateEquation::tait) {
    const float s2 = s * s, s4 = s2 * s2;
    p = stiffness / 7 * (s4 * s2 * s - 1);
  }
  const bool tension = material.tension || material.equation == StateEquation::cohesive;
  return tension ? p : std::max(p, 0.0f);
}

void Fluid::state(Index i) {
  const Material& material = materials_[object_[i]];
  const float rho0 = rho0_(i);
  if (material.density == DensityEstimator::continuity) s_[i] = advanced_[i];
  m_[i] = rho0 * V_[i];
  rho_[i] = rho0 * s_[i];
  c_[i] = material.sound_speed;
  p_[i] = equation_of_state(material, rho0, s_[i]);
}

void Fluid::rates(const Row& row, Rates& rates) const {
  const Index i = row.i;
  const Material& material = materials_[object_[i]];
  const float p_i = p_[i] / (s_[i] * s_[i]);
  Vec3 force = Vec3::Zero();
  for (const Pair& pair : row.pairs) {
    const Index j = pair.j;
    force -= V_[j] * (p_i + p_[j] / (s_[j] * s_[j])) * pair.gradW();
  }
  // A wall answers with the particle's own pressure and never pulls.
  for (const Pair& wall : row.walls) force -= walls_->volume[wall.j] * 2 * std::max(p_i, 0.0f) * wall.gradW();
  rates.acceleration += force / rho0_(i);

  if (material.density == DensityEstimator::continuity)
    rates.compression += rate_[i];
  else if (predict_compression_)
    rates.compression += rate_of_sum(row);
}

/// d/dt of the sum itself.
float Fluid::rate_of_sum(const Row& row) const {
  const Index i = row.i;
  float rate = 0;
  for (const Pair& pair : row.pairs) rate += V_[pair.j] * pair.gradW_factor * (v_[i] - v_[pair.j]).dot(pair.x_ij);
  for (const Pair& wall : row.walls)
    rate += walls_->volume[wall.j] * wall.gradW_factor * (v_[i] - walls_->velocity[wall.j]).dot(wall.x_ij);
  return rate;
}

/// The continuity equation, with velocities of the middle of the step: with those of its end sound waves would grow.
float Fluid::rate_of_continuity(const Row& row) const {
  const Index i = row.i;
  const auto middle = [&](Index k) { return Vec3(v_[k] - 0.5f * elapsed_[k] * a_[k]); };
  const Vec3 v_i = middle(i);
  float rate = 0;
  for (const Pair& pair : row.pairs)
    rate += V_[pair.j] / s_[pair.j] * pair.gradW_factor * (v_i - middle(pair.j)).dot(pair.x_ij);
  for (const Pair& wall : row.walls)
    rate += walls_->volume[wall.j] * wall.gradW_factor * (v_i - walls_->velocity[wall.j]).dot(wall.x_ij);
  return s_[i] * rate;
}

}  // namespace fondue
