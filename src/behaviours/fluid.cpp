#include "behaviours/fluid.h"

#include <cmath>

#include "behaviours/acoustic_step.h"
#include "behaviours/registry.h"
#include "core/parallel.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {
    &Fluid::rest_density,   &Fluid::mass_follows_density, &Fluid::density,
    &Fluid::state_equation, &Fluid::speed_of_sound,       &Fluid::compressibility,
    &Fluid::allow_tension,  &Fluid::reinitialise,         &Fluid::density_diffusion};
constexpr std::string_view reads[] = {"position", "velocity", "volume", "mass", "support", "object", "density_ratio"};
constexpr std::string_view writes[] = {"acceleration", "density_ratio", "density", "pressure"};
constexpr Statistic statistics[] = {
    {"mean compression", "1"}, {"largest compression", "1"}, {"energy of compression", "J"}};

/// Above this compression Tait's equation goes on along its tangent. Only splashes and what solids squeeze get there,
/// and with the full power of seven single particles of them would shorten the step of all.
constexpr float largest_tait_compression = 1.05f;
/// As acoustic_step, for an integrated density.
constexpr float continuity_step = 0.4f;
/// Steps at walls, times omega of the header; 2 would be the limit of leapfrog.
constexpr float wall_step = 1.7f;
/// Largest relative change of a particle's volume in one step, where its rest density is keyframed.
constexpr float largest_volume_change = 2e-3f;
/// A relative difference of volumes that is rounding.
constexpr float volume_rounding = 1e-6f;

}  // namespace

const BehaviourInfo Fluid::description{
    .name = "fluid",
    .help = "Weakly compressible fluid: keeps its volume by pressure.",
    .source = "L09 3.4-3.10, DC96 3.1, P06 6, Solenthaler & Pajarola 2008, Akinci 2012",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = every_law,
    .rest_density = &rest_density,
    .statistics = statistics,
    .look =
        [](const Track& track) {
          return track.values.choice(state_equation) == static_cast<int>(StateEquation::cohesive) ? "clay" : "water";
        },
    // A density that is advanced would go on with its last rate.
    .at_rest =
        [](const Track& track) {
          const bool advanced = track.values.choice(density) == static_cast<int>(DensityEstimator::continuity);
          return advanced ? AtRest::goes_on : AtRest::stays;
        }};

void Fluid::require(Particles& particles) const {
  particles.require(columns::density_ratio);
  particles.require(columns::density_ratio_rate);
  particles.require(columns::pressure);
}

/// What is no fluid any more has its rest density and no pressure.
void Fluid::left(Particles& particles, std::span<const Index> which) {
  const auto V = particles[columns::volume], m = particles[columns::mass];
  for (const Index i : which) {
    particles[columns::density_ratio][i] = 1;
    particles[columns::density_ratio_rate][i] = 0;
    particles[columns::density][i] = m[i] / V[i];
    particles[columns::pressure][i] = 0;
  }
}

Fluid::Material Fluid::material(const Values& values, float followed_speed, float stickiest) const {
  Material result{};
  result.density = static_cast<DensityEstimator>(values.choice(density));
  result.equation = static_cast<StateEquation>(values.choice(state_equation));
  result.tension = values.boolean(allow_tension);
  const float given = values.constant(speed_of_sound);
  const float automatic = followed_speed / std::sqrt(values.constant(compressibility));
  result.sound_speed = given > 0 ? given : automatic;
  result.reinitialise = values.constant(reinitialise);
  const bool integrated = result.density == DensityEstimator::continuity;
  result.diffusion = integrated ? values.constant(density_diffusion) : 0;
  const Keyable<float> rho0 = values.number(rest_density);
  const float lightest = *std::ranges::min_element(rho0.values());
  const float acoustic = integrated ? continuity_step : acoustic_step;
  result.step_over_support = acoustic / std::max(result.sound_speed, std::sqrt(stickiest / lightest));
  const float diffusive = DensityDiffusion::largest_step / std::max(result.diffusion * result.sound_speed, 1e-30f);
  result.step_over_support = std::min(result.step_over_support, diffusive);
  result.density_changes = !rho0.constant();
  result.mass_follows = values.boolean(mass_follows_density);
  return result;
}

