#include "world/sheet_triangles.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/parallel.h"
#include "shapes/moving_triangle.h"

namespace fondue {

namespace {

/// Rounding of distances between positions, over what they are.
constexpr float distance_rounding = 1e-6f;
/// What rounding may add to motions, in spacings.
constexpr float spare = 1e-4f;

}  // namespace

bool SheetTriangles::follow(const Particles& particles) {
  if (!particles.has_bonds(sheets::bond_set)) return false;
  const BondSet& bonds = particles.bonds(sheets::bond_set);
  // New particles are stored after the others, and removing some changes bonds.
  if (bonds.revision() != revision_ || particles.size() < particles_) {
    triangles_ = sheets::triangles(particles);
    revision_ = bonds.revision();
  }
  particles_ = particles.size();
  return !triangles_.empty();
}

void SheetTriangles::Spheres::make_room(std::size_t size) {
  if (triangle.size() >= size) return;
  for (std::vector<float>* values : {&x, &y, &z, &r}) values->resize(size);
  triangle.resize(size);
}

/// Where spheres are now, and how much nearer any of them may have come to where something was.
void SheetTriangles::follow_spheres(const Particles& particles) {
  const auto x = particles[columns::position];
  const std::size_t count = triangles_.size();
  const bool same = kept_revision_ == revision_ && sphere_.size() == count;
  if (!same) {
    groups_.clear();
    moved_ = 0;
    find_excluded(particles);
  }
  kept_revision_ = revision_;
  sphere_.resize(count);
  moved_ += static_cast<double>(parallel_reduce(
      count, 0.0f,
      [&](std::size_t t) {
        Box box;
        for (const Index i : triangles_[t]) box.add(x[i]);
        const Vec3 centre = box.centre();
        float r = 0;
        for (const Index i : triangles_[t]) r = std::max(r, (x[i] - centre).norm());
        Eigen::Vector4f& sphere = sphere_[t];
        const float nearer = same ? (centre - sphere.head<3>()).norm() + std::max(r - sphere[3], 0.0f) : 0.0f;
        sphere = Eigen::Vector4f(centre.x(), centre.y(), centre.z(), r);
        return nearer;
      },
      [](float a, float b) { return std::max(a, b); }));
  in_cells_ = false;
}

/// By particle of a sheet: the triangles that it or one of its neighbours belongs to.
void SheetTriangles::find_excluded(const Particles& particles) {
  const BondSet& edges = particles.bonds(sheets::bond_set);
  std::vector<Index> first(particles.size() + 1, 0), of;
  for (const SheetTriangle& t : triangles_)
    for (const Index i : t) ++first[i + 1];
  for (std::size_t i = 0; i != particles.size(); ++i) first[i + 1] += first[i];
  of.resize(first.back());
  std::vector<Index> next(first.begin(), first.end() - 1);
  for (Index t = 0; t != triangles_.size(); ++t)
    for (const Index i : triangles_[t]) of[next[i]++] = t;
  excluded_begins_.assign(1, 0);
  excluded_.clear();
  for (Index i = 0; i != particles.size(); ++i) {
    const std::size_t before = excluded_.size();
    const auto add = [&](Index j) {
      excluded_.insert(excluded_.end(), of.begin() + first[j], of.begin() + first[j + 1]);
    };
    add(i);
    for (Index b = edges.begins()[i]; b != edges.begins()[i + 1]; ++b) add(edges.neighbours()[b]);
    const auto own = excluded_.begin() + static_cast<std::ptrdiff_t>(before);
    std::sort(own, excluded_.end());
    excluded_.erase(std::unique(own, excluded_.end()), excluded_.end());
    excluded_begins_.push_back(static_cast<Index>(excluded_.size()));
  }
}

void SheetTriangles::sort_into_cells() {
  if (in_cells_) return;
  in_cells_ = true;
  constexpr double most_cells = 1e6;
  const std::size_t count = triangles_.size();
  bounds_ = {};
  largest_ = 0;
  double sum = 0;
  for (const Eigen::Vector4f& sphere : sphere_) {
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
      at[a] = std::min(static_cast<int>((sphere_[t][a] - bounds_.min[a]) / size_), count_[a] - 1);
    cell[t] = static_cast<Index>((at[2] * count_[1] + at[1]) * count_[0] + at[0]);
    ++begins_[cell[t] + 1];
  }
  for (std::size_t c = 1; c != begins_.size(); ++c) begins_[c] += begins_[c - 1];
  spheres_.make_room(count);
  std::vector<Index> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t t = 0; t != count; ++t) {
    const Index k = next[cell[t]]++;
    spheres_.x[k] = sphere_[t][0];
    spheres_.y[k] = sphere_[t][1];
    spheres_.z[k] = sphere_[t][2];
    spheres_.r[k] = sphere_[t][3];
    spheres_.triangle[k] = static_cast<Index>(t);
  }
}

