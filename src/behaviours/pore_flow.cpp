#include "behaviours/pore_flow.h"

#include <algorithm>
#include <cmath>

#include "behaviours/heat.h"
#include "core/parallel.h"

namespace fondue {

namespace {

/// Part of the largest stable explicit step, and the most stages of one advance.
constexpr double step_fraction = 0.7;
constexpr int most_stages = 24;
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

/// Explicit steps that a number of stages is worth.
constexpr double steps_of(int stages) { return 0.5 * stages * (stages + 1); }

/// -W' of the mean kernel, the same for (i, j) and (j, i).
float falloff(const Kernel& kernel, float r, float R_i, float R_j) {
  return R_i == R_j ? -kernel.dW(r, R_i) : -0.5f * (kernel.dW(r, R_i) + kernel.dW(r, R_j));
}

/// -x_ij.grad W/(r^2 + 0.01 R^2) with this W'.
double slope_of(float falloff, float r, float R_i, float R_j) {
  const float R = 0.5f * (R_i + R_j);
  return static_cast<double>(falloff * r / (r * r + 0.01f * R * R));
}

}  // namespace

double PoreSite::potential(double mass) const {
  if (kind == Kind::fluid) return std::max(pressure, 0.0);
  const double S = mass / capacity, line = stiffness * (S - 1);
  if (S >= 1) return line;
  if (!(strength > 0)) return 0;
  return std::max(line, -strength * std::pow(std::min(1 - S, 1.0), alpha));
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
  periodicity_ = space.periodicity;
  const LatticeHeat lattice = lattice_heat(space.kernel, space.support_ratio);
  calibration_ = static_cast<double>(lattice.calibration);
  exchange_ = static_cast<double>(lattice.exchange);
  plane_calibration_ =
      static_cast<double>(lattice_heat(Kernel(space.kernel.shape(), 2), space.support_ratio).calibration);
  pairs_.resize(around_.indices.size());
  ends_.resize(sites.size());
  parallel_for(
      sites.size(), [&](std::size_t at) { find_pairs_of(sites, at, space); }, 64);
}

/// Pairs of a site; of a pore also what is missing around it, and where.
void PoreFlow::find_pairs_of(std::vector<PoreSite>& sites, std::size_t at, const Space& space) {
  PoreSite& i = sites[at];
  std::size_t& end = ends_[at] = around_.offsets[at];
  if (i.kind == PoreSite::Kind::other) return;
  const double full = exchange_ / (static_cast<double>(i.support) * static_cast<double>(i.support));
  double filled = 0;
  Vec3 outward = Vec3::Zero(), normal = Vec3::Zero();
  for (const Index other : around_.of(at)) {
    const PoreSite& j = sites[other];
    const bool flows = exchange(i, j);
    if (!flows && i.kind != PoreSite::Kind::pore) continue;
    const Vec3 x_ij = space.periodicity.shortest(i.x - j.x);
    const float r = x_ij.norm();
    if (!(r > 0)) continue;
    const float W = falloff(space.kernel, r, i.support, j.support);
    const double slope = slope_of(W, r, i.support, j.support);
    if (flows)
      pairs_[end++] = {other, static_cast<float>(coefficient(i, j, x_ij, slope, space)),
                       static_cast<float>(i.fluid_density) * space.gravity.dot(x_ij)};
    const double part = 2 * calibration_ * j.volume * slope / full;
    filled += part;
    normal -= static_cast<float>(j.volume) * W / r * x_ij;
    if (j.kind == PoreSite::Kind::pore) outward += static_cast<float>(part) / i.support * x_ij;
  }
  if (i.kind != PoreSite::Kind::pore) return;
  i.air = std::max(0.0, 1 - filled - disorder) / (1 - disorder);
  i.outward = outward;
  i.exposed = static_cast<double>(normal.norm());
}

/// c_ij, the same for (i, j) and (j, i).
double PoreFlow::coefficient(const PoreSite& i, const PoreSite& j, const Vec3& x_ij, double slope,
                             const Space& space) const {
  const double all = 2 * i.fluid_density * mobility_between(i, j);
  if (i.thickness > 0 && j.thickness > 0) {
    const Kernel plane(space.kernel.shape(), 2);
    const float r = x_ij.norm();
    return all * (i.volume * j.volume) * 2 / (i.thickness + j.thickness) * plane_calibration_ *
           slope_of(falloff(plane, r, i.support, j.support), r, i.support, j.support);
  }
  const auto open = [&](const PoreSite& site) {
    return site.thickness > 0 ? site.volume * static_cast<double>(site.support / space.support_ratio) / site.thickness
                              : site.volume;
  };
  return all * (open(i) * open(j)) * calibration_ * slope;
}

/// What flows from a site into the air, over psi [kg/(s Pa)].
double PoreFlow::air_coefficient(const PoreSite& i) const {
  if (i.kind != PoreSite::Kind::pore || i.fluid == PoreSite::none) return 0;
  const double full = exchange_ / (static_cast<double>(i.support) * static_cast<double>(i.support));
  return i.fluid_density * i.volume * i.mobility * full * i.air;
}

/// What flows from i to the other site of a pair, negative the other way [kg/s].
inline float PoreFlow::flow(std::size_t i, const Pair& pair) const {
  const State &own = states_[i], &its = states_[pair.other];
  float drive = own.psi - its.psi - pair.weight;
  const State &giver = drive > 0 ? own : its, &taker = drive > 0 ? its : own;
  // Pores that are not full keep what they hold from free fluid.
  if (taker.fluid) {
    const float most = std::max(giver.psi, 0.0f);
    drive = std::clamp(drive, -most, most);
  }
  return pair.coefficient * drive * giver.open;
}

/// Stages of an advance; where they would be too many, s is lowered.
int PoreFlow::stages_needed(std::vector<PoreSite>& sites, double seconds) const {
  const double largest = steps_of(most_stages) * step_fraction / seconds;
  std::vector<double> rates(sites.size(), 0.0);
  parallel_for(sites.size(), [&](std::size_t k) {
    PoreSite& site = sites[k];
    if (site.kind != PoreSite::Kind::pore) return;
    double sum = air_coefficient(site);
    for (std::size_t p = around_.offsets[k]; p != ends_[k]; ++p) sum += static_cast<double>(pairs_[p].coefficient);
    rates[k] = site.stiffness * sum / site.capacity;
    if (rates[k] > largest) site.stiffness *= largest / rates[k];
  });
  const double fastest = rates.empty() ? 0 : std::min(*std::ranges::max_element(rates), largest);
  int stages = 1;
  while (stages != most_stages && steps_of(stages) * step_fraction < seconds * fastest) ++stages;
  return stages;
}

PoreFlow::State PoreFlow::state(const PoreSite& site, double held) const {
  const bool fluid = site.kind == PoreSite::Kind::fluid;
  if (fluid || site.kind == PoreSite::Kind::other) {
    // What gives all it has gives ever less of it.
    const double left = site.held > 0 ? std::clamp(held / site.held, 0.0, 1.0) : 0;
    return {static_cast<float>(fluid ? site.potential() : 0), static_cast<float>(left), fluid};
  }
  const double S = held / site.capacity, line = site.stiffness * (S - 1);
  const float beta = static_cast<float>(site.beta), alpha = static_cast<float>(site.alpha);
  if (S >= 1) return {static_cast<float>(line), 1, false};
  if (!(site.strength > 0)) return {0, std::pow(static_cast<float>(std::max(S, 0.0)), beta), false};
  const float most = static_cast<float>(site.strength);
  if (S <= 0) return {std::max(static_cast<float>(line), -most), 0, false};
  // Saturation at which the power law has the potential of the line.
  const float on_law = 1 - std::pow(std::min(static_cast<float>(-line) / most, 1.0f), 1 / alpha);
  if (on_law > static_cast<float>(S)) return {static_cast<float>(line), std::pow(on_law, beta), false};
  return {-most * std::pow(static_cast<float>(1 - S), alpha), std::pow(static_cast<float>(S), beta), false};
}

void PoreFlow::advance_stage(const std::vector<PoreSite>& sites, int stage, int stages, double seconds) {
  parallel_for(sites.size(), [&](std::size_t i) { states_[i] = state(sites[i], held_[i]); });
  const float k = static_cast<float>(stage), last = (2 * k - 1) / k, before = -(k - 1) / k;
  const float time = last * static_cast<float>(seconds / steps_of(stages));
  const auto next = [&](Crossed& crossed, float q) {
    crossed = {last * crossed.now + before * crossed.before + time * q, crossed.now};
    return static_cast<double>(crossed.now);
  };
  parallel_for(
      sites.size(),
      [&](std::size_t i) {
        double sum = 0;
        for (std::size_t p = around_.offsets[i]; p != ends_[i]; ++p) sum += next(crossed_[p], flow(i, pairs_[p]));
        if (const double air = air_coefficient(sites[i]); air > 0)
          sum += next(emitted_[i], static_cast<float>(air) * std::max(states_[i].psi, 0.0f));
        held_[i] = sites[i].held - sum;
      },
      64);
}

void PoreFlow::find_limits(const std::vector<PoreSite>& sites) {
  parallel_for(sites.size(), [&](std::size_t i) {
    const PoreSite& site = sites[i];
    double out = std::max(static_cast<double>(emitted_[i].now), 0.0), in = 0;
    for (std::size_t p = around_.offsets[i]; p != ends_[i]; ++p) {
      const double q = static_cast<double>(crossed_[p].now);
      (q > 0 ? out : in) += std::abs(q);
    }
    // Rounding may leave less than nothing.
    const double held = std::max(site.held, 0.0);
    const double room = std::max(site.most - held, 0.0) + (site.kind == PoreSite::Kind::pore ? out : 0);
    give_[i] = out > held ? held / out : 1;
    take_[i] = in > room ? room / in : 1;
  });
}

void PoreFlow::move(std::vector<PoreSite>& sites) const {
  struct Change {
    double held = 0, emitted = 0;
    Vec3d momentum = Vec3d::Zero(), carried = Vec3d::Zero();
  };
  std::vector<Change> changes(sites.size());
  parallel_for(sites.size(), [&](std::size_t i) {
    Change& own = changes[i];
    const Vec3d v = sites[i].mass > 0 ? sites[i].velocity() : Vec3d(Vec3d::Zero());
    double emitted = give_[i] * std::max(static_cast<double>(emitted_[i].now), 0.0);
    for (std::size_t p = around_.offsets[i]; p != ends_[i]; ++p) {
      const std::size_t j = pairs_[p].other;
      const double wish = static_cast<double>(crossed_[p].now);
      const double q = wish * (wish > 0 ? std::min(give_[i], take_[j]) : std::min(give_[j], take_[i]));
      if (wish > 0 && sites[j].kind == PoreSite::Kind::fluid) emitted += give_[i] * wish - q;
      // What is empty has no velocity.
      if (q == 0) continue;
      own.held -= q;
      own.momentum -= q * (q > 0 ? v : sites[j].velocity());
      own.carried -= 0.5 * q * periodicity_.shortest(sites[i].x - sites[j].x).cast<double>();
    }
    if (sites[i].kind == PoreSite::Kind::pore)
      own.emitted = std::min({emitted, std::max(sites[i].held + own.held - sites[i].capacity, 0.0),
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
  const int stages = stages_needed(sites, seconds);
  crossed_.assign(pairs_.size(), {});
  emitted_.assign(sites.size(), {});
  states_.resize(sites.size());
  held_.resize(sites.size());
  for (std::vector<double>* values : {&give_, &take_}) values->resize(sites.size());
  for (std::size_t i = 0; i != sites.size(); ++i) held_[i] = sites[i].held;
  for (int stage = 1; stage <= stages; ++stage) advance_stage(sites, stage, stages, seconds);
  find_limits(sites);
  move(sites);
  return stages;
}

}  // namespace fondue
