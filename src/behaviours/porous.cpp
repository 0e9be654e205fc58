#include "behaviours/porous.h"

#include <cmath>

#include "behaviours/fluid.h"
#include "behaviours/heat.h"
#include "behaviours/inner_pressure.h"
#include "core/parallel.h"
#include "particles/near_cells.h"
#include "particles/sheets.h"
#include "shapes/shape.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Porous::porosity,
                                           &Porous::permeability,
                                           &Porous::capillary_strength,
                                           &Porous::capillary_exponent,
                                           &Porous::flow_exponent,
                                           &Porous::viscosity,
                                           &Porous::pore_pressure_constant,
                                           &Porous::stress_share,
                                           &Porous::fluid,
                                           &Porous::fluid_density,
                                           &Porous::evaporation,
                                           &Porous::humidity};
constexpr const Parameter* region_parameters[] = {&Porous::region_permeability};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "volume", "support", "object"};
constexpr std::string_view writes[] = {"velocity",        "mass",          "saturation",    "absorbed_mass",
                                       "evaporated_mass", "pore_pressure", "pore_velocity", "emission",
                                       "dilation",        "inner_pressure"};
constexpr InitialValue initial_values[] = {
    {&columns::saturation, &Porous::initial_saturation, &Porous::emitted_saturation}};
constexpr Statistic statistics[] = {{"absorbed fluid", "kg"}, {"evaporated fluid", "kg"}, {"mean saturation", "1"}};

/// Pores under the pressure of the highest fall in the scene hold this much too much, at most, where capillarity does
/// not make them stiffer.
constexpr double most_excess = 0.02;
/// What is less than this part of a particle is nothing.
constexpr float no_mass = 1e-5f;

}  // namespace

const BehaviourInfo Porous::description{
    .name = "porous",
    .help = "Soaks up a fluid, lets it flow through its pores, and gives it back where they hold too much.",
    .source = "L09 6, corrected; see pore_flow.h",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    // Momentum is conserved by every exchange; it adds no rate of its own.
    .laws = {.galilean = true, .rotation = true, .rigid_rotation = true},
    .regions = {"pore_regions", "pore region",
                "Give matter with the behaviour porous another permeability where it lies when it becomes porous.",
                region_parameters},
    .initial_values = initial_values,
    .exchanges = true,
    .statistics = statistics,
    .check = check_pores};

void Porous::require(Particles& particles) const {
  for (const Column<float>* column :
       {&columns::saturation, &columns::absorbed_mass, &columns::absorbed_remainder, &columns::emission,
        &columns::evaporated_mass, &columns::dry_mass, &columns::region_permeability, &columns::pore_pressure,
        &columns::dilation, &columns::inner_pressure})
    particles.require(*column);
  particles.require(columns::last_pressure);
  particles.require(columns::pore_velocity);
}

void Porous::begin(const Evaluation& e) {
  pressure_ = optional_column(e.particles, columns::pressure);
  last_pressure_ = e.particles[columns::last_pressure];
}

void Porous::after_pass(Pass, const Slots& slots) {
  if (pressure_.empty()) return;
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot);
    last_pressure_[i] = pressure_[i];
  }
}

void Porous::exchange(const Exchange& e) {
  materials_ = pore_materials(e.properties, e.matter);
  fill_new_pores(e);
  if (!(e.seconds > 0)) return;
  Vec3 gravity = Vec3::Zero();
  for (Index o = 0; o != e.matter.objects.size(); ++o)
    if (const Vec3 g = common_acceleration(e.matter.objects[o].tracks, e.time, e.kernel.dimension());
        !e.properties.tracks(o).empty() && g.squaredNorm() > gravity.squaredNorm())
      gravity = g;
  choose_sites(e);
  find_most(gravity);
  flow_.find_pairs(sites_, {e.kernel, e.support_ratio, gravity, e.periodicity});
  close_at_bodies(e);
  flow_.advance(sites_, e.seconds);
  evaporate(e);
  write_free_fluid(e);
  // Accounts are kept in single precision: what that rounds away stays in the pore.
  std::vector<float> accounts(sites_.size(), 0.0f);
  for (std::size_t k = 0; k != sites_.size(); ++k) {
    if (sites_[k].kind != PoreSite::Kind::pore) continue;
    const float before = e.particles[columns::emission][particle_[k]];
    accounts[k] = before + static_cast<float>(sites_[k].emitted);
    sites_[k].held += sites_[k].emitted - (static_cast<double>(accounts[k]) - static_cast<double>(before));
  }
  const PoreSurroundings around{sites_, particle_, flow_, full_};
  emit(e, around, accounts);
  merge_small(e, around);
  write_pores(e, accounts);
}