void SheetTriangles::gather(const Box& box, float reach, Spheres& found) const {
  found.count = 0;
  const Box wide = box.grown((1 + distance_rounding) * (reach + largest_));
  if ((wide.min.array() > bounds_.max.array()).any() || (wide.max.array() < bounds_.min.array()).any()) return;
  int low[3], high[3];
  for (int a = 0; a != 3; ++a) {
    const auto at = [&](float x) {
      return static_cast<int>(std::clamp((x - bounds_.min[a]) / size_, 0.0f, static_cast<float>(count_[a] - 1)));
    };
    low[a] = at(wide.min[a]);
    high[a] = at(wide.max[a]);
  }
  const float *x = spheres_.x.data(), *y = spheres_.y.data(), *z = spheres_.z.data(), *r = spheres_.r.data();
  std::size_t count = 0;
  for (int at_z = low[2]; at_z <= high[2]; ++at_z)
    for (int at_y = low[1]; at_y <= high[1]; ++at_y) {
      const Index row = static_cast<Index>((at_z * count_[1] + at_y) * count_[0]);
      const Index begin = begins_[row + static_cast<Index>(low[0])],
                  end = begins_[row + static_cast<Index>(high[0]) + 1];
      if (begin == end) continue;
      found.make_room(count + (end - begin));
      for (Index k = begin; k != end; ++k) {
        const float dx = std::max(std::max(box.min.x() - x[k], x[k] - box.max.x()), 0.0f);
        const float dy = std::max(std::max(box.min.y() - y[k], y[k] - box.max.y()), 0.0f);
        const float dz = std::max(std::max(box.min.z() - z[k], z[k] - box.max.z()), 0.0f);
        const float within = (1 + distance_rounding) * (reach + r[k]);
        // Each is written, and the next one takes its place unless it is within reach.
        found.triangle[count] = spheres_.triangle[k];
        count += dx * dx + dy * dy + dz * dz <= within * within;
      }
    }
  found.count = count;
  // Their order does not depend on cells.
  std::sort(found.triangle.begin(), found.triangle.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t k = 0; k != count; ++k) {
    const Eigen::Vector4f& sphere = sphere_[found.triangle[k]];
    found.x[k] = sphere[0];
    found.y[k] = sphere[1];
    found.z[k] = sphere[2];
    found.r[k] = sphere[3];
  }
}

/// Looks for particles one after another.
class SheetTriangles::Finder {
 public:
  Finder(const SheetTriangles& of, const Particles& particles) : of_(of), x_(particles[columns::position]) {}

  /// Adds those of some spheres that are nearer to a particle than that.
  void add(const Spheres& spheres, Index i, bool of_sheet, float within, std::vector<Pair>& candidates) {
    const std::size_t count = spheres.count;
    if (count == 0) return;
    if (bound_.size() < count) bound_.resize(2 * count);
    const float *x = spheres.x.data(), *y = spheres.y.data(), *z = spheres.z.data(), *r = spheres.r.data();
    float* bound = bound_.data();
    const float at[3] = {x_[i].x(), x_[i].y(), x_[i].z()};
    for (std::size_t k = 0; k != count; ++k) bound[k] = bound_of(at, x[k], y[k], z[k], r[k]);
    if (of_sheet && i + 1 < of_.excluded_begins_.size()) {
      // Both are in the order of triangles.
      const Index *excluded = of_.excluded_.data() + of_.excluded_begins_[i],
                  *end = of_.excluded_.data() + of_.excluded_begins_[i + 1];
      for (std::size_t k = 0; k != count; ++k) {
        if (!(bound[k] < within)) continue;
        while (excluded != end && *excluded < spheres.triangle[k]) ++excluded;
        if (excluded == end || *excluded != spheres.triangle[k]) candidates.push_back({spheres.triangle[k], bound[k]});
      }
    } else {
      for (std::size_t k = 0; k != count; ++k)
        if (bound[k] < within) candidates.push_back({spheres.triangle[k], bound[k]});
    }
  }
  /// Those of some candidates that are within reach by now, if they have come nearer by so much at most.
  std::span<Pair> again(std::span<const Pair> kept, Index i, float nearer, float within) {
    own_.clear();
    const float at[3] = {x_[i].x(), x_[i].y(), x_[i].z()};
    for (const Pair& pair : kept) {
      if (!(pair.bound < within + nearer)) continue;
      const Eigen::Vector4f& s = of_.sphere_[pair.triangle];
      const float bound = bound_of(at, s[0], s[1], s[2], s[3]);
      if (bound < within) own_.push_back({pair.triangle, bound});
    }
    return own_;
  }
  /// The least distance if it is below that; measured where it may be less than what is known already.
  float least(std::span<Pair> candidates, Index i, float below) {
    if (candidates.empty()) return below;
    const auto first = std::ranges::min_element(candidates, {}, &Pair::bound);
    measure(*first, i, below);
    for (auto pair = candidates.begin(); pair != candidates.end(); ++pair)
      if (pair != first) measure(*pair, i, below);
    return below;
  }

