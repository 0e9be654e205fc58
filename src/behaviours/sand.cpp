#include "behaviours/sand.h"

#include <cmath>
#include <numbers>

#include "behaviours/acoustic_step.h"
#include "behaviours/fluid.h"
#include "behaviours/registry.h"
#include "core/parallel.h"

namespace fondue {

namespace {

constexpr const Parameter* parameters[] = {&Sand::friction_angle, &Sand::cohesion, &Sand::dilatancy_angle,
                                           &Sand::damping};
constexpr std::string_view reads[] = {"position", "velocity", "volume", "mass", "support", "pressure", "density_ratio"};
constexpr std::string_view writes[] = {"acceleration", "sand_stress", "wall_slip", "volume", "loosening"};
constexpr Statistic statistics[] = {{"energy of sand stress", "J"}};

/// G/K for Poisson's ratio 0.3, and (c_p/c)^2 = 1 + 4 G/(3 K).
constexpr float shear_over_bulk = 3 * (1 - 2 * 0.3f) / (2 * (1 + 0.3f));
constexpr float wave_speed_squared = 1 + 4 * shear_over_bulk / 3;
/// tr M/d of a particle that is surrounded by others.
constexpr float surrounded = 0.93f;
/// Least tan(phi) that the largest tension is computed with: clay without friction does not hold any tension.
constexpr float least_friction = 0.1f;
/// sqrt(k) dx/c of the contact with walls.
constexpr float contact_frequency = 0.5f;
/// A grain that finds itself too close to a wall, as one that slides over an edge does, is lifted with this part of the
/// speed of sound at most.
constexpr float fastest_lift = 0.03f;
/// n_c of the header.
constexpr float critical_loosening = 0.1f;
/// How many slots before its turn the stress of a particle is fetched.
constexpr Index ahead = 16;
/// Over `damping`: eta over rho c dx (sand_stress.h), beta of the artificial viscosity, and by how much both shorten
/// the step.
constexpr float viscosity_over_damping = 5, beta_over_damping = 10, step_over_damping = 7.5f;

bool dilates(const Track& track) {
  return std::ranges::any_of(track.values.number(Sand::dilatancy_angle).values(),
                             [](float angle) { return angle > 0; });
}

/// Shear would give more energy than friction takes.
bool dilates_too_much(const Track& track) {
  return std::ranges::max(track.values.number(Sand::dilatancy_angle).values()) >
         std::ranges::min(track.values.number(Sand::friction_angle).values());
}

/// A pressure that pulls particles together beside the tension that cohesion allows.
bool pulls_together(const Track& track) {
  return track.behaviour == Fluid::description.name &&
         track.values.choice(Fluid::state_equation) == static_cast<int>(StateEquation::cohesive);
}

void check_sand(const MatterOutline& matter, const ReportMistake& report) {
  for (Index o = 0; o != matter.objects.size(); ++o) {
    const std::span<const Track> tracks = matter.objects[o].tracks;
    for (const Track& track : tracks) {
      if (track.behaviour != Sand::description.name) continue;
      if (dilates_too_much(track))
        report(o, "has sand with a 'dilatancy_angle' above its 'friction_angle'; dense sand has a third of it");
      if (std::ranges::any_of(tracks, pulls_together))
        report(o,
               "has sand with the state equation 'cohesive', whose attraction knows no yield; leave "
               "'state_equation' out and give the sand a 'cohesion'");
    }
  }
}

float tangent(float degrees) { return std::tan(degrees * std::numbers::pi_v<float> / 180); }

}  // namespace

const BehaviourInfo Sand::description{
    .name = "sand",
    .help = "Friction inside matter: it flows, piles up at its angle and stops. Needs the pressure of 'fluid'.",
    .source = "L09 5, Zhu & Bridson 2005, Bui 2008, Bonet & Lok 1999; see sand.h",
    .parameters = parameters,
    .reads = reads,
    .writes = writes,
    .laws = every_law,
    .disorder = 0.1f,
    .changes_volume = dilates,
    .statistics = statistics,
    .check = check_sand,
    .look = [](const Track&) -> const char* { return "sand"; },
    .surface_friction =
        [](const Track& track, double time) {
          const Keyable<float> angle = track.values.number(friction_angle);
          return tangent(angle.at(angle.over_attribute() ? angle.curve().keys().front() : time));
        },
    .at_rest = [](const Track&) { return AtRest::holds; }};

void Sand::require(Particles& particles) const {
  particles.require(columns::sand_stress);
  particles.require(columns::wall_slip);
  particles.require(columns::loosening);
}

/// Becomes sand without stress.
void Sand::entered(Particles& particles, const Properties&, std::span<const Index> which) { left(particles, which); }

void Sand::left(Particles& particles, std::span<const Index> which) {
  for (const Index i : which) {
    particles[columns::sand_stress][i].setZero();
    particles[columns::wall_slip][i].setZero();
    particles[columns::loosening][i] = 0;
  }
}

void Sand::begin(const Evaluation& e) {
  angle_ = e.properties.number(friction_angle);
  cohesion_ = e.properties.number(cohesion);
  dilatancy_ = e.properties.number(dilatancy_angle);
  damping_ = e.properties.number(damping);
  weight_ = e.properties.weight();
  elapsed_ = e.elapsed;
  V_ = e.particles[columns::volume];
  R_ = e.particles[columns::support];
  m_ = e.particles[columns::mass];
  s_ = e.particles[columns::density_ratio];
  p_ = e.particles[columns::pressure];
  v_ = e.particles[columns::velocity];
  S_ = e.particles[columns::sand_stress];
  slip_ = e.particles[columns::wall_slip];
  loosening_ = e.particles[columns::loosening];
  walls_ = e.walls.size() != 0;
  spacing_over_support_ = 1 / e.support_ratio;
  object_ = e.particles[columns::object];
  Formula acting = e.formula();
  find_solids(e);
  if (solids_.any) {
    acting.objects = acts_on_.data();
    acting.full = false;
    acting.weight = e.fields.of(true, [&](Index i) { return is_solid(i) ? 1.0f : weight_(i); });
  }
  begin_stress(e, acting);
  begin_force(e, acting);
}

/// The solids that sand may rub against.
void Sand::find_solids(const Evaluation& e) {
  solids_ = {};
  left_free_ = e.shared.left_free;
  const auto acting = e.properties.acts_on();
  acts_on_.assign(acting.begin(), acting.end());
  bool any = false;
  for (Index i = 0; i != left_free_.size(); ++i)
    if (is_solid(i)) {
      acts_on_[object_[i]] = 1;
      any = true;
    }
  if (!any) {
    left_free_ = {};
    return;
  }
  roughest_ = stiffest_ = 0;
  const Field c = e.shared.sound_speed;
  for (Index slot = 0; slot != e.records.size(); ++slot) {
    const Index i = e.fields.particle(slot);
    if (!(weight_(i) > 0)) continue;
    const float sound = c.values[slot * c.stride];
    roughest_ = std::max(roughest_, tangent(angle_(i)));
    stiffest_ = std::max(stiffest_, shear_over_bulk * sound * sound * m_[i] / V_[i]);
  }
  e.fields.made_for(acts_on_);
  solids_.any = true;
  solids_.solid = e.fields.of(true, [&](Index i) { return is_solid(i) ? 1.0f : 0.0f; });
}

void Sand::begin_stress(const Evaluation& e, const Formula& acting) {
  const std::size_t slots = e.records.size();
  by_slot_.begin(slots);
  stress_ = {};
  static_cast<Formula&>(stress_) = acting;
  stress_.volume = e.properties.full()
                       ? e.shared.volume
                       : e.fields.of(true, [&](Index i) { return weight_(i) > 0 || is_solid(i) ? V_[i] : 0.0f; });
  stress_.solids = solids_;
  if (solids_.any) {
    stress_.friction = e.fields.of(true, [&](Index i) { return is_solid(i) ? roughest_ : tangent(angle_(i)); });
    stress_.cohesion = e.fields.of(true, [&](Index i) { return is_solid(i) ? 0.0f : cohesion_(i); });
  } else {
    stress_.friction = e.fields.function_of(e.fields.property(angle_), tangent);
    stress_.cohesion = e.fields.property(cohesion_);
  }
  float* before[6];
  for (int k = 0; k != 6; ++k) {
    before[k] = by_slot_.next();
    stress_.before[k] = {before[k], 1};
    stress_.stress[k] = by_slot_.next();
    stress_.total[k] = by_slot_.next();
    stress_.wall_slope[k] = e.shared.wall_slope[k];
  }
  for (float*& component : stress_.force) component = by_slot_.next();
  for (float*& component : stress_.of_own_stress) component = by_slot_.next();
  stress_.completeness = by_slot_.next();
  if (dilatancy_.any()) stress_.yielded = by_slot_.next();
  if (walls_) {
    SandAtWalls& to = stress_.walls;
    float** const arrays[] = {&to.weight,      &to.distance,    &to.grip,        &to.normal[0],
                              &to.normal[1],   &to.normal[2],   &to.velocity[0], &to.velocity[1],
                              &to.velocity[2], &to.gradient[0], &to.gradient[1], &to.gradient[2]};
    for (float** const array : arrays) *array = by_slot_.next();
  }
  parallel_blocks(slots, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin; slot != end; ++slot) {
      const Vec6& S = S_[e.fields.particle(static_cast<Index>(slot))];
      for (int k = 0; k != 6; ++k) before[k][slot] = S[k];
    }
  });
  find_moduli(e);
}

