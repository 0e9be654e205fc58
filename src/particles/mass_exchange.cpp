#include "particles/mass_exchange.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "core/error.h"

namespace fondue {

namespace {

/// A value of a column at a particle, all components.
template <class T>
std::span<T> value_at(const ColumnView& column, Index particle) {
  const auto n = static_cast<std::size_t>(column.components);
  return {static_cast<T*>(column.data) + particle * n, n};
}

void check_particle(const Particles& particles, Index particle) {
  if (particle >= particles.size())
    throw SimulationError(fmt::format("there is no particle {} of {}", particle, particles.size()));
}

void check_transfer(const Particles& particles, Index from, Index to, float mass) {
  check_particle(particles, from);
  check_particle(particles, to);
  const auto ids = particles[columns::id];
  const auto m = particles[columns::mass];
  if (from == to) throw SimulationError(fmt::format("particle {} cannot give mass to itself", ids[from]));
  if (!(mass >= 0 && mass <= m[from]) || !(m[to] >= 0)) {
    throw SimulationError(
        fmt::format("cannot move {} kg from particle {}, which has {} kg, to particle {}, which has {} kg", mass,
                    ids[from], m[from], ids[to], m[to]));
  }
}

/// Moves a share of an extensive quantity; a share of 1 leaves nothing.
void add_share(std::span<float> from, std::span<float> to, double share) {
  for (std::size_t k = 0; k != from.size(); ++k) {
    const auto moved = static_cast<float>(share * static_cast<double>(from[k]));
    from[k] -= moved;
    to[k] += moved;
  }
}

/// Moves a weighted mean towards the value of what is added.
void mix(std::span<const float> added, std::span<float> to, double weight) {
  for (std::size_t k = 0; k != to.size(); ++k) {
    const double own = static_cast<double>(to[k]);
    to[k] = static_cast<float>(own + weight * (static_cast<double>(added[k]) - own));
  }
}

/// Moves a share of one particle to another, of whose new mass it is the part `weight`.
void transfer(Particles& particles, Index from, Index to, double share, double weight, bool positions) {
  for (const ColumnView& column : particles.columns()) {
    if (column.rule == MergeRule::sum)
      add_share(value_at<float>(column, from), value_at<float>(column, to), share);
    else if (column.rule == MergeRule::mean && (positions || column.name != columns::position.name))
      mix(value_at<const float>(column, from), value_at<float>(column, to), weight);
  }
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Keeps R^d / V where the volume has changed by a factor.
void scale_support(Particles& particles, Index particle, double volume_factor, int dimension) {
  const std::span<float> support = optional_column(particles, columns::support);
  if (!support.empty())
    support[particle] *= static_cast<float>(dimension == 2 ? std::sqrt(volume_factor) : std::cbrt(volume_factor));
}

}  // namespace

void move_mass(Particles& particles, Index from, Index to, float mass) {
  check_transfer(particles, from, to, mass);
  const auto m = particles[columns::mass];
  const auto dm = static_cast<double>(mass), of = static_cast<double>(m[from]), with = static_cast<double>(m[to]);
  transfer(particles, from, to, ratio(dm, of), ratio(dm, with + dm), false);
}

void merge(Particles& particles, Index from, Index to, int dimension, std::span<std::uint8_t> marked) {
  if (marked.size() != particles.size()) {
    throw SimulationError(
        fmt::format("{} marks for {} particles: one each is needed", marked.size(), particles.size()));
  }
  check_transfer(particles, from, to, 0);
  const auto m = particles[columns::mass];
  const auto mass = static_cast<double>(m[from]), with = static_cast<double>(m[to]);
  const auto before = static_cast<double>(particles[columns::volume][to]);
  transfer(particles, from, to, 1, ratio(mass, with + mass), true);
  const auto after = static_cast<double>(particles[columns::volume][to]);
  if (before > 0) scale_support(particles, to, after / before, dimension);
  marked[from] = 1;
}

Index split(Particles& particles, Index particle, std::span<const Vec3> offsets, int dimension) {
  check_particle(particles, particle);
  if (offsets.empty()) throw SimulationError("a particle cannot be split into nothing");
  const auto parts = static_cast<Index>(offsets.size());
  const Index first = particles.create(parts - 1);
  const auto part = [&](Index k) { return k == 0 ? particle : first + k - 1; };
  scale_support(particles, particle, 1.0 / parts, dimension);
  for (const ColumnView& column : particles.columns()) {
    if (column.rule == MergeRule::sum)
      for (float& value : value_at<float>(column, particle)) value /= static_cast<float>(parts);
    if (column.name == columns::id.name) continue;
    const auto original = value_at<float>(column, particle);
    for (Index k = 1; k != parts; ++k)
      std::memcpy(value_at<float>(column, part(k)).data(), original.data(), original.size_bytes());
  }
  Vec3d mean = Vec3d::Zero();
  for (const Vec3& offset : offsets) mean += offset.cast<double>() / parts;
  const auto x = particles[columns::position];
  const Vec3d centre = x[particle].cast<double>();
  for (Index k = 0; k != parts; ++k) x[part(k)] = (centre + offsets[k].cast<double>() - mean).cast<float>();
  return first;
}

}  // namespace fondue
