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
/// A speed of sound that is given promises nothing.
float promised_compression(const Track& track) {
  return track.values.constant(Fluid::speed_of_sound) > 0 ? infinity : track.values.constant(Fluid::compressibility);
}
constexpr Statistic statistics[] = {{"mean compression", "1", promised_compression,
                                     "something presses harder than the automatic speed of sound foresees: give a "
                                     "higher fluid.speed_of_sound"},
                                    {"largest compression", "1"},
                                    {"energy of compression", "J"}};

/// As acoustic_step, for an integrated density.
constexpr float continuity_step = 0.4f;

/// Joins see(begin, end, object) of runs of slots, mostly of one object (otherwise none) that is worth a look.
template <class Found, class Worth, class See>
Found look_through(const Fields& fields, std::size_t slots, Worth&& worth, See&& see) {
  constexpr std::size_t block = 32 * slots_per_run;
  const auto kinds = fields.kinds_of_runs();
  std::vector<Found> found((slots + block - 1) / block);
  parallel_blocks(slots, block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t run = begin; run < end; run += slots_per_run) {
      const std::uint8_t kind = kinds.empty() ? Fields::mixed : kinds[run / slots_per_run];
      if (kind == Fields::mixed || worth(Index{kind}))
        see(static_cast<Index>(run), static_cast<Index>(std::min(end, run + slots_per_run)), found[begin / block]);
    }
  });
  Found all;
  for (const Found& part : found) all.join(part);
  return all;
}

struct SolidsFound {
  float lightest = infinity;
  /// Objects with some, and those of them with others too.
  std::vector<Index> objects, mixed;
  void join(const SolidsFound& other) {
    lightest = std::min(lightest, other.lightest);
    objects.insert(objects.end(), other.objects.begin(), other.objects.end());
    mixed.insert(mixed.end(), other.mixed.begin(), other.mixed.end());
  }
  /// Mostly the last one again.
  static void add(std::vector<Index>& list, Index object) {
    if (list.empty() || list.back() != object) list.push_back(object);
  }
};

struct AllOf {
  bool all = true;
  void join(const AllOf& other) { all &= other.all; }
};

