#include "behaviours/plastic.h"

#include <cmath>

#include "behaviours/elastic.h"
#include "behaviours/elastic_shape.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Plastic::yield, &Plastic::creep, &Plastic::maximum, &Plastic::hardening};
constexpr std::string_view reads[] = {"position", "stored_strain", "reference_volume"};
constexpr std::string_view writes[] = {"plastic_strain"};

/// Plastic strain after which the present shape becomes the reference.
constexpr float most_growth = 0.05f;

void check(const MatterOutline& matter, const ReportMistake& report) {
  for (Index o = 0; o != matter.objects.size(); ++o) {
    const auto has = [&](const char* name) {
      return std::ranges::any_of(matter.objects[o].tracks, [&](const Track& t) { return t.behaviour == name; });
    };
    if (!has("plastic")) continue;
    for (const Track& track : matter.objects[o].tracks)
      if (track.behaviour == "elastic" && track.values.choice(Elastic::strain) != 0)
        report(o, "has 'plastic', which needs 'elastic > strain' to be \"corotated\"");
  }
}

}  // namespace

const BehaviourInfo Plastic::description{.name = "plastic",
                                         .help = "Lets an elastic body keep dents and bends.",
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

void Plastic::flow(Index i) {
  const double p = static_cast<double>((*particles_)[columns::plastic_strain][i]);
  const double left = static_cast<double>(maximum_(i)) - p;
  if (!(left > 0)) return;
  const elastic_shape::Deformation d = elastic_shape::deformation(*particles_, i, dimension_, false);
  if (!d.known) return;
  const Eigen::Matrix3d deviator = d.e - d.e.trace() / 3 * Eigen::Matrix3d::Identity();
  const double s = std::sqrt(2.0 / 3) * deviator.norm();
  const double beyond = s - static_cast<double>(yield_(i)) - static_cast<double>(hardening_(i)) * p;
  if (!(beyond > 0)) return;
  const double part = 1 - std::exp(-static_cast<double>(creep_(i) * weight_(i) * elapsed_(i)));
  const double flowing = std::min(part * beyond, left);
  const Eigen::Matrix3d strain = flowing / s * deviator;
  Vec6& stored = (*particles_)[columns::stored_strain][i];
  constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (int c = 0; c != 6; ++c) stored[c] += static_cast<float>(strain(row[c], column[c]));
  (*particles_)[columns::plastic_strain][i] += static_cast<float>(flowing);
  (*particles_)[columns::plastic_growth][i] += static_cast<float>(flowing);
}

}  // namespace fondue
