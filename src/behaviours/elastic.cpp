#include "behaviours/elastic.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "behaviours/elastic_shape.h"
#include "behaviours/inner_pressure.h"
#include "behaviours/registry.h"
#include "core/error.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Elastic::youngs_modulus, &Elastic::poissons_ratio, &Elastic::damping,
                                           &Elastic::strain, &Elastic::scheme};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "volume", "support", "object"};
constexpr std::string_view writes[] = {"velocity", "stored_strain", "reference_volume", "present_modulus"};
constexpr Statistic statistics[] = {{"elastic energy", "J"}};

/// The longest substep, times c_p/dx. On a lattice with Poisson's ratio 0.3 the fastest oscillation has 2.0 c_p/dx, and
/// the most of all that were tried (thin bodies, disturbed lattices, ratios from -0.5 to 0.49) 3.1 c_p/dx; leapfrog is
/// stable below 2, with the strongest damping below 1.7.
constexpr double substep_over_spacing = 0.5;
/// Time in which a modulus that follows an attribute comes closer to a higher value by a factor e [s].
constexpr float time_of_stiffening = 0.25f;

const char* look_of(const Track&) { return "paint"; }

struct Lame {
  double lambda, mu;
  Lame(double E, double nu) : lambda(E * nu / ((1 + nu) * (1 - 2 * nu))), mu(E / (2 * (1 + nu))) {}
  /// The modulus of damping, elastic_force.h.
  double damped(double damping) const { return std::min(damping * std::max(mu, (lambda + 2 * mu) / 3.5), mu); }
};

/// By object: whether its strain is Green's.
std::vector<std::uint8_t> green_objects(const Properties& properties) {
  std::vector<std::uint8_t> result(properties.objects(), 0);
  for (Index o = 0; o != properties.objects(); ++o)
    result[o] = !properties.tracks(o).empty() && properties.choice(Elastic::strain, o) == 1;
  return result;
}

/// An implicit step that is asked for and never taken.
void check(const MatterOutline& matter, const ReportMistake& report) {
  const auto is_of_sheets = [](const Track& track) {
    const BehaviourInfo* info = find_behaviour(track.behaviour);
    return info && info->of_sheets;
  };
  const bool sheets = std::ranges::any_of(
      matter.objects, [&](const auto& object) { return std::ranges::any_of(object.tracks, is_of_sheets); });
  for (Index o = 0; o != matter.objects.size(); ++o)
    for (const Track& track : matter.objects[o].tracks)
      if (sheets && track.behaviour == Elastic::description.name &&
          track.values.choice(Elastic::scheme) == static_cast<int>(SubstepScheme::implicit_))
        report(o,
               "asks for elastic.scheme = \"implicit\" in a scene with cloth or shells, beside which bodies take the "
               "substeps of these; leave it \"automatic\"");
}

}  // namespace

const BehaviourInfo Elastic::description{.name = "elastic",
                                         .help = "Makes a solid body that bends, wobbles and goes back to its shape.",
                                         .source = "L09 4.2, corrected; zero-energy modes: see elastic_force.h",
                                         .parameters = parameters,
                                         .reads = reads,
                                         .writes = writes,
                                         .laws = every_law,
                                         .brings = "contact",
                                         .substep_bonds = "elastic",
                                         .least_layers = 2,
                                         .statistics = statistics,
                                         .check = check,
                                         .look = look_of};

void Elastic::require(Particles& particles) const {
  particles.require(columns::reference_position);
  particles.require(columns::reference_volume);
  particles.require(columns::stored_strain);
  particles.require(columns::present_modulus);
  particles.require_bonds(elastic_shape::bond_set).require(elastic_shape::coefficient);
}

void Elastic::entered(Particles& particles, const Properties&, std::span<const Index> which) {
  for (const Index i : which) {
    unbonded_.push_back(particles[columns::id][i]);
    particles[columns::present_modulus][i] = 0;
  }
}

void Elastic::left(Particles& particles, std::span<const Index> which) { elastic_shape::unbond(particles, which); }

void Elastic::begin(const Evaluation& e) {
  find_moduli(e);
  if (!unbonded_.empty()) bond(e);
}