 private:
  static float bound_of(const float (&at)[3], float x, float y, float z, float r) {
    const float dx = x - at[0], dy = y - at[1], dz = z - at[2];
    return (1 - 2 * distance_rounding) * std::sqrt(dx * dx + dy * dy + dz * dz) - (1 + 2 * distance_rounding) * r;
  }
  void measure(Pair& pair, Index i, float& least) {
    if (!(pair.bound < least)) return;
    const SheetTriangle& t = of_.triangles_[pair.triangle];
    const std::array<Vec3d, 3> corners = {x_[t[0]].cast<double>(), x_[t[1]].cast<double>(), x_[t[2]].cast<double>()};
    const Vec3d at = x_[i].cast<double>();
    const float distance = static_cast<float>((at - blended(nearest_weights(at, corners), corners)).norm());
    pair.bound = (1 - distance_rounding) * distance;
    least = std::min(least, distance);
  }

  const SheetTriangles& of_;
  std::span<const Vec3> x_;
  std::vector<float> bound_;
  std::vector<Pair> own_;
};

/// How far a particle has to look, and how much farther it does so that this serves some steps.
class SheetTriangles::Range {
 public:
  Range(const Particles& particles, float support_ratio, std::span<const float> reach)
      : R_(particles[columns::support]),
        thickness_(particles[columns::thickness]),
        reach_(reach),
        ratio_(support_ratio) {}

  bool of_sheet(Index i) const { return thickness_[i] > 0; }
  float spacing(Index i) const { return R_[i] / ratio_; }
  /// Up to which distance all triangles are listed.
  float listed(Index i) const {
    return std::max((room + (of_sheet(i) ? radius_of_sheets : radius_of_fluids)) * spacing(i), reach_[i]);
  }
  float farthest(Index i) const { return of_sheet(i) ? listed(i) : std::max(listed(i), known * spacing(i)); }

 private:
  std::span<const float> R_, thickness_, reach_;
  float ratio_;
};

/// What was found, in the order of particles.
struct SheetTriangles::Found {
  std::vector<Index> particle, count;
  std::vector<Pair> pairs;

  /// Takes what is within reach of a particle, the one that looks at number `at`.
  void take(Finder& finder, const Range& range, Index i, std::size_t at, std::span<Pair> candidates, Near& result) {
    if (candidates.empty()) return;
    const std::size_t before = pairs.size();
    if (!range.of_sheet(i)) {
      const float farthest = range.farthest(i), least = finder.least(candidates, i, farthest);
      if (!(least < farthest)) return;
      result.gap[at] = least;
      if (!(least < result.reach[at])) return;
    }
    for (const Pair& pair : candidates)
      if (pair.bound < result.reach[at]) pairs.push_back(pair);
    if (pairs.size() == before) return;
    particle.push_back(static_cast<Index>(at));
    count.push_back(static_cast<Index>(pairs.size() - before));
  }
};

SheetTriangles::Near SheetTriangles::begun(std::size_t count) const {
  Near result;
  result.revision = revision_;
  result.gap.assign(count, infinity);
  result.reach.resize(count);
  return result;
}

void SheetTriangles::finish(std::span<const Found> found, Near& result) {
  result.begins.push_back(0);
  for (const Found& some : found) {
    result.particle.insert(result.particle.end(), some.particle.begin(), some.particle.end());
    for (const Index pairs : some.count) result.begins.push_back(result.begins.back() + pairs);
    result.pairs.insert(result.pairs.end(), some.pairs.begin(), some.pairs.end());
  }
}

