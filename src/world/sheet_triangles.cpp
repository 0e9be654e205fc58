#include "world/sheet_triangles.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "shapes/moving_triangle.h"

namespace fondue {

namespace {

/// Rounding of distances between positions, over what they are; and of positions, in spacings.
constexpr float rounding = 1e-6f, rounding_of_places = 1e-3f;
/// Particles that look for triangles together, and those whose lists are kept together.
constexpr std::size_t together = 16, block_size = 1024;
/// How much farther than they need particles list triangles, and look for any at all, in spacings.
constexpr float farther = 0.6f, far_away = 4;
/// How far triangles may move until they are sorted again, in cells.
constexpr float moved_in_cells = 0.1f;

}  // namespace

bool SheetTriangles::follow(const Particles& particles) {
  if (!particles.has_bonds(sheets::bond_set)) return false;
  const BondSet& bonds = particles.bonds(sheets::bond_set);
  // New particles are stored after the others, and removing some changes bonds.
  if (bonds.revision() != revision_ || particles.size() < particles_) {
    triangles_ = sheets::triangles(particles);
    revision_ = bonds.revision();
    corners_.clear();
  }
  particles_ = particles.size();
  return !triangles_.empty();
}

void SheetTriangles::follow_motion(const Particles& particles) {
  const auto x = particles[columns::position];
  const bool anew = corners_.empty();
  if (anew) {
    for (const SheetTriangle& t : triangles_) corners_.insert(corners_.end(), t.begin(), t.end());
    std::ranges::sort(corners_);
    corners_.erase(std::unique(corners_.begin(), corners_.end()), corners_.end());
    last_.resize(corners_.size());
    for (std::size_t k = 0; k != corners_.size(); ++k) last_[k] = x[corners_[k]];
    looked_.clear();
    way_ = way_when_sorted_ = 0;
  }
  way_ += std::sqrt(static_cast<double>(parallel_reduce(
      corners_.size(), 0.0f,
      [&](std::size_t k) {
        const float moved = (x[corners_[k]] - last_[k]).squaredNorm();
        last_[k] = x[corners_[k]];
        return moved;
      },
      [](float a, float b) { return std::max(a, b); })));
  spheres_.resize(triangles_.size());
  parallel_for(
      triangles_.size(),
      [&](std::size_t t) {
        const Vec3 &a = x[triangles_[t][0]], &b = x[triangles_[t][1]], &c = x[triangles_[t][2]];
        const Vec3 centre = 0.5f * (a.cwiseMin(b).cwiseMin(c) + a.cwiseMax(b).cwiseMax(c));
        const float r2 = std::max({(a - centre).squaredNorm(), (b - centre).squaredNorm(), (c - centre).squaredNorm()});
        spheres_[t] = Sphere(centre.x(), centre.y(), centre.z(), std::sqrt(r2));
      },
      2048);
  if (anew || since_sorted() > moved_in_cells * size_) sort_into_cells();
}

void SheetTriangles::sort_into_cells() {
  constexpr double most_cells = 1e6;
  const std::size_t count = triangles_.size();
  bounds_ = {};
  largest_ = 0;
  double sum = 0;
  for (const Sphere& sphere : spheres_) {
    bounds_.add(Vec3(sphere.head<3>()));
    largest_ = std::max(largest_, sphere[3]);
    sum += static_cast<double>(sphere[3]);
  }
  // Cells are some triangles wide.
  size_ = std::max(static_cast<float>(3 * sum / static_cast<double>(count)), 1e-6f * bounds_.size().maxCoeff());
  for (;; size_ *= 1.5f) {
    double cells = 1;
    for (int a = 0; a != 3; ++a) cells *= count_[a] = static_cast<int>(bounds_.size()[a] / size_) + 1;
    if (cells <= most_cells) break;
  }
  std::vector<Index> cell(count);
  begins_.assign(
      static_cast<std::size_t>(count_[0]) * static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(count_[2]) +
          1,
      0);
  for (std::size_t t = 0; t != count; ++t) {
    int at[3];
    for (int a = 0; a != 3; ++a)
      at[a] = std::min(static_cast<int>((spheres_[t][a] - bounds_.min[a]) / size_), count_[a] - 1);
    cell[t] = static_cast<Index>((at[2] * count_[1] + at[1]) * count_[0] + at[0]);
    ++begins_[cell[t] + 1];
  }
  for (std::size_t c = 1; c != begins_.size(); ++c) begins_[c] += begins_[c - 1];
  sorted_.resize(count);
  sorted_spheres_.resize(count);
  std::vector<Index> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t t = 0; t != count; ++t) {
    const Index k = next[cell[t]]++;
    sorted_[k] = static_cast<Index>(t);
    sorted_spheres_[k] = spheres_[t];
  }
  way_when_sorted_ = way_;
}

