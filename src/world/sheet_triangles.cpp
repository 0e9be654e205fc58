#include "world/sheet_triangles.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "shapes/moving_triangle.h"

namespace fondue {

namespace {

/// Rounding of distances between positions, over what they are.
constexpr float rounding = 1e-6f;
/// Particles that look for triangles together.
constexpr std::size_t together = 16;

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

void SheetTriangles::sort_into_cells(const Particles& particles) {
  constexpr double most_cells = 1e6;
  const auto x = particles[columns::position];
  const std::size_t count = triangles_.size();
  std::vector<Eigen::Vector4f> spheres(count);
  parallel_for(
      count,
      [&](std::size_t t) {
        Box box;
        for (const Index i : triangles_[t]) box.add(x[i]);
        const Vec3 centre = box.centre();
        float r = 0;
        for (const Index i : triangles_[t]) r = std::max(r, (x[i] - centre).norm());
        spheres[t] = Eigen::Vector4f(centre.x(), centre.y(), centre.z(), r);
      },
      2048);
  bounds_ = {};
  largest_ = 0;
  double sum = 0;
  for (const Eigen::Vector4f& sphere : spheres) {
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
      at[a] = std::min(static_cast<int>((spheres[t][a] - bounds_.min[a]) / size_), count_[a] - 1);
    cell[t] = static_cast<Index>((at[2] * count_[1] + at[1]) * count_[0] + at[0]);
    ++begins_[cell[t] + 1];
  }
  for (std::size_t c = 1; c != begins_.size(); ++c) begins_[c] += begins_[c - 1];
  spheres_.make_room(count);
  std::vector<Index> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t t = 0; t != count; ++t) {
    const Index k = next[cell[t]]++;
    spheres_.x[k] = spheres[t][0];
    spheres_.y[k] = spheres[t][1];
    spheres_.z[k] = spheres[t][2];
    spheres_.r[k] = spheres[t][3];
    spheres_.triangle[k] = static_cast<Index>(t);
  }
}

void SheetTriangles::gather(const Box& box, float reach, Spheres& found) const {
  found.count = 0;
  const Box wide = box.grown((1 + rounding) * (reach + largest_));
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
        const float within = (1 + rounding) * (reach + r[k]);
        // Each is written, and the next one takes its place unless it is within reach.
        found.x[count] = x[k];
        found.y[count] = y[k];
        found.z[count] = z[k];
        found.r[count] = r[k];
        found.triangle[count] = spheres_.triangle[k];
        count += dx * dx + dy * dy + dz * dz <= within * within;
      }
    }
  found.count = count;
}

/// Looks for particles one after another.
class SheetTriangles::Finder {
 public:
  Finder(const SheetTriangles& of, const Particles& particles)
      : of_(of), x_(particles[columns::position]), edges_(particles.bonds(sheets::bond_set)) {}

  /// Bounds of what was gathered for a particle.
  void look(const Spheres& spheres, Index i) {
    const std::size_t count = count_ = spheres.count;
    if (bound_.size() < count) bound_.resize(2 * count);
    const float *x = spheres.x.data(), *y = spheres.y.data(), *z = spheres.z.data(), *r = spheres.r.data();
    float* bound = bound_.data();
    const float at[3] = {x_[i].x(), x_[i].y(), x_[i].z()};
    for (std::size_t k = 0; k != count; ++k) {
      const float dx = x[k] - at[0], dy = y[k] - at[1], dz = z[k] - at[2];
      bound[k] = (1 - 2 * rounding) * std::sqrt(dx * dx + dy * dy + dz * dz) - (1 + 2 * rounding) * r[k];
    }
  }
  /// The least distance if it is below that; measured where it may be less than what is known already.
  float least(const Spheres& spheres, Index i, float below) {
    if (count_ == 0) return below;
    const std::size_t first =
        static_cast<std::size_t>(std::min_element(bound_.begin(), bound_.begin() + count_) - bound_.begin());
    measure(spheres, i, first, below);
    for (std::size_t k = 0; k != count_; ++k)
      if (k != first) measure(spheres, i, k, below);
    return below;
  }
  /// Pairs that may be nearer than that.
  void list(const Spheres& spheres, float reach, std::vector<Pair>& pairs) const {
    for (std::size_t k = 0; k != count_; ++k)
      if (bound_[k] < reach) pairs.push_back({spheres.triangle[k], bound_[k]});
  }
  /// The same for a particle of a sheet, without triangles that it or one of its neighbours belongs to.
  void list_of_sheet(const Spheres& spheres, Index i, float reach, std::vector<Pair>& pairs) {
    // Itself and its neighbours; the length is fixed for the compiler's sake.
    const auto beside = edges_.neighbours().subspan(edges_.begins()[i], edges_.begins()[i + 1] - edges_.begins()[i]);
    std::array<Index, 16> first;
    first.fill(i);
    std::ranges::copy(beside.first(std::min(beside.size(), first.size() - 1)), first.begin());
    const auto others = beside.subspan(std::min(beside.size(), first.size() - 1));
    const auto around = [&](const SheetTriangle& t) {
      bool any = false;
      for (const Index j : first) any |= (j == t[0]) | (j == t[1]) | (j == t[2]);
      for (const Index j : others) any |= (j == t[0]) | (j == t[1]) | (j == t[2]);
      return any;
    };
    for (std::size_t k = 0; k != count_; ++k)
      if (bound_[k] < reach && !around(of_.triangles_[spheres.triangle[k]]))
        pairs.push_back({spheres.triangle[k], bound_[k]});
  }