/// Time since the last evaluation, shear modulus and viscosity by slot; one value each where all sand is the same.
void Sand::find_moduli(const Evaluation& e) {
  const Field c = e.shared.sound_speed;
  sound_ = c.values[0];
  const auto by_slot = [&](bool varies, auto&& value) -> Field {
    if (!varies) return e.fields.of(false, [&](Index i) { return value(Index{0}, i); });
    float* const values = by_slot_.next();
    parallel_blocks(e.records.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (Index slot = static_cast<Index>(begin); slot != end; ++slot)
        values[slot] = value(slot, e.fields.particle(slot));
    });
    return {values, 1};
  };
  const bool varies = solids_.any || c.stride != 0 || e.shared.mass.stride != 0 || e.shared.volume.stride != 0;
  stress_.elapsed = by_slot(e.individual_steps || elapsed_.any_new, [&](Index, Index i) { return elapsed_(i); });
  stress_.shear_modulus = by_slot(varies, [&](Index slot, Index i) {
    return is_solid(i) ? stiffest_ : shear_over_bulk * c.of(slot) * c.of(slot) * m_[i] / V_[i];
  });
  stress_.viscosity = by_slot(varies || e.shared.support.stride != 0 || damping_.varies(), [&](Index slot, Index i) {
    const float rho_c_dx = m_[i] / V_[i] * c.of(slot) * spacing_over_support_ * R_[i];
    return is_solid(i) ? 0 : viscosity_over_damping * damping_(i) * rho_c_dx;
  });
}