void Fluid::follow_motion(const Evaluation& e) {
  sleeps_ = e.shared.sleeps;
  any_sleeps_ = std::ranges::find(sleeps_, 1) != sleeps_.end();
  float least[] = {1, 1};
  for (Index o = 0; o != e.properties.objects(); ++o)
    for (const Track& track : e.properties.tracks(o)) {
      float& its = least[sleeps_[o] != 0];
      its = std::min(its, track.values.constant(compressibility));
    }
  const float g = e.common_acceleration.norm();
  up_ = g > 0 ? Vec3(-e.common_acceleration / g) : Vec3(Vec3::Zero());
  const std::size_t blocks = (e.records.size() + slots_per_block - 1) / slots_per_block;
  // What lies upon each other presses as one.
  const double depth = std::max(followed_[0].depth(), followed_[1].depth());
  for (const int kind : {0, 1})
    followed_[kind].begin({e.expected_speed, g, least[kind], depth}, blocks, e.elapsed.step);
}

void Fluid::begin(const Evaluation& e) {
  rho0_ = e.properties.number(rest_density);
  weight_ = e.properties.weight();
  elapsed_ = e.elapsed;
  dimension_ = static_cast<float>(e.kernel.dimension());
  s_rate_ = e.particles[columns::density_ratio_rate];
  V_ = e.particles[columns::volume];
  R_ = e.particles[columns::support];
  object_ = e.particles[columns::object];
  s_ = e.particles[columns::density_ratio];
  rho_ = e.particles[columns::density];
  p_ = e.particles[columns::pressure];
  m_ = e.particles[columns::mass];
  records_ = e.records;

  spacing_over_support_ = 1 / e.support_ratio;
  sheet_gap_ = e.shared.sheet_gap;
  if (!sheet_gap_.empty()) missing_row_ = half_lattice(e.kernel, e.support_ratio);
  pulls_.clear();
  float stickiest = 0;
  for (std::size_t c = 0; c != e.walls.stickiness.size(); ++c) {
    const float stickiness = e.walls.stickiness[c];
    pulls_.push_back(e.walls.layers[c].pull_scale * stickiness);
    stickiest = std::max(stickiest, stickiness);
  }
  follow_motion(e);
  materials_.clear();
  any_normalised_ = any_continuity_ = any_density_changes_ = any_own_density_ = false;
  std::vector<float> sound_speeds;
  for (Index o = 0; o != e.properties.objects(); ++o) {
    const auto tracks = e.properties.tracks(o);
    const float speed = followed_[sleeps_[o] != 0].speed();
    materials_.push_back(material(tracks.empty() ? Values{} : tracks.front().values, speed, stickiest));
    Material& last = materials_.back();
    last.density_changes |= tracks.size() != 1;
    if (!tracks.empty()) any_density_changes_ |= last.density_changes;
    last.own_density = e.shared.own_density[o] != 0;
    any_own_density_ |= last.own_density;
    any_normalised_ |= last.density != DensityEstimator::summation;
    any_continuity_ |= last.density == DensityEstimator::continuity;
    sound_speeds.push_back(last.sound_speed);
  }

  full_ = e.properties.full();
  e.shared.sound_speed = uniform(sound_speeds) ? e.fields.of(false, [&](Index) { return sound_speeds.front(); })
                                               : e.fields.of_objects(sound_speeds);
  const std::size_t slots = e.records.size();
  summed_.resize(slots);
  Formula acting = e.formula();
  AmongSolids solids;
  if (find_solids(e)) {
    acting.objects = acts_on_.data();
    acting.weight = e.fields.of(true, [&](Index i) { return is_solid(i) ? 1.0f : weight_(i); });
    solids.any = true;
    solids.solid = e.fields.of(true, [&](Index i) { return is_solid(i) ? 1.0f : 0.0f; });
  }
  density_ratio_ = {};
  static_cast<Formula&>(density_ratio_) = acting;
  density_ratio_.volume = full_ ? e.shared.volume : volume_where_it_acts(e);
  density_ratio_.solids = solids;
  density_ratio_.summed = summed_.data();
  pressure_ = {};
  static_cast<Formula&>(pressure_) = acting;
  pressure_.volume = e.shared.volume;
  pressure_.solids = solids;
  pressure_.inverse_rest_density =
      any_density_changes_ || any_own_density_ || solids.any
          ? e.fields.of(true, [&](Index i) { return is_solid(i) ? V_[i] / m_[i] : 1 / rest_density_of(i); })
          : e.fields.function_of(e.fields.property(rho0_), [](float rho0) { return 1 / rho0; });
  pressure_.pulls = pulls_.empty() ? nullptr : pulls_.data();
  if (e.individual_steps) {
    rate_of_sum_.resize(slots);
    pressure_.rate = rate_of_sum_.data();
  }
  if (e.walls.size() != 0) {
    const BoundaryLayer& layer = e.walls.layers.front();
    half_space_ = density_ratio_.half_space = layer.half_space;
    half_space_slope_ = layer.half_space_slope;
    of_walls_.resize(slots);
    density_ratio_.of_walls = of_walls_.data();
    for (int k = 0; k != 6; ++k) {
      // A group is read whole, also beyond the last slot.
      wall_slope_[k].resize(slots + 8);
      density_ratio_.wall_slope[k] = wall_slope_[k].data();
      pressure_.wall_slope[k] = e.shared.wall_slope[k] = {wall_slope_[k].data(), 1};
    }
  }

  nothing_to_choose_ = !any_normalised_ && !any_density_changes_ && !any_own_density_ && !solids.any &&
                       sheet_gap_.empty() && !rho0_.by_object().empty() && !weight_.by_object().empty();
  normalised_ = {};
  diffusion_ = {};
  if (!any_normalised_) return;
  one_.resize(slots);
  rate_.resize(slots);
  static_cast<Formula&>(normalised_) = acting;
  share_ = e.fields.array(normalised_.share);
  share_of_present_ = e.fields.array(normalised_.share_of_present);
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
  if (std::ranges::any_of(materials_, [](const Material& m) { return m.diffusion > 0; })) begin_diffusion(e);
}

