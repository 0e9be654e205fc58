#include "behaviours/pore_emission.h"

#include <cmath>

#include "core/random.h"
#include "particles/mass_exchange.h"

namespace fondue {

namespace {

constexpr float least_birth = 0.1f, least_particle = 0.05f, most_merged = 1.05f;
constexpr int places = 20;
constexpr float nearest_place = 0.7f, farthest_place = 1.15f, clearance = 0.55f, clearance_of_bodies = 0.4f;
/// A place is inside porous matter if that fills more than this of its surroundings.
constexpr float inside = 0.5f;

/// A random direction that points outward.
Vec3 direction(const Vec3& outward, std::uint64_t seed, std::uint64_t counter, int dimension) {
  Vec3 way = 2 * random_point(seed, counter) - Vec3::Ones();
  if (dimension == 2) way.z() = 0;
  if (!(way.norm() > 0)) way = Vec3::UnitX();
  way.normalize();
  const float length = outward.norm();
  if (length > 0.01f && way.dot(outward) < 0) way -= 2 * way.dot(outward) / (length * length) * outward;
  return way;
}

struct Place {
  Vec3 x = Vec3::Zero();
  /// Distance from the nearest particle; negative: it cannot be there at all.
  float distance = -1;
};

class PlaceSearch {
 public:
  PlaceSearch(const Exchange& exchange, const PoreSurroundings& around) : exchange_(exchange), around_(around) {}

  Place best(std::size_t site, float spacing) const {
    const PoreSite& from = around_.sites[site];
    const auto seed = static_cast<std::uint64_t>(from.id) + 1000003u * static_cast<std::uint64_t>(exchange_.time * 1e6);
    Place result;
    for (int k = 0; k != places; ++k) {
      const float way =
          nearest_place + (farthest_place - nearest_place) * random_unit(seed + 7, static_cast<unsigned>(k));
      const Vec3 x = from.x + spacing * way *
                                  direction(from.outward, seed, static_cast<unsigned>(k), exchange_.kernel.dimension());
      const float distance = distance_at(site, x, spacing);
      if (distance > result.distance) result = {exchange_.periodicity.wrapped(x), distance};
    }
    return result;
  }

 private:
  float distance_at(std::size_t site, const Vec3& x, float spacing) const {
    float nearest = (around_.sites[site].x - x).norm(), filled = 0;
    const auto see = [&](const PoreSite& other) {
      const float r = exchange_.periodicity.shortest(other.x - x).norm();
      nearest = std::min(nearest, r);
      if (other.kind == PoreSite::Kind::pore)
        filled += static_cast<float>(other.volume) * exchange_.kernel.W(r, other.support);
    };
    see(around_.sites[site]);
    for (const Index other : around_.flow.around(site)) see(around_.sites[other]);
    if (filled > inside || exchange_.distance_from_bodies(x) < clearance_of_bodies * spacing) return -1;
    for (const Birth& birth : exchange_.births)
      nearest = std::min(nearest, exchange_.periodicity.shortest(birth.position - x).norm());
    return nearest;
  }