void Sand::begin_force(const Evaluation& e, const Formula& acting) {
  const std::size_t slots = e.records.size();
  const Field alpha = solids_.any ? e.fields.of(true, [&](Index i) { return is_solid(i) ? 0.0f : damping_(i); })
                                  : e.fields.property(damping_);
  force_ = {};
  static_cast<Formula&>(force_) = acting;
  force_.volume = e.shared.volume;
  force_.solids = solids_;
  force_.mass = e.shared.mass;
  force_.sound_speed = e.shared.sound_speed;
  force_.spacing_over_support = spacing_over_support_;
  records_.resize(slots);
  force_.records = records_.data();
  force_.tension = cohesion_.any();
  tension_ = by_slot_.next();
  force_.tension_i = {tension_, 1};
  for (int k = 0; k != 9; ++k) force_.force_i[k] = {stress_.force[k], 1};
  for (int k = 0; k != 6; ++k) {
    force_.stress[k] = {stress_.total[k], 1};
    force_.wall_slope[k] = e.shared.wall_slope[k];
  }
  for (int k = 0; k != 3; ++k) {
    contact_[k] = by_slot_.next();
    force_.contact[k] = {contact_[k], 1};
  }
  force_.damping = {acting,
                    {},
                    alpha,
                    e.fields.function_of(alpha, [](float a) { return beta_over_damping * a; }),
                    e.shared.sound_speed,
                    e.shared.mass,
                    damping_.any()};
}

void Sand::add_formulas(PairFormulas& formulas) const {
  formulas.set(stress_);
  formulas.set(force_);
}

inline float Sand::sound_speed(Index slot) const { return force_.sound_speed.values[slot * force_.sound_speed.stride]; }

/// What the fluid has clamped, of cohesive sand.
float Sand::tension(Index slot, Index i) const {
  const float c = cohesion_(i), sound = sound_speed(slot);
  if (!(c > 0) || s_[i] >= 1 || p_[i] < 0 || stress_.completeness[slot] < surrounded) return 0;
  return std::max(m_[i] / V_[i] * sound * sound * (s_[i] - 1), -c / std::max(tangent(angle_(i)), least_friction));
}

/// Contact and friction of the header.
Vec3 Sand::contact_with_walls(Index slot, Index i) {
  const SandAtWalls& walls = stress_.walls;
  const auto vector = [&](float* const(&from)[3]) { return Vec3(from[0][slot], from[1][slot], from[2][slot]); };
  Vec3& z = slip_[i];
  const float weight = walls.weight[slot];
  if (!(weight > 0)) return z.setZero();
  const Vec3 n = vector(walls.normal).normalized(), v = v_[i] - vector(walls.velocity) / weight;
  const float dx = spacing_over_support_ * R_[i], root = contact_frequency * sound_speed(slot) / dx, k = root * root;
  const float overlap = 0.5f * dx - walls.distance[slot] / weight, v_n = v.dot(n);
  const float lift = std::min(root * overlap, fastest_lift * sound_speed(slot));
  const float a_n = overlap > 0 ? std::max(0.0f, root * (lift - v_n)) : 0;
  const Vec6& S = S_[i];
  const Vec3 Sn(S[0] * n.x() + S[3] * n.y() + S[4] * n.z(), S[3] * n.x() + S[1] * n.y() + S[5] * n.z(),
                S[4] * n.x() + S[5] * n.y() + S[2] * n.z());
  const float pressure = std::max(0.0f, std::max(p_[i], 0.0f) / (s_[i] * s_[i]) - n.dot(Sn));
  const float N = a_n + vector(walls.gradient).norm() * pressure * V_[i] / m_[i];
  const float slope = stress_.friction.values[slot * stress_.friction.stride];
  const float most = slope * walls.grip[slot] / weight * N;

  const Vec3 v_t = v - v_n * n;
  z += elapsed_(i) * v_t;
  z -= z.dot(n) * n;
  if (const float held = k * z.norm(); held > most) z *= most / held;
  Vec3 friction = k * z + root * v_t;
  if (const float size = friction.norm(); size > most) friction *= most / size;
  return (a_n * n - friction) / weight;
}

