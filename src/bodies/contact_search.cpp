#include "bodies/contact_search.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "shapes/surface_sampling.h"

namespace fondue {

namespace {

/// Points along the longest side of a body.
constexpr float points_a_side = 16, flat_points_a_side = 8;
constexpr float radius_over_size = 0.01f;
constexpr std::size_t cluster_size = 32;
/// Contacts whose normals differ by less are reduced together, to at most four.
constexpr double alike = 0.9;
/// The surface of the point's own body must face the other by at least this.
constexpr double least_facing = 0.2;

Vec3d to_local(const Pose& pose, const Vec3d& x) { return pose.rotation.conjugate() * (x - pose.position); }

/// Splits a run of points at the middle of its longest side until the pieces are small.
template <class Done>
void split(std::vector<SurfaceSample>& samples, std::size_t begin, std::size_t end, Done&& done) {
  if (end - begin <= cluster_size) {
    if (begin != end) done(begin, end);
    return;
  }
  Box box;
  for (std::size_t k = begin; k != end; ++k) box.add(samples[k].position);
  int axis = 0;
  box.size().maxCoeff(&axis);
  std::stable_sort(samples.begin() + static_cast<std::ptrdiff_t>(begin),
                   samples.begin() + static_cast<std::ptrdiff_t>(end),
                   [&](const SurfaceSample& a, const SurfaceSample& b) { return a.position[axis] < b.position[axis]; });
  const std::size_t middle = (begin + end) / 2;
  split(samples, begin, middle, done);
  split(samples, middle, end, done);
}

/// The farthest of the candidates by a measure; their number if none measures more than `least`.
template <class Measure>
std::size_t farthest(std::size_t count, double least, Measure&& measure) {
  std::size_t best = count;
  for (std::size_t k = 0; k != count; ++k)
    if (const double value = measure(k); value > least) {
      least = value;
      best = k;
    }
  return best;
}

}  // namespace

ContactSearch::ContactSearch(const std::vector<Body>& bodies, int dimension) : dimension_(dimension) {
  const bool any = std::ranges::any_of(bodies, [](const Body& body) { return body.rigid(); });
  for (const Body& body : bodies) surfaces_.push_back(any ? surface_of(body) : Surface{});
}

ContactSearch::Surface ContactSearch::surface_of(const Body& body) const {
  const Shape& shape = *body.setup().shape;
  Surface surface;
  Box box = shape.bounds();
  if (dimension_ == 2) box.min.z() = box.max.z() = 0;
  surface.reach = infinity;
  // The surface of what has no end is met by the points of the others; so is a shape that changes.
  if (!box.finite() || body.sequence()) return surface;
  surface.reach = box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).cast<double>().norm();
  const Vec3 size = box.size();
  const float longest = size.maxCoeff(),
              smallest = std::min({size.x(), size.y(), dimension_ == 2 ? size.x() : size.z()});
  const bool flat = shape.flat_sides().has_value();
  surface.spacing = longest / (flat ? flat_points_a_side : points_a_side);
  surface.radius = radius_over_size * smallest;
  surface.curved = !flat && !shape.triangles();
  std::vector<SurfaceSample> samples =
      sample_surface(shape, surface.spacing, surface.radius, box.grown(longest), dimension_);
  split(samples, 0, samples.size(), [&](std::size_t begin, std::size_t end) {
    Box around;
    for (std::size_t k = begin; k != end; ++k) around.add(samples[k].position);
    surface.clusters.push_back({around.centre().cast<double>(), 0.5 * static_cast<double>(around.size().norm()),
                                static_cast<Index>(begin), static_cast<Index>(end)});
  });
  for (const SurfaceSample& sample : samples) {
    surface.points.push_back(sample.position.cast<double>());
    surface.normals.push_back(sample.normal.cast<double>());
  }
  return surface;
}

/// Slides a point of a curved surface to where it is closest to the other body.
void ContactSearch::settle(const Surface& surface, const Moving& own, const Moving& other, Vec3d& point, double& gap,
                           Vec3d& normal) const {
  const auto gap_at = [&](const Vec3d& local) {
    const Vec3d x = own.state.pose.rotation * local + own.state.pose.position;
    return other.shape->nearest(to_local(other.state.pose, x).cast<float>());
  };
  double step = 0.5 * static_cast<double>(surface.spacing);
  for (int k = 0; k != 24 && step > 1e-4 * static_cast<double>(surface.spacing); ++k) {
    const Vec3d own_normal = own.shape->normal(point.cast<float>()).cast<double>();
    const Vec3d towards = -(own.state.pose.rotation.conjugate() * normal);
    Vec3d along = towards - towards.dot(own_normal) * own_normal;
    if (dimension_ == 2) along.z() = 0;
    const double length = along.norm();
    if (!(length > 1e-6)) break;
    Vec3d next = point + step * along / length;
    // Back to its depth below the surface.
    const Nearest surface_there = own.shape->nearest(next.cast<float>());
    next -= (static_cast<double>(surface_there.distance) + static_cast<double>(surface.radius)) *
            surface_there.normal.cast<double>();
    const Nearest there = gap_at(next);
    const double next_gap = static_cast<double>(there.distance) - static_cast<double>(surface.radius);
    if (next_gap < gap) {
      point = next;
      gap = next_gap;
      normal = other.state.pose.rotation * there.normal.cast<double>();
    } else {
      step *= 0.5;
    }
  }
}

