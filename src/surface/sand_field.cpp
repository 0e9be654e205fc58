#include "surface/sand_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/error.h"

namespace fondue {

SandFrame::SandFrame(const SandParticles& particles) {
  const std::size_t count = particles.positions.size();
  if (particles.velocities.size() != count || particles.supports.size() != count || particles.ids.size() != count)
    throw InputError(fmt::format("{} particles of sand were given with {} velocities, {} supports and {} ids", count,
                                 particles.velocities.size(), particles.supports.size(), particles.ids.size()));
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::sort(order, {}, [&](Index i) { return particles.ids[i]; });
  for (const Index i : order) {
    if (!particles.positions[i].allFinite() || !particles.velocities[i].allFinite() || !(particles.supports[i] > 0))
      throw InputError(fmt::format(
          "particle {} of the sand needs a finite position and velocity and a support above zero", particles.ids[i]));
    positions.push_back(particles.positions[i]);
    velocities.push_back(particles.velocities[i]);
    supports.push_back(particles.supports[i]);
    ids.push_back(particles.ids[i]);
  }
}

SandFrame between(const SandFrame& before, const SandFrame& after, double dt, double s) {
  SandFrame now = after;
  const auto T = static_cast<float>(dt), S = static_cast<float>(s);
  parallel_for(after.ids.size(), [&](std::size_t p) {
    const Vec3 &x1 = after.positions[p], &v1 = after.velocities[p];
    const auto found = std::ranges::lower_bound(before.ids, after.ids[p]);
    const auto q = static_cast<std::size_t>(found - before.ids.begin());
    const bool known = found != before.ids.end() && *found == after.ids[p];
    const float fastest = known ? std::max(before.velocities[q].norm(), v1.norm()) : 0;
    if (!known || (x1 - before.positions[q]).norm() > 2 * fastest * T + after.supports[p]) {
      now.positions[p] = x1 - (1 - S) * T * v1;
      return;
    }
    const Vec3 &x0 = before.positions[q], &v0 = before.velocities[q];
    const Vec3 bulge = (x1 - x0) / T - 0.5f * (v0 + v1);
    now.velocities[p] = (1 - S) * v0 + S * v1 + 6 * S * (1 - S) * bulge;
    now.positions[p] = x0 + T * (S * v0 + 0.5f * S * S * (v1 - v0) + S * S * (3 - 2 * S) * bulge);
  });
  return now;
}

SandField::SandField(SandFrame frame, const GrainSettings& settings)
    : frame_(std::move(frame)),
      support_ratio_(settings.support_ratio),
      ball_(static_cast<float>(settings.dimension == 3 ? std::cbrt(3 / (4 * std::numbers::pi))
                                                       : std::sqrt(1 / std::numbers::pi))) {
  if (frame_.ids.empty()) return;
  reach_ = std::ranges::max(frame_.supports);
  grid_.emplace(frame_.positions, reach_);
  for (std::vector<float>& values : sorted_) values.resize(frame_.ids.size() + Lanes::SizeAtCompileTime);
  parallel_for(frame_.ids.size(), [&](std::size_t place) {
    const Index p = grid_->index(place);
    const float R = frame_.supports[p];
    for (std::size_t a = 0; a != 3; ++a) {
      sorted_[x_ + a][place] = frame_.positions[p][static_cast<Eigen::Index>(a)];
      sorted_[vx_ + a][place] = frame_.velocities[p][static_cast<Eigen::Index>(a)];
    }
    sorted_[over_R2_][place] = 1 / (R * R);
    sorted_[spacing_][place] = spacing(p);
  });
}

template <class Body>
void SandField::visit(const Vec3& x, Surroundings& around, Body&& body) const {
  if (!grid_) return;
  grid_->visit(x, reach_, around, [&](Index p, float squared) {
    const float R = frame_.supports[p], s = 1 - squared / (R * R);
    if (s > 0) body(p, squared, double(s * s * s));
  });
}

std::optional<SandField::Sample> SandField::at(const Vec3& x, Surroundings& around) const {
  if (!grid_) return std::nullopt;
  constexpr std::size_t width = Lanes::SizeAtCompileTime;
  static const Lanes lane = Lanes::LinSpaced(width, 0, width - 1);
  Lanes sum = Lanes::Zero(), spacings = sum, velocity[3] = {sum, sum, sum}, mean[3] = {sum, sum, sum};
  for (const auto& [begin, end] : grid_->find(x, around).ranges)
    for (std::size_t first = begin; first < end; first += width) {
      const auto of = [&](std::size_t quantity) {
        return Eigen::Map<const Lanes>(sorted_[quantity].data() + first);
      };
      const Lanes d[3] = {of(x_) - x.x(), of(y_) - x.y(), of(z_) - x.z()};
      const Lanes s = (1 - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * of(over_R2_)).max(0.0f);
      Lanes W = s * s * s;
      if (end - first < width) W = (lane < static_cast<float>(end - first)).select(W, 0.0f);
      sum += W;
      spacings += W * of(spacing_);
      for (std::size_t a = 0; a != 3; ++a) {
        velocity[a] += W * of(vx_ + a);
        mean[a] += W * d[a];
      }
    }
  const float total = sum.sum();
  if (!(total > 0)) return std::nullopt;
  const Vec3 from(mean[0].sum(), mean[1].sum(), mean[2].sum());
  return Sample{Vec3(velocity[0].sum(), velocity[1].sum(), velocity[2].sum()) / total,
                from.norm() <= ball_ * spacings.sum()};
}

std::optional<Index> SandField::nearest(const Vec3& x, Surroundings& around) const {
  std::optional<Index> found;
  float least = infinity;
  visit(x, around, [&](Index p, float squared, double) {
    if (squared < least || (squared == least && p < *found)) least = squared, found = p;
  });
  return found;
}

float SandField::largest(const Vec3& x, std::span<const float> values, Surroundings& around) const {
  float most = 0;
  visit(x, around, [&](Index p, float, double) { most = std::max(most, values[p]); });
  return most;
}

float SandField::at(const Vec3& x, std::span<const float> values, Surroundings& around) const {
  double sum = 0, weighted = 0;
  visit(x, around, [&](Index p, float, double W) {
    sum += W;
    weighted += W * values[p];
  });
  return sum > 0 ? static_cast<float>(weighted / sum) : 0;
}

}  // namespace fondue
