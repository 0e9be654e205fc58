#include "behaviours/shell.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "behaviours/registry.h"
#include "behaviours/shell_shape.h"
#include "particles/bonds_of.h"
#include "particles/sheets.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Shell::youngs_modulus, &Shell::poissons_ratio, &Shell::damping,
                                           &Shell::friction};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "volume", "object"};
constexpr std::string_view writes[] = {"velocity"};
constexpr Statistic statistics[] = {{"shell energy", "J"}, {"largest strain of shells", "1"}};

/// m4 inside a sheet, over the area of a particle.
constexpr float fourth_over_area = 1.01f;
/// At an edge m4 is m4_bulk (m4_i/m4_bulk) to this power: a compromise between soft edges (0) and narrow strips that
/// are too stiff. Clamped strips of 2 and 4 spacings sag by 0.990 and 0.938 of the law, with 0.5 by 0.909 and 0.898.
constexpr float edge_exponent = 0.4f;
/// What fewer neighbours may add to the stiffness against bending, at most.
constexpr float most_stiffening = 4;

}  // namespace

const BehaviourInfo Shell::description{
    .name = "shell",
    .help = "Makes a sheet that resists stretching and bending like a thin wall: bowls, balloons, tins.",
    .source = "L09 4.4, derived; see shell_force.h",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = every_law,
    .substep_bonds = "shell",
    .of_sheets = true,
    .statistics = statistics,
    .look = [](const Track&) { return "paint"; },
    .surface_friction = [](const Track& track, double) { return track.values.constant(friction); }};

void Shell::require(Particles& particles) const { shell_shape::require(particles); }

void Shell::entered(Particles& particles, const Properties& properties, std::span<const Index> which) {
  const Property<float> weight = properties.weight();
  std::vector<std::uint8_t> bondable(particles.size());
  for (Index i = 0; i != particles.size(); ++i) bondable[i] = weight(i) > 0;
  shell_shape::bond(particles, which, bondable);
}

void Shell::left(Particles& particles, std::span<const Index> which) {
  if (particles.has_bonds(shell_shape::bond_set)) remove_bonds_of(particles.bonds(shell_shape::bond_set), which);
}

/// What depends on the bonds and the order of places only.
void Shell::renew(const SubstepEvaluation& e) {
  const BondSet& bonds = e.particles.bonds(shell_shape::bond_set);
  const auto X = bonds[shell_shape::reference];
  const auto k = bonds[shell_shape::coefficient];
  for (auto* arrays : {&by_entry_.own, &by_entry_.other})
    for (std::vector<float>& values : *arrays) values.assign(e.slices.entries(), 0.0f);
  by_entry_.k.assign(e.slices.entries(), 0.0f);
  by_entry_.k_d.assign(e.slices.entries(), 0.0f);
  parallel_for(e.slices.entries(), [&](std::size_t entry) {
    const Index b = e.slices.bonds[entry];
    if (b == SliceOrder::none) return;
    for (int c = 0; c != 3; ++c) {
      by_entry_.own[c][entry] = X[b][c];
      by_entry_.other[c][entry] = X[bonds.reverses()[b]][c];
    }
    by_entry_.k[entry] = k[b];
  });
  const Index places = e.order.places();
  const auto V = e.particles[columns::volume], t = e.particles[columns::thickness];
  for (std::vector<float>& values : by_place_.inverse_moment) values.assign(places, 0.0f);
  // m4 of each particle, and what it would be inside a sheet.
  std::vector<float> fourth(places, 0.0f), inside(places, 0.0f);
  for (auto* values : {&by_place_.least, &by_place_.fourth, &by_place_.energies}) values->assign(places, 0.0f);
  records_.assign(ShellForce::record * places, 0.0f);
  parallel_for(places, [&](std::size_t p) {
    const Index i = e.order.particle[p];
    if (i == SliceOrder::none || bonds.begins()[i] == bonds.begins()[i + 1]) return;
    const shell_shape::Moments sums = shell_shape::moments(e.particles, i);
    by_place_.inverse_moment[0][p] = static_cast<float>(sums.inverse(0, 0));
    by_place_.inverse_moment[1][p] = static_cast<float>(sums.inverse(1, 1));
    by_place_.inverse_moment[2][p] = static_cast<float>(sums.inverse(0, 1));
    by_place_.least[p] = static_cast<float>(sums.least);
    fourth[p] = static_cast<float>(sums.fourth);
    inside[p] = std::max(fourth[p], fourth_over_area * V[i] / t[i]);
  });
  // Particles at an edge have smaller areas than those beside them.
  parallel_for(e.order.slices(), [&](std::size_t slice) {
    for (Index lane = 0; lane != SliceOrder::width; ++lane) {
      const std::size_t p = SliceOrder::width * slice + lane;
      float bulk = inside[p];
      for (Index row = e.slices.begins[slice]; row != e.slices.begins[slice + 1]; ++row)
        if (by_entry_.k[SliceOrder::width * row + lane] > 0)
          bulk = std::max(bulk, inside[e.slices.neighbours[SliceOrder::width * row + lane]]);
      by_place_.fourth[p] = std::max(
          {bulk > 0 ? bulk * std::pow(fourth[p] / bulk, edge_exponent) : 0.0f, bulk / most_stiffening, 1e-30f});
    }
  });
}

