#include "behaviours/contact.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "behaviours/elastic_shape.h"
#include "core/parallel.h"
#include "particles/clusters.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Contact::friction};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "volume", "support", "object"};
constexpr std::string_view writes[] = {"acceleration", "contact_slip", "contact_fill", "contact_overlap",
                                       "contact_speed"};
constexpr Statistic statistics[] = {{"contact energy", "J"}};

/// Reach of the kernel, in spacings.
constexpr float reach = 2;
/// K over the modulus of the matter; sqrt(K/rho) over the speed of what meets; K over the pressure at the foot of all
/// solid matter.
constexpr float stiffness_of_modulus = 0.25f, sound_over_speed = 5, stiffness_of_weight = 10;
/// The least of K/rho [m^2/s^2], for matter without modulus or motion.
constexpr float least_sound_squared = 1e-4f;
/// eta of the header, and the speed over that of sound at which half of it is reached.
constexpr float loss = 0.1f, slow_over_sound = 0.01f;
/// Stiffness of the bristles over K.
constexpr float bristles = 0.25f;
/// What a body fills of the surroundings of its inner particles, at least.
constexpr float filled = 0.93f;
/// Time in which an overlap at the start and the remembered speed are reduced by a factor e [s].
constexpr float relaxation = 0.25f;

float power7(float s) {
  const float s2 = s * s;
  return s2 * s2 * s2 * s;
}

}  // namespace

const BehaviourInfo Contact::description{.name = "contact",
                                         .help = "Keeps bodies out of each other. Comes with 'elastic' and 'rigid'.",
                                         .source = "after L09 4.4; Cundall & Strack 1979 for friction; see contact.h",
                                         .parameters = parameters,
                                         .reads = reads,
                                         .writes = writes,
                                         .laws = every_law,
                                         .relaxes_overlaps = true,
                                         .statistics = statistics,
                                         .surface_friction = [](const Track& track, double time) {
                                           const Keyable<float> mu = track.values.number(friction);
                                           return mu.at(mu.over_attribute() ? mu.curve().keys().front() : time);
                                         }};

void Contact::require(Particles& particles) const {
  particles.require(columns::contact_slip);
  particles.require(columns::contact_fill);
  particles.require(columns::contact_overlap);
  particles.require(columns::contact_speed);
  particles.require(columns::reference_position);
  particles.require_bonds(elastic_shape::bond_set);
}

void Contact::entered(Particles& particles, const Properties&, std::span<const Index> which) {
  for (const Index i : which) {
    unseen_.push_back(particles[columns::id][i]);
    particles[columns::contact_slip][i].setZero();
    particles[columns::contact_overlap][i] = 0;
    particles[columns::contact_speed][i] = 0;
  }
}

template <class Visit>
void Contact::each_partner(Index place, Visit&& visit) const {
  const Index i = pairs_.particles()[place];
  for (const Index other : pairs_.partners(place)) {
    const Index j = pairs_.particles()[other];
    const Vec3 x_ij = x_[i] - x_[j];
    const float r = std::max(x_ij.norm(), 1e-6f * reach_[i]);
    if (!(r < std::max(reach_[i], reach_[j]))) continue;
    const float half = 0.5f * std::sqrt(weight_(i) * weight_(j));
    visit(other, x_ij, r, half * (kernel_.W(r, reach_[i]) + kernel_.W(r, reach_[j])),
          -half * (kernel_.dW(r, reach_[i]) + kernel_.dW(r, reach_[j])) / r);
  }
}

void Contact::begin(const Evaluation& e) {
  x_ = e.particles[columns::position];
  v_ = e.particles[columns::velocity];
  V_ = e.particles[columns::volume];
  m_ = e.particles[columns::mass];
  R_ = e.particles[columns::support];
  object_ = e.particles[columns::object];
  slip_ = e.particles[columns::contact_slip];
  overlap_ = e.particles[columns::contact_overlap];
  whole_ = e.particles[columns::contact_fill];
  speed_ = e.particles[columns::contact_speed];
  weight_ = e.properties.weight();
  friction_ = e.properties.number(friction);
  kernel_ = Kernel(KernelShape::cubic_spline, e.kernel.dimension());
  flat_ = half_lattice(kernel_, reach);
  spacing_over_support_ = 1 / e.support_ratio;
  notes_.clear();

  find_candidates(e);
  find_surroundings(e);
  find_weight(e);
  pairs_.follow(e.particles, bonds_of(e), {candidates_, reach_, exposed_, largest_spacing_});
  touching_.assign(pairs_.particles().size(), {});
  find_pressures(e);
  if (!unseen_.empty()) find_overlaps(e);
  find_slips(e);
  find_fastest();
  e.shared.left_free = missing_;
}