/// For what is in the pores of the body.
void Elastic::prepare_exchange(Particles& particles, int dimension) const {
  if (!particles.has(columns::dilation.name)) return;
  const auto J = particles[columns::dilation], V = particles[columns::volume],
             reference = particles[columns::reference_volume];
  const BondSet& bonds = particles.bonds(elastic_shape::bond_set);
  parallel_for(J.size(), [&](std::size_t at) {
    const Index i = static_cast<Index>(at);
    if (bonds.begins()[i] == bonds.begins()[i + 1]) return;
    const auto deformed = elastic_shape::deformation(particles, i, dimension, false);
    if (deformed.known) J[i] = static_cast<float>(deformed.F.determinant()) * reference[i] / V[i];
  });
}

/// Young's modulus of every particle, at its curve or on the way up to it; and lambda + 2 mu, for those who must know
/// how stiff solid matter is.
void Elastic::find_moduli(const Evaluation& e) {
  const auto own = e.particles[columns::present_modulus];
  const auto object = e.particles[columns::object];
  const Property<float> E = e.properties.number(youngs_modulus), nu = e.properties.number(poissons_ratio),
                        weight = e.properties.weight();
  std::vector<std::uint8_t> follows(e.properties.objects(), 0);
  for (Index o = 0; o != e.properties.objects(); ++o)
    for (const Track& track : e.properties.tracks(o))
      follows[o] |= track.values.number(youngs_modulus).over_attribute();
  const float part = 1 - std::exp(-e.elapsed.step / time_of_stiffening);
  moduli_.assign(e.particles.size(), 0.0f);
  e.fields.for_particles_of(e.properties.acts_on(), [&](Index i) {
    if (!(weight(i) > 0)) return;
    const float curve = E(i);
    own[i] = follows[object[i]] && own[i] > 0 && curve > own[i] ? own[i] + part * (curve - own[i]) : curve;
    const Lame lame(static_cast<double>(own[i]), static_cast<double>(nu(i)));
    moduli_[i] = weight(i) * static_cast<float>(lame.lambda + 2 * lame.mu);
  });
  e.shared.modulus = moduli_;
}

/// Bonds what has entered.
void Elastic::bond(const Evaluation& e) {
  std::ranges::sort(unbonded_);
  const auto id = e.particles[columns::id];
  const Property<float> weight = e.properties.weight();
  std::vector<Index> which;
  std::vector<std::uint8_t> bondable(e.particles.size(), 0);
  for (Index i = 0; i != e.particles.size(); ++i) {
    bondable[i] = weight(i) > 0;
    if (bondable[i] && std::ranges::binary_search(unbonded_, id[i])) which.push_back(i);
  }
  unbonded_.clear();
  elastic_shape::bond(e.particles, which, bondable, e.support_ratio, e.kernel.dimension(), green_objects(e.properties));
}