/// What depends on the moduli and the damping.
void Shell::find_coefficients(const SubstepEvaluation& e) {
  const auto m = e.particles[columns::mass], V = e.particles[columns::volume], t = e.particles[columns::thickness];
  const Property<float> E = e.properties.number(youngs_modulus), nu = e.properties.number(poissons_ratio),
                        zeta = e.properties.number(damping), weight = e.properties.weight();
  const auto of_the_energy = [&] { return std::tie(by_place_.lambda, by_place_.mu, by_place_.a, by_place_.b); };
  const std::tuple<std::vector<float>, std::vector<float>, std::vector<float>, std::vector<float>> before =
      of_the_energy();
  for (auto* values : {&by_place_.lambda, &by_place_.mu, &by_place_.a, &by_place_.b, &by_place_.a_rate,
                       &by_place_.stiffest, &by_place_.d})
    values->assign(e.order.places(), 0.0f);
  parallel_for(e.order.slices(), [&](std::size_t slice) {
    for (Index lane = 0; lane != SliceOrder::width; ++lane) {
      const std::size_t p = SliceOrder::width * slice + lane;
      const Index i = e.order.particle[p];
      if (i == SliceOrder::none || !(by_place_.least[p] > 0)) continue;
      float sum = 0;
      for (Index row = e.slices.begins[slice]; row != e.slices.begins[slice + 1]; ++row)
        sum += by_entry_.k[SliceOrder::width * row + lane];
      const float h = t[i], ratio = nu(i), w = weight(i);
      const float mu = w * E(i) / (2 * (1 + ratio)), lambda = w * E(i) * ratio / (1 - ratio * ratio);
      by_place_.mu[p] = mu * V[i];
      by_place_.lambda[p] = lambda * V[i];
      by_place_.b[p] = 2 * mu * h;
      by_place_.a[p] = 2.0f / 3 * mu * h * h * h / ((1 - ratio) * by_place_.fourth[p]);
      const float spacing = std::sqrt(by_place_.fourth[p]), c = std::sqrt((lambda + 2 * mu) * V[i] / m[i]);
      by_place_.d[p] = zeta(i) * mu * h * spacing / std::max(c, 1e-20f);
      const float shortest = std::sqrt(4 * by_place_.a[p] * sum / m[i]);
      by_place_.a_rate[p] = zeta(i) * by_place_.a[p] / std::max(shortest, 1e-20f);
      by_place_.stiffest[p] = std::max((lambda + 2 * mu) * h / by_place_.least[p], by_place_.a[p]);
    }
  });
  parallel_for(e.order.slices(), [&](std::size_t slice) {
    for (Index row = e.slices.begins[slice]; row != e.slices.begins[slice + 1]; ++row)
      for (Index lane = 0; lane != SliceOrder::width; ++lane) {
        const std::size_t entry = SliceOrder::width * row + lane, i = SliceOrder::width * slice + lane;
        by_entry_.k_d[entry] = by_entry_.k[entry] * (by_place_.d[i] + by_place_.d[e.slices.neighbours[entry]]);
      }
  });
  if (before != of_the_energy()) e.restart = true;
}