/// All that holds bodies together.
ContactPairs::BondSets Contact::bonds_of(const Evaluation& e) const {
  ContactPairs::BondSets sets = {&e.particles.bonds(elastic_shape::bond_set)};
  if (e.particles.has_bonds(clusters::bond_set)) sets.push_back(&e.particles.bonds(clusters::bond_set));
  return sets;
}

void Contact::find_candidates(const Evaluation& e) {
  const std::span<const std::uint8_t> acts_on = e.properties.acts_on();
  const std::size_t size = e.particles.size();
  if (ContactPairs::revisions_of(bonds_of(e)) == revisions_ && reach_.size() == size &&
      std::ranges::equal(acts_on, acted_on_))
    return;
  acted_on_.assign(acts_on.begin(), acts_on.end());
  reach_.assign(size, 0.0f);
  missing_.assign(size, -1.0f);
  candidates_.clear();
  fill_.clear();
  for (Index i = 0; i != size; ++i)
    if (acts_on[object_[i]]) candidates_.push_back(i);
}

/// What takes part, and how much of its surroundings is its own body's.
void Contact::find_surroundings(const Evaluation& e) {
  const ContactPairs::BondSets sets = bonds_of(e);
  const std::vector<std::uint64_t> revisions = ContactPairs::revisions_of(sets);
  const std::size_t size = e.particles.size();
  const auto spacing = [&](Index i) { return R_[i] * spacing_over_support_; };
  if (revisions != revisions_ || fill_.size() != size) {
    revisions_ = revisions;
    fill_.resize(size);
    own_.resize(size);
    exposed_.resize(size);
    const auto X = e.particles[columns::reference_position];
    parallel_for(candidates_.size(), [&](std::size_t k) {
      const Index i = candidates_[k];
      const float alone = V_[i] * kernel_.W(0, reach * spacing(i)), own_alone = V_[i] * e.kernel.W(0, R_[i]);
      fill_[i] = alone;
      own_[i] = own_alone;
      // What two kinds of bonds hold while one gives way to the other is there once.
      for (const BondSet* set : sets) {
        const bool rigid = set->has(clusters::length.name);
        const auto length = rigid ? (*set)[clusters::length] : std::span<const float>{};
        float fill = alone, own = own_alone;
        for (Index b = set->begins()[i]; b != set->begins()[i + 1]; ++b) {
          const Index j = set->neighbours()[b];
          const float r = rigid ? length[b] : (X[j] - X[i]).norm();
          fill += V_[j] * kernel_.W(r, reach * spacing(i));
          own += V_[j] * e.kernel.W(r, R_[i]);
        }
        fill_[i] = std::max(fill_[i], fill);
        own_[i] = std::max(own_[i], own);
      }
      exposed_[i] = fill_[i] < filled;
    });
  }
  largest_spacing_ = parallel_reduce(
      candidates_.size(), 0.0f,
      [&](std::size_t k) {
        const Index i = candidates_[k];
        const bool solid = weight_(i) > 0 && !e.is_fluid(i);
        reach_[i] = solid ? reach * spacing(i) : 0.0f;
        missing_[i] = solid ? std::max(0.0f, 1 - own_[i]) : -1.0f;
        return solid ? spacing(i) : 0.0f;
      },
      [](float a, float b) { return std::max(a, b); });
  if (unseen_.empty()) return;
  std::ranges::sort(unseen_);
  const auto id = e.particles[columns::id];
  for (const Index i : candidates_)
    if (std::ranges::binary_search(unseen_, id[i])) whole_[i] = fill_[i];
}

