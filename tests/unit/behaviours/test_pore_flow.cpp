// Flow through pores against exact solutions: strips of sites on a lattice, endless across, between reservoirs of free
// fluid that never change.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>

#include "behaviours/pore_flow.h"
#include "core/random.h"

namespace fondue {
namespace {

constexpr double rho = 1000, mu = 1e-3;

/// Pores along x between two layers of reservoir.
struct Strip {
  int dimension;
  float dx;
  int length, across = 4;
  float ratio = 2;
  Kernel kernel{KernelShape::cubic_spline, dimension};
  Periodicity periodicity = {};
  std::vector<PoreSite> sites = {};
  Vec3 gravity = Vec3::Zero();
  /// Of the pores.
  double K = 1e-10, porosity = 0.5, strength = 0, stiffness = 1e6, saturation = 1;

  double volume() const { return static_cast<double>(lattice_volume(kernel, dx, ratio * dx)); }

  PoreSite pore(const Vec3& x) const {
    PoreSite site;
    site.kind = PoreSite::Kind::pore;
    site.fluid = 0;
    site.fluid_density = rho;
    site.x = x;
    site.support = ratio * dx;
    site.volume = volume();
    site.capacity = rho * porosity * site.volume;
    site.held = saturation * site.capacity;
    site.most = 1.5 * site.capacity;
    site.mobility = K / mu;
    site.strength = strength;
    site.stiffness = strength > 0 ? strength * std::pow(pore_line, site.alpha - 1) : stiffness;
    site.mass = site.held + 100 * site.volume;
    site.id = static_cast<Index>(sites.size());
    return site;
  }
  PoreSite reservoir(const Vec3& x, double pressure) const {
    PoreSite site = pore(x);
    site.kind = PoreSite::Kind::fluid;
    site.held = site.mass = 1e6 * site.capacity;
    site.most = 2e6 * site.capacity;
    site.pressure = pressure;
    return site;
  }
  /// Pores at x = dx/2, 3 dx/2, ...; reservoirs one layer outside of them, none where the pressure is not a number.
  void fill(double left, double right) {
    periodicity.axis = {false, true, dimension == 3};
    const float width = static_cast<float>(across) * dx;
    periodicity.domain = Box{Vec3(-10, 0, 0), Vec3(10, width, width)};
    for (int i = -1; i <= length; ++i)
      for (int j = 0; j != across; ++j)
        for (int k = 0; k != (dimension == 3 ? across : 1); ++k) {
          const Vec3 x = dx * (Vec3(static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)) +
                               Vec3(0.5f, 0.5f, dimension == 3 ? 0.5f : 0.0f));
          const double pressure = i < 0 ? left : right;
          if (i >= 0 && i != length)
            sites.push_back(pore(x));
          else if (!std::isnan(pressure))
            sites.push_back(reservoir(x, pressure));
        }
  }
  PoreFlow begin() {
    PoreFlow flow;
    flow.find_pairs(sites, {kernel, ratio, gravity, periodicity});
    for (PoreSite& site : sites) site.air = 0;
    return flow;
  }
  /// Darcy's velocity at a site, after an advance of some seconds.
  double darcy(const PoreSite& site, double seconds) const {
    return site.carried.x() / (seconds * rho * static_cast<double>(std::pow(dx, static_cast<float>(dimension))));
  }
  double held() const {
    double sum = 0;
    for (const PoreSite& site : sites)
      if (site.kind == PoreSite::Kind::pore) sum += site.held;
    return sum;
  }
  void forget() {
    for (PoreSite& site : sites) site.carried.setZero();
  }
};

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// A kilopascal over a tenth of a metre through 1e-10 m^2 drives water at 1e-3 m/s. The fluxes of a lattice are exact,
/// so what is left is the distance from the steady state and that a reservoir holds V of fluid, not dx^d (1 %).
TEST(PoreFlow, FollowsDarcysLaw) {
  for (const int dimension : {2, 3}) {
    Strip strip{dimension, 0.1f / 20, 19};
    strip.fill(1000, 0);
    PoreFlow flow = strip.begin();
    for (int k = 0; k != 100; ++k) flow.advance(strip.sites, 2e-3);
    strip.forget();
    flow.advance(strip.sites, 1e-3);
    for (const PoreSite& site : strip.sites)
      if (site.kind == PoreSite::Kind::pore && site.x.x() > 0.02f && site.x.x() < 0.08f) {
        EXPECT_NEAR(strip.darcy(site, 1e-3), 1e-3, 3e-6) << dimension << "D at x = " << site.x.x();
      }
  }
}

/// Two media one behind the other share the pressure as their resistances: 5 to 1.
TEST(PoreFlow, TwoPermeabilitiesInSeriesAreExact) {
  for (const int dimension : {2, 3}) {
    Strip strip{dimension, 0.1f / 20, 19};
    strip.fill(1000, 0);
    for (PoreSite& site : strip.sites)
      if (site.x.x() > 0.05f) site.mobility *= 5;
    PoreFlow flow = strip.begin();
    for (int k = 0; k != 200; ++k) flow.advance(strip.sites, 2e-3);
    strip.forget();
    flow.advance(strip.sites, 1e-3);
    // From reservoir to reservoir ten and a half spacings are of the first, nine and a half of the second.
    const double exact = 1000 * 1e-10 / mu / (0.005 * (10.5 + 9.5 / 5));
    for (const PoreSite& site : strip.sites)
      if (site.kind == PoreSite::Kind::pore && site.x.x() > 0.02f && site.x.x() < 0.08f) {
        EXPECT_NEAR(strip.darcy(site, 1e-3) / exact, 1, 0.003) << dimension << "D at x = " << site.x.x();
      }
  }
}

/// Along a sheet of any thickness water flows as its permeability says.
TEST(PoreFlow, FollowsDarcysLawInASheet) {
  constexpr float dx = 0.1f / 20;
  constexpr double thickness = 1e-3;
  Strip strip{3, dx, 0};
  strip.periodicity.axis = {false, true, false};
  strip.periodicity.domain = Box{Vec3(-1, 0, -1), Vec3(1, 4 * dx, 1)};
  for (int i = 0; i != 21; ++i)
    for (int j = 0; j != 4; ++j) {
      PoreSite site = strip.pore(dx * Vec3(static_cast<float>(i), static_cast<float>(j), 0));
      site.thickness = thickness;
      site.volume = thickness * static_cast<double>(lattice_volume(Kernel(KernelShape::cubic_spline, 2), dx, 2 * dx));
      // The ends are so large that nothing changes their pressures of 1 kPa and 0.
      site.capacity = rho * strip.porosity * site.volume * (i == 0 || i == 20 ? 1e9 : 1);
      site.held = site.capacity * (i == 0 ? 1 + 1000 / site.stiffness : 1);
      site.most = 2 * site.capacity;
      strip.sites.push_back(site);
    }
  PoreFlow flow = strip.begin();
  for (int k = 0; k != 100; ++k) flow.advance(strip.sites, 2e-3);
  strip.forget();
  flow.advance(strip.sites, 1e-3);
  for (const PoreSite& site : strip.sites) {
    if (!(site.x.x() > 0.02f && site.x.x() < 0.08f)) continue;
    const double velocity = site.carried.x() / (1e-3 * rho * thickness * static_cast<double>(dx * dx));
    EXPECT_NEAR(velocity, 1e-3, 3e-6) << "x = " << site.x.x();
  }
}

/// The similarity solution S(x/sqrt(t)) of S_t = (D(S) S_x)_x with S = 1 at x = 0 and dry matter ahead (Philip 1955):
/// integral of eta from 0 to S = -2 D dS/d eta. Returns the depth of S = 1/2 and the amount taken up, over sqrt(t).
std::pair<double, double> wetting_front(double K, double porosity, double k_c, double alpha, double beta) {
  const int nodes = 20000;
  // Integral of D over an interval: D = K/(mu phi) S^beta d psi/dS.
  const auto psi = [&](double S) { return -k_c * std::pow(1 - S, alpha); };
  const auto conducted = [&](double S, double dS) {
    return K / (mu * porosity) * std::pow(S - dS / 2, beta) * (psi(S) - psi(S - dS));
  };
  double low = 0, high = 10, half = 0;
  for (int round = 0; round != 80; ++round) {
    const double guess = 0.5 * (low + high), dS = 1.0 / nodes;
    double eta = 0, left = guess;
    half = 0;
    int k = 0;
    for (; k != nodes; ++k) {
      const double S = 1 - k * dS;
      const double next = eta + 2 * conducted(S, dS) / left;
      left -= 0.5 * (eta + next) * dS;
      eta = next;
      if (2 * k == nodes) half = eta;
      if (!(left > 0)) break;
    }
    (k != nodes ? low : high) = guess;
  }
  return {half, high};
}

/// A dry strip that draws water from a reservoir, against the similarity solution.
struct Front {
  /// Exponent of time; the amount taken up and the depth of S = 1/2 over those of the solution.
  double exponent, amount, depth;
  int most_stages = 0;
};

/// The straight end of psi is `line` long; the flow is advanced by so many seconds at a time.
Front front_in_dry_strip(int dimension, double line, double seconds) {
  Strip strip{dimension, 0.005f, 18};
  strip.K = 1e-11;
  strip.strength = 15000;
  strip.saturation = 0;
  strip.fill(0, nothing);
  for (PoreSite& site : strip.sites) site.stiffness = 15000 * std::pow(line, site.alpha - 1);
  PoreFlow flow = strip.begin();
  const auto [front, amount] = wetting_front(strip.K, strip.porosity, 15000, 0.1, 7);
  const double column = strip.volume() * rho * strip.porosity * std::pow(4, dimension - 1) / 0.005;
  double t = 0;
  Front result{};
  std::vector<double> times, depths;
  while ((depths.empty() || depths.back() < 0.06) && t < 60) {
    result.most_stages = std::max(result.most_stages, flow.advance(strip.sites, seconds));
    t += seconds;
    // The amount is the depth of a sharp front, measured from the reservoir's layer.
    times.push_back(t);
    depths.push_back(strip.held() / column);
  }
  const std::size_t early = static_cast<std::size_t>(
      std::ranges::find_if(depths, [](double depth) { return depth > 0.02; }) - depths.begin());
  result.exponent = std::log(depths.back() / depths[early]) / std::log(times.back() / times[early]);
  result.amount = depths.back() / (amount * std::sqrt(t));
  double at_half = 0;
  for (const PoreSite& site : strip.sites)
    if (site.kind == PoreSite::Kind::pore && site.saturation() > 0.5)
      at_half = std::max(at_half, static_cast<double>(site.x.x()));
  result.depth = (at_half + 0.0025) / (front * std::sqrt(t));
  return result;
}

/// Water is drawn into a dry strip as the square root of time; the front and the amount follow the similarity solution.
TEST(PoreFlow, AWettingFrontFollowsTheSimilaritySolution) {
  for (const int dimension : {2, 3}) {
    const Front front = front_in_dry_strip(dimension, pore_line, 2e-3);
    EXPECT_NEAR(front.exponent, 0.5, 0.025) << dimension << "D";
    EXPECT_NEAR(front.amount, 1, 0.05) << dimension << "D";
    EXPECT_NEAR(front.depth, 1, 0.05) << dimension << "D";
  }
}

/// An advance of 0.05 s is a hundred explicit steps long: it takes 14 stages, and the front is as right as with short
/// ones.
TEST(PoreFlow, LongAdvancesTakeFewStagesAndKeepTheFront) {
  const Front front = front_in_dry_strip(2, pore_line, 0.05);
  EXPECT_GT(front.most_stages, 5);
  EXPECT_LE(front.most_stages, 20);
  EXPECT_NEAR(front.amount, 1, 0.05);
  EXPECT_NEAR(front.depth, 1, 0.05);
}

/// Where psi has a long straight end, because s was lowered, the front is less sharp but not slower: flow is as easy as
/// the potential says. With S^beta of the line itself a third of the integral over psi would be lost, and it would be
/// 18 % late.
TEST(PoreFlow, ALowerStiffnessDoesNotSlowTheFront) {
  const Front front = front_in_dry_strip(2, 0.15, 2e-3);
  EXPECT_NEAR(front.exponent, 0.5, 0.03);
  EXPECT_NEAR(front.amount, 1, 0.05);
  EXPECT_NEAR(front.depth, 1, 0.08);
}

/// Water rises until its weight balances the capillary pressure: psi(S) + rho g h = 0 at every height.
TEST(PoreFlow, CapillaryHeightBalancesTheWeight) {
  Strip strip{2, 0.01f, 24};
  strip.K = 1e-9;
  strip.strength = 2000;
  strip.saturation = 0;
  strip.gravity = Vec3(-9.81f, 0, 0);
  strip.fill(0, nothing);
  for (PoreSite& site : strip.sites) {
    site.beta = 1;
    // A longer straight end of psi takes longer substeps.
    site.stiffness = 2000 * std::pow(0.03, site.alpha - 1);
  }
  PoreFlow flow = strip.begin();
  for (int k = 0; k != 3000; ++k) flow.advance(strip.sites, 2e-2);
  for (const PoreSite& site : strip.sites) {
    if (site.kind != PoreSite::Kind::pore) continue;
    const double h = static_cast<double>(site.x.x()) + 0.005, pull = rho * 9.81 * h / 2000;
    const double S = std::min(1 - std::pow(pull, 1 / 0.1), 1 - pull * 2000 / site.stiffness);
    // k_c/(rho g) is 0.204 m. Near it the last of the water comes by ever thinner films.
    if (h < 0.19) {
      EXPECT_NEAR(site.saturation(), S, 0.03) << "h = " << h;
    } else if (h > 0.215) {
      EXPECT_LT(site.saturation(), 0.02) << "h = " << h;
    }
  }
}

/// A channel of the permeabilities of L09 fig. 6.7, 1e-12 in 2e-15 m^2, is filled to 90 % while the block around it is
/// below 20 %.
TEST(PoreFlow, AChannelFillsBeforeTheBlockAroundIt) {
  constexpr float dx = 0.004f;
  Strip strip{2, dx, 0};
  strip.strength = 15000;
  strip.porosity = 0.7;
  strip.saturation = 0;
  std::vector<int> channel;
  for (int i = 0; i != 20; ++i)
    for (int j = -1; j != 10; ++j) {
      const Vec3 x = dx * Vec3(static_cast<float>(i), static_cast<float>(j), 0);
      const bool within = i >= 7 && i < 12;
      strip.K = within ? 1e-12 : 2e-15;
      strip.sites.push_back(j < 0 ? strip.reservoir(x, 0) : strip.pore(x));
      channel.push_back(j < 0 ? 2 : within);
    }
  PoreFlow flow = strip.begin();
  const auto mean = [&](int which) {
    double sum = 0, count = 0;
    for (std::size_t k = 0; k != strip.sites.size(); ++k)
      if (channel[k] == which) {
        sum += strip.sites[k].saturation();
        count += 1;
      }
    return sum / count;
  };
  for (int k = 0; k != 1000 && mean(1) < 0.9; ++k) flow.advance(strip.sites, 0.25);
  EXPECT_GE(mean(1), 0.9);
  EXPECT_LT(mean(0), 0.2);
}

/// Random sites, half of them fluid, that all want different things.
std::vector<PoreSite> disorder(const Strip& strip, std::size_t count) {
  std::vector<PoreSite> sites;
  for (std::size_t k = 0; k != count; ++k) {
    Vec3 x = 0.15f * random_point(1, k);
    if (strip.dimension == 2) x.z() = 0;
    PoreSite site = strip.pore(x);
    site.id = static_cast<Index>(k);
    const Vec3 random = random_point(2, k);
    site.strength = 15000;
    site.mobility *= std::pow(10, -3 * static_cast<double>(random.x()));
    site.stiffness = site.strength * std::pow(pore_line, site.alpha - 1);
    if (k % 2 == 0) {
      site.kind = PoreSite::Kind::fluid;
      site.capacity = site.most = rho * site.volume;
      site.held = site.mass = static_cast<double>(random.y()) * site.most;
      site.pressure = 5000 * static_cast<double>(random.z());
    } else {
      site.held = 1.2 * static_cast<double>(random.y()) * site.capacity;
      site.mass = site.held + 0.3;
      site.may_emit = rho * site.volume;
    }
    site.momentum = site.mass * random_point(3, k).cast<double>();
    sites.push_back(site);
  }
  return sites;
}

TEST(PoreFlow, KeepsMassAndMomentumWithinItsLimits) {
  for (const int dimension : {2, 3}) {
    const Strip strip{dimension, 0.01f, 0};
    std::vector<PoreSite> sites = disorder(strip, dimension == 2 ? 200 : 1500);
    PoreFlow flow;
    flow.find_pairs(sites, {strip.kernel, strip.ratio, Vec3(0, -9.81f, 0), strip.periodicity});
    const auto sum = [&] {
      double held = 0, mass = 0;
      Vec3d momentum = Vec3d::Zero();
      for (const PoreSite& site : sites) {
        held += site.held + site.emitted;
        mass += site.mass;
        momentum += site.momentum;
      }
      return std::tuple(held, mass, momentum);
    };
    const auto [held, mass, momentum] = sum();
    const double first = sites[1].held;
    for (int k = 0; k != 20; ++k) flow.advance(sites, 1e-3);
    const auto [held_after, mass_after, momentum_after] = sum();
    EXPECT_NE(sites[1].held, first);
    EXPECT_NEAR(held_after / held, 1, 1e-12);
    EXPECT_NEAR(mass_after / mass, 1, 1e-12);
    EXPECT_LT((momentum_after - momentum).norm(), 1e-12 * momentum.norm());
    double emitted = 0;
    for (const PoreSite& site : sites) {
      EXPECT_GE(site.held, -1e-12 * site.capacity);
      EXPECT_LE(site.emitted, site.may_emit * (1 + 1e-12));
      emitted += site.emitted;
    }
    EXPECT_GT(emitted, 0);
  }
}

TEST(PoreFlow, OneAndTwoThreadsGiveTheSameBits) {
  std::vector<std::vector<double>> results;
  for (const std::size_t threads : {1, 2}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    const Strip strip{3, 0.01f, 0};
    std::vector<PoreSite> sites = disorder(strip, 2000);
    PoreFlow flow;
    flow.find_pairs(sites, {strip.kernel, strip.ratio, Vec3(0, 0, -9.81f), strip.periodicity});
    flow.advance(sites, 1e-2);
    results.emplace_back();
    for (const PoreSite& site : sites) results.back().insert(results.back().end(), {site.held, site.momentum.x()});
  }
  EXPECT_EQ(results[0], results[1]);
}

/// Full pores with air beside them give what is too much, and no more, to their emission account.
TEST(PoreFlow, GivesOnlyTheExcessToTheAir) {
  Strip strip{2, 0.01f, 10};
  strip.periodicity = {};
  strip.saturation = 1.1;
  strip.fill(nothing, nothing);
  for (PoreSite& site : strip.sites) site.may_emit = 1;
  PoreFlow flow;
  flow.find_pairs(strip.sites, {strip.kernel, strip.ratio, Vec3::Zero(), strip.periodicity});
  for (int k = 0; k != 200; ++k) flow.advance(strip.sites, 1e-3);
  double held = 0, capacity = 0, emitted = 0;
  for (const PoreSite& site : strip.sites) {
    held += site.held;
    capacity += site.capacity;
    emitted += site.emitted;
    if (site.x.x() > 0.02f && site.x.x() < 0.08f) {
      EXPECT_EQ(site.emitted, 0) << "inside at x = " << site.x.x();
    }
  }
  EXPECT_NEAR(held / capacity, 1, 1e-3);
  EXPECT_NEAR(emitted / capacity, 0.1, 1e-3);
}

}  // namespace
}  // namespace fondue