/// The volume of fluids, and of solids among them; zero of what is neither.
Field Fluid::volume_where_it_acts(const Evaluation& e) const {
  const std::span<const float> weights = weight_.by_object();
  if (e.shared.volume.stride != 0 || weights.empty() || !left_free_.empty())
    return e.fields.of(true, [&](Index i) { return weight_(i) > 0 || is_solid(i) ? V_[i] : 0.0f; });
  std::vector<float> volumes;
  for (const float weight : weights) volumes.push_back(weight > 0 ? e.shared.volume.values[0] : 0.0f);
  return e.fields.of_objects(volumes);
}

/// What a sheet near a particle adds to its compression.
inline float Fluid::of_sheets(Index i) const {
  if (sheet_gap_.empty() || !(sheet_gap_[i] < infinity)) return 0;
  const float q = std::clamp(1.9f - sheet_gap_[i] / (R_[i] * spacing_over_support_), 0.0f, 1.0f);
  return missing_row_ * (q * q) * (q * q) * (5 - 2 * q) * (1.0f / 3);
}

/// Binds the solids among which there is fluid; false if there are none.
bool Fluid::find_solids(const Evaluation& e) {
  left_free_ = e.shared.left_free;
  const auto acting = e.properties.acts_on();
  acts_on_.assign(acting.begin(), acting.end());
  std::vector<std::uint8_t> solid(acts_on_.size(), 0);
  float lightest = infinity;
  for (Index i = 0; i != left_free_.size(); ++i) {
    if (!is_solid(i)) continue;
    solid[object_[i]] = acts_on_[object_[i]] = 1;
    lightest = std::min(lightest, m_[i] / V_[i]);
  }
  if (lightest == infinity) {
    left_free_ = {};
    return false;
  }
  float stiffest = 0;
  for (Index o = 0; o != materials_.size(); ++o) {
    if (e.properties.tracks(o).empty()) continue;
    const float rho0 = *std::ranges::max_element(e.properties.tracks(o).front().values.number(rest_density).values());
    // Light solids at its surface swing faster than the fluid itself.
    materials_[o].step_over_support *= std::min(1.0f, std::sqrt(lightest / rho0));
    const float stiffness = rho0 * materials_[o].sound_speed * materials_[o].sound_speed;
    if (!(stiffness > stiffest)) continue;
    stiffest = stiffness;
    stiffest_ = materials_[o];
    stiffest_density_ = rho0;
  }
  stiffest_.equation = StateEquation::tait;
  stiffest_.tension = false;
  e.fields.made_for(solid);
  e.fields.no_kind_is_uniform();
  e.fields.made_for(acts_on_);
  return true;
}