/// Looks for particles one after another.
class SheetTriangles::Finder {
 public:
  Finder(const SheetTriangles& of, const Particles& particles)
      : of_(of), x_(particles[columns::position]), edges_(particles.bonds(sheets::bond_set)) {}

  /// What is gathered for some particles.
  void clear() { gathered_.clear(); }
  void add(Index triangle) { gathered_.push_back(triangle); }
  /// Their spheres side by side.
  void prepare() {
    if (x_of_.size() < gathered_.size())
      for (std::vector<float>* values : {&x_of_, &y_of_, &z_of_, &r_of_}) values->resize(2 * gathered_.size());
    for (std::size_t k = 0; k != gathered_.size(); ++k) {
      const Sphere& sphere = of_.spheres_[gathered_[k]];
      x_of_[k] = sphere[0];
      y_of_[k] = sphere[1];
      z_of_[k] = sphere[2];
      r_of_[k] = sphere[3];
    }
  }
  /// Takes those of them that may come nearer to a particle than that, of a sheet without those that it or one of its
  /// neighbours belongs to, in the order of triangles. Returns how near they come.
  float choose(Index i, bool of_sheet, float near, std::vector<Index>& chosen) {
    const std::size_t count = gathered_.size(), before = chosen.size();
    if (bound_.size() < count) bound_.resize(2 * count);
    const float at[3] = {x_[i].x(), x_[i].y(), x_[i].z()};
    const float *x = x_of_.data(), *y = y_of_.data(), *z = z_of_.data(), *r = r_of_.data();
    float* bound = bound_.data();
    for (std::size_t k = 0; k != count; ++k) {
      const float dx = x[k] - at[0], dy = y[k] - at[1], dz = z[k] - at[2];
      bound[k] = (1 - 2 * rounding) * std::sqrt(dx * dx + dy * dy + dz * dz) - (1 + 2 * rounding) * r[k];
    }
    float least = infinity;
    for (std::size_t k = 0; k != count; ++k) {
      if (!(bound[k] < near) || (of_sheet && around(i, gathered_[k]))) continue;
      chosen.push_back(gathered_[k]);
      least = std::min(least, bound[k]);
    }
    std::sort(chosen.begin() + static_cast<std::ptrdiff_t>(before), chosen.end());
    return least;
  }
  /// Bounds of what a particle has listed.
  void measure_spheres(Index i, std::span<const Index> listed) {
    if (bound_.size() < listed.size()) bound_.resize(2 * listed.size());
    const Sphere at(x_[i].x(), x_[i].y(), x_[i].z(), 0);
    for (std::size_t k = 0; k != listed.size(); ++k) {
      Sphere away = of_.spheres_[listed[k]] - at;
      const float r = away[3];
      away[3] = 0;
      bound_[k] = (1 - 2 * rounding) * away.norm() - (1 + 2 * rounding) * r;
    }
  }
  /// The least distance if it is below that; measured where it may be less than what is known already.
  float least(Index i, std::span<const Index> listed, float below) {
    if (listed.empty()) return below;
    const auto end = bound_.begin() + static_cast<std::ptrdiff_t>(listed.size());
    const std::size_t first = static_cast<std::size_t>(std::min_element(bound_.begin(), end) - bound_.begin());
    measure(i, listed[first], bound_[first], below);
    for (std::size_t k = 0; k != listed.size(); ++k)
      if (k != first) measure(i, listed[k], bound_[k], below);
    return below;
  }
  /// Pairs that may be nearer than that.
  void list(std::span<const Index> listed, float reach, std::vector<Pair>& pairs) const {
    for (std::size_t k = 0; k != listed.size(); ++k)
      if (bound_[k] < reach) pairs.push_back({listed[k], bound_[k]});
  }