/// Candidates of a group of particles that follow each other, from now on.
void SheetTriangles::look_ahead(const Range& range, std::span<const Vec3> x, std::span<const Vec3> v, Index begin,
                                Index end, double sheets_move, double step, Finder& finder, Spheres& spheres,
                                Group& group) const {
  // Candidates serve about so many steps, unless that takes more than this many spacings.
  constexpr float steps = 8, most = 0.8f, fewest = 0.05f;
  group.count = end - begin;
  group.moved = moved_;
  group.candidates.clear();
  Box box;
  float widest = 0;
  for (Index i = begin; i != end; ++i) {
    const float spacing = range.spacing(i);
    const float moves = static_cast<float>(step) * v[i].norm() + static_cast<float>(sheets_move);
    group.start[i - begin] = x[i];
    group.reach[i - begin] = range.farthest(i) + std::clamp(steps * moves, fewest * spacing, most * spacing);
    box.add(x[i]);
    widest = std::max(widest, group.reach[i - begin]);
  }
  // Newcomers may be anywhere.
  const bool alone = box.size().maxCoeff() > 4 * widest;
  if (!alone) gather(box, widest, spheres);
  for (Index i = begin; i != end; ++i) {
    group.begins[i - begin] = static_cast<Index>(group.candidates.size());
    if (alone) gather(Box{x[i], x[i]}, group.reach[i - begin], spheres);
    finder.add(spheres, i, range.of_sheet(i), group.reach[i - begin], group.candidates);
  }
  group.begins[group.count] = static_cast<Index>(group.candidates.size());
}

SheetTriangles::Near SheetTriangles::near(const Particles& particles, float support_ratio, std::span<const float> reach,
                                          double step) {
  const double before = moved_;
  follow_spheres(particles);
  const double sheets_move = moved_ - before;
  const auto x = particles[columns::position], v = particles[columns::velocity];
  const Range range(particles, support_ratio, reach);
  const Index count = particles.size();
  Near result = begun(count);
  groups_.resize((count + together - 1) / together);
  const auto end_of = [&](std::size_t g) { return std::min(static_cast<Index>((g + 1) * together), count); };
  // Groups whose candidates may not be all any more.
  std::vector<std::uint8_t> outdated(groups_.size(), 0);
  std::atomic<bool> any = false;
  parallel_for(
      groups_.size(),
      [&](std::size_t g) {
        const Group& group = groups_[g];
        const Index begin = static_cast<Index>(g * together), end = end_of(g);
        const float moved = static_cast<float>(moved_ - group.moved);
        bool serves = group.count == end - begin;
        for (Index i = begin; i != end; ++i) {
          result.reach[i] = range.listed(i);
          if (!serves) continue;
          const Index k = i - begin;
          serves =
              (x[i] - group.start[k]).norm() + moved + range.farthest(i) + spare * range.spacing(i) <= group.reach[k];
        }
        outdated[g] = !serves;
        if (!serves) any = true;
      },
      64);
  if (any) sort_into_cells();
  constexpr std::size_t block = 64;
  std::vector<Found> found((groups_.size() + block - 1) / block);
  parallel_blocks(groups_.size(), block, [&](std::size_t first, std::size_t last) {
    Finder finder(*this, particles);
    Spheres spheres;
    for (std::size_t g = first; g != last; ++g) {
      Group& group = groups_[g];
      const Index begin = static_cast<Index>(g * together), end = end_of(g);
      if (outdated[g]) look_ahead(range, x, v, begin, end, sheets_move, step, finder, spheres, group);
      if (group.candidates.empty()) continue;
      const float moved = static_cast<float>(moved_ - group.moved);
      for (Index i = begin; i != end; ++i) {
        const Index k = i - begin;
        const auto kept = std::span(group.candidates).subspan(group.begins[k], group.begins[k + 1] - group.begins[k]);
        if (kept.empty()) continue;
        const float nearer = (x[i] - group.start[k]).norm() + moved + spare * range.spacing(i);
        found[first / block].take(finder, range, i, i, finder.again(kept, i, nearer, range.farthest(i)), result);
      }
    }
  });
  finish(found, result);
  return result;
}

SheetTriangles::Near SheetTriangles::near_again(const Particles& particles, float support_ratio,
                                                std::span<const float> reach, std::span<const Index> which) {
  sort_into_cells();
  const auto x = particles[columns::position];
  const Range range(particles, support_ratio, reach);
  Near result = begun(which.size());
  constexpr std::size_t block = 256;
  std::vector<Found> found((which.size() + block - 1) / block);
  parallel_blocks(which.size(), block, [&](std::size_t first, std::size_t last) {
    Finder finder(*this, particles);
    Spheres spheres;
    std::vector<Pair> candidates;
    for (std::size_t at = first; at != last; ++at) {
      const Index i = which[at];
      result.reach[at] = range.listed(i);
      gather(Box{x[i], x[i]}, range.farthest(i), spheres);
      candidates.clear();
      finder.add(spheres, i, range.of_sheet(i), range.farthest(i), candidates);
      found[first / block].take(finder, range, i, at, candidates, result);
    }
  });
  finish(found, result);
  return result;
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
