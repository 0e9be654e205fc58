#include "behaviours/viscosity.h"

#include <cmath>

#include "behaviours/acoustic_step.h"
#include "behaviours/registry.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {
    &Viscosity::dynamic_viscosity, &Viscosity::law,         &Viscosity::jump_number,         &Viscosity::index,
    &Viscosity::yield_stress,      &Viscosity::consistency, &Viscosity::zero_rate_viscosity, &Viscosity::scheme};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "density", "support"};
constexpr std::string_view writes[] = {"acceleration", "viscosity", "strain_rate", "shear_sum"};

/// Explicit steps down to this fraction of what sound allows are cheaper than a solve.
constexpr float shortest_explicit_step = 0.33f;

float explicit_step(float R, float rho, float eta) { return 0.1f * R * R * rho / (6 * eta); }

}  // namespace

const BehaviourInfo Viscosity::description{
    .name = "viscosity",
    .help = "Resistance to shear: water, honey, and wax or lava that stand until they yield. No-slip at walls.",
    .source = "L09 3.2 (3.9 corrected), P06 3, P09 3-4, Mendes 2007, Espanol 1995, Morris 1997, Weiler 2018",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = every_law,
    .solves = true,
    .check = check,
    .look = [](const Track& track) -> const char* {
      return track.values.choice(law) == static_cast<int>(ViscosityLaw::newtonian) ? nullptr : "wax";
    }};

/// All particles are advanced by one scheme.
void Viscosity::check(const MatterOutline& matter, const ReportMistake& report) {
  std::optional<Index> first;
  int of_first = 0;
  for (Index o = 0; o != matter.objects.size(); ++o)
    for (const Track& track : matter.objects[o].tracks) {
      if (track.behaviour != description.name) continue;
      const int choice = track.values.choice(scheme);
      const auto its_scheme = static_cast<ViscosityScheme>(choice);
      if (its_scheme == ViscosityScheme::implicit_ && matter.individual_steps)
        report(o,
               "has the scheme \"implicit\" of viscosity, which solves for all particles together, but "
               "time.individual_steps gives each a step of its own; use scheme = \"explicit\" or leave out "
               "individual_steps");
      if (its_scheme == ViscosityScheme::automatic) continue;
      if (!first) {
        first = o;
        of_first = choice;
      }
      if (choice != of_first)
        report(o, "has another scheme of viscosity than object '" + matter.objects[*first].name +
                      "'; all particles are advanced by one, so give both the same or leave it automatic");
    }
}

float Rheology::viscosity(float D) const {
  if (!(D > 0))
    return yield_stress > 0 ? zero_rate_viscosity : std::min(zero_rate_viscosity, index == 1 ? consistency : 1e30f);
  const float flowing = consistency * std::pow(D, index - 1);
  if (!(yield_stress > 0)) return std::min(flowing, zero_rate_viscosity);
  const float risen = -std::expm1(-zero_rate_viscosity * D / yield_stress);
  // At tiny rates tau/D overflows before it meets the small factor before it.
  return risen * flowing + std::min(risen * yield_stress / D, zero_rate_viscosity);
}

void Viscosity::require(Particles& particles) const {
  particles.require(columns::viscosity);
  particles.require(columns::strain_rate);
  particles.require(columns::shear_sum);
}

void Viscosity::left(Particles& particles, std::span<const Index> which) {
  for (const Index i : which) particles[columns::viscosity][i] = 0;
}

float Viscosity::viscosity(Index i, float shear_rate) const {
  const ViscosityLaw its_law = laws_[object_[i]];
  if (its_law == ViscosityLaw::newtonian) return mu_(i);
  if (its_law == ViscosityLaw::yield) return Rheology{tau_(i), K_(i), index_(i), eta0_(i)}.viscosity(shear_rate);
  const float scale = mu_(i);
  return Rheology{scale, scale, index_(i), scale * (jump_(i) + 1)}.viscosity(shear_rate);
}

ViscosityScheme Viscosity::given_scheme(const Properties& properties) const {
  auto given = ViscosityScheme::automatic;
  for (Index o = 0; o != properties.objects(); ++o)
    if (const auto tracks = properties.tracks(o); !tracks.empty())
      given = std::max(given, static_cast<ViscosityScheme>(tracks.front().values.choice(scheme)));
  return given;
}

/// Automatic: by the viscosities in the step before, before the first step by those at rest. It is solved for as soon
/// as some particle would make explicit steps too short, until all particles allow steps as long as sound does.
ViscosityScheme Viscosity::chosen_scheme(const Evaluation& e) const {
  if (!(e.elapsed.step > 0))
    for (Index i = 0; i != eta_.size(); ++i) eta_[i] = viscosity(i, 0);
  if (given_ != ViscosityScheme::automatic) return given_;
  const float least = parallel_reduce(
      eta_.size(), infinity, [&](std::size_t i) { return explicit_over_sound(static_cast<Index>(i)); },
      [](float a, float b) { return std::min(a, b); });
  const float enough = scheme_ == ViscosityScheme::implicit_ ? 1.0f : shortest_explicit_step;
  return least < enough ? ViscosityScheme::implicit_ : ViscosityScheme::explicit_;
}