/// Matter that has become porous: its pores are filled as far as its saturation says, and a region may have made it
/// more or less permeable.
void Porous::fill_new_pores(const Exchange& e) const {
  Particles& particles = e.particles;
  const auto object = particles[columns::object];
  const auto m = particles[columns::mass], V = particles[columns::volume], dry = particles[columns::dry_mass];
  const Property<float> weight = e.properties.weight();
  parallel_for(particles.size(), [&](std::size_t at) {
    const Index i = static_cast<Index>(at);
    if (dry[i] > 0 || !(weight(i) > 0)) return;
    const PoreMaterial& material = materials_[object[i]];
    dry[i] = m[i];
    const double held =
        static_cast<double>(particles[columns::saturation][i]) * material.fluid_density * material.porosity * V[i];
    particles[columns::absorbed_mass][i] = static_cast<float>(held);
    m[i] = static_cast<float>(static_cast<double>(dry[i]) + held);
    particles[columns::density][i] *= m[i] / dry[i];
    for (const Region& region : e.regions)
      if (region.contains(particles[columns::position][i]))
        particles[columns::region_permeability][i] = region.values->constant(region_permeability);
  });
}

/// Everything within reach of pores, in the order of ids.
void Porous::choose_sites(const Exchange& e) {
  const Particles& particles = e.particles;
  const auto x = particles[columns::position];
  const auto object = particles[columns::object], id = particles[columns::id];
  const auto R = particles[columns::support];
  const auto thickness = optional_column(e.particles, columns::thickness);
  weight_ = e.properties.weight();
  permeability_ = e.properties.number(permeability);
  strength_ = e.properties.number(capillary_strength);
  NearCells near(*std::ranges::max_element(R));
  for (Index i = 0; i != particles.size(); ++i)
    if (weight_(i) > 0) near.add(x[i]);
  particle_.clear();
  for (Index i = 0; i != particles.size(); ++i)
    if (e.periodicity.any() || near.contains(x[i])) particle_.push_back(i);
  std::ranges::sort(particle_, {}, [&](Index i) { return id[i]; });

  std::vector<std::uint8_t> taken(e.matter.objects.size(), 0);
  for (const PoreMaterial& material : materials_)
    if (material.fluid != PoreSite::none) taken[material.fluid] = 1;
  full_.assign(e.matter.objects.size(), {});
  for (Index o = 0; o != full_.size(); ++o) {
    const float spacing = e.matter.objects[o].spacing, support = e.support_ratio * spacing;
    const float volume = lattice_volume(e.kernel, spacing, support);
    full_[o] = {rest_density_of(e.matter.objects[o]) * volume, volume, support, spacing};
  }
  sites_.assign(particle_.size(), {});
  parallel_for(sites_.size(), [&](std::size_t k) {
    const Index i = particle_[k];
    PoreSite& site = sites_[k];
    if (weight_(i) > 0)
      site = pore(e, i);
    else if (taken[object[i]])
      site = free_fluid(e, i);
    site.id = id[i];
    if (!thickness.empty()) site.thickness = static_cast<double>(thickness[i]);
    site.x = x[i];
    site.support = R[i];
    site.volume = static_cast<double>(particles[columns::volume][i]);
    site.mass = static_cast<double>(particles[columns::mass][i]);
    site.momentum = site.mass * particles[columns::velocity][i].cast<double>();
  });
}

