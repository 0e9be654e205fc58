#include "particles/contact_pairs.h"

#include <algorithm>

#include "core/parallel.h"
#include "particles/neighbours.h"

namespace fondue {

namespace {

/// Bonded, or bonded to the same particle.
bool same_place(const BondSet& bonds, std::span<const Index> id, Index i, Index j) {
  const auto of = [&](Index particle) {
    return bonds.neighbours().subspan(bonds.begins()[particle],
                                      bonds.begins()[particle + 1] - bonds.begins()[particle]);
  };
  const std::span<const Index> one = of(i), other = of(j);
  // Both lists are sorted by id.
  for (std::size_t a = 0, b = 0; a != one.size();) {
    if (one[a] == j) return true;
    if (b == other.size() || id[one[a]] < id[other[b]])
      ++a;
    else if (id[other[b]] < id[one[a]])
      ++b;
    else
      return true;
  }
  return false;
}

}  // namespace

std::vector<std::uint64_t> ContactPairs::revisions_of(const BondSets& bonds) {
  std::vector<std::uint64_t> result;
  for (const BondSet* set : bonds) result.push_back(set->revision());
  return result;
}

bool ContactPairs::is_current(const Particles& particles, const BondSets& bonds, const Given& given) const {
  if (revisions_of(bonds) != revisions_) return false;
  std::size_t k = 0;
  for (const Index i : given.candidates) {
    if (!(given.reach[i] > 0)) continue;
    if (k == which_.size() || which_[k] != i || reach_[k] != given.reach[i]) return false;
    ++k;
  }
  if (k != which_.size()) return false;
  const auto x = particles[columns::position];
  const Vec3d moved = parallel_reduce(
      which_.size(), Vec3d(Vec3d::Zero()),
      [&](std::size_t n) { return Vec3d((x[which_[n]] - positions_[n]).cast<double>()); },
      [](const Vec3d& a, const Vec3d& b) { return Vec3d(a + b); });
  const Vec3 mean = (moved / std::max(static_cast<double>(which_.size()), 1.0)).cast<float>();
  const float farthest = parallel_reduce(
      which_.size(), 0.0f, [&](std::size_t n) { return (x[which_[n]] - positions_[n] - mean).squaredNorm(); },
      [](float a, float b) { return std::max(a, b); });
  return 4 * farthest < given.skin * given.skin;
}

void ContactPairs::follow(const Particles& particles, const BondSets& bonds, const Given& given) {
  if (places_.size() != particles.size() || !is_current(particles, bonds, given)) make(particles, bonds, given);
}

void ContactPairs::make(const Particles& particles, const BondSets& bonds, const Given& given) {
  const auto x = particles[columns::position];
  const auto id = particles[columns::id], object = particles[columns::object];
  revisions_ = revisions_of(bonds);
  which_.clear();
  reach_.clear();
  positions_.clear();
  std::vector<float> supports;
  std::vector<Index> ids;
  for (const Index i : given.candidates) {
    if (!(given.reach[i] > 0)) continue;
    which_.push_back(i);
    reach_.push_back(given.reach[i]);
    positions_.push_back(x[i]);
    supports.push_back(given.reach[i] + given.skin);
    ids.push_back(id[i]);
  }
  NeighbourList around;
  find_neighbours({positions_, supports, ids}, around);
  std::vector<std::vector<Index>> found(which_.size());
  parallel_for(which_.size(), [&](std::size_t k) {
    const Index i = which_[k];
    for (const Index other : around.of(k)) {
      const Index j = which_[other];
      const bool meet = object[i] != object[j] ||
                        (given.exposed[i] && given.exposed[j] &&
                         std::ranges::none_of(bonds, [&](const BondSet* set) { return same_place(*set, id, i, j); }));
      if (meet) found[k].push_back(j);
    }
    std::ranges::sort(found[k], {}, [&](Index j) { return id[j]; });
  });

  particles_.clear();
  begins_.assign(1, 0);
  partners_.clear();
  places_.assign(x.size(), none);
  for (std::size_t k = 0; k != which_.size(); ++k) {
    if (found[k].empty()) continue;
    places_[which_[k]] = static_cast<Index>(particles_.size());
    particles_.push_back(which_[k]);
    partners_.insert(partners_.end(), found[k].begin(), found[k].end());
    begins_.push_back(static_cast<Index>(partners_.size()));
  }
  for (Index& partner : partners_) partner = places_[partner];
}

}  // namespace fondue
