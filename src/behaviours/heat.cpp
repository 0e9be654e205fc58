#include "behaviours/heat.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "behaviours/registry.h"
#include "shapes/shape.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Heat::conductivity,  &Heat::heat_capacity,    &Heat::latent_heat,
                                           &Heat::melting_point, &Heat::surface_transfer, &Heat::ambient_temperature};
constexpr const Parameter* region_parameters[] = {&Heat::region_temperature, &Heat::region_rate};
constexpr InitialValue initial_values[] = {
    {&columns::temperature, &Heat::initial_temperature, &Heat::emitted_temperature}};
constexpr Statistic statistics[] = {{"heat", "J"}};
constexpr std::string_view reads[] = {"position", "volume", "mass", "density", "support", "object"};
constexpr std::string_view writes[] = {"temperature", "melted", "heat_remainder"};

/// Fraction of the largest step without new extremes on a lattice.
constexpr float step_fraction = 0.25f;
/// Exposed area of particles in disorder far from any surface, times R; the first row of a lattice has about 1.
constexpr double interior_noise = 0.42;

}  // namespace

const BehaviourInfo Heat::description{
    .name = "heat",
    .help =
        "Conducts heat, between particles and with colliders that have a temperature; cools at the free surface; "
        "melts and freezes with latent heat.",
    .source = "P06 4 (corrected), Brookshaw 1985, Cleary & Monaghan 1999",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    // It moves nothing: no momentum to conserve.
    .laws = {.galilean = true, .rotation = true, .rigid_rotation = true},
    .regions = {"hot_regions", "hot region",
                "Flames and cold air: regions in which matter with the behaviour heat approaches a given temperature.",
                region_parameters},
    .initial_values = initial_values,
    .statistics = statistics,
    .check = check};

LatticeHeat lattice_heat(const Kernel& kernel, float support_ratio) {
  // Spacing 1.
  const float R = support_ratio, V = lattice_volume(kernel, 1, R);
  const int reach = static_cast<int>(std::ceil(R)), reach_z = kernel.dimension() == 3 ? reach : 0;
  double moment = 0, exchange = 0;
  // What a layer this far away adds to sum_j V_j grad W.
  std::vector<double> layer(reach + 1, 0.0);
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach_z; z <= reach_z; ++z) {
        const float r2 = static_cast<float>(x * x + y * y + z * z), r = std::sqrt(r2);
        if (x == 0 && y == 0 && z == 0) continue;
        const double slope = -V * kernel.dW(r, R) / r, flow = slope * r2 / (r2 + 0.01f * R * R);
        moment += flow * x * x;
        exchange += 2 * std::abs(flow);
        if (x > 0) layer[x] += slope * x;
      }
  LatticeHeat result;
  result.calibration = static_cast<float>(1 / moment);
  result.exchange = static_cast<float>(exchange / moment) * R * R;
  // The row k spacings below a flat surface misses the layers beyond k.
  const auto missing = [&](int k) { return std::accumulate(layer.begin() + k + 1, layer.end(), 0.0); };
  const double noise = std::min(interior_noise / R, 0.5 * missing(0));
  double area = 0;
  for (int k = 0; k != reach; ++k) area += V * std::max(missing(k) - noise, 0.0);
  result.noise = static_cast<float>(noise) * R;
  result.area_scale = static_cast<float>(1 / area);
  return result;
}

void Heat::require(Particles& particles) const {
  particles.require(columns::temperature);
  particles.require(columns::melted);
  particles.require(columns::heat_remainder);
}

/// What begins above its melting point has melted.
void Heat::entered(Particles& particles, const Properties& properties, std::span<const Index> which) {
  const auto object = particles[columns::object];
  for (const Index i : which)
    if (const auto material = thermal_material(properties.tracks(object[i])))
      particles[columns::melted][i] = material->melted_at(particles[columns::temperature][i]);
}

void Heat::begin(const Evaluation& e) {
  k_ = e.properties.number(conductivity);
  transfer_ = e.properties.number(surface_transfer);
  ambient_ = e.properties.number(ambient_temperature);
  weight_ = e.properties.weight();
  elapsed_ = e.elapsed;
  regions_.clear();
  for (const Region& region : e.regions)
    regions_.push_back(
        {region, region.values->number(region_temperature).at(e.time), region.values->number(region_rate).at(e.time)});
  object_ = e.particles[columns::object];
  x_ = e.particles[columns::position];
  rho_ = e.particles[columns::density];
  R_ = e.particles[columns::support];
  V_ = e.particles[columns::volume];
  m_ = e.particles[columns::mass];
  T_ = e.particles[columns::temperature];
  melted_ = e.particles[columns::melted];
  remainder_ = e.particles[columns::heat_remainder];
  if (lattice_.exchange == 0) lattice_ = lattice_heat(e.kernel, e.support_ratio);
  materials_.clear();
  for (Index o = 0; o != e.properties.objects(); ++o)
    materials_.push_back(thermal_material(e.properties.tracks(o)).value_or(ThermalMaterial{1, 0, 0}));
  largest_conductivity_ = parallel_reduce(
      T_.size(), 0.0f, [&](std::size_t i) { return k_(static_cast<Index>(i)); },
      [](float a, float b) { return std::max(a, b); });

  find_walls(e.walls);
  received_by_slot_.resize(e.records.size());
  const Formula acting = e.formula();
  flow_ = {acting,
           e.fields.column(T_),
           e.fields.property(k_),
           e.shared.mass,
           lattice_.calibration,
           wall_temperature_.data(),
           wall_conducts_.data(),
           received_by_slot_.data()};
  // Nothing flows where all is equally warm.
  const bool walls_conduct = std::ranges::find(wall_conducts_, 1.0f) != wall_conducts_.end();
  flow_.active = flow_.temperature.stride != 0 || walls_conduct;
  exposed_ = {};
  if (!transfer_.any()) return;
  exposed_by_slot_.resize(e.records.size());
  exposed_ = {acting, e.shared.volume, exposed_by_slot_.data()};
}

