#include "behaviours/pore_flow.h"

#include <algorithm>
#include <cmath>

#include "behaviours/heat.h"
#include "core/parallel.h"

namespace fondue {

namespace {

/// Part of the largest stable substep, and the most substeps of one advance.
constexpr double substep_fraction = 0.7;
constexpr double most_substeps = 64;
/// What disorder may leave empty around a particle inside a body.
constexpr double disorder = 0.15;

/// A site that takes part in the flow, and may do so with another one.
bool exchange(const PoreSite& i, const PoreSite& j) {
  using Kind = PoreSite::Kind;
  if (i.kind == Kind::other || j.kind == Kind::other || (i.kind == Kind::fluid && j.kind == Kind::fluid)) return false;
  return i.fluid == j.fluid && i.fluid_density == j.fluid_density;
}

/// The same for (i, j) and (j, i); free fluid flows as easily as the pores beside it allow.
double mobility_between(const PoreSite& i, const PoreSite& j) {
  if (i.kind == PoreSite::Kind::fluid) return j.mobility;
  if (j.kind == PoreSite::Kind::fluid) return i.mobility;
  return 2 * i.mobility * j.mobility / (i.mobility + j.mobility);
}

/// -x_ij.grad W/(r^2 + 0.01 R^2) of the mean kernel, the same for (i, j) and (j, i).
double slope(const Kernel& kernel, const Vec3& x_ij, float R_i, float R_j) {
  const float r2 = x_ij.squaredNorm(), r = std::sqrt(r2), R = 0.5f * (R_i + R_j);
  if (!(r > 0)) return 0;
  const float gradient = -0.5f * (kernel.dW(r, R_i) + kernel.dW(r, R_j));
  return static_cast<double>(gradient * r / (r2 + 0.01f * R * R));
}

}  // namespace

double PoreSite::potential() const {
  if (kind == Kind::fluid) return std::max(pressure, 0.0);
  const double S = saturation(), line = stiffness * (S - 1);
  if (S >= 1 || !(strength > 0)) return std::max(line, S >= 1 ? line : 0.0);
  return std::max(line, -strength * std::pow(1 - S, alpha));
}

void PoreFlow::find_neighbours_of(const std::vector<PoreSite>& sites, const Periodicity& periodicity) {
  std::vector<Vec3> x;
  std::vector<float> R;
  std::vector<Index> id, source;
  std::vector<std::uint8_t> seeks;
  for (const PoreSite& site : sites) {
    x.push_back(site.x);
    R.push_back(site.support);
    id.push_back(site.id);
    seeks.push_back(site.kind != PoreSite::Kind::other);
  }
  if (periodicity.any() && !sites.empty()) add_images(periodicity, *std::ranges::max_element(R), {x, R, id, source});
  seeks.resize(x.size(), 0);
  find_neighbours({x, R, id, seeks}, around_);
  if (!source.empty())
    for (Index& j : around_.indices) j = source[j];
}

void PoreFlow::find_pairs(std::vector<PoreSite>& sites, const Space& space) {
  find_neighbours_of(sites, space.periodicity);
  const LatticeHeat lattice = lattice_heat(space.kernel, space.support_ratio);
  calibration_ = static_cast<double>(lattice.calibration);
  exchange_ = static_cast<double>(lattice.exchange);
  plane_calibration_ =
      static_cast<double>(lattice_heat(Kernel(space.kernel.shape(), 2), space.support_ratio).calibration);
  const std::size_t count = sites.size();
  begins_.assign(count + 1, 0);
  const auto each_pair = [&](std::size_t i, auto&& visit) {
    for (const Index j : around_.of(i))
      if (exchange(sites[i], sites[j])) visit(j);
  };
  parallel_for(count, [&](std::size_t i) { each_pair(i, [&](Index) { ++begins_[i + 1]; }); });
  for (std::size_t i = 0; i != count; ++i) begins_[i + 1] += begins_[i];
  pairs_.resize(begins_.back());
  parallel_for(count, [&](std::size_t at) {
    const PoreSite& i = sites[at];
    std::size_t next = begins_[at];
    each_pair(at, [&](Index other) {
      const PoreSite& j = sites[other];
      const Vec3 x_ij = space.periodicity.shortest(i.x - j.x);
      pairs_[next++] = {other, coefficient(i, j, x_ij, space),
                        i.fluid_density * static_cast<double>(space.gravity.dot(x_ij)), x_ij};
    });
    if (i.kind == PoreSite::Kind::pore) find_surroundings(sites[at], at, sites, space);
  });
}

/// 2 rho V_i V_j K/mu w, the same for (i, j) and (j, i).
double PoreFlow::coefficient(const PoreSite& i, const PoreSite& j, const Vec3& x_ij, const Space& space) const {
  const double all = 2 * i.fluid_density * mobility_between(i, j);
  if (i.thickness > 0 && j.thickness > 0)
    return all * (i.volume * j.volume) * 2 / (i.thickness + j.thickness) * plane_calibration_ *
           slope(Kernel(space.kernel.shape(), 2), x_ij, i.support, j.support);
  const auto open = [&](const PoreSite& site) {
    return site.thickness > 0 ? site.volume * static_cast<double>(site.support / space.support_ratio) / site.thickness
                              : site.volume;
  };
  return all * (open(i) * open(j)) * calibration_ * slope(space.kernel, x_ij, i.support, j.support);
}

/// What is missing around a site, and where.
void PoreFlow::find_surroundings(PoreSite& i, std::size_t at, const std::vector<PoreSite>& sites,
                                 const Space& space) const {
  const double full = exchange_ / (static_cast<double>(i.support) * static_cast<double>(i.support));
  double filled = 0;
  Vec3 outward = Vec3::Zero(), normal = Vec3::Zero();
  for (const Index other : around_.of(at)) {
    const PoreSite& j = sites[other];
    const Vec3 x_ij = space.periodicity.shortest(i.x - j.x);
    const double w = 2 * calibration_ * j.volume * slope(space.kernel, x_ij, i.support, j.support) / full;
    filled += w;
    if (const float r = x_ij.norm(); r > 0)
      normal += static_cast<float>(j.volume) * 0.5f * (space.kernel.dW(r, i.support) + space.kernel.dW(r, j.support)) /
                r * x_ij;
    if (j.kind == PoreSite::Kind::pore) outward += static_cast<float>(w) / i.support * x_ij;
  }
  i.air = std::max(0.0, 1 - filled - disorder) / (1 - disorder);
  i.outward = outward;
  i.exposed = static_cast<double>(normal.norm());
}

/// What flows from i to the other site of a pair, negative the other way [kg/s].
inline double PoreFlow::flow(const std::vector<PoreSite>& sites, std::size_t i, const Pair& pair) const {
  const std::size_t j = pair.other;
  const double drive = psi_[i] - psi_[j] - pair.weight;
  const std::size_t giver = drive > 0 ? i : j, taker = drive > 0 ? j : i;
  // Pores that are not full keep what they hold from free fluid.
  if (sites[taker].kind == PoreSite::Kind::fluid && sites[giver].held <= sites[giver].capacity) return 0;
  return pair.coefficient * drive * open_[giver];
}

/// What flows from a site into the air [kg/s].
inline double PoreFlow::air_flow(const PoreSite& i, std::size_t at) const {
  if (i.kind != PoreSite::Kind::pore || i.fluid == PoreSite::none || i.held <= i.capacity) return 0;
  const double full = exchange_ / (static_cast<double>(i.support) * static_cast<double>(i.support));
  return i.fluid_density * i.volume * i.mobility * full * i.air * psi_[at];
}

/// Substeps of an advance; where they would be too many, s is lowered.
double PoreFlow::steps_needed(std::vector<PoreSite>& sites, double seconds) const {
  const auto rate = [&](const PoreSite& i) {
    if (i.kind != PoreSite::Kind::pore) return 0.0;
    const double porosity = i.capacity / (i.fluid_density * i.volume);
    return i.mobility * i.stiffness * exchange_ /
           (porosity * static_cast<double>(i.support) * static_cast<double>(i.support));
  };
  double fastest = 0;
  for (const PoreSite& site : sites) fastest = std::max(fastest, rate(site));
  const double needed = std::ceil(seconds * fastest / substep_fraction);
  if (needed <= most_substeps) return std::max(needed, 1.0);
  const double largest = most_substeps * substep_fraction / seconds;
  for (PoreSite& site : sites)
    if (const double own = rate(site); own > largest) site.stiffness *= largest / own;
  return most_substeps;
}

void PoreFlow::find_potentials(const std::vector<PoreSite>& sites) {
  parallel_for(sites.size(), [&](std::size_t i) {
    psi_[i] = sites[i].kind == PoreSite::Kind::other ? 0 : sites[i].potential();
    open_[i] = sites[i].kind == PoreSite::Kind::pore
                   ? std::pow(std::clamp(sites[i].saturation(), 0.0, 1.0), sites[i].beta)
                   : 1;
  });
}

void PoreFlow::find_limits(const std::vector<PoreSite>& sites, double dt) {
  parallel_for(sites.size(), [&](std::size_t i) {
    const PoreSite& site = sites[i];
    double out = dt * air_flow(site, i), in = 0;
    for (std::size_t p = begins_[i]; p != begins_[i + 1]; ++p) {
      const double q = flow(sites, i, pairs_[p]);
      (q > 0 ? out : in) += dt * std::abs(q);
    }
    // Rounding may leave less than nothing.
    const double held = std::max(site.held, 0.0), room = std::max(site.most - held, 0.0);
    give_[i] = out > held ? held / out : 1;
    take_[i] = in > room ? room / in : 1;
  });
}

void PoreFlow::move(std::vector<PoreSite>& sites, double dt) {
  struct Change {
    double held = 0, emitted = 0;
    Vec3d momentum = Vec3d::Zero(), carried = Vec3d::Zero();
  };
  std::vector<Change> changes(sites.size());
  parallel_for(sites.size(), [&](std::size_t i) {
    if (sites[i].kind == PoreSite::Kind::other) return;
    Change& own = changes[i];
    const Vec3d v = sites[i].mass > 0 ? sites[i].velocity() : Vec3d(Vec3d::Zero());
    double emitted = dt * give_[i] * air_flow(sites[i], i);
    for (std::size_t p = begins_[i]; p != begins_[i + 1]; ++p) {
      const std::size_t j = pairs_[p].other;
      const double wish = dt * flow(sites, i, pairs_[p]);
      if (wish == 0) continue;
      const double q = wish * (wish > 0 ? std::min(give_[i], take_[j]) : std::min(give_[j], take_[i]));
      if (wish > 0 && sites[j].kind == PoreSite::Kind::fluid) emitted += give_[i] * wish - q;
      // What is empty has no velocity.
      if (q == 0) continue;
      own.held -= q;
      own.momentum -= q * (q > 0 ? v : sites[j].velocity());
      own.carried -= 0.5 * q * pairs_[p].x_ij.cast<double>();
    }
    own.emitted = std::min({emitted, std::max(sites[i].held - sites[i].capacity, 0.0),
                            std::max(sites[i].may_emit - sites[i].emitted, 0.0)});
  });
  parallel_for(sites.size(), [&](std::size_t i) {
    PoreSite& site = sites[i];
    site.held += changes[i].held - changes[i].emitted;
    site.mass += changes[i].held;
    site.emitted += changes[i].emitted;
    site.momentum += changes[i].momentum;
    site.carried += changes[i].carried;
  });
}

int PoreFlow::advance(std::vector<PoreSite>& sites, double seconds) {
  for (std::vector<double>* values : {&psi_, &open_, &give_, &take_}) values->resize(sites.size());
  const double steps = steps_needed(sites, seconds), dt = seconds / steps;
  for (int k = 0; k != static_cast<int>(steps); ++k) {
    find_potentials(sites);
    find_limits(sites, dt);
    move(sites, dt);
  }
  return static_cast<int>(steps);
}

}  // namespace fondue