void Sand::after_pass(Pass pass, const Slots& slots) {
  if (pass != Pass::gradient) return;
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot);
    // S lies in the order of the particles, not of the slots: what will be written is fetched in time.
    if (slot + ahead < slots.end) __builtin_prefetch(S_[slots.particle(slot + ahead)].data(), 1);
    SandRecord& record = records_[slot];
    record.tension = tension_[slot] = 0;
    for (float* const component : contact_) component[slot] = 0;
    const bool solid = is_solid(i);
    if (!(weight_(i) > 0) && !solid) {
      std::ranges::fill(record.force, 0.0f);
    } else if (!slots.due(slot)) {
      // Particles whose step has not ended keep their stress; how their neighbours lie is not known.
      const Vec6& S = S_[i];
      const float rows[9] = {S[0], S[3], S[4], S[3], S[1], S[5], S[4], S[5], S[2]};
      std::ranges::copy(rows, record.force);
    } else {
      Vec6& S = S_[i];
      for (int k = 0; k != 6; ++k) S[k] = stress_.stress[k][slot];
      for (int k = 0; k != 9; ++k) record.force[k] = stress_.force[k][slot];
      if (force_.tension && !solid) record.tension = tension_[slot] = tension(slot, i);
      if (walls_ && !solid) {
        const Vec3 contact = contact_with_walls(slot, i);
        for (int k = 0; k != 3; ++k) contact_[k][slot] = contact[k];
      }
    }
  }
}

/// What uniform groups leave out of their sums over pairs (sand_force.h).
void Sand::add_rates(const Slots& slots, const Accelerations& rates) const {
  float* const(&own)[3] = stress_.of_own_stress;
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot);
    if (!slots.due(slot) || !(weight_(i) > 0)) continue;
    const Vec3 force(own[0][slot], own[1][slot], own[2][slot]);
    rates.add(slot - slots.begin, V_[i] / m_[i] * force);
  }
}

/// Dilatancy of the header.
bool Sand::advance(const Slots& slots) {
  if (!dilatancy_.any()) return true;
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot);
    if (!slots.due(slot) || !(weight_(i) > 0) || !(elapsed_(i) > 0)) continue;
    const float slope = tangent(std::min(dilatancy_(i), angle_(i)));
    const float grown = slope * std::max(1 - loosening_[i] / critical_loosening, 0.0f) * stress_.yielded[slot];
    loosening_[i] += grown;
    V_[i] *= 1 + grown;
  }
  return true;
}

void Sand::limit_steps(const Slots& slots, float* limits) const {
  const float over_wave_speed = acoustic_step / std::sqrt(wave_speed_squared);
  for (Index slot = slots.begin; slot != slots.end; ++slot) {
    const Index i = slots.particle(slot);
    if (!(weight_(i) > 0)) continue;
    const float limit = over_wave_speed * R_[i] / (sound_speed(slot) * (1 + step_over_damping * damping_(i)));
    limits[slot - slots.begin] = std::min(limits[slot - slots.begin], limit);
  }
}

/// Elastic energy of the deviator, V S:S/(4 G).
void Sand::measure(const Measured& measured, std::span<double> values) const {
  const auto S = measured.particles[columns::sand_stress];
  const auto V = measured.particles[columns::volume], m = measured.particles[columns::mass];
  values[0] = 0;
  if (!(sound_ > 0)) return;
  const double over = 1 / (4.0 * static_cast<double>(shear_over_bulk * sound_ * sound_));
  values[0] = parallel_reduce(
      S.size(), 0.0,
      [&](std::size_t i) {
        const double volume = static_cast<double>(V[i]);
        const double square = static_cast<double>(S[i].squaredNorm() + S[i].tail<3>().squaredNorm());
        return over * square * volume * volume / static_cast<double>(m[i]);
      },
      [](double a, double b) { return a + b; });
}

}  // namespace fondue