/// g H of the header.
void Contact::find_weight(const Evaluation& e) {
  struct Heights {
    double mass = 0, moment = 0;
    float lowest = infinity;
  };
  const Vec3 g = e.common_acceleration;
  const Heights all = parallel_reduce(
      candidates_.size(), Heights{},
      [&](std::size_t k) {
        const Index i = candidates_[k];
        if (!(reach_[i] > 0)) return Heights{};
        const float height = -g.dot(x_[i]);
        const double m = static_cast<double>(m_[i]);
        return Heights{m, m * static_cast<double>(height), height};
      },
      [](const Heights& a, const Heights& b) {
        return Heights{a.mass + b.mass, a.moment + b.moment, std::min(a.lowest, b.lowest)};
      });
  const double weight = all.mass > 0 ? 2 * (all.moment / all.mass - static_cast<double>(all.lowest)) : 0;
  least_stiffness_over_density_ = std::max(stiffness_of_weight * static_cast<float>(weight), least_sound_squared);
}

/// w of the header, without an overlap at the start.
inline float Contact::free_of_charge(Index i) const {
  const float lost = std::max(0.0f, whole_[i] - fill_[i]);
  const float alone = V_[i] * kernel_.W(0, reach_[i]);
  // What never had bonds is a grain among grains.
  return (whole_[i] > 1.001f * alone ? flat_ : 1 - alone) + lost;
}

void Contact::find_pressures(const Evaluation& e) {
  const float forgotten = std::exp(-e.elapsed.step / relaxation);
  parallel_for(candidates_.size(), [&](std::size_t k) {
    const Index i = candidates_[k];
    if (pairs_.place(i) != ContactPairs::none) return;
    overlap_[i] = speed_[i] = 0;
    slip_[i].setZero();
  });
  parallel_for(touching_.size(), [&](std::size_t place) {
    const Index i = pairs_.particles()[place];
    Touching& own = touching_[place];
    float rate = 0, approach = 0;
    each_partner(static_cast<Index>(place), [&](Index other, const Vec3& x_ij, float r, float W, float slope) {
      const Index j = pairs_.particles()[other];
      const float parting = x_ij.dot(v_[i] - v_[j]);
      own.g += V_[j] * W;
      rate -= V_[j] * slope * parting;
      approach = std::max(approach, -parting / r);
    });
    own.g -= free_of_charge(i);
    // An overlap at the start is forgiven; what has come apart counts no more.
    overlap_[i] = std::min(overlap_[i] * forgotten, std::max(own.g, 0.0f));
    own.g = std::max(own.g - overlap_[i], 0.0f);
    // Once it is pressed, a higher stiffness would add energy.
    speed_[i] = std::max(own.g > 0 ? 0.0f : approach, forgotten * speed_[i]);
    const float modulus = e.shared.modulus.empty() ? 0.0f : e.shared.modulus[i];
    const float sound = sound_over_speed * speed_[i];
    own.K = std::max(stiffness_of_modulus * modulus,
                     std::max(least_stiffness_over_density_, sound * sound) * m_[i] / V_[i]);
    const float q = rate * reach_[i] / slow_over_sound * std::sqrt(m_[i] / (V_[i] * own.K));
    own.p = own.K / 7 * (power7(1 + own.g) - 1) * (1 + loss * q / (1 + std::abs(q)));
    own.tangent = own.K * power7(1 + own.g) / (1 + own.g);
  });
}

/// What has entered while it overlaps others.
void Contact::find_overlaps(const Evaluation& e) {
  const auto id = e.particles[columns::id];
  std::map<Index, Index> count;
  for (std::size_t place = 0; place != touching_.size(); ++place) {
    const Index i = pairs_.particles()[place];
    Touching& own = touching_[place];
    if (!(own.g > 0) || !std::ranges::binary_search(unseen_, id[i])) continue;
    // Bodies that only touch, in a lattice that is a little out of step, are no overlap worth a word.
    if (own.g > 0.05f) ++count[object_[i]];
    overlap_[i] += own.g;
    own.tangent = own.K;
    own.g = own.p = 0;
  }
  unseen_.clear();
  for (const auto& [object, particles] : count)
    notes_.push_back({object, fmt::format("overlaps other bodies with {} of its particles; they are moved apart gently",
                                          particles)});
}