void Shell::find_longest(const SubstepEvaluation& e) const {
  const auto object = e.particles[columns::object];
  const auto m = e.particles[columns::mass];
  std::vector<float> longest(e.order.places(), infinity);
  parallel_for(e.order.slices(), [&](std::size_t slice) {
    for (Index lane = 0; lane != SliceOrder::width; ++lane) {
      const std::size_t p = SliceOrder::width * slice + lane;
      const Index i = e.order.particle[p];
      if (i == SliceOrder::none) continue;
      double stiff = 0, drag = 0;
      for (Index row = e.slices.begins[slice]; row != e.slices.begins[slice + 1]; ++row) {
        const std::size_t entry = SliceOrder::width * row + lane;
        const Index j = e.slices.neighbours[entry];
        stiff += static_cast<double>(by_entry_.k[entry] * (by_place_.stiffest[p] + by_place_.stiffest[j]));
        // Dashpots along bonds and those of bending are across each other.
        drag += static_cast<double>(
            std::max(by_entry_.k_d[entry], by_entry_.k[entry] * (by_place_.a_rate[p] + by_place_.a_rate[j])));
      }
      const double squared = 2 * stiff / static_cast<double>(m[i]), rate = 2 * drag / static_cast<double>(m[i]);
      if (squared > 0) longest[p] = static_cast<float>(0.9 * (std::sqrt(rate * rate + 4 * squared) - rate) / squared);
    }
  });
  for (Index p = 0; p != e.order.places(); ++p)
    if (const Index i = e.order.particle[p]; i != SliceOrder::none)
      e.longest[object[i]] = std::min(e.longest[object[i]], longest[p]);
}

void Shell::begin_substeps(const SubstepEvaluation& e, fondue::SubstepFormulas& formulas) {
  if (e.renewed) renew(e);
  find_coefficients(e);
  find_longest(e);
  formulas.set(formula(e));
}

ShellForce Shell::formula(const SubstepEvaluation& e) {
  ShellForce force;
  force.active = true;
  force.damped = std::ranges::any_of(by_place_.d, [](float d) { return d > 0; });
  force.rows = SliceRows(e.slices);
  for (int c = 0; c != 3; ++c) {
    force.own_X[c] = by_entry_.own[c].data();
    force.other_X[c] = by_entry_.other[c].data();
    force.inverse_moment[c] = by_place_.inverse_moment[c].data();
  }
  force.k = by_entry_.k.data();
  force.k_d = by_entry_.k_d.data();
  force.lambda = by_place_.lambda.data();
  force.mu = by_place_.mu.data();
  force.a = by_place_.a.data();
  force.b = by_place_.b.data();
  force.a_rate = by_place_.a_rate.data();
  force.records = records_.data();
  force.energies = by_place_.energies.data();
  return force;
}

/// E of shell_force.h, as the world has just had it found by place, and the largest strain of a bond.
void Shell::measure(const Measured& measured, std::span<double> values) const {
  if (!measured.properties.active()) return;
  values[0] = parallel_reduce(
      by_place_.energies.size(), 0.0, [&](std::size_t p) { return static_cast<double>(by_place_.energies[p]); },
      std::plus<>());
  const BondSet& bonds = measured.particles.bonds(shell_shape::bond_set);
  const auto x = measured.particles[columns::position];
  const auto X = bonds[shell_shape::reference];
  values[1] = parallel_reduce(
      bonds.particles(), 0.0,
      [&](std::size_t i) {
        double most = 0;
        for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b)
          most = std::max(most, static_cast<double>((x[bonds.neighbours()[b]] - x[i]).norm() / X[b].norm()) - 1);
        return most;
      },
      [](double a, double b) { return std::max(a, b); });
}

}  // namespace fondue
