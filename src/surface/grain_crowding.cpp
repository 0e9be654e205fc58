// Uniformity of the grains: crowding, relaxation of overlaps, insertion and removal.
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "surface/grain_flow.h"

namespace fondue {
namespace {

/// 0 up to `from`, 1 beyond `to`, smooth between.
float rise(float x, float from, float to) {
  const float s = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return s * s * (3 - 2 * s);
}

/// Tent function over [-width, width], 1 in the middle.
float tent(float x, float width) { return std::max(0.0f, 1 - std::abs(x) / width); }

/// The mean of the tent function over the interval x - side/2 ... x + side/2.
float mean_tent(float x, float side, float width) {
  const auto area_up_to = [&](float to) {
    const float t = std::clamp(to / width, -1.0f, 1.0f);
    return width * (t < 0 ? 0.5f * (1 + t) * (1 + t) : 1 - 0.5f * (1 - t) * (1 - t));
  };
  return (area_up_to(x + 0.5f * side) - area_up_to(x - 0.5f * side)) / side;
}

}  // namespace

std::vector<float> GrainFlow::crowding(const SandField& field) const {
  const SandFrame& frame = field.frame();
  const int dimension = settings_.grains.dimension;
  std::vector<float> ratios(frame.ids.size(), 0.0f);
  if (ratios.empty()) return ratios;
  const float widest = std::ranges::max(frame.supports) / settings_.grains.support_ratio;
  // Reach of the tents, and of the tents plus half a cube.
  const float grain_reach = std::sqrt(3.0f) * widest, particle_reach = 1.5f * grain_reach;
  const std::vector<Vec3> centres = positions();
  const PointGrid near_particles(frame.positions, particle_reach);
  std::optional<PointGrid> near_grains;
  if (!centres.empty()) near_grains.emplace(centres, grain_reach);
  parallel_for(ratios.size(), [&](std::size_t j) {
    const Vec3& x = frame.positions[j];
    const float width = field.spacing(j);
    double expected = 0, there = 0;
    near_particles.visit(x, particle_reach, [&](Index k, float) {
      double share = settings_.grains.per_particle;
      for (int a = 0; a < dimension; ++a) share *= mean_tent(frame.positions[k][a] - x[a], field.spacing(k), width);
      expected += share;
    });
    const auto count = [&](Index i, float) {
      if (states_[i].dying) return;
      double share = 1;
      for (int a = 0; a < dimension; ++a) share *= tent(centres[i][a] - x[a], width);
      there += share;
    };
    if (near_grains) near_grains->visit(x, grain_reach, count);
    ratios[j] = static_cast<float>(there / expected);
  });
  return ratios;
}

void GrainFlow::relax(const SandField& field, std::span<const float> crowding) {
  const bool any = std::ranges::any_of(crowding, [](float ratio) { return ratio > crowded; });
  std::vector<float> strength(grains_.size(), 0.0f);
  for_grains([&](std::size_t i, SandField::Surroundings& around) {
    const State& state = states_[i];
    if (state.flying)
      strength[i] = state.flight > 0 ? 0 : 1;
    else if (any)
      strength[i] = rise(field.at(grains_[i].position, crowding, around), crowded, very_crowded);
  });
  if (std::ranges::all_of(strength, [](float p) { return p == 0; })) return;
  const float reach = 2 * largest_radius();
  for (int round = 0; round < settings_.relaxations; ++round) {
    const std::vector<Vec3> centres = positions();
    const PointGrid grid(centres, reach);
    parallel_for(grains_.size(), [&](std::size_t i) {
      if (strength[i] == 0) return;
      Grain& grain = grains_[i];
      Vec3 sum = Vec3::Zero();
      int touching = 0;
      grid.visit(centres[i], reach, [&](Index k, float squared) {
        const float r = std::sqrt(squared), overlap = grain.radius + grains_[k].radius - r;
        if (k == i || !(overlap > 0)) return;
        ++touching;
        const auto aside = [&](std::size_t n) { return random_point(settings_.grains.seed, grains_[n].id); };
        const Vec3 away = r > 0 ? Vec3(centres[i] - centres[k]) : Vec3(aside(i) - aside(k));
        sum += 0.5f * overlap * away.stableNormalized();
      });
      if (touching == 0) return;
      if (settings_.grains.dimension == 2) sum.z() = 0;
      // The mean of the corrections is stable; over-relaxation by 1.5 converges faster.
      grain.position += strength[i] * 1.5f / static_cast<float>(touching) * sum;
      collide(grain, states_[i], 0);
    });
  }
}

void GrainFlow::thin_out(const SandField& field, std::span<const float> crowding) {
  if (std::ranges::none_of(crowding, [](float ratio) { return ratio > too_many; })) return;
  // Grains by their nearest particle, the youngest last.
  std::vector<std::pair<Index, Index>> owned(grains_.size());
  constexpr Index nobody = ~Index(0);
  for_grains([&](std::size_t i, SandField::Surroundings& around) {
    const bool counts = !states_[i].flying && !states_[i].dying;
    const std::optional<Index> owner = counts ? field.nearest(grains_[i].position, around) : std::nullopt;
    owned[i] = {owner.value_or(nobody), static_cast<Index>(i)};
  });
  tbb::parallel_sort(owned.begin(), owned.end());
  for (std::size_t begin = 0, end = 0; begin < owned.size() && owned[begin].first != nobody; begin = end) {
    const Index particle = owned[begin].first;
    while (end < owned.size() && owned[end].first == particle) ++end;
    const float ratio = crowding[particle];
    if (!(ratio > too_many)) continue;
    const auto excess = static_cast<std::size_t>((1 - not_too_many / ratio) * static_cast<float>(end - begin));
    for (std::size_t k = end - excess; k < end; ++k) states_[owned[k].second].dying = true;
  }
}

void GrainFlow::fill_up(const SandField& field, std::span<const float> crowding) {
  const SandFrame& frame = field.frame();
  const std::vector<Vec3> centres = positions();
  const float reach = 2 * largest_radius();
  std::optional<PointGrid> grid;
  if (!centres.empty()) grid.emplace(centres, reach);
  std::vector<std::vector<Grain>> born(frame.ids.size());
  parallel_for(frame.ids.size(), [&](std::size_t p) {
    if (!(crowding[p] < too_few)) return;
    const int each = settings_.grains.per_particle;
    const auto wanted = static_cast<std::size_t>(std::ceil((enough - crowding[p]) * static_cast<float>(each)));
    SandField::Surroundings around;
    const auto first = static_cast<int>(random_bits(settings_.grains.seed + next_id_, frame.ids[p]) % unsigned(each));
    for (int k = 0; k < each && born[p].size() < wanted; ++k) {
      Grain grain = fixed_grain(frame.view(), p, (first + k) % each, settings_.grains);
      if (settings_.collider && settings_.collider(grain.position, time_) < grain.radius) continue;
      const auto sand = field.at(grain.position, around);
      if (!sand || !sand->within) continue;
      bool room = true;
      // New grains may touch existing ones, but not overlap them.
      if (grid) grid->visit(grain.position, std::min(grain.radius, reach), [&](Index, float) { room = false; });
      if (!room) continue;
      grain.velocity = sand->velocity;
      grain.opacity = 0;
      born[p].push_back(grain);
    }
  });
  for (const std::vector<Grain>& some : born) {
    for (const Grain& grain : some) {
      grains_.push_back(grain);
      grains_.back().id = next_id_++;
    }
  }
  states_.resize(grains_.size());
}

}  // namespace fondue