PoreSite Porous::pore(const Exchange& e, Index i) const {
  const Particles& particles = e.particles;
  const PoreMaterial& material = materials_[particles[columns::object][i]];
  PoreSite site;
  site.kind = PoreSite::Kind::pore;
  site.fluid = material.fluid;
  site.fluid_density = material.fluid_density;
  site.held = static_cast<double>(particles[columns::absorbed_mass][i]) +
              static_cast<double>(particles[columns::absorbed_remainder][i]);
  const double room = std::max(0.05, static_cast<double>(particles[columns::dilation][i]));
  site.capacity =
      material.fluid_density * material.porosity * static_cast<double>(particles[columns::volume][i]) * room;
  const double of_region = static_cast<double>(particles[columns::region_permeability][i]);
  site.mobility = static_cast<double>(weight_(i)) *
                  (of_region > 0 ? of_region : static_cast<double>(permeability_(i))) / material.viscosity;
  site.strength = static_cast<double>(strength_(i));
  site.alpha = material.alpha;
  site.beta = material.beta;
  const double fall = 0.5 * material.fluid_density * std::pow(static_cast<double>(e.expected_speed), 2);
  site.stiffness = std::max({site.strength * std::pow(pore_line, site.alpha - 1), fall / most_excess, 1e3});
  if (site.fluid != PoreSite::none)
    site.may_emit = std::max(
        0.0, 1.5 * static_cast<double>(full_[site.fluid].mass) - static_cast<double>(particles[columns::emission][i]));
  return site;
}

PoreSite Porous::free_fluid(const Exchange& e, Index i) const {
  const Particles& particles = e.particles;
  const Index object = particles[columns::object][i];
  PoreSite site;
  site.kind = PoreSite::Kind::fluid;
  site.fluid = object;
  site.fluid_density = static_cast<double>(rest_density_of(e.matter.objects[object]));
  site.held = static_cast<double>(particles[columns::mass][i]);
  site.capacity = site.most = std::max(site.held, static_cast<double>(full_[object].mass));
  site.pressure = static_cast<double>(particles[columns::last_pressure][i]);
  return site;
}

/// Pores may hold more than fits by what the highest pressure around them makes of their stiffness.
void Porous::find_most(const Vec3& gravity) {
  double low = infinity, high = -infinity, pressure = 0, density = 0;
  for (const PoreSite& site : sites_) {
    if (site.kind == PoreSite::Kind::other) continue;
    const double height = -static_cast<double>(gravity.dot(site.x));
    low = std::min(low, height);
    high = std::max(high, height);
    pressure = std::max(pressure, site.pressure);
    density = std::max(density, site.fluid_density);
  }
  const double highest = pressure + density * std::max(high - low, 0.0);
  for (PoreSite& site : sites_)
    if (site.kind == PoreSite::Kind::pore)
      site.most = site.capacity * (1 + std::max(0.02, 2 * highest / site.stiffness));
}

/// Where a body lies against pores there is no air. A sheet has a side away from the body, and no outward direction but
/// noise.
void Porous::close_at_bodies(const Exchange& e) {
  parallel_for(sites_.size(), [&](std::size_t k) {
    PoreSite& site = sites_[k];
    const float length = site.outward.norm(), spacing = site.support / e.support_ratio;
    if (!(site.air > 0) || !(length > 0) || site.thickness > 0) return;
    if (e.distance_from_bodies(site.x + spacing / length * site.outward) < 0.4f * spacing) site.air = 0;
  });
}

/// Masses in single precision; what that rounds away goes to a pore beside it, and so does what is left of a particle
/// that has given all but a rounding error, whose velocity would be one too. What is empty is removed.
void Porous::write_free_fluid(const Exchange& e) {
  Particles& particles = e.particles;
  for (std::size_t k = 0; k != sites_.size(); ++k) {
    const PoreSite& site = sites_[k];
    const Index i = particle_[k];
    if (site.kind != PoreSite::Kind::fluid || site.mass == static_cast<double>(particles[columns::mass][i])) continue;
    float mass = static_cast<float>(std::max(site.mass, 0.0));
    for (const Index j : flow_.around(k))
      if (sites_[j].kind == PoreSite::Kind::pore && sites_[j].fluid == site.fluid) {
        if (mass < no_mass * full_[site.fluid].mass) {
          mass = 0;
          sites_[j].mass += site.mass;
          sites_[j].momentum += site.momentum;
        }
        sites_[j].held += site.mass - static_cast<double>(mass);
        break;
      }
    if (mass > 0) particles[columns::velocity][i] = site.velocity().cast<float>();
    particles[columns::mass][i] = mass;
    particles[columns::volume][i] = static_cast<float>(static_cast<double>(mass) / site.fluid_density);
    if (!(mass > 0)) e.marked[i] = 1;
  }
}

