#include "behaviours/plastic.h"

#include <atomic>
#include <cmath>

#include "behaviours/elastic.h"
#include "behaviours/elastic_shape.h"
#include "behaviours/shell_shape.h"
#include "core/parallel.h"
#include "particles/sheets.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Plastic::yield, &Plastic::creep, &Plastic::maximum, &Plastic::hardening};
constexpr std::string_view reads[] = {"position"};
constexpr std::string_view writes[] = {"plastic_strain"};

/// Plastic strain after which the present shape becomes the reference.
constexpr float most_growth = 0.05f;

void check(const MatterOutline& matter, const ReportMistake& report) {
  for (Index o = 0; o != matter.objects.size(); ++o) {
    const auto has = [&](const char* name) {
      return std::ranges::any_of(matter.objects[o].tracks, [&](const Track& t) { return t.behaviour == name; });
    };
    if (!has("plastic")) continue;
    if (!has("elastic") && !has("shell"))
      report(o, "has 'plastic' and nothing that it deforms; add 'elastic' or 'shell'");
    for (const Track& track : matter.objects[o].tracks)
      if (track.behaviour == "elastic" && track.values.choice(Elastic::strain) != 0)
        report(o, "has 'plastic', which needs 'elastic > strain' to be \"corotated\"");
  }
}

}  // namespace

const BehaviourInfo Plastic::description{.name = "plastic",
                                         .help = "Lets elastic bodies and shells keep dents and bends.",
                                         .source = "L09 4.2.3; O'Brien, Bargteil & Hodgins 2002",
                                         .parameters = parameters,
                                         .reads = reads,
                                         .writes = writes,
                                         .laws = {},  // no force of its own
                                         .check = check};

void Plastic::require(Particles& particles) const {
  particles.require(columns::stored_strain);
  particles.require(columns::reference_volume);
  particles.require(columns::plastic_strain);
  particles.require(columns::plastic_growth);
  particles.require(columns::reference_position);
  particles.require_bonds(elastic_shape::bond_set).require(elastic_shape::coefficient);
}

void Plastic::entered(Particles& particles, const Properties&, std::span<const Index> which) {
  for (const Index i : which) particles[columns::plastic_strain][i] = particles[columns::plastic_growth][i] = 0;
}

/// Takes the present shape of objects that have flowed far enough as their reference.
void Plastic::begin(const Evaluation& e) {
  particles_ = &e.particles;
  dimension_ = e.kernel.dimension();
  elapsed_ = e.elapsed;
  yield_ = e.properties.number(yield);
  creep_ = e.properties.number(creep);
  maximum_ = e.properties.number(maximum);
  hardening_ = e.properties.number(hardening);
  weight_ = e.properties.weight();
  flow_shells(e);
  const auto growth = e.particles[columns::plastic_growth];
  const auto object = e.particles[columns::object];
  std::vector<std::uint8_t> flowed(e.properties.objects(), 0);
  bool any = false;
  for (Index i = 0; i != e.particles.size(); ++i) {
    if (!(growth[i] > most_growth)) continue;
    flowed[object[i]] = 1;
    any = true;
  }
  if (!any) return;
  elastic_shape::rereference(e.particles, flowed, e.support_ratio, dimension_,
                             std::vector<std::uint8_t>(flowed.size(), 0));
  for (Index i = 0; i != e.particles.size(); ++i)
    if (flowed[object[i]]) growth[i] = 0;
}

bool Plastic::advance(const Slots& slots) {
  const BondSet& bonds = particles_->bonds(elastic_shape::bond_set);
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (slots.due(k) && weight_(i) > 0 && bonds.begins()[i] != bonds.begins()[i + 1]) flow(i);
  }
  return true;
}

double Plastic::flowing(Index i, double s) const {
  const double p = static_cast<double>((*particles_)[columns::plastic_strain][i]);
  const double left = static_cast<double>(maximum_(i)) - p;
  const double beyond = s - static_cast<double>(yield_(i)) - static_cast<double>(hardening_(i)) * p;
  if (!(left > 0 && beyond > 0)) return 0;
  const double part = 1 - std::exp(-static_cast<double>(creep_(i) * weight_(i) * elapsed_(i)));
  return std::min(part * beyond, left);
}

void Plastic::flow(Index i) {
  const elastic_shape::Deformation d = elastic_shape::deformation(*particles_, i, dimension_, false);
  if (!d.known) return;
  const Eigen::Matrix3d deviator = d.e - d.e.trace() / 3 * Eigen::Matrix3d::Identity();
  const double s = std::sqrt(2.0 / 3) * deviator.norm(), amount = flowing(i, s);
  if (!(amount > 0)) return;
  const Eigen::Matrix3d strain = amount / s * deviator;
  Vec6& stored = (*particles_)[columns::stored_strain][i];
  constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int c = 0; c != 6; ++c) stored[c] += static_cast<float>(strain(row[c], column[c]));
  (*particles_)[columns::plastic_strain][i] += static_cast<float>(amount);
  (*particles_)[columns::plastic_growth][i] += static_cast<float>(amount);
}

/// Before the loops over pairs, because the reference of shells changes.
void Plastic::flow_shells(const Evaluation& e) {
  if (!e.particles.has_bonds(shell_shape::bond_set)) return;
  BondSet& bonds = e.particles.bonds(shell_shape::bond_set);
  const auto h = e.particles[columns::thickness], amount = e.particles[columns::plastic_strain];
  // Poisson's ratio of the shell is not known here; the strain across a sheet that yields keeps its volume.
  const auto deviator = [](const Eigen::Matrix2d& strain) {
    Eigen::Matrix3d whole = Eigen::Matrix3d::Zero();
    whole.topLeftCorner<2, 2>() = strain;
    whole(2, 2) = -strain.trace();
    return whole;
  };
  std::atomic<bool> any = false;
  parallel_for(e.particles.size(), [&](std::size_t at) {
    const Index i = static_cast<Index>(at);
    if (!(weight_(i) > 0) || bonds.begins()[i] == bonds.begins()[i + 1]) return;
    const shell_shape::Deformation d = shell_shape::deformation(e.particles, i);
    if (!d.known) return;
    const Eigen::Matrix2d bent = 0.5 * static_cast<double>(h[i]) * d.curvature;
    const double s = std::sqrt(2.0 / 3) * std::max(deviator(d.e + bent).norm(), deviator(d.e - bent).norm()),
                 flows = flowing(i, s);
    if (!(flows > 0)) return;
    shell_shape::flow(e.particles, i, flows / s * d.e, flows / s * d.curvature);
    amount[i] += static_cast<float>(flows);
    any = true;
  });
  if (any) bonds.values_changed();
}

}  // namespace fondue