 private:
  bool around(Index i, Index triangle) const {
    const auto beside = edges_.neighbours().subspan(edges_.begins()[i], edges_.begins()[i + 1] - edges_.begins()[i]);
    return std::ranges::any_of(of_.triangles_[triangle], [&](Index corner) {
      return corner == i || std::ranges::find(beside, corner) != beside.end();
    });
  }
  void measure(Index i, Index triangle, float& bound, float& least) const {
    if (!(bound < least)) return;
    const SheetTriangle& t = of_.triangles_[triangle];
    const std::array<Vec3d, 3> corners = {x_[t[0]].cast<double>(), x_[t[1]].cast<double>(), x_[t[2]].cast<double>()};
    const Vec3d at = x_[i].cast<double>();
    const float distance = static_cast<float>((at - blended(nearest_weights(at, corners), corners)).norm());
    bound = (1 - rounding) * distance;
    least = std::min(least, distance);
  }

  const SheetTriangles& of_;
  std::span<const Vec3> x_;
  const BondSet& edges_;
  std::vector<Index> gathered_;
  std::vector<float> bound_, x_of_, y_of_, z_of_, r_of_;
};

float SheetTriangles::gather(const Box& box, float near, float wide, Finder& finder) const {
  finder.clear();
  const float since = since_sorted();
  const Box all = box.grown((1 + rounding) * (wide + since + largest_));
  if ((all.min.array() > bounds_.max.array()).any() || (all.max.array() < bounds_.min.array()).any()) return wide;
  int low[3], high[3];
  for (int a = 0; a != 3; ++a) {
    const auto at = [&](float x) {
      return static_cast<int>(std::clamp((x - bounds_.min[a]) / size_, 0.0f, static_cast<float>(count_[a] - 1)));
    };
    low[a] = at(all.min[a]);
    high[a] = at(all.max[a]);
  }
  float closest = wide;
  for (int at_z = low[2]; at_z <= high[2]; ++at_z)
    for (int at_y = low[1]; at_y <= high[1]; ++at_y) {
      const Index row = static_cast<Index>((at_z * count_[1] + at_y) * count_[0]);
      const Index begin = begins_[row + static_cast<Index>(low[0])],
                  end = begins_[row + static_cast<Index>(high[0]) + 1];
      for (Index k = begin; k != end; ++k) {
        const float x = sorted_spheres_[k][0], y = sorted_spheres_[k][1], z = sorted_spheres_[k][2];
        const float r = sorted_spheres_[k][3] + since;
        const float dx = std::max(std::max(box.min.x() - x, x - box.max.x()), 0.0f);
        const float dy = std::max(std::max(box.min.y() - y, y - box.max.y()), 0.0f);
        const float dz = std::max(std::max(box.min.z() - z, z - box.max.z()), 0.0f);
        const float d2 = dx * dx + dy * dy + dz * dz;
        if (!(d2 < (closest + r) * (closest + r)) && !(d2 < (near + r) * (near + r))) continue;
        const float d = (1 - rounding) * std::sqrt(d2) - (1 + rounding) * r;
        closest = std::min(closest, d);
        if (d < near) finder.add(sorted_[k]);
      }
    }
  return closest;
}