void Fluid::begin_diffusion(const Evaluation& e) {
  diffused_.resize(e.records.size());
  const auto speed = [&](Index i) { return materials_[object_[i]].diffusion * materials_[object_[i]].sound_speed; };
  const auto stiffness = [&](Index i) {
    const float c = materials_[object_[i]].sound_speed;
    return rest_density_of(i) * c * c;
  };
  // The motion has advanced s by its rate; diffusion takes what it was before.
  const auto pressure = [&](Index i) { return stiffness(i) * (s_[i] - elapsed_(i) * s_rate_[i] - 1); };
  const auto weight = [&](int axis) {
    return e.fields.of(true, [&, axis](Index i) { return rest_density_of(i) * e.common_acceleration[axis]; });
  };
  diffusion_ = {e.formula(),
                full_ ? e.shared.volume : e.fields.of(true, [&](Index i) { return weight_(i) > 0 ? V_[i] : 0.0f; }),
                e.fields.of(true, speed),
                e.fields.of(true, stiffness),
                e.fields.of(true, pressure),
                weight(0),
                weight(1),
                weight(2),
                diffused_.data()};
}

void Fluid::add_formulas(PairFormulas& formulas) const {
  formulas.set(density_ratio_);
  formulas.set(normalised_);
  formulas.set(diffusion_);
  formulas.set(pressure_);
}

/// The rest density, or what mass and volume have made of it where it changes.
inline float Fluid::rest_density_of(Index i) const {
  const Material& material = materials_[object_[i]];
  return material.density_changes || material.own_density ? m_[i] / V_[i] : rho0_(i);
}

inline bool Fluid::takes_tension(const Material& material) const {
  return material.tension || material.equation == StateEquation::cohesive;
}

inline Fluid::Material::Pressure Fluid::Material::pressure(float s) const {
  return equation == StateEquation::tait ? tait(s) : Pressure{s - 1, 1};
}

inline Fluid::Material::Pressure Fluid::Material::tait(float s) {
  const float least = std::min(s, largest_tait_compression), s2 = least * least, s6 = s2 * s2 * s2;
  return {(s6 * least - 1) * (1.0f / 7) + s6 * (s - least), s6};
}

/// Density and pressure of s; returns p/rho0.
inline float Fluid::find_state(Index slot, Index i) {
  const Material& material = materials_[object_[i]];
  const float rho0 = rest_density_of(i), s = s_[i], c = material.sound_speed, inverse = 1 / s;
  const float P = material.pressure(s).value;
  // One maximum for both: half of all particles are under tension, which no branch foresees.
  const float pressure_over_density = c * c * std::max(P, takes_tension(material) ? -infinity : 0.0f);
  rho_[i] = records_[slot].density = rho0 * s;
  p_[i] = rho0 * pressure_over_density;
  records_[slot].pressure_term = rho0 * pressure_over_density * inverse * inverse;
  return pressure_over_density;
}

/// s_k of the header and its pressure. Walls do not press on solids.
void Fluid::find_state_of_solid(const Slots& slots, Index slot, Index i) {
  if (slots.due(slot)) {
    const float of_fluid = summed_[slot] - (density_ratio_.of_walls ? of_walls_[slot] : 0);
    s_[i] = std::max(1.0f, 1 + of_fluid - left_free_[i]);
    const float c = stiffest_.sound_speed;
    p_[i] = stiffest_density_ * c * c * stiffest_.pressure(s_[i]).value;
  }
  records_[slot].pressure_term = p_[i] / (s_[i] * s_[i]);
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
    if (diffusion_.active) rate_[slot] += diffused_[slot];
    s_[i] += elapsed_(i) * (rate_[slot] - s_rate_[i]);
  }
}

/// What after_pass does where nothing is to be chosen: slots of one fluid, its density by summation.
FollowedSpeed::BlockSums Fluid::find_states(const Slots& slots, const FollowedSpeed::BlockSums& before) {
  const Index object = object_[slots.particle(slots.begin)], count = slots.end - slots.begin;
  const Material& material = materials_[object];
  const float rho0 = rho0_.by_object()[object], c = material.sound_speed;
  const float least = takes_tension(material) ? -infinity : 0.0f;
  float P[slots_per_block], term[slots_per_block];
  const float* const s = summed_.data() + slots.begin;
  if (material.equation == StateEquation::tait)
    for (Index k = 0; k != count; ++k) P[k] = Material::tait(s[k]).value;
  else
    for (Index k = 0; k != count; ++k) P[k] = s[k] - 1;
  for (Index k = 0; k != count; ++k) {
    const float inverse = 1 / s[k];
    P[k] = c * c * std::max(P[k], least);
    term[k] = rho0 * P[k] * inverse * inverse;
  }
  FollowedSpeed::BlockSums motion = before;
  for (Index k = 0; k != count; ++k) {
    const Index i = slots.particle(slots.begin + k);
    Record& r = records_[slots.begin + k];
    s_[i] = s[k];
    rho_[i] = r.density = rho0 * s[k];
    p_[i] = rho0 * P[k];
    r.pressure_term = term[k];
    motion.add(m_[i], {r.vx, r.vy, r.vz}, s[k], P[k], up_.dot(Vec3(r.x, r.y, r.z)));
  }
  return motion;
}