/// What depends on the bonds and the order of places only.
void Elastic::renew(const SubstepEvaluation& e) {
  const BondSet& bonds = e.particles.bonds(elastic_shape::bond_set);
  const auto X = e.particles[columns::reference_position];
  const auto k = bonds[elastic_shape::coefficient];
  const auto clear = [](std::vector<float>& values, Index size) { values.assign(size, 0.0f); };
  clear(by_entry_.k, e.slices.entries());
  const Index listed = e.slices.any_unaligned() ? e.slices.entries() : 0;
  for (std::vector<float>& values : by_entry_.X_ij) clear(values, listed);
  for (std::vector<float>& values : by_entry_.kX_ij) clear(values, listed);
  for (auto* values : {&by_entry_.k_mu, &by_entry_.k_d}) clear(*values, listed);
  parallel_for(e.slices.entries(), [&](std::size_t entry) {
    const Index b = e.slices.bonds[entry];
    if (b == SliceOrder::none) return;
    by_entry_.k[entry] = k[b];
    if (listed == 0) return;
    const Vec3 X_ij = X[bonds.neighbours()[b]] - X[bonds.neighbours()[bonds.reverses()[b]]];
    for (int c = 0; c != 3; ++c) {
      by_entry_.X_ij[c][entry] = X_ij[c];
      by_entry_.kX_ij[c][entry] = k[b] * X_ij[c];
    }
  });
  const Index places = e.order.places();
  const auto clear_all = [&](auto& arrays) {
    for (std::vector<float>& values : arrays) clear(values, places);
  };
  clear_all(by_place_.X);
  clear_all(by_place_.inverse_moment);
  clear_all(by_place_.sum_kX);
  clear_all(by_place_.stored);
  clear_all(by_place_.start_moment);
  clear_all(by_place_.start_force);
  clear_all(by_place_.own_force);
  clear_all(by_place_.matrix);
  for (auto* values : {&by_place_.V, &by_place_.lambda, &by_place_.mu, &by_place_.d, &by_place_.energies})
    clear(*values, places);
  by_place_.last_mu.clear();
  by_place_.last_d.clear();
  records_.assign(listed == 0 ? 0 : ElasticForce::record * places, 0.0f);
  holds_.assign(places, 0);
  parallel_for(places, [&](std::size_t p) {
    const Index i = e.order.particle[p];
    if (i == SliceOrder::none) return;
    for (int c = 0; c != 3; ++c) by_place_.X[c][p] = X[i][c];
    if (bonds.begins()[i] == bonds.begins()[i + 1]) return;
    const Eigen::Matrix3d inverse = elastic_shape::inverse_moment(e.particles, i, e.dimension);
    constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int c = 0; c != 6; ++c) by_place_.inverse_moment[c][p] = static_cast<float>(inverse(row[c], column[c]));
    by_place_.V[p] = e.particles[columns::reference_volume][i];
    holds_[p] = elastic_shape::holds(inverse);
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b)
      for (int c = 0; c != 3; ++c) by_place_.sum_kX[c][p] += k[b] * (X[bonds.neighbours()[b]][c] - X[i][c]);
  });
}

/// What depends on the bonds and on the moduli and damping of both ends.
void Elastic::find_coefficients(const SubstepEvaluation& e) {
  if (by_place_.mu == by_place_.last_mu && by_place_.d == by_place_.last_d) return;
  by_place_.last_mu = by_place_.mu;
  by_place_.last_d = by_place_.d;
  parallel_for(e.order.slices(), [&](std::size_t slice) {
    if (e.slices.aligned[slice]) return;
    for (Index row = e.slices.begins[slice]; row != e.slices.begins[slice + 1]; ++row)
      for (Index lane = 0; lane != SliceOrder::width; ++lane) {
        const std::size_t entry = SliceOrder::width * row + lane, i = SliceOrder::width * slice + lane;
        const Index j = e.slices.neighbours[entry];
        const float k = by_entry_.k[entry];
        by_entry_.k_mu[entry] = ElasticForce::alpha * k * (by_place_.mu[i] + by_place_.mu[j]);
        by_entry_.k_d[entry] = k * (by_place_.d[i] + by_place_.d[j]);
      }
  });
}

