// The state of a fluid's particles: density ratio and pressure from the sums, stable steps, statistics.

#include <algorithm>
#include <array>
#include <cmath>

#include "behaviours/fluid.h"
#include "core/parallel.h"

namespace fondue {

namespace {

/// Steps while it presses on solids, over those of the fluid alone.
constexpr float step_beside_solids = 0.7f;
/// Steps at walls, times omega of the header; 2 would be the limit of leapfrog.
constexpr float wall_step = 1.7f;
/// Largest relative change of a particle's volume in one step, where its rest density is keyframed.
constexpr float largest_volume_change = 2e-3f;
/// A relative difference of volumes that is rounding.
constexpr float volume_rounding = 1e-6f;

/// The work of compressing a unit mass by Tait's equation, over c^2: (s^6/6 + 1/s - 7/6)/7 with d = s - 1, in which
/// nothing large cancels.
template <class Number>
Number tait_work(Number s) {
  const Number one = 1, d = s - one, third = one / 3;
  return d * d * (Number(2.5) + d * (10 * third + d * (Number(2.5) + d * (one + d * (third / 2)))) + one / s) *
         (one / 7);
}

}  // namespace

/// What a sheet near a particle adds to its compression.
inline float Fluid::of_sheets(Index i) const {
  if (sheet_gap_.empty() || !(sheet_gap_[i] < infinity)) return 0;
  const float q = std::clamp(1.9f - sheet_gap_[i] / (R_[i] * spacing_over_support_), 0.0f, 1.0f);
  return missing_row_ * (q * q) * (q * q) * (5 - 2 * q) * (1.0f / 3);
}

/// Density and pressure of s; returns p/rho0.
inline float Fluid::find_state(Index slot, Index i) {
  const Material& material = materials_[object_[i]];
  const float rho0 = rest_density_of(i), s = s_[i], c = material.sound_speed, inverse = 1 / s;
  const float P = material.pressure(s).value;
  // One maximum for both: half of all particles are under tension, which no branch foresees.
  const float pressure_over_density = c * c * std::max(P, takes_tension(material) ? -infinity : 0.0f);
  rho_[i] = records_[slot].density = rho0 * s;
  p_[i] = rho0 * pressure_over_density;
  records_[slot].pressure_term = rho0 * pressure_over_density * inverse * inverse;
  return pressure_over_density;
}

/// s_k of the header and its pressure. Walls do not press on solids.
void Fluid::find_state_of_solid(const Slots& slots, Index slot, Index i) {
  if (slots.due(slot)) {
    const float of_fluid = summed_[slot] - (density_ratio_.of_walls ? of_walls_[slot] : 0);
    s_[i] = std::max(1.0f, 1 + of_fluid - left_free_[i]);
    const float c = stiffest_.sound_speed;
    p_[i] = stiffest_density_ * c * c * stiffest_.pressure(s_[i]).value;
  }
  // All threads write it, so only where it changes something.
  if (s_[i] > 1 && !presses_on_solids_.load(std::memory_order_relaxed)) presses_on_solids_ = true;
  records_[slot].pressure_term = p_[i] / (s_[i] * s_[i]);
}

/// Divides by the same sum of a field that is one everywhere.
void Fluid::normalise(Index slot, Index i) {
  const Material& material = materials_[object_[i]];
  const float normalised = summed_[slot] / one_[slot];
  if (material.density == DensityEstimator::normalised) {
    s_[i] = normalised;
  } else if (material.density == DensityEstimator::continuity) {
    // The motion has advanced it with the rate of the step before.
    rate_[slot] = s_[i] * rate_[slot] + material.reinitialise * (normalised - s_[i]);
    if (diffusion_.active) rate_[slot] += diffused_[slot];
    s_[i] += elapsed_(i) * (rate_[slot] - s_rate_[i]);
  }
}

/// What after_pass does where nothing is to be chosen: slots of one fluid, its density by summation.
FollowedSpeed::BlockSums Fluid::find_states(const Slots& slots, const FollowedSpeed::BlockSums& before) {
  const Index object = object_[slots.particle(slots.begin)], count = slots.end - slots.begin;
  const Material& material = materials_[object];
  const float rho0 = rho0_.by_object()[object], c = material.sound_speed;
  const float least = takes_tension(material) ? -infinity : 0.0f;
  float P[slots_per_block], term[slots_per_block];
  const float* const s = summed_.data() + slots.begin;
  if (material.equation == StateEquation::tait)
    for (Index k = 0; k != count; ++k) P[k] = Material::tait(s[k]).value;
  else
    for (Index k = 0; k != count; ++k) P[k] = s[k] - 1;
  for (Index k = 0; k != count; ++k) {
    const float inverse = 1 / s[k];
    P[k] = c * c * std::max(P[k], least);
    term[k] = rho0 * P[k] * inverse * inverse;
  }
  FollowedSpeed::BlockSums motion = before;
  for (Index k = 0; k != count; ++k) {
    const Index i = slots.particle(slots.begin + k);
    Record& r = records_[slots.begin + k];
    s_[i] = s[k];
    rho_[i] = r.density = rho0 * s[k];
    p_[i] = rho0 * P[k];
    r.pressure_term = term[k];
    motion.add(m_[i], {r.vx, r.vy, r.vz}, s[k], P[k], up_.dot(Vec3(r.x, r.y, r.z)));
  }
  return motion;
}

void Fluid::after_pass(Pass pass, const Slots& slots) {
  if (nothing_to_choose_ && slots.due_flags.empty()) {
    if (pass != Pass::density) return;
    FollowedSpeed::BlockSums motion[2];
    for (Index k = slots.begin, end; k != slots.end; k = end) {
      const Index object = object_[slots.particle(k)];
      for (end = k + 1; end != slots.end && object_[slots.particle(end)] == object;) ++end;
      FollowedSpeed::BlockSums& its = motion[sleeps_[object] != 0];
      if (weight_.by_object()[object] > 0)
        its = find_states({k, end, slots.order}, its);
      else if (!left_free_.empty())
        for (Index slot = k; slot != end; ++slot)
          if (const Index i = slots.particle(slot); is_solid(i)) find_state_of_solid(slots, slot, i);
    }
    for (const int kind : {0, 1}) followed_[kind].set(slots.begin / slots_per_block, motion[kind]);
    return;
  }
  const Pass last = any_normalised_ ? Pass::gradient : Pass::density;
  FollowedSpeed::BlockSums motion, of_sleepers;
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!full_ && weight_(i) <= 0) {
      if (pass == Pass::density && any_normalised_) share_[k] = share_of_present_[k] = is_solid(i) ? V_[i] : 0;
      if (pass == Pass::density && is_solid(i)) find_state_of_solid(slots, k, i);
      continue;
    }
    if (pass == Pass::density) {
      // Particles whose sums are not due now keep what they had.
      if (!slots.due(k)) {
        summed_[k] = s_[i];
        if (density_ratio_.of_walls) of_walls_[k] = 0;
      }
      if (slots.due(k) && materials_[object_[i]].density == DensityEstimator::summation)
        s_[i] = summed_[k] += of_sheets(i);
      if (any_normalised_) {
        share_[k] = V_[i] / summed_[k];
        share_of_present_[k] = V_[i] / s_[i];
      }
    } else if (any_normalised_ && slots.due(k)) {
      normalise(k, i);
    }
    if (pass != last) continue;
    const float pressure_over_density = find_state(k, i);
    const Record& r = records_[k];
    const Vec3 v(r.vx, r.vy, r.vz);
    const float height = up_.dot(Vec3(r.x, r.y, r.z));
    if (any_sleeps_ && sleeps_[object_[i]]) {
      of_sleepers.add(m_[i], v, s_[i], pressure_over_density, height);
      if (!slots.due(k)) of_sleepers.asleep += m_[i];
    } else {
      motion.add(m_[i], v, s_[i], pressure_over_density, height);
    }
  }
  if (pass != last) return;
  followed_[0].set(slots.begin / slots_per_block, motion);
  followed_[1].set(slots.begin / slots_per_block, of_sleepers);
}