void Porous::evaporate(const Exchange& e) {
  const Property<float> rate = e.properties.number(evaporation), moist = e.properties.number(humidity);
  if (!rate.any()) return;
  const LatticeHeat lattice = lattice_heat(e.kernel, e.support_ratio);
  const auto evaporated = e.particles[columns::evaporated_mass];
  parallel_for(sites_.size(), [&](std::size_t k) {
    PoreSite& site = sites_[k];
    const Index i = particle_[k];
    if (site.kind != PoreSite::Kind::pore || !(rate(i) > 0)) return;
    const double area =
        static_cast<double>(lattice.area_scale) * site.volume *
        std::max(0.0, site.exposed - static_cast<double>(lattice.noise) / static_cast<double>(site.support));
    const double wish =
        e.seconds * area * static_cast<double>(rate(i) * (1 - moist(i))) * std::min(site.saturation(), 1.0);
    const float after = static_cast<float>(static_cast<double>(evaporated[i]) + std::min(wish, site.held));
    const double lost = static_cast<double>(after) - static_cast<double>(evaporated[i]);
    if (!(lost > 0) || lost > site.held) return;
    evaporated[i] = after;
    site.momentum -= lost * site.velocity();
    site.held -= lost;
    site.mass -= lost;
  });
}

void Porous::write_pores(const Exchange& e, std::span<const float> accounts) {
  Particles& particles = e.particles;
  const Property<float> share = e.properties.number(stress_share);
  parallel_for(sites_.size(), [&](std::size_t k) {
    const PoreSite& site = sites_[k];
    if (site.kind != PoreSite::Kind::pore) return;
    const Index i = particle_[k];
    const PoreMaterial& material = materials_[particles[columns::object][i]];
    const double saturation = site.saturation();
    const float absorbed = static_cast<float>(site.held), before = particles[columns::mass][i];
    particles[columns::absorbed_mass][i] = absorbed;
    particles[columns::absorbed_remainder][i] = static_cast<float>(site.held - static_cast<double>(absorbed));
    particles[columns::emission][i] = accounts[k];
    particles[columns::saturation][i] = static_cast<float>(saturation);
    particles[columns::pore_pressure][i] = static_cast<float>(site.potential());
    particles[columns::inner_pressure][i] =
        share(i) * static_cast<float>(material.pressure_constant * std::clamp(saturation, 0.0, 1.0));
    particles[columns::pore_velocity][i] = (site.carried / (e.seconds * site.capacity)).cast<float>();
    particles[columns::mass][i] = static_cast<float>(static_cast<double>(particles[columns::dry_mass][i]) + site.held +
                                                     static_cast<double>(accounts[k]));
    particles[columns::density][i] *= particles[columns::mass][i] / before;
    particles[columns::velocity][i] = site.velocity().cast<float>();
  });
}

/// Fluid in pores and at their surface, what has evaporated, and how full pores are.
void Porous::measure(const Measured& measured, std::span<double> values) const {
  const Particles& particles = measured.particles;
  const auto absorbed = particles[columns::absorbed_mass], rest = particles[columns::absorbed_remainder];
  const auto emission = particles[columns::emission], evaporated = particles[columns::evaporated_mass];
  const auto saturation = particles[columns::saturation], dry = particles[columns::dry_mass];
  values[0] = parallel_reduce(
      particles.size(), 0.0,
      [&](std::size_t i) {
        return static_cast<double>(absorbed[i]) + static_cast<double>(rest[i]) + static_cast<double>(emission[i]);
      },
      std::plus<>());
  values[1] = parallel_reduce(
      particles.size(), 0.0, [&](std::size_t i) { return static_cast<double>(evaporated[i]); }, std::plus<>());
  double sum = 0, count = 0;
  for (Index i = 0; i != particles.size(); ++i)
    if (dry[i] > 0) {
      sum += static_cast<double>(saturation[i]);
      count += 1;
    }
  values[2] = count > 0 ? sum / count : 0;
}

}  // namespace fondue