void Elastic::begin_substeps(const SubstepEvaluation& e, fondue::SubstepFormulas& formulas) {
  if (e.renewed) renew(e);
  const auto m = e.particles[columns::mass], V = e.particles[columns::reference_volume],
             R = e.particles[columns::support];
  const auto stored = e.particles[columns::stored_strain];
  const auto inner = optional_column(e.particles, columns::inner_pressure);
  // What has not been evaluated yet has the modulus of its curve.
  const auto present = e.particles[columns::present_modulus];
  const Property<float> E = e.properties.number(youngs_modulus), nu = e.properties.number(poissons_ratio),
                        damping_of = e.properties.number(damping), weight = e.properties.weight();
  std::vector<float> longest(e.order.places(), infinity);
  std::atomic<bool> any_stored = false, any_damped = false, any_changed = false;
  // All threads write the flags, so only where it changes something.
  const auto raise = [](std::atomic<bool>& flag) {
    if (!flag.load(std::memory_order_relaxed)) flag.store(true, std::memory_order_relaxed);
  };
  const auto set = [&](float& value, float to) {
    if (value != to) raise(any_changed);
    value = to;
  };
  parallel_for(e.order.places(), [&](std::size_t p) {
    const Index i = e.order.particle[p];
    if (i == SliceOrder::none || !holds_[p]) return;
    const float w = weight(i);
    const double modulus = static_cast<double>(present[i] > 0 ? present[i] : E(i));
    const Lame lame(modulus, static_cast<double>(nu(i)));
    const double c = std::sqrt((lame.lambda + 2 * lame.mu) * static_cast<double>(V[i]) / static_cast<double>(m[i]));
    const double spacing = static_cast<double>(R[i] / e.support_ratio);
    set(by_place_.lambda[p], w * static_cast<float>(lame.lambda));
    set(by_place_.mu[p], w * static_cast<float>(lame.mu));
    by_place_.d[p] = w * static_cast<float>(lame.damped(static_cast<double>(damping_of(i))) * spacing / c);
    if (by_place_.d[p] > 0) raise(any_damped);
    // Pressure from inside is the stress of a body that would be larger by this without it.
    const float P = inner.empty() ? 0.0f : inner[i];
    const double swollen = static_cast<double>(P) / (e.dimension * lame.lambda + 2 * lame.mu);
    for (int s = 0; s != 6; ++s)
      set(by_place_.stored[s][p], stored[i][s] + (s < e.dimension ? static_cast<float>(swollen) : 0.0f));
    if (P != 0 || !stored[i].isZero(0)) raise(any_stored);
    longest[p] = static_cast<float>(substep_over_spacing * spacing / c);
  });
  for (const SliceOrder::Part& part : e.order.parts)
    e.longest[part.object] =
        std::min(e.longest[part.object], *std::min_element(longest.begin() + SliceOrder::width * part.begin,
                                                           longest.begin() + SliceOrder::width * part.end));
  find_coefficients(e);
  if (any_changed) e.restart = true;
  for (Index o = 0; o != e.properties.objects(); ++o)
    if (!e.properties.tracks(o).empty()) e.schemes[o] = static_cast<SubstepScheme>(e.properties.choice(scheme, o));

  const std::vector<std::uint8_t> green = green_objects(e.properties);
  green_.assign(e.order.slices(), 0);
  for (const SliceOrder::Part& part : e.order.parts)
    std::fill(green_.begin() + part.begin, green_.begin() + part.end, green[part.object]);
  formulas.set(formula(e, any_stored, any_damped));
}

ElasticForce Elastic::formula(const SubstepEvaluation& e, bool any_stored, bool any_damped) {
  ElasticForce force;
  force.active = true;
  force.plane = e.dimension == 2;
  force.damped = any_damped;
  force.green = green_.data();
  force.rows = SliceRows(e.slices);
  force.k = by_entry_.k.data();
  force.k_mu = by_entry_.k_mu.data();
  force.k_d = by_entry_.k_d.data();
  for (int c = 0; c != 3; ++c) {
    force.X_ij[c] = by_entry_.X_ij[c].data();
    force.kX_ij[c] = by_entry_.kX_ij[c].data();
    force.X[c] = by_place_.X[c].data();
    force.sum_kX[c] = by_place_.sum_kX[c].data();
    force.start_force[c] = by_place_.start_force[c].data();
    force.own_force[c] = by_place_.own_force[c].data();
  }
  for (int c = 0; c != 6; ++c) {
    force.inverse_moment[c] = by_place_.inverse_moment[c].data();
    if (any_stored) force.stored[c] = by_place_.stored[c].data();
  }
  for (int c = 0; c != 9; ++c) {
    force.start_moment[c] = by_place_.start_moment[c].data();
    force.matrix[c] = by_place_.matrix[c].data();
  }
  force.volume = by_place_.V.data();
  force.lambda = by_place_.lambda.data();
  force.mu = by_place_.mu.data();
  force.d = by_place_.d.data();
  force.records = records_.data();
  force.energies = by_place_.energies.data();
  return force;
}

/// The energy of elastic_force.h, of all bodies, as the world has just had it found by place.
void Elastic::measure(const Measured& measured, std::span<double> values) const {
  if (!measured.properties.active()) return;
  values[0] = parallel_reduce(
      by_place_.energies.size(), 0.0, [&](std::size_t p) { return static_cast<double>(by_place_.energies[p]); },
      std::plus<>());
}

}  // namespace fondue
