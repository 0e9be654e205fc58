#include "cache/fog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "behaviours/fluid.h"
#include "behaviours/heat.h"
#include "cache/column_choice.h"
#include "core/error.h"
#include "core/parallel.h"
#include "world/emitters.h"

namespace fondue {

namespace {

using Voxel = std::array<int, 3>;

/// Beyond this many voxels in a support radius the voxels, not the particles, fill the memory.
constexpr float finest = 64;
/// Voxels are counted in 32 bits.
constexpr double farthest_cell = 1 << 30;

[[noreturn]] void fail(const Frame& frame, const std::string& what) {
  throw InputError(fmt::format("frame {} cannot become a volume: {}", frame.header.frame, what));
}

std::span<const float> needed(const Frame& frame, const Column<float>& column) {
  if (!frame.particles.has(column.name)) fail(frame, fmt::format("its particles have no column '{}'", column.name));
  return frame.particles[column];
}

struct Masses {
  std::vector<float> values;
  bool true_mass = true;
};

Masses masses_of(const Frame& frame) {
  const Particles& particles = frame.particles;
  if (particles.has(columns::mass.name)) {
    const auto m = particles[columns::mass];
    return {{m.begin(), m.end()}, true};
  }
  const auto V = needed(frame, columns::volume);
  Masses masses{{V.begin(), V.end()}, false};
  if (!particles.has(columns::density.name) || !particles.has(columns::density_ratio.name)) return masses;
  const auto rho = particles[columns::density], s = particles[columns::density_ratio];
  for (Index i = 0; i != particles.size(); ++i) masses.values[i] = s[i] > 0 ? V[i] * rho[i] / s[i] : 0;
  masses.true_mass = true;
  return masses;
}

/// The voxels one particle reaches, and how much it gives to each.
class Footprints {
 public:
  Footprints(const Frame& frame, const FogOptions& options, float voxel)
      : kernel_(options.kernel, frame.header.dimension),
        h_(voxel),
        x_(frame.particles[columns::position]),
        R_(needed(frame, columns::support)),
        masses_(masses_of(frame)),
        all_(x_.size()) {
    for (std::size_t i = 0; i != x_.size(); ++i) check(frame, i);
    parallel_for(x_.size(), [&](std::size_t i) { all_[i] = find(i); });
  }

  bool true_mass() const { return masses_.true_mass; }
  std::size_t size() const { return all_.size(); }

  /// Calls give(voxel, density) for the voxels of particle i within [first, last].
  template <class Give>
  void visit(std::size_t i, const Voxel& first, const Voxel& last, Give&& give) const {
    const Footprint& print = all_[i];
    Voxel from, to;
    for (int a = 0; a != 3; ++a) {
      from[a] = std::max(print.first[a], first[a]);
      to[a] = std::min(print.last[a], last[a]);
    }
    if (print.one_voxel)
      give(print.first, print.scale);
    else
      visit_kernel(i, from, to, [&](const Voxel& v, double W) { give(v, print.scale * W); });
  }
  void blocks_of(std::size_t i, Voxel& first, Voxel& last) const {
    for (int a = 0; a != 3; ++a) {
      // Shifts round down, also below zero.
      first[a] = all_[i].first[a] >> 3;
      last[a] = all_[i].last[a] >> 3;
    }
  }

 private:
  struct Footprint {
    Voxel first, last;
    double scale = 0;
    bool one_voxel = false;
  };

  void check(const Frame& frame, std::size_t i) const {
    const float m = masses_.values[i];
    if (!x_[i].allFinite() || !std::isfinite(R_[i]) || !(R_[i] > 0) || !std::isfinite(m) || m < 0)
      fail(frame, fmt::format("position, support or mass of particle {} is not a sensible number", i));
    if (R_[i] > finest * h_)
      fail(frame, fmt::format("voxels of {} m are too small for particles with a support of {} m; at least {} m", h_,
                              R_[i], R_[i] / finest));
    if (x_[i].cwiseAbs().maxCoeff() / static_cast<double>(h_) > farthest_cell)
      fail(frame, fmt::format("particle {} is {} m away; larger voxels reach further", i, x_[i].norm()));
  }