/// Whether all particles have full weight but some that are known otherwise.
template <class Known>
bool all_full_but_some(const Fields& fields, std::size_t slots, std::span<const float> weights,
                       std::span<const Index> object, Known&& known) {
  if (weights.empty() || std::ranges::any_of(weights, [](float w) { return w != 0 && w != 1; })) return false;
  const auto worth = [&](Index o) { return weights[o] != 1; };
  const auto see = [&](Index begin, Index end, AllOf& found) {
    for (Index slot = begin; found.all && slot != end; ++slot) {
      const Index i = fields.particle(slot);
      found.all = weights[object[i]] == 1 || known(i);
    }
  };
  return look_through<AllOf>(fields, slots, worth, see).all;
}
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
  presses_on_solids_ = false;
  AmongSolids solids;
  solids.any = find_solids(e);
  // All that is here is fluid of full weight or solid: no pair has to be weighed.
  const bool all_act = solids.any && all_full_but_some(e.fields, e.records.size(), weight_.by_object(), object_,
                                                       [&](Index i) { return is_solid(i); });
  Formula acting;
  acting.active = true;
  if (!all_act) acting = e.formula();
  // Most fields of fluid with solids in it are as uniform as they were; only the solids' own particles are looked at.
  const std::span<const float> weights = weight_.by_object(), rest_densities = rho0_.by_object();
  const bool by_object = !weights.empty() && !rest_densities.empty() && !any_density_changes_ && !any_own_density_;
  const auto beside_solids = [&](auto&& of_particle, auto&& of_object) {
    if (solids.any && by_object) return e.fields.of_some(solid_objects_, of_particle, of_object);
    return e.fields.of(true, of_particle);
  };
  if (solids.any) {
    acting.objects = acts_on_.data();
    if (!all_act)
      acting.weight = beside_solids([&](Index i) { return is_solid(i) ? 1.0f : weight_(i); },
                                    [&](Index object, std::size_t) { return weights[object]; });
    solids.solid = e.fields.of_some(
        solid_objects_, [&](Index i) { return is_solid(i) ? 1.0f : 0.0f; }, [](Index, std::size_t) { return 0.0f; });
  }
  density_ratio_ = {};
  static_cast<Formula&>(density_ratio_) = acting;
  density_ratio_.volume = e.shared.volume;
  if (!full_ && solids.any && !(all_act && e.shared.volume.stride == 0))
    density_ratio_.volume = beside_solids([&](Index i) { return weight_(i) > 0 || is_solid(i) ? V_[i] : 0.0f; },
                                          [&, V = e.shared.volume](Index object, std::size_t slot) {
                                            return weights[object] > 0 ? V.values[slot * V.stride] : 0.0f;
                                          });
  else if (!full_ && !solids.any)
    density_ratio_.volume = volume_where_it_acts(e);
  density_ratio_.solids = solids;
  density_ratio_.summed = summed_.data();
  pressure_ = {};
  static_cast<Formula&>(pressure_) = acting;
  pressure_.volume = e.shared.volume;
  pressure_.solids = solids;
  pressure_.inverse_rest_density =
      any_density_changes_ || any_own_density_ || solids.any
          ? beside_solids([&](Index i) { return is_solid(i) ? V_[i] / m_[i] : 1 / rest_density_of(i); },
                          [&](Index object, std::size_t) { return 1 / rest_densities[object]; })
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
    wall_slope_.begin(slots);
    for (int k = 0; k != 6; ++k) {
      density_ratio_.wall_slope[k] = wall_slope_.next();
      pressure_.wall_slope[k] = e.shared.wall_slope[k] = {density_ratio_.wall_slope[k], 1};
    }
  }

  nothing_to_choose_ = !any_normalised_ && !any_density_changes_ && !any_own_density_ && sheet_gap_.empty() &&
                       !rho0_.by_object().empty() && !weight_.by_object().empty();
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

/// The volume of fluids; zero of other matter.
Field Fluid::volume_where_it_acts(const Evaluation& e) const {
  const std::span<const float> weights = weight_.by_object();
  if (e.shared.volume.stride != 0 || weights.empty())
    return e.fields.of(true, [&](Index i) { return weight_(i) > 0 ? V_[i] : 0.0f; });
  std::vector<float> volumes;
  for (const float weight : weights) volumes.push_back(weight > 0 ? e.shared.volume.values[0] : 0.0f);
  return e.fields.of_objects(volumes);
}

/// Binds the solids among which there is fluid; false if there are none.
bool Fluid::find_solids(const Evaluation& e) {
  left_free_ = e.shared.left_free;
  const auto acting = e.properties.acts_on();
  acts_on_.assign(acting.begin(), acting.end());
  solid_objects_.assign(acts_on_.size(), 0);
  if (left_free_.empty()) return false;
  // Fluid is not solid.
  const std::span<const float> weights = weight_.by_object();
  const auto worth = [&](Index object) { return weights.empty() || !(weights[object] > 0); };
  const auto see = [&](Index begin, Index end, SolidsFound& found) {
    for (Index slot = begin; slot != end; ++slot) {
      const Index i = e.fields.particle(slot);
      found.add(is_solid(i) ? found.objects : found.mixed, object_[i]);
      if (!is_solid(i)) continue;
      found.lightest = std::min(found.lightest, m_[i] / V_[i]);
    }
  };
  const SolidsFound found = look_through<SolidsFound>(e.fields, e.records.size(), worth, see);
  // Nothing acts between solids.
  for (const Index object : found.objects) {
    solid_objects_[object] = 1;
    if (!acts_on_[object]) acts_on_[object] = Formula::acts_on_others;
  }
  for (const Index object : found.mixed) acts_on_[object] = std::min<std::uint8_t>(acts_on_[object], 1);
  const float lightest = found.lightest;
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
  e.fields.made_for(solid_objects_);
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

}  // namespace fondue
