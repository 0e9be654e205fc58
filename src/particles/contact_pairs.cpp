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

std::vector<std::uint64_t> revisions_of(const ContactPairs::BondSets& bonds) {
  std::vector<std::uint64_t> result;
  for (const BondSet* set : bonds) result.push_back(set->revision());
  return result;
}

}  // namespace

bool ContactPairs::is_current(const Particles& particles, const BondSets& bonds, const Given& given) const {
  if (revisions_of(bonds) != revisions_ || !std::ranges::equal(given.reach, reach_)) return false;
  const auto x = particles[columns::position];
  struct Sum {
    Vec3d moved = Vec3d::Zero();
    double count = 0;
  };
  const Sum sum = parallel_reduce(
      x.size(), Sum{},
      [&](std::size_t i) {
        return reach_[i] > 0 ? Sum{(x[i] - positions_[i]).cast<double>(), 1} : Sum{};
      },
      [](const Sum& a, const Sum& b) {
        return Sum{a.moved + b.moved, a.count + b.count};
      });
  const Vec3 mean = (sum.moved / std::max(sum.count, 1.0)).cast<float>();
  const float farthest = parallel_reduce(
      x.size(), 0.0f, [&](std::size_t i) { return reach_[i] > 0 ? (x[i] - positions_[i] - mean).squaredNorm() : 0.0f; },
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
  reach_.assign(given.reach.begin(), given.reach.end());
  positions_.assign(x.begin(), x.end());

  // Those that take part, in an array of their own.
  std::vector<Index> which;
  for (Index i = 0; i != x.size(); ++i)
    if (given.reach[i] > 0) which.push_back(i);
  std::vector<Vec3> places(which.size());
  std::vector<float> supports(which.size());
  std::vector<Index> ids(which.size());
  for (std::size_t k = 0; k != which.size(); ++k) {
    places[k] = x[which[k]];
    supports[k] = given.reach[which[k]] + given.skin;
    ids[k] = id[which[k]];
  }
  NeighbourList around;
  find_neighbours({places, supports, ids}, around);
  std::vector<std::vector<Index>> found(which.size());
  parallel_for(which.size(), [&](std::size_t k) {
    const Index i = which[k];
    for (const Index other : around.of(k)) {
      const Index j = which[other];
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
  for (std::size_t k = 0; k != which.size(); ++k) {
    if (found[k].empty()) continue;
    places_[which[k]] = static_cast<Index>(particles_.size());
    particles_.push_back(which[k]);
    partners_.insert(partners_.end(), found[k].begin(), found[k].end());
    begins_.push_back(static_cast<Index>(partners_.size()));
  }
  for (Index& partner : partners_) partner = places_[partner];
}

}  // namespace fondue