/// Volume or mass is brought nearer to what the keyframed rest density asks for.
void Fluid::follow_density(Index i) {
  const Material& material = materials_[object_[i]];
  if (!material.density_changes) return;
  if (material.mass_follows) {
    m_[i] = rho0_(i) * V_[i];
    return;
  }
  const float wanted = m_[i] / (rho0_(i) * V_[i]);
  if (std::abs(wanted - 1) < volume_rounding) return;
  const float change = std::clamp(wanted, 1 - largest_volume_change, 1 + largest_volume_change);
  V_[i] *= change;
  R_[i] *= std::pow(change, 1 / dimension_);
}

bool Fluid::advance(const Slots& slots) {
  if (!any_continuity_ && !pressure_.rate && !any_density_changes_) return true;
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    if (!slots.due(k) || !(full_ || weight_(i) > 0)) continue;
    if (materials_[object_[i]].density == DensityEstimator::continuity)
      s_rate_[i] = rate_[k];
    else
      s_rate_[i] = pressure_.rate ? rate_of_sum_[k] : 0;
    if (any_density_changes_ && elapsed_(i) > 0) follow_density(i);
  }
  return true;
}

void Fluid::predict(Particles& particles, std::size_t begin, std::size_t end, float step) const {
  const auto s = particles[columns::density_ratio], rate = particles[columns::density_ratio_rate];
  for (std::size_t i = begin; i != end; ++i) s[i] += step * rate[i];
}