/// New lists for some particles of a block.
void SheetTriangles::look_anew(const Particles& particles, float support_ratio, std::span<const float> reach,
                               std::span<const Index> which, Finder& finder, std::size_t block) {
  const auto x = particles[columns::position];
  const auto R = particles[columns::support], thickness = particles[columns::thickness];
  std::vector<Index> made, all;
  const auto near = [&](Index i) {
    const float spacing = R[i] / support_ratio;
    return needed(thickness[i] > 0, spacing, reach[i]) + farther * spacing;
  };
  for (std::size_t first = 0; first < which.size(); first += together) {
    const std::size_t last = std::min(first + together, which.size());
    Box box;
    float nearest = 0, widest = 0;
    for (std::size_t at = first; at != last; ++at) {
      const Index i = which[at];
      box.add(x[i]);
      nearest = std::max(nearest, near(i));
      // Particles of a sheet are never far from one.
      widest = std::max(widest, near(i) + (thickness[i] > 0 ? 0 : far_away * R[i] / support_ratio));
    }
    const bool alone = box.size().maxCoeff() > 4 * widest;
    float closest = 0;
    const auto look = [&](const Box& at) {
      closest = gather(at, nearest, widest, finder);
      finder.prepare();
    };
    if (!alone) look(box);
    for (std::size_t at = first; at != last; ++at) {
      const Index i = which[at];
      if (alone) look(Box{x[i], x[i]});
      Looked& own = looked_[i];
      own.x = x[i];
      own.way = way_;
      own.begin = static_cast<Index>(made.size());
      own.reach = std::max(near(i), closest);
      own.least = closest < near(i) ? finder.choose(i, thickness[i] > 0, near(i), made) : infinity;
      own.count = static_cast<Index>(made.size()) - own.begin;
    }
  }
  // The others keep theirs.
  std::vector<Index>& kept = lists_[block];
  std::size_t next = 0;
  const std::size_t end = std::min((block + 1) * block_size, looked_.size());
  for (std::size_t i = block * block_size; i != end; ++i) {
    const bool renewed = next != which.size() && which[next] == i;
    next += renewed;
    Looked& own = looked_[i];
    const std::vector<Index>& from = renewed ? made : kept;
    const Index begin = static_cast<Index>(all.size());
    all.insert(all.end(), from.begin() + own.begin, from.begin() + own.begin + own.count);
    own.begin = begin;
  }
  kept = std::move(all);
}

/// What some particles have found.
struct SheetTriangles::Rows {
  std::vector<Index> particle, count;
  std::vector<Pair> pairs;
};

/// What of its list a particle can reach now.
void SheetTriangles::take(const Particles& particles, float spacing, Index i, std::size_t at,
                          std::span<const Index> listed, Finder& finder, Near& result, Rows& own) const {
  if (listed.empty()) return;
  const float reach = result.reach[at];
  finder.measure_spheres(i, listed);
  if (!(particles[columns::thickness][i] > 0)) {
    const float farthest = needed(false, spacing, reach), least = finder.least(i, listed, farthest);
    if (!(least < farthest)) return;
    result.gap[at] = least;
    if (!(least < reach)) return;
  }
  const std::size_t before = own.pairs.size();
  finder.list(listed, reach, own.pairs);
  if (own.pairs.size() == before) return;
  own.particle.push_back(static_cast<Index>(at));
  own.count.push_back(static_cast<Index>(own.pairs.size() - before));
}

/// How much a particle and the sheets have moved against each other, at most.
inline float SheetTriangles::moved_since(const Looked& own, const Vec3& x, float spacing) const {
  return (1 + rounding) * ((x - own.x).norm() + static_cast<float>(way_ - own.way)) + rounding_of_places * spacing;
}

SheetTriangles::Near SheetTriangles::joined(std::span<const Rows> rows, Near result) const {
  result.revision = revision_;
  result.begins.push_back(0);
  for (const Rows& some : rows) {
    result.particle.insert(result.particle.end(), some.particle.begin(), some.particle.end());
    for (const Index pairs : some.count) result.begins.push_back(result.begins.back() + pairs);
    result.pairs.insert(result.pairs.end(), some.pairs.begin(), some.pairs.end());
  }
  return result;
}