  /// Calls give(voxel, W) where the kernel of particle i is above zero within [first, last].
  template <class Give>
  void visit_kernel(std::size_t i, const Voxel& first, const Voxel& last, Give&& give) const {
    const float R = R_[i], R2 = R * R;
    const auto squared = [&](int a, int v) {
      const double offset = v * static_cast<double>(h_) - static_cast<double>(x_[i][a]);
      return static_cast<float>(offset * offset);
    };
    Voxel v;
    for (v[0] = first[0]; v[0] <= last[0]; ++v[0]) {
      const float xx = squared(0, v[0]);
      for (v[1] = first[1]; v[1] <= last[1]; ++v[1]) {
        const float xy = xx + squared(1, v[1]);
        if (xy >= R2) continue;
        for (v[2] = first[2]; v[2] <= last[2]; ++v[2]) {
          const float r2 = xy + squared(2, v[2]);
          if (r2 >= R2) continue;
          if (const float W = kernel_.W(std::sqrt(r2), R); W > 0) give(v, static_cast<double>(W));
        }
      }
    }
  }

  Footprint find(std::size_t i) const {
    Footprint print;
    const bool plane = kernel_.dimension() == 2;
    const Vec3d centre = x_[i].cast<double>() / static_cast<double>(h_);
    const double reach = static_cast<double>(R_[i]) / static_cast<double>(h_);
    for (int a = 0; a != 3; ++a) {
      print.first[a] = a == 2 && plane ? 0 : static_cast<int>(std::ceil(centre[a] - reach));
      print.last[a] = a == 2 && plane ? 0 : static_cast<int>(std::floor(centre[a] + reach));
    }
    double sum = 0;
    visit_kernel(i, print.first, print.last, [&](const Voxel&, double W) { sum += W; });
    if (sum <= 0) {
      for (int a = 0; a != 3; ++a)
        print.first[a] = print.last[a] = a == 2 && plane ? 0 : static_cast<int>(std::lround(centre[a]));
      sum = 1;
      print.one_voxel = true;
    }
    const double h = static_cast<double>(h_);
    print.scale = static_cast<double>(masses_.values[i]) / (sum * h * h * (plane ? 1 : h));
    return print;
  }

