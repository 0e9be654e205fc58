#include "behaviours/wind.h"

#include <Eigen/Geometry>

#include "behaviours/fluid.h"
#include "core/parallel.h"
#include "particles/sheets.h"

namespace fondue {

namespace {
constexpr const Parameter* parameters[] = {&Wind::velocity, &Wind::strength, &Wind::air_density};
constexpr std::string_view reads[] = {"velocity"};
constexpr std::string_view writes[] = {"acceleration"};
/// How much of the pressure across a sheet the same wind exerts along it.
constexpr float along_sheets = 0.01f;

/// How much a particle is exposed is known of fluids, by their density, and of sheets.
void check_exposure(const MatterOutline& matter, const ReportMistake& report) {
  for (Index o = 0; o != matter.objects.size(); ++o) {
    bool blown = false, exposed = false;
    for (const Track& track : matter.objects[o].tracks) {
      const BehaviourInfo* info = find_behaviour(track.behaviour);
      blown |= track.behaviour == "wind";
      exposed |= info && (info->of_sheets || std::ranges::count(info->writes, std::string_view("density_ratio")) != 0);
    }
    if (blown && !exposed) report(o, "has 'wind', which blows on fluids and sheets; add 'fluid', or make it a sheet");
  }
}
}  // namespace

const BehaviourInfo Wind::description{.name = "wind",
                                      .help = "Blows along what lies at the surface, and against sheets.",
                                      .source = "derived",
                                      .parameters = parameters,
                                      .reads = reads,
                                      .writes = writes,
                                      .laws = {},
                                      .tracks_add = true,
                                      .check = check_exposure};

void Wind::require(Particles& particles) const { particles.require(columns::density_ratio); }

void Wind::begin(const Evaluation& e) {
  u_ = e.properties.vector(velocity);
  strength_ = e.properties.number(strength);
  air_ = e.properties.number(air_density);
  weight_ = e.properties.weight();
  v_ = e.particles[columns::velocity];
  s_ = e.particles[columns::density_ratio];
  find_normals(e.particles);
}

/// The mean of the normals of the triangles around a particle, by their areas.
void Wind::find_normals(const Particles& particles) {
  pressed_.clear();
  if (!particles.has_bonds(sheets::bond_set)) return;
  const BondSet& bonds = particles.bonds(sheets::bond_set);
  const auto third = bonds[sheets::left];
  const auto x = particles[columns::position];
  const auto m = particles[columns::mass], V = particles[columns::volume], t = particles[columns::thickness];
  pressed_.assign(particles.size(), Vec3::Zero());
  parallel_for(particles.size(), [&](std::size_t at) {
    const Index i = static_cast<Index>(at);
    if (!(t[i] > 0)) return;
    Vec3 sum = Vec3::Zero();
    for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b)
      if (third[b] != 0)
        if (const Index k = sheets::bonded(particles, bonds, i, third[b] - 1); k != ColumnSet::no_row)
          sum += (x[bonds.neighbours()[b]] - x[i]).cross(x[k] - x[i]);
    const float size = sum.norm();
    if (size > 0) pressed_[i] = (V[i] / (t[i] * m[i] * size)) * sum;
  });
}

void Wind::add_rates(const Slots& slots, const Accelerations& rates) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const Vec3 w = u_(i) - v_[i];
    if (!pressed_.empty() && !pressed_[i].isZero(0)) {
      const float inverse = pressed_[i].norm();
      const Vec3 n = pressed_[i] / inverse, along = w - w.dot(n) * n;
      const Vec3 pressure = std::abs(w.dot(n)) * w.dot(n) * n + along_sheets * along.norm() * along;
      rates.add(k - slots.begin, weight_(i) * air_(i) * inverse * pressure);
      continue;
    }
    const float exposure = std::clamp((1 - s_[i]) / 0.3f, 0.0f, 1.0f);
    rates.add(k - slots.begin, weight_(i) * strength_(i) * exposure * w);
  }
}

void Wind::limit_steps(const Slots& slots, float* limits) const {
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const bool of_sheet = !pressed_.empty() && !pressed_[i].isZero(0);
    const float rate = of_sheet ? 2 * air_(i) * pressed_[i].norm() * (u_(i) - v_[i]).norm() : strength_(i);
    limits[k - slots.begin] = std::min(limits[k - slots.begin], 1 / std::max(weight_(i) * rate, 1e-12f));
  }
}

}  // namespace fondue