/// omega dx/c of the header.
float Fluid::wall_frequency(const Material& material, float s, float G) const {
  const float g = half_space_slope_, w = half_space_, slope = g * std::min(2 * std::pow(G / w, 0.4f), 3.3f);
  const auto [P, dP] = material.pressure(s);
  return std::sqrt((slope * slope * (dP - 2 * P / s) + g * g / w * P) / (s * s));
}

void Fluid::limit_steps(const Slots& slots, float* limits) const {
  const float part = presses_on_solids_ ? step_beside_solids : 1.0f;
  for (Index k = slots.begin; k != slots.end; ++k) {
    const Index i = slots.particle(k);
    const Material& material = materials_[object_[i]];
    float limit = part * R_[i] * material.step_over_support;
    if (density_ratio_.of_walls && of_walls_[k] > 0 && s_[i] > 1)
      limit = std::min(limit, wall_step * R_[i] * spacing_over_support_ /
                                  (material.sound_speed * wall_frequency(material, s_[i], of_walls_[k])));
    if (full_ || weight_(i) > 0) limits[k - slots.begin] = std::min(limits[k - slots.begin], limit);
  }
}

/// Work that compressing a unit mass has taken: integral of p/(rho0 s^2).
inline double Fluid::energy_of_compression(const Material& material, double s) const {
  if (!takes_tension(material)) s = std::max(s, 1.0);
  const double c2 = static_cast<double>(material.sound_speed) * static_cast<double>(material.sound_speed);
  if (material.equation != StateEquation::tait) return c2 * (std::log(s) + 1 / s - 1);
  const double least = std::min<double>(s, Material::largest_tait_compression), below = tait_work(least);
  if (s <= least) return c2 * below;
  const double l2 = least * least, l6 = l2 * l2 * l2;
  return c2 * (below + ((l6 * least - 1) / 7 - least * l6) * (1 / least - 1 / s) + l6 * std::log(s / least));
}

/// Mean and largest of max(0, density / rest density - 1), and the energy stored in it.
void Fluid::measure(const Measured& measured, std::span<double> values) const {
  const auto s = measured.particles[columns::density_ratio], m = measured.particles[columns::mass];
  const auto object = measured.particles[columns::object];
  const Property<float> weight = measured.properties.weight();
  struct Part {
    double sum = 0, largest = 0, count = 0, energy = 0;
  };
  constexpr std::size_t block = 1024;
  std::vector<Part> parts((s.size() + block - 1) / block);
  parallel_blocks(s.size(), block, [&](std::size_t begin, std::size_t end) {
    Part part;
    std::array<float, block> works;
    for (std::size_t k = begin; k != end; ++k) works[k - begin] = m[k] * tait_work(std::max(s[k], 1.0f));
    for (std::size_t i = begin; i != end; ++i) {
      if (!(weight(static_cast<Index>(i)) > 0)) continue;
      const double compression = std::max(0.0f, s[i] - 1);
      part.sum += compression;
      part.largest = std::max(part.largest, compression);
      part.count += 1;
      if (materials_.empty()) continue;
      const Material& material = materials_[object[i]];
      const bool common =
          material.equation == StateEquation::tait && !material.tension && s[i] <= Material::largest_tait_compression;
      const double c = material.sound_speed;
      part.energy += common ? c * c * static_cast<double>(works[i - begin])
                            : static_cast<double>(m[i]) * energy_of_compression(material, s[i]);
    }
    parts[begin / block] = part;
  });
  Part total;
  for (const Part& part : parts) {
    total.sum += part.sum;
    total.largest = std::max(total.largest, part.largest);
    total.count += part.count;
    total.energy += part.energy;
  }
  values[0] = total.count > 0 ? total.sum / total.count : 0;
  values[1] = total.largest;
  values[2] = total.energy;
}

}  // namespace fondue