 private:
  void measure(const Spheres& spheres, Index i, std::size_t k, float& least) {
    if (!(bound_[k] < least)) return;
    const SheetTriangle& t = of_.triangles_[spheres.triangle[k]];
    const std::array<Vec3d, 3> corners = {x_[t[0]].cast<double>(), x_[t[1]].cast<double>(), x_[t[2]].cast<double>()};
    const Vec3d at = x_[i].cast<double>();
    const float distance = static_cast<float>((at - blended(nearest_weights(at, corners), corners)).norm());
    bound_[k] = (1 - rounding) * distance;
    least = std::min(least, distance);
  }

  const SheetTriangles& of_;
  std::span<const Vec3> x_;
  const BondSet& edges_;
  std::vector<float> bound_;
  std::size_t count_ = 0;
};

template <class At>
SheetTriangles::Near SheetTriangles::look(const Particles& particles, float support_ratio, std::span<const float> reach,
                                          std::size_t count, At&& index_of) const {
  const auto x = particles[columns::position];
  const auto R = particles[columns::support], thickness = particles[columns::thickness];
  Near result;
  result.revision = revision_;
  result.gap.assign(count, infinity);
  result.reach.resize(count);
  struct Found {
    std::vector<Index> particle, count;
    std::vector<Pair> pairs;
  };
  constexpr std::size_t block = 64 * together;
  std::vector<Found> found((count + block - 1) / block);
  parallel_blocks(count, block, [&](std::size_t begin, std::size_t end) {
    Finder finder(*this, particles);
    Spheres spheres;
    Found& own = found[begin / block];
    for (std::size_t first = begin; first < end; first += together) {
      const std::size_t last = std::min(first + together, end);
      Box box;
      float widest = 0;
      for (std::size_t at = first; at != last; ++at) {
        const Index i = index_of(at);
        const float spacing = R[i] / support_ratio;
        box.add(x[i]);
        result.reach[at] =
            std::max((room + (thickness[i] > 0 ? radius_of_sheets : radius_of_fluids)) * spacing, reach[i]);
        widest = std::max({widest, result.reach[at], thickness[i] > 0 ? 0 : known * spacing});
      }
      // Newcomers may be anywhere.
      const bool alone = box.size().maxCoeff() > 4 * widest;
      if (!alone) gather(box, widest, spheres);
      for (std::size_t at = first; at != last; ++at) {
        const Index i = index_of(at);
        const float farthest = std::max(result.reach[at], known * R[i] / support_ratio);
        if (alone) gather(Box{x[i], x[i]}, farthest, spheres);
        if (spheres.count == 0) continue;
        finder.look(spheres, i);
        const std::size_t before = own.pairs.size();
        if (thickness[i] > 0) {
          finder.list_of_sheet(spheres, i, result.reach[at], own.pairs);
        } else {
          const float least = finder.least(spheres, i, farthest);
          if (!(least < farthest)) continue;
          result.gap[at] = least;
          if (least < result.reach[at]) finder.list(spheres, result.reach[at], own.pairs);
        }
        if (own.pairs.size() == before) continue;
        own.particle.push_back(static_cast<Index>(at));
        own.count.push_back(static_cast<Index>(own.pairs.size() - before));
      }
    }
  });
  result.begins.push_back(0);
  for (const Found& some : found) {
    result.particle.insert(result.particle.end(), some.particle.begin(), some.particle.end());
    for (const Index pairs : some.count) result.begins.push_back(result.begins.back() + pairs);
    result.pairs.insert(result.pairs.end(), some.pairs.begin(), some.pairs.end());
  }
  return result;
}

SheetTriangles::Near SheetTriangles::near(const Particles& particles, float support_ratio,
                                          std::span<const float> reach) {
  sort_into_cells(particles);
  return look(particles, support_ratio, reach, particles.size(), [](std::size_t at) { return static_cast<Index>(at); });
}

SheetTriangles::Near SheetTriangles::near_again(const Particles& particles, float support_ratio,
                                                std::span<const float> reach, std::span<const Index> which) const {
  return look(particles, support_ratio, reach, which.size(), [&](std::size_t at) { return which[at]; });
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