/// Pressing forces and the slip of the bristles.
void Contact::find_slips(const Evaluation& e) {
  const int tangents = kernel_.dimension() - 1;
  parallel_for(touching_.size(), [&](std::size_t place) {
    const Index i = pairs_.particles()[place];
    Touching& own = touching_[place];
    Vec3 along = Vec3::Zero();
    Eigen::Matrix3f T = Eigen::Matrix3f::Zero();
    each_partner(static_cast<Index>(place), [&](Index other, const Vec3& x_ij, float r, float, float slope) {
      const Index j = pairs_.particles()[other];
      const Touching& its = touching_[other];
      own.press += V_[i] * V_[j] * (own.p + its.p) * slope * x_ij;
      own.limiting = std::max({own.limiting, own.tangent, its.tangent});
      const float k = bristle(i, j, own.K + its.K, slope);
      const Vec3 n = x_ij / r;
      along += k * (v_[i] - v_[j]).dot(n) * n;
      T += k * n * n.transpose();
    });
    const float N = own.press.norm(), mu = friction_(i);
    if (!(N > 0) || !(mu > 0)) {
      slip_[i].setZero();
      return;
    }
    const Vec3 n = own.press / N;
    const float S = (T.trace() - n.dot(T * n)) / static_cast<float>(tangents);
    if (!(S > 0)) return;
    const Vec3 u = (along - along.dot(n) * n) / S;
    Vec3 z = slip_[i] + e.elapsed.step * u;
    z -= z.dot(n) * n;
    const float most = mu * N / (2 * S);
    const auto limited = [&](const Vec3& bend) { return bend.norm() > most ? Vec3(most / bend.norm() * bend) : bend; };
    slip_[i] = limited(z);
    const float time = 0.25f * reach_[i] * std::sqrt(m_[i] / (V_[i] * own.K));
    own.bend = limited(slip_[i] + time * u);
  });
}

inline float Contact::bristle(Index i, Index j, float K_sum, float slope) const {
  return 0.5f * bristles * K_sum * V_[i] * V_[j] * slope;
}

void Contact::find_fastest() {
  struct Sum {
    Vec3d p = Vec3d::Zero();
    double m = 0;
  };
  const Sum sum = parallel_reduce(
      candidates_.size(), Sum{},
      [&](std::size_t k) {
        const Index i = candidates_[k];
        const double m = reach_[i] > 0 ? static_cast<double>(m_[i]) : 0.0;
        return Sum{m * v_[i].cast<double>(), m};
      },
      [](const Sum& a, const Sum& b) {
        return Sum{a.p + b.p, a.m + b.m};
      });
  const Vec3 mean = sum.m > 0 ? Vec3((sum.p / sum.m).cast<float>()) : Vec3(Vec3::Zero());
  fastest_ = std::sqrt(parallel_reduce(
      candidates_.size(), 0.0f,
      [&](std::size_t k) {
        const Index i = candidates_[k];
        return reach_[i] > 0 ? (v_[i] - mean).squaredNorm() : 0.0f;
      },
      [](float a, float b) { return std::max(a, b); }));
}

void Contact::add_rates(const Slots& slots, const Accelerations& out) const {
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot), place = pairs_.place(i);
    if (place == ContactPairs::none) continue;
    const Touching& own = touching_[place];
    Vec3 force = own.press;
    each_partner(place, [&](Index other, const Vec3& x_ij, float r, float, float slope) {
      const Touching& its = touching_[other];
      const float k = bristle(i, pairs_.particles()[other], own.K + its.K, slope);
      force -= k / (r * r) * (own.bend - its.bend).dot(x_ij) * x_ij;
    });
    out.add(slot - slots.begin, force / m_[i]);
  }
}

void Contact::limit_steps(const Slots& slots, float* limits) const {
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot), place = pairs_.place(i);
    if (!(reach_[i] > 0)) continue;
    float& limit = limits[slot - slots.begin];
    limit = std::min(limit, 0.25f * R_[i] * spacing_over_support_ / std::max(fastest_, 1e-30f));
    if (place == ContactPairs::none || !(touching_[place].limiting > 0)) continue;
    limit = std::min(limit, 0.2f * reach_[i] * std::sqrt(m_[i] / (V_[i] * touching_[place].limiting)));
  }
}

/// E of the header.
void Contact::measure(const Measured& measured, std::span<double> values) const {
  values[0] = 0;
  if (!measured.properties.active()) return;
  for (std::size_t place = 0; place != touching_.size(); ++place) {
    const Touching& own = touching_[place];
    const double g = static_cast<double>(own.g);
    values[0] += static_cast<double>(V_[pairs_.particles()[place]] * own.K) / 7 * (std::pow(1 + g, 8) / 8 - 0.125 - g);
  }
}

}  // namespace fondue