float Viscosity::explicit_over_sound(Index i) const {
  return explicit_step(R_[i], std::max(rho_[i], 1e-30f), std::max(eta_[i], 1e-30f)) * fastest_sound_ /
         (acoustic_step * R_[i]);
}

void Viscosity::begin(const Evaluation& e) {
  mu_ = e.properties.number(dynamic_viscosity);
  jump_ = e.properties.number(jump_number);
  index_ = e.properties.number(index);
  tau_ = e.properties.number(yield_stress);
  K_ = e.properties.number(consistency);
  eta0_ = e.properties.number(zero_rate_viscosity);
  weight_ = e.properties.weight();
  object_ = e.particles[columns::object];
  rho_ = e.particles[columns::density];
  R_ = e.particles[columns::support];
  eta_ = e.particles[columns::viscosity];
  rate_ = e.particles[columns::strain_rate];
  shear_sum_ = e.particles[columns::shear_sum];
  laws_.clear();
  for (Index o = 0; o != e.properties.objects(); ++o) {
    const auto tracks = e.properties.tracks(o);
    laws_.push_back(tracks.empty() ? ViscosityLaw::newtonian
                                   : static_cast<ViscosityLaw>(tracks.front().values.choice(law)));
  }
  given_ = given_scheme(e.properties);
  // Particles with steps of their own cannot be solved for together.
  if (e.individual_steps && given_ == ViscosityScheme::automatic) given_ = ViscosityScheme::explicit_;
  const Field c = e.shared.sound_speed;
  fastest_sound_ = c.values[0];
  if (c.stride != 0)
    for (std::size_t k = 0; k != e.records.size(); ++k) fastest_sound_ = std::max(fastest_sound_, c.values[k]);
  steps_ = e.elapsed.step > 0;
  scheme_ = chosen_scheme(e);

  const Formula acting = e.formula();
  const std::size_t slots = e.records.size();
  const bool stress = scheme_ == ViscosityScheme::stress;
  const float constant = viscous_weight(e.kernel.shape(), e.kernel.dimension());
  intensity_.resize(slots);
  chi_.resize(slots);
  deformation_ = {};
  static_cast<Formula&>(deformation_) = acting;
  deformation_.volume = e.shared.volume;
  deformation_.weight_constant = constant;
  deformation_.intensity = intensity_.data();
  deformation_.chi = chi_.data();
  force_ = {acting, {}, constant, {}, e.shared.mass};
  eta_by_slot_ = e.fields.array(force_.viscosity);
  if (!stress) return;
  stress_ = {acting, {}, e.shared.mass, {}, force_};
  for (int k = 0; k != 6; ++k) {
    tensor_[k].resize(slots);
    deformation_.tensor[k] = tensor_[k].data();
    stress_by_slot_[k] = e.fields.array(stress_.stress[k]);
  }
}

void Viscosity::add_formulas(PairFormulas& formulas) const {
  formulas.set(deformation_);
  if (scheme_ == ViscosityScheme::implicit_) {
    if (steps_) formulas.set(ImplicitViscousForce{force_});
  } else if (scheme_ == ViscosityScheme::stress) {
    formulas.set(stress_);
  } else {
    formulas.set(force_);
  }
}

void Viscosity::after_pass(Pass pass, const Slots& slots) {
  if (pass != Pass::gradient) return;
  const bool stress = scheme_ == ViscosityScheme::stress;
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (slots.due(k)) {
      rate_[i] = intensity_[k];
      shear_sum_[i] = chi_[k];
      eta_[i] = weight_(i) > 0 ? viscosity(i, rate_[i]) : 0;
    }
    // What is not viscous has no shear sum either.
    eta_by_slot_[k] = stress || !(eta_[i] > 0) ? eta_[i] : eta_[i] / shear_sum_[i];
    if (stress)
      for (int c = 0; c != 6; ++c) stress_by_slot_[c][k] = eta_[i] * tensor_[c][k];
  }
}

void Viscosity::limit_steps(const Slots& slots, float* limits) const {
  if (scheme_ == ViscosityScheme::implicit_) return;
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!(weight_(i) > 0) || !(eta_[i] > 0)) continue;
    // What is too viscous for explicit steps will be solved for.
    if (given_ == ViscosityScheme::automatic && explicit_over_sound(i) < shortest_explicit_step) continue;
    limits[k - slots.begin] = std::min(limits[k - slots.begin], explicit_step(R_[i], rho_[i], eta_[i]));
  }
}

}  // namespace fondue