void Fluid::after_pass(Pass pass, const Slots& slots) {
  if (nothing_to_choose_ && slots.due_flags.empty()) {
    if (pass != Pass::density) return;
    FollowedSpeed::BlockSums motion[2];
    for (Index k = slots.begin, end; k != slots.end; k = end) {
      const Index object = object_[slots.particle(k)];
      for (end = k + 1; end != slots.end && object_[slots.particle(end)] == object;) ++end;
      FollowedSpeed::BlockSums& its = motion[sleeps_[object] != 0];
      if (weight_.by_object()[object] > 0) its = find_states({k, end, slots.order}, its);
    }
    for (const int kind : {0, 1}) followed_[kind].set(slots.begin / slots_per_block, motion[kind]);
    return;
  }
  const Pass last = any_normalised_ ? Pass::gradient : Pass::density;
  FollowedSpeed::BlockSums motion, of_sleepers;
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!full_ && weight_(i) <= 0) {
      if (pass == Pass::density && any_normalised_) share_[k] = share_of_present_[k] = is_solid(i) ? V_[i] : 0;
      if (pass == Pass::density && is_solid(i)) find_state_of_solid(slots, k, i);
      continue;
    }
    if (pass == Pass::density) {
      // Particles whose sums are not due now keep what they had.
      if (!slots.due(k)) {
        summed_[k] = s_[i];
        if (density_ratio_.of_walls) of_walls_[k] = 0;
      }
      if (slots.due(k) && materials_[object_[i]].density == DensityEstimator::summation)
        s_[i] = summed_[k] += of_sheets(i);
      if (any_normalised_) {
        share_[k] = V_[i] / summed_[k];
        share_of_present_[k] = V_[i] / s_[i];
      }
    } else if (any_normalised_ && slots.due(k)) {
      normalise(k, i);
    }
    if (pass != last) continue;
    const float pressure_over_density = find_state(k, i);
    const Record& r = records_[k];
    const Vec3 v(r.vx, r.vy, r.vz);
    const float height = up_.dot(Vec3(r.x, r.y, r.z));
    if (any_sleeps_ && sleeps_[object_[i]]) {
      of_sleepers.add(m_[i], v, s_[i], pressure_over_density, height);
      if (!slots.due(k)) of_sleepers.asleep += m_[i];
    } else {
      motion.add(m_[i], v, s_[i], pressure_over_density, height);
    }
  }
  if (pass != last) return;
  followed_[0].set(slots.begin / slots_per_block, motion);
  followed_[1].set(slots.begin / slots_per_block, of_sleepers);
}

std::vector<double> Fluid::state() const {
  std::vector<double> result = followed_[0].state();
  const std::vector<double> of_sleepers = followed_[1].state();
  result.insert(result.end(), of_sleepers.begin(), of_sleepers.end());
  return result;
}

void Fluid::restore(std::span<const double> saved) {
  // Runs of before had one speed for all matter.
  const std::size_t each = FollowedSpeed::numbers_of_state;
  followed_[0].restore(saved.first(std::min(each, saved.size())));
  followed_[1].restore(saved.size() < 2 * each ? saved : saved.subspan(each, each));
}

/// Volume or mass is brought nearer to what the keyframed rest density asks for.
void Fluid::follow_density(Index i) {
  const Material& material = materials_[object_[i]];
  if (!material.density_changes) return;
  if (material.mass_follows) {
    m_[i] = rho0_(i) * V_[i];
    return;
  }
  const float wanted = m_[i] / (rho0_(i) * V_[i]);
  if (std::abs(wanted - 1) < volume_rounding) return;
  const float change = std::clamp(wanted, 1 - largest_volume_change, 1 + largest_volume_change);
  V_[i] *= change;
  R_[i] *= std::pow(change, 1 / dimension_);
}