SheetTriangles::Near SheetTriangles::near(const Particles& particles, float support_ratio,
                                          std::span<const float> reach) {
  follow_motion(particles);
  const auto x = particles[columns::position];
  const auto R = particles[columns::support], thickness = particles[columns::thickness];
  const std::size_t count = particles.size(), blocks = (count + block_size - 1) / block_size;
  looked_.resize(count);
  lists_.resize(blocks);
  Near result;
  result.gap.assign(count, infinity);
  result.reach.resize(count);
  std::vector<Rows> rows(blocks);
  parallel_blocks(count, block_size, [&](std::size_t begin, std::size_t end) {
    const std::size_t block = begin / block_size;
    Finder finder(*this, particles);
    std::vector<Index> again;
    for (std::size_t at = begin; at != end; ++at) {
      const Index i = static_cast<Index>(at);
      const float spacing = R[i] / support_ratio;
      result.reach[i] = reach_of(thickness[i] > 0, spacing, reach[i]);
      const Looked& own = looked_[i];
      if (!(own.reach - moved_since(own, x[i], spacing) >= needed(thickness[i] > 0, spacing, result.reach[i])))
        again.push_back(i);
    }
    if (!again.empty()) look_anew(particles, support_ratio, result.reach, again, finder, block);
    for (std::size_t at = begin; at != end; ++at) {
      const Looked& own = looked_[at];
      if (own.count == 0 || own.least - moved_since(own, x[at], R[at] / support_ratio) >
                                needed(thickness[at] > 0, R[at] / support_ratio, result.reach[at]))
        continue;
      take(particles, R[at] / support_ratio, static_cast<Index>(at), at,
           std::span(lists_[block]).subspan(own.begin, own.count), finder, result, rows[block]);
    }
  });
  return joined(rows, std::move(result));
}

SheetTriangles::Near SheetTriangles::near_again(const Particles& particles, float support_ratio,
                                                std::span<const float> reach, std::span<const Index> which) const {
  const auto x = particles[columns::position];
  const auto R = particles[columns::support], thickness = particles[columns::thickness];
  const std::size_t count = which.size();
  Near result;
  result.gap.assign(count, infinity);
  result.reach.resize(count);
  std::vector<Rows> rows((count + block_size - 1) / block_size);
  parallel_blocks(count, block_size, [&](std::size_t begin, std::size_t end) {
    Finder finder(*this, particles);
    std::vector<Index> listed;
    for (std::size_t at = begin; at != end; ++at) {
      const Index i = which[at];
      const float spacing = R[i] / support_ratio;
      result.reach[at] = reach_of(thickness[i] > 0, spacing, reach[i]);
      const float farthest = needed(thickness[i] > 0, spacing, result.reach[at]);
      listed.clear();
      gather(Box{x[i], x[i]}, farthest, farthest, finder);
      finder.prepare();
      finder.choose(i, thickness[i] > 0, farthest, listed);
      take(particles, spacing, i, at, listed, finder, result, rows[begin / block_size]);
    }
  });
  return joined(rows, std::move(result));
}

float SheetTriangles::needed(bool of_sheet, float spacing, float reach) {
  return of_sheet ? reach : std::max(known * spacing, reach);
}

/// Lists of fluids reach some way beyond contact in any case.
float SheetTriangles::reach_of(bool of_sheet, float spacing, float reach) {
  return of_sheet ? reach : std::max((room + radius_of_fluids) * spacing, reach);
}

std::vector<float> SheetTriangles::expected_reach(const Particles& particles, float support_ratio, float seconds) {
  // More than is needed if nothing speeds up; and not the whole scene if something runs away.
  constexpr float more = 1.2f, farthest = 8;
  const auto v = particles[columns::velocity];
  const auto R = particles[columns::support], thickness = particles[columns::thickness];
  const float fastest = parallel_reduce(
      particles.size(), 0.0f,
      [&](std::size_t i) { return thickness[i] > 0 ? std::min(v[i].squaredNorm(), 1e12f) : 0.0f; },
      [](float a, float b) { return std::max(a, b); });
  const float sheets_move = seconds * std::sqrt(fastest);
  std::vector<float> reach(particles.size());
  parallel_for(
      reach.size(),
      [&](std::size_t i) {
        const float spacing = R[i] / support_ratio, moves = std::max(seconds * v[i].norm(), sheets_move);
        const float radius = thickness[i] > 0 ? radius_of_sheets : radius_of_fluids;
        reach[i] =
            std::min(more * (radius + 2 * spare_room) * spacing + 2 * more * (moves + sheets_move), farthest * spacing);
      },
      4096);
  return reach;
}

}  // namespace fondue
