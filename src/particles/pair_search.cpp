#include "particles/pair_search.h"

#include <algorithm>

namespace fondue {

void SortedPoints::resize(std::size_t size) {
  for (auto* column : {&x, &y, &z, &R2}) column->resize(size);
  index.resize(size);
}

void SortedPoints::set(std::size_t at, const Vec3& position, float support, Index from) {
  x[at] = position.x();
  y[at] = position.y();
  z[at] = position.z();
  R2[at] = support * support;
  index[at] = from;
}

void SortedPoints::append(const SortedPoints& points, std::size_t begin, std::size_t end) {
  const auto add = [&](auto& to, const auto& from) { to.insert(to.end(), from.begin() + begin, from.begin() + end); };
  add(x, points.x);
  add(y, points.y);
  add(z, points.z);
  add(R2, points.R2);
  add(index, points.index);
}

std::size_t count_in_reach(const Seeker& seeker, const SortedPoints& candidates) {
  const Seeker i = seeker;
  const float *x = candidates.x.data(), *y = candidates.y.data(), *z = candidates.z.data(), *R2 = candidates.R2.data();
  const Index* index = candidates.index.data();
  const std::size_t size = candidates.size();
  Index found = 0;
  for (std::size_t b = 0; b != size; ++b) {
    const bool near = in_reach(x[b] - i.x, y[b] - i.y, z[b] - i.z, R2[b], i.R2);
    found += near & (index[b] != i.self);
  }
  return found;
}

void copy_in_reach(const Seeker& seeker, const SortedPoints& candidates, SearchRoom& room, Index* to) {
  const Seeker i = seeker;
  const float *x = candidates.x.data(), *y = candidates.y.data(), *z = candidates.z.data(), *R2 = candidates.R2.data();
  const Index* index = candidates.index.data();
  const std::size_t size = candidates.size();
  if (room.near.size() < size) {
    room.near.resize(size);
    room.found.resize(size);
  }
  Index* near = room.near.data();
  for (std::size_t b = 0; b != size; ++b) {
    near[b] = in_reach(x[b] - i.x, y[b] - i.y, z[b] - i.z, R2[b], i.R2) & (index[b] != i.self);
  }
  // Every candidate is written, and the place moves on only past those in reach: no branch to guess wrong.
  Index* place = room.found.data();
  for (std::size_t b = 0; b != size; ++b) {
    *place = index[b];
    place += near[b];
  }
  std::copy(room.found.data(), place, to);
}

}  // namespace fondue