bool Fluid::advance(const Slots& slots) {
  if (!any_continuity_ && !pressure_.rate && !any_density_changes_) return true;
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!slots.due(k) || !(full_ || weight_(i) > 0)) continue;
    if (materials_[object_[i]].density == DensityEstimator::continuity)
      s_rate_[i] = rate_[k];
    else
      s_rate_[i] = pressure_.rate ? rate_of_sum_[k] : 0;
    if (any_density_changes_ && elapsed_(i) > 0) follow_density(i);
  }
  return true;
}

void Fluid::predict(Particles& particles, std::size_t begin, std::size_t end, float step) const {
  const auto s = particles[columns::density_ratio], rate = particles[columns::density_ratio_rate];
  for (std::size_t i = begin; i != end; ++i) s[i] += step * rate[i];
}

/// omega dx/c of the header.
float Fluid::wall_frequency(const Material& material, float s, float G) const {
  const float g = half_space_slope_, w = half_space_, slope = g * std::min(2 * std::pow(G / w, 0.4f), 3.3f);
  const auto [P, dP] = material.pressure(s);
  return std::sqrt((slope * slope * (dP - 2 * P / s) + g * g / w * P) / (s * s));
}

void Fluid::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const Material& material = materials_[object_[i]];
    float limit = R_[i] * material.step_over_support;
    if (density_ratio_.of_walls && of_walls_[k] > 0 && s_[i] > 1)
      limit = std::min(limit, wall_step * R_[i] * spacing_over_support_ /
                                  (material.sound_speed * wall_frequency(material, s_[i], of_walls_[k])));
    if (full_ || weight_(i) > 0) limits[k - slots.begin] = std::min(limits[k - slots.begin], limit);
  }
}

/// Work that compressing a unit mass has taken: integral of p/(rho0 s^2).
inline double Fluid::energy_of_compression(const Material& material, double s) const {
  if (!(s > 1) && !takes_tension(material)) return 0;
  const double c2 = static_cast<double>(material.sound_speed) * static_cast<double>(material.sound_speed);
  if (material.equation != StateEquation::tait) return c2 * (std::log(s) + 1 / s - 1);
  // (s^6/6 + 1/s - 7/6)/7 with d = s - 1, in which nothing large cancels.
  const double least = std::min<double>(s, largest_tait_compression), d = least - 1;
  const double below = d * d * (2.5 + d * (10.0 / 3 + d * (2.5 + d * (1 + d * (1.0 / 6)))) + 1 / least) * (1.0 / 7);
  if (s <= least) return c2 * below;
  const double l2 = least * least, l6 = l2 * l2 * l2;
  return c2 * (below + ((l6 * least - 1) / 7 - least * l6) * (1 / least - 1 / s) + l6 * std::log(s / least));
}

/// Mean and largest of max(0, density / rest density - 1), and the energy stored in it.
void Fluid::measure(const Measured& measured, std::span<double> values) const {
  const auto s = measured.particles[columns::density_ratio], m = measured.particles[columns::mass];
  const auto object = measured.particles[columns::object];
  const Property<float> weight = measured.properties.weight();
  struct Part {
    double sum = 0, largest = 0, count = 0, energy = 0;
  };
  constexpr std::size_t block = 4096;
  std::vector<Part> parts((s.size() + block - 1) / block);
  parallel_blocks(s.size(), block, [&](std::size_t begin, std::size_t end) {
    Part part;
    for (std::size_t i = begin; i != end; ++i) {
      if (!(weight(static_cast<Index>(i)) > 0)) continue;
      const double compression = std::max(0.0f, s[i] - 1);
      part.sum += compression;
      part.largest = std::max(part.largest, compression);
      part.count += 1;
      if (!materials_.empty())
        part.energy += static_cast<double>(m[i]) * energy_of_compression(materials_[object[i]], s[i]);
    }
    parts[begin / block] = part;
  });
  Part total;
  for (const Part& part : parts) {
    total.sum += part.sum;
    total.largest = std::max(total.largest, part.largest);
    total.count += part.count;
    total.energy += part.energy;
  }
  values[0] = total.count > 0 ? total.sum / total.count : 0;
  values[1] = total.largest;
  values[2] = total.energy;
}

}  // namespace fondue