/// Points of one body within a distance of the other.
void ContactSearch::collect(const Surface& surface, const Moving& own, const Moving& other, double within,
                            bool reversed, std::vector<Candidate>& candidates) const {
  const Pose &from = own.state.pose, &to = other.state.pose;
  const double radius = static_cast<double>(surface.radius);
  // Points of a curved surface may come closer by sliding along it.
  const double reach = within + (surface.curved ? 0.25 * static_cast<double>(surface.spacing) : 0.0);
  for (const Cluster& cluster : surface.clusters) {
    const Vec3d centre = to_local(to, from.rotation * cluster.centre + from.position);
    if (static_cast<double>(other.shape->distance(centre.cast<float>())) > cluster.radius + radius + reach) continue;
    for (Index k = cluster.begin; k != cluster.end; ++k) {
      Vec3d point = surface.points[k];
      const Nearest nearest = other.shape->nearest(to_local(to, from.rotation * point + from.position).cast<float>());
      double gap = static_cast<double>(nearest.distance) - radius;
      if (!(gap < reach)) continue;
      Vec3d normal = to.rotation * nearest.normal.cast<double>();
      if ((from.rotation * surface.normals[k]).dot(normal) > -least_facing) continue;
      if (surface.curved) settle(surface, own, other, point, gap, normal);
      if (!(gap < within)) continue;
      if (dimension_ == 2) {
        normal.z() = 0;
        normal.normalize();
      }
      const Vec3d x = from.rotation * point + from.position - (radius + 0.5 * gap) * normal;
      candidates.push_back({x, reversed ? Vec3d(-normal) : normal, gap});
    }
  }
}

std::vector<Contact> ContactSearch::between(Index first, Index second, std::span<const Moving> bodies,
                                            double seconds) const {
  const Moving &a = bodies[first], &b = bodies[second];
  const Surface &of_a = surfaces_[first], &of_b = surfaces_[second];
  const double finest =
      static_cast<double>(of_a.spacing > 0 && of_b.spacing > 0 ? std::min(of_a.spacing, of_b.spacing)
                                                               : std::max(of_a.spacing, of_b.spacing));
  // Far enough for all that may happen in the step: approach, and what is pushed from elsewhere.
  const auto fastest = [](const Moving& moving, double reach) {
    return moving.state.velocity.norm() + (std::isfinite(reach) ? moving.state.angular_velocity.norm() * reach : 0.0);
  };
  const double within = 0.02 * finest + 2 * seconds * (fastest(a, of_a.reach) + fastest(b, of_b.reach));
  std::vector<Candidate> candidates;
  const double apart = (a.state.pose.position - b.state.pose.position).norm();
  if (apart > of_a.reach + of_b.reach + within) return {};
  collect(of_a, a, b, within, false, candidates);
  collect(of_b, b, a, within, true, candidates);

  std::vector<Contact> contacts;
  while (!candidates.empty()) {
    // The deepest, with all that have about its normal.
    const auto deepest = std::ranges::min_element(candidates, {}, &Candidate::gap);
    const Vec3d n = deepest->normal;
    const double most = deepest->gap + 0.1 * finest;
    std::vector<Candidate> group = {*deepest}, rest;
    for (auto c = candidates.begin(); c != candidates.end(); ++c)
      if (c->normal.dot(n) <= alike)
        rest.push_back(*c);
      else if (c != deepest && c->gap <= most)
        group.push_back(*c);
    candidates = std::move(rest);

    std::vector<std::size_t> kept = {0};
    const auto from = [&](std::size_t k, std::size_t other) -> Vec3d {
      return group[k].point - group[kept[other]].point;
    };
    const double least = 0.05 * finest;
    const auto keep = [&](std::size_t k) {
      if (k != group.size()) kept.push_back(k);
      return k != group.size();
    };
    if (keep(farthest(group.size(), least, [&](std::size_t k) { return from(k, 0).norm(); }))) {
      const Vec3d side = from(kept[1], 0).normalized();
      const Vec3d across = n.cross(side);
      // The farthest on each side of the line between these two.
      for (const double sign : {1.0, -1.0})
        keep(farthest(group.size(), least, [&](std::size_t k) { return sign * from(k, 0).dot(across); }));
    }
    for (const std::size_t k : kept) contacts.push_back({first, second, group[k].point, group[k].normal, group[k].gap});
  }
  return contacts;
}

std::vector<Contact> ContactSearch::find(std::span<const Moving> bodies,
                                         std::span<const std::pair<Index, Index>> joined, double seconds) const {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index a = 0; a != bodies.size(); ++a)
    for (Index b = a + 1; b != bodies.size(); ++b)
      if ((bodies[a].dynamic || bodies[b].dynamic) && std::ranges::find(joined, std::pair(a, b)) == joined.end())
        pairs.emplace_back(a, b);
  std::vector<std::vector<Contact>> of_pair(pairs.size());
  parallel_for(
      pairs.size(), [&](std::size_t p) { of_pair[p] = between(pairs[p].first, pairs[p].second, bodies, seconds); }, 4);
  std::vector<Contact> all;
  for (const std::vector<Contact>& contacts : of_pair) all.insert(all.end(), contacts.begin(), contacts.end());
  return all;
}

}  // namespace fondue