  Kernel kernel_;
  float h_;
  std::span<const Vec3> x_;
  std::span<const float> R_;
  Masses masses_;
  std::vector<Footprint> all_;
};

/// A particle that reaches into a block.
struct BlockTouch {
  Voxel block;
  Index particle;
  friend bool operator<(const BlockTouch& a, const BlockTouch& b) {
    return std::tie(a.block, a.particle) < std::tie(b.block, b.particle);
  }
};

std::vector<BlockTouch> find_touches(const Footprints& prints) {
  std::vector<BlockTouch> touches;
  for (std::size_t i = 0; i != prints.size(); ++i) {
    Voxel first, last, b;
    prints.blocks_of(i, first, last);
    for (b[0] = first[0]; b[0] <= last[0]; ++b[0])
      for (b[1] = first[1]; b[1] <= last[1]; ++b[1])
        for (b[2] = first[2]; b[2] <= last[2]; ++b[2]) touches.push_back({b, static_cast<Index>(i)});
  }
  std::sort(touches.begin(), touches.end());
  return touches;
}

std::vector<ColumnView> averaged_columns(const Frame& frame, const std::vector<std::string>& wanted) {
  const std::vector<ColumnView> views = frame.particles.columns();
  std::vector<std::string> known, order = {columns::velocity.name};
  for (const ColumnView& view : views) known.push_back(view.name);
  check_columns(wanted, known);
  for (const std::string& name : wanted) order.push_back(name);
  if (wanted.empty()) order.push_back(columns::temperature.name);
  std::vector<ColumnView> chosen;
  for (const std::string& name : order) {
    // A voxel has its place, and the fog is the density.
    if (name == columns::position.name || name == columns::density.name) continue;
    const auto view = std::ranges::find(views, name, &ColumnView::name);
    if (view == views.end() || std::ranges::count(chosen, name, &ColumnView::name) != 0) continue;
    if (view->scalar == Scalar::integer)
      throw InputError(fmt::format("column '{}' holds whole numbers, which have no average in a volume", name));
    chosen.push_back(*view);
  }
  return chosen;
}

/// Sums of density and of density times each column over one block, then averages.
void fill_block(Fog& fog, std::size_t b, std::span<const BlockTouch> touches, const Footprints& prints,
                std::span<const ColumnView> columns) {
  const Voxel first = fog.origins[b];
  const Voxel last = {first[0] + Fog::edge - 1, first[1] + Fog::edge - 1, first[2] + Fog::edge - 1};
  std::vector<double> density(Fog::block, 0.0);
  std::vector<std::vector<double>> sums;
  for (const ColumnView& column : columns) sums.emplace_back(static_cast<std::size_t>(Fog::block * column.components));
  for (const BlockTouch& touch : touches) {
    prints.visit(touch.particle, first, last, [&](const Voxel& v, double share) {
      const int at = ((v[0] - first[0]) * Fog::edge + v[1] - first[1]) * Fog::edge + v[2] - first[2];
      density[at] += share;
      for (std::size_t c = 0; c != columns.size(); ++c) {
        const int n = columns[c].components;
        const float* value = static_cast<const float*>(columns[c].data) + std::size_t{touch.particle} * n;
        for (int k = 0; k != n; ++k) sums[c][at * n + k] += share * static_cast<double>(value[k]);
      }
    });
  }
  float* rho = fog.fields[0].values.data() + b * Fog::block;
  for (int at = 0; at != Fog::block; ++at) rho[at] = static_cast<float>(density[at]);
  for (std::size_t c = 0; c != columns.size(); ++c) {
    const int n = columns[c].components;
    float* value = fog.fields[c + 1].values.data() + b * Fog::block * static_cast<std::size_t>(n);
    for (int k = 0; k != Fog::block * n; ++k)
      value[k] = density[k / n] > 0 ? static_cast<float>(sums[c][k] / density[k / n]) : 0.0f;
  }
}

}  // namespace

Fog make_fog(const Frame& frame, const FogOptions& options) {
  const std::vector<ColumnView> columns = averaged_columns(frame, options.columns);
  Fog fog;
  fog.voxel = options.voxel > 0 ? options.voxel : 0.5f * static_cast<float>(frame.header.spacing);
  if (!(fog.voxel > 0) || !std::isfinite(fog.voxel)) fail(frame, "its spacing is not known; give the size of a voxel");
  const Footprints prints(frame, options, fog.voxel);
  const std::vector<BlockTouch> touches = find_touches(prints);
  std::vector<std::size_t> begins;
  for (std::size_t t = 0; t != touches.size(); ++t) {
    const Voxel& block = touches[t].block;
    if (t != 0 && block == touches[t - 1].block) continue;
    begins.push_back(t);
    fog.origins.push_back({block[0] * Fog::edge, block[1] * Fog::edge, block[2] * Fog::edge});
  }
  begins.push_back(touches.size());

  const std::string mass_unit = fmt::format("kg/m^{}", frame.header.dimension);
  fog.fields.push_back({columns::density.name, prints.true_mass() ? mass_unit : "1", 1, {}});
  for (const ColumnView& column : columns)
    fog.fields.push_back({column.name, unit_in(column.unit, frame.header.dimension), column.components, {}});
  for (Fog::Field& field : fog.fields)
    field.values.resize(fog.origins.size() * Fog::block * static_cast<std::size_t>(field.components));
  parallel_for(
      fog.origins.size(),
      [&](std::size_t b) {
        fill_block(fog, b, std::span(touches).subspan(begins[b], begins[b + 1] - begins[b]), prints, columns);
      },
      1);
  return fog;
}

}  // namespace fondue