void Heat::find_walls(const Walls& walls) {
  wall_temperature_.clear();
  wall_conducts_.clear();
  for (const std::optional<float>& T : walls.temperature) {
    wall_temperature_.push_back(T.value_or(0.0f));
    wall_conducts_.push_back(T ? 1.0f : 0.0f);
  }
}

void Heat::add_formulas(PairFormulas& formulas) const {
  formulas.set(flow_);
  formulas.set(exposed_);
}

float Heat::surface_loss(Index slot, Index i) const {
  if (!exposed_.active) return 0;
  const float area = lattice_.area_scale * std::max(exposed_by_slot_[slot] - lattice_.noise / R_[i], 0.0f);
  return weight_(i) * transfer_(i) * area * V_[i] / m_[i];
}

bool Heat::advance(const Slots& slots) {
  bool finite = true;
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const float dt = elapsed_(i), weight = weight_(i);
    if (!slots.due(k) || !(weight > 0) || !(dt > 0)) continue;
    const ThermalMaterial& material = materials_[object_[i]];
    ThermalState state{T_[i], melted_[i], remainder_[i]};
    const float conducted = flow_.active ? received_by_slot_[k] : 0;
    const float received = conducted + surface_loss(k, i) * (ambient_(i) - T_[i]);
    finite &= std::isfinite(received);
    absorb(state, material, static_cast<double>(dt) * received);
    for (const HotRegion& region : regions_)
      if (region.place.contains(x_[i]))
        relax(state, material, region.temperature, static_cast<double>(weight) * region.rate * dt);
    T_[i] = state.temperature;
    melted_[i] = state.melted;
    remainder_[i] = state.remainder;
  }
  return finite;
}

void Heat::limit_steps(const Slots& slots, float* limits) const {
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot);
    const float k = k_(i), R = R_[i];
    if (!(weight_(i) > 0)) continue;
    const float between = k > 0 ? 2 * k * largest_conductivity_ / (k + largest_conductivity_) : 0.0f;
    const float rate = lattice_.exchange * between / (R * R * rho_[i]) + surface_loss(slot, i);
    float& limit = limits[slot - slots.begin];
    limit = std::min(limit, step_fraction * materials_[object_[i]].heat_capacity / std::max(rate, 1e-30f));
  }
}

/// Of matter with this behaviour, above 0 K: sum of m (c T + L melted).
void Heat::measure(const Measured& measured, std::span<double> values) const {
  const Particles& particles = measured.particles;
  const auto object = particles[columns::object];
  const auto m = particles[columns::mass], T = particles[columns::temperature];
  const auto melted = particles[columns::melted], remainder = particles[columns::heat_remainder];
  std::vector<std::optional<ThermalMaterial>> materials;
  for (Index o = 0; o != measured.properties.objects(); ++o)
    materials.push_back(thermal_material(measured.properties.tracks(o)));
  values[0] = parallel_reduce(
      m.size(), 0.0,
      [&](std::size_t i) {
        const auto& material = materials[object[i]];
        return material ? m[i] * heat_content({T[i], melted[i], remainder[i]}, *material) : 0.0;
      },
      std::plus<>());
}

/// Heat needs a temperature to start from, and a curve over what has melted needs something that melts.
void Heat::check(const MatterOutline& matter, const ReportMistake& report) {
  for (Index o = 0; o != matter.objects.size(); ++o) {
    const MatterOutline::Object& object = matter.objects[o];
    const std::optional<ThermalMaterial> thermal = thermal_material(object.tracks);
    if (!thermal) continue;
    if (!object.has(columns::temperature.name))
      report(o, fmt::format("has '{}', which needs a temperature to start from; add temperature = 293 to it",
                            description.name));
    for (const Track& track : object.tracks)
      for (const CurveOver& curve : curves_over_attributes(track))
        if (curve.over == columns::melted.name && !(thermal->latent_heat > 0))
          report(o, fmt::format("has a curve of '{} > {}' over '{}', but it does not melt; add heat = {{ latent_heat = "
                                "334000, melting_point = 273.15 }}",
                                track.behaviour, curve.parameter, curve.over));
  }
}

}  // namespace fondue
