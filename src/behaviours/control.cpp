#include "behaviours/control.h"

#include <numeric>

#include "core/parallel.h"
#include "particles/neighbours.h"
#include "particles/sheets.h"
#include "shapes/filling.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Control::attraction, &Control::matching};
constexpr const Parameter* region_parameters[] = {&Control::region_radius, &Control::region_strength,
                                                  &Control::region_object};
constexpr std::string_view reads[] = {"position", "velocity", "volume"};
constexpr std::string_view writes[] = {"acceleration", "controlled"};

/// The cubic spline of radius 1 integrated over a plane through its centre.
constexpr float kernel_in_a_plane = 1.4f;

/// Part of the time 1/matching that a step may take.
constexpr float step_fraction = 0.5f;

void check(const MatterOutline& matter, const ReportMistake& report) {
  if (std::ranges::find(matter.regions, Control::description.name) != matter.regions.end()) return;
  for (Index o = 0; o != matter.objects.size(); ++o)
    if (std::ranges::any_of(matter.objects[o].tracks,
                            [](const Track& track) { return track.behaviour == Control::description.name; }))
      report(o, "has 'control', but the scene has no [[controls]] that it could follow");
}

}  // namespace

const BehaviourInfo Control::description{
    .name = "control",
    .help = "Draws matter into the moving shapes of [[controls]] and lets it flow there.",
    .source = "Thuerey et al. 2006, L09 7.2.3",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = {},
    .regions = {"controls", "control",
                "Shapes, or other matter, that matter with the behaviour control is drawn to and carried along with.",
                region_parameters},
    .check = check};

/// Of a spacing that follows from the first radius: keyframed radii change the influence, not the points.
const Control::Lattice& Control::lattice_of(const Region& region, float radius, int dimension) {
  const auto known = std::ranges::find(lattices_, region.shape, &Lattice::shape);
  if (known != lattices_.end()) return *known;
  const float spacing = radius / points_per_radius;
  Lattice& lattice = lattices_.emplace_back(
      Lattice{region.shape, spacing, fill_lattice(*region.shape, spacing, dimension, most_points), nullptr});
  if (const auto sequence = region.shape->sequence())
    lattice.carried = std::make_shared<CarriedPoints>(*sequence, lattice.points);
  return lattice;
}

Control::Points Control::points_of(const Evaluation& e, const Region& region, float radius) {
  Points points;
  if (!region.shape) {
    points.object = static_cast<Index>(region.values->constant(region_object));
    const auto object = e.particles[columns::object];
    const auto x = e.particles[columns::position], v = e.particles[columns::velocity];
    const auto R = e.particles[columns::support], V = e.particles[columns::volume];
    const auto thickness = optional_column(e.particles, columns::thickness);
    for (Index i = 0; i != object.size(); ++i) {
      if (object[i] != points.object) continue;
      points.position.push_back(x[i]);
      points.velocity.push_back(v[i]);
      const bool sheet = !thickness.empty() && thickness[i] > 0;
      points.volume.push_back(sheet ? V[i] / thickness[i] * radius / kernel_in_a_plane : V[i]);
    }
    return points;
  }
  const int dimension = e.kernel.dimension();
  points.object = e.properties.objects();
  const Lattice& lattice = lattice_of(region, region.values->number(region_radius).at(0), dimension);
  const float side = lattice.spacing;
  points.volume.assign(lattice.points.size(), dimension == 2 ? side * side : side * side * side);
  if (lattice.carried) {
    lattice.carried->at(e.time, points.position, points.velocity);
    for (Vec3& v : points.velocity) v = region.rotation * v;
  } else {
    points.position = lattice.points;
    points.velocity.assign(points.position.size(), Vec3::Zero());
  }
  for (std::size_t c = 0; c != points.position.size(); ++c) {
    Vec3& p = points.position[c];
    if (dimension == 2) p.z() = points.velocity[c].z() = 0;
    p = region.to_world(p);
    points.velocity[c] += region.velocity_at(p);
  }
  return points;
}

void Control::left(Particles& particles, std::span<const Index> which) {
  for (const Index i : which) particles[columns::controlled][i] = 0;
}

void Control::begin(const Evaluation& e) {
  attraction_ = e.properties.number(attraction);
  matching_ = e.properties.number(matching);
  weight_ = e.properties.weight();
  pull_.assign(e.particles.size(), Vec3::Zero());
  lag_.assign(e.particles.size(), Vec3::Zero());
  const auto controlled = e.particles[columns::controlled];
  std::ranges::fill(controlled, 0.0f);
  for (const Region& region : e.regions) add_region(e, region);
}

void Control::add_region(const Evaluation& e, const Region& region) {
  const float h = region.values->number(region_radius).at(e.time);
  const float strength = region.values->number(region_strength).at(e.time);
  const Points points = points_of(e, region, h);
  const std::vector<Vec3>& p = points.position;
  const std::size_t count = p.size();

  const auto x = e.particles[columns::position], v = e.particles[columns::velocity];
  const auto V = e.particles[columns::volume], R = e.particles[columns::support];
  const auto id = e.particles[columns::id], object = e.particles[columns::object];
  const auto controlled = e.particles[columns::controlled];
  NeighbourList matter;
  find_around({x, R, id, {}}, p, h, matter);
  std::vector<float> missing(count);
  std::vector<Vec3> lag(count);
  parallel_for(count, [&](std::size_t c) {
    double covered = 0;
    Vec3d momentum = Vec3d::Zero();
    for (const Index j : matter.of(c)) {
      if (!(weight_(j) > 0) || object[j] == points.object) continue;
      const float part = V[j] * e.kernel.W((x[j] - p[c]).norm(), h);
      covered += static_cast<double>(part);
      momentum += (part * v[j]).cast<double>();
    }
    missing[c] = static_cast<float>(1 - std::min(1.0, covered));
    lag[c] = covered > 0 ? Vec3(points.velocity[c] - (momentum / covered).cast<float>()) : Vec3(Vec3::Zero());
  });

  std::vector<Index> number(count);
  std::iota(number.begin(), number.end(), Index(0));
  const std::vector<float> support(count, 0.0f);
  NeighbourList controls;
  find_around({p, support, number, {}}, x, h, controls);
  parallel_for(x.size(), [&](std::size_t i) {
    if (object[i] == points.object) return;
    Vec3 pull = Vec3::Zero(), change = Vec3::Zero();
    float reach = 0;
    for (const Index c : controls.of(i)) {
      const Vec3 towards = p[c] - x[i];
      const float r = towards.norm(), part = points.volume[c] * e.kernel.W(r, h);
      if (r > 0) pull += part * missing[c] / r * towards;
      change += part * lag[c];
      reach += part;
    }
    controlled[i] = std::min(1.0f, controlled[i] + weight_(static_cast<Index>(i)) * strength * reach);
    pull_[i] += strength * pull;
    lag_[i] += strength * change;
  });
}

void Control::add_rates(const Slots& slots, const Accelerations& rates) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (weight_(i) > 0) rates.add(k - slots.begin, weight_(i) * (attraction_(i) * pull_[i] + matching_(i) * lag_[i]));
  }
}

void Control::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (const float rate = weight_(i) * matching_(i); rate > 0)
      limits[k - slots.begin] = std::min(limits[k - slots.begin], step_fraction / rate);
  }
}

}  // namespace fondue