  const Exchange& exchange_;
  const PoreSurroundings& around_;
};

/// Gives an account to the nearest free fluid that has room for it; what rounds away stays in the pore.
bool join_fluid(const Exchange& exchange, const PoreSurroundings& around, std::size_t k, float& account) {
  Particles& particles = exchange.particles;
  const auto m = particles[columns::mass];
  PoreSite& site = around.sites[k];
  const FullParticle& full = around.full[site.fluid];
  std::size_t nearest = around.sites.size();
  float least = infinity;
  for (const Index j : around.flow.around(k)) {
    const PoreSite& other = around.sites[j];
    if (other.kind != PoreSite::Kind::fluid || other.fluid != site.fluid) continue;
    const Index i = around.particle[j];
    const float r = exchange.periodicity.shortest(other.x - site.x).norm();
    if (exchange.marked[i] || !(r < least) || m[i] + account > most_merged * full.mass) continue;
    least = r;
    nearest = j;
  }
  if (nearest == around.sites.size()) return false;
  const Index to = around.particle[nearest];
  const Vec3d v = site.velocity();
  const double before = static_cast<double>(m[to]);
  m[to] += account;
  const double after = static_cast<double>(m[to]), given = after - before;
  const Vec3d momentum = before * particles[columns::velocity][to].cast<double>() + given * v;
  particles[columns::velocity][to] = (momentum / after).cast<float>();
  particles[columns::volume][to] = m[to] / full.mass * full.volume;
  site.held += static_cast<double>(account) - given;
  site.mass -= given;
  site.momentum -= given * v;
  account = 0;
  return true;
}

}  // namespace

void emit(const Exchange& exchange, const PoreSurroundings& around, std::span<float> accounts) {
  const PlaceSearch search(exchange, around);
  for (std::size_t k = 0; k != around.sites.size(); ++k) {
    PoreSite& site = around.sites[k];
    if (site.kind != PoreSite::Kind::pore || site.fluid == PoreSite::none) continue;
    const FullParticle& full = around.full[site.fluid];
    if (!(accounts[k] >= least_birth * full.mass)) continue;
    const Place place = search.best(k, full.spacing);
    const bool forced = accounts[k] >= full.mass;
    if (!(place.distance > clearance * full.spacing) && join_fluid(exchange, around, k, accounts[k])) continue;
    if (!(place.distance > (forced ? 0 : clearance * full.spacing))) continue;
    const float mass = std::min(accounts[k], full.mass);
    const Vec3d v = site.velocity();
    exchange.births.push_back(
        {site.fluid, place.x, v.cast<float>(), mass, mass / full.mass * full.volume, full.support});
    accounts[k] -= mass;
    site.mass -= static_cast<double>(mass);
    site.momentum -= static_cast<double>(mass) * v;
  }
}

void merge_small(const Exchange& exchange, const PoreSurroundings& around) {
  Particles& particles = exchange.particles;
  const auto x = particles[columns::position];
  const auto m = particles[columns::mass];
  for (std::size_t k = 0; k != around.sites.size(); ++k) {
    PoreSite& site = around.sites[k];
    if (site.kind != PoreSite::Kind::fluid) continue;
    const Index from = around.particle[k];
    const float full = around.full[site.fluid].mass;
    if (exchange.marked[from] || !(m[from] < least_particle * full)) continue;
    std::size_t fluid = around.sites.size(), pore = fluid;
    float nearest_fluid = infinity, nearest_pore = infinity;
    for (const Index j : around.flow.around(k)) {
      const PoreSite& other = around.sites[j];
      if (other.fluid != site.fluid || exchange.marked[around.particle[j]]) continue;
      const float r = exchange.periodicity.shortest(other.x - site.x).norm();
      if (other.kind == PoreSite::Kind::fluid && r < nearest_fluid &&
          m[around.particle[j]] + m[from] <= most_merged * full) {
        nearest_fluid = r;
        fluid = j;
      } else if (other.kind == PoreSite::Kind::pore && r < nearest_pore &&
                 other.held + static_cast<double>(m[from]) <= other.capacity) {
        nearest_pore = r;
        pore = j;
      }
    }
    if (fluid != around.sites.size()) {
      const Index to = around.particle[fluid];
      const float share = m[from] / (m[from] + m[to]);
      const Vec3 middle = x[to] + share * exchange.periodicity.shortest(x[from] - x[to]);
      move_mass(particles, from, to, m[from]);
      x[to] = exchange.periodicity.wrapped(middle);
      exchange.marked[from] = 1;
    } else if (pore != around.sites.size()) {
      PoreSite& to = around.sites[pore];
      const double mass = static_cast<double>(m[from]);
      to.held += mass;
      to.mass += mass;
      to.momentum += mass * particles[columns::velocity][from].cast<double>();
      exchange.marked[from] = 1;
    }
  }
}

}  // namespace fondue
