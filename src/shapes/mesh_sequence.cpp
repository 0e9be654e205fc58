#include "shapes/mesh_sequence.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"

namespace fondue {
namespace {

/// The mesh at the first key; the motion is in the sequence.
class SequenceShape final : public Shape {
 public:
  SequenceShape(std::shared_ptr<const MeshSequence> sequence, std::string name)
      : sequence_(std::move(sequence)), first_(sequence_->shape(-infinity)), name_(std::move(name)) {}

  float distance(const Vec3& x) const override { return first_->distance(x); }
  Nearest nearest(const Vec3& x) const override { return first_->nearest(x); }
  bool contains(const Vec3& x) const override { return first_->contains(x); }
  Box bounds() const override { return first_->bounds(); }
  std::optional<TriangleMesh> triangles() const override { return first_->triangles(); }
  std::string faults() const override {
    const std::string faults = first_->faults();
    return faults.empty() ? faults : fmt::format("{}: {}", name_, faults);
  }
  bool one_sided() const override { return first_->one_sided(); }
  std::shared_ptr<const MeshSequence> sequence() const override { return sequence_; }
  std::optional<Hit> sweep(const Vec3& start, const Vec3& end, float margin) const override {
    return first_->sweep(start, end, margin);
  }

 private:
  std::shared_ptr<const MeshSequence> sequence_;
  ShapePtr first_;
  std::string name_;
};

/// A file name split at its number.
struct Pattern {
  std::string before, after;
  /// Minimum number of digits.
  int width = 1;

  explicit Pattern(const std::string& name) {
    const std::size_t percent = name.find('%');
    std::size_t end = percent == std::string::npos ? percent : percent + 1;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end]))) ++end;
    const bool number = end < name.size() && name[end] == 'd' && end - percent <= 4;
    if (!number || name.find('%', end) != std::string::npos)
      throw InputError(fmt::format("'{}': the name of numbered files needs one %d or %04d for the number", name));
    before = name.substr(0, percent);
    after = name.substr(end + 1);
    if (end > percent + 1) width = std::max(1, std::stoi(name.substr(percent + 1, end - percent - 1)));
  }
  std::string name(long number) const { return fmt::format("{}{:0{}}{}", before, number, width, after); }
};

/// Numbers of the existing files, in order.
std::vector<long> numbers_of(const Pattern& pattern, const std::filesystem::path& folder) {
  std::vector<long> numbers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= pattern.before.size() + pattern.after.size() || !name.starts_with(pattern.before)) continue;
    const std::string digits =
        name.substr(pattern.before.size(), name.size() - pattern.before.size() - pattern.after.size());
    const bool all_digits = std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!all_digits || digits.size() > 9) continue;
    const long number = std::stol(digits);
    if (pattern.name(number) == name) numbers.push_back(number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

MeshSequence::MeshSequence(std::vector<std::array<Index, 3>> triangles, std::vector<std::vector<Vec3>> keys,
                           double per_second, double begin, MeshInside inside, Playback playback)
    : triangles_(std::move(triangles)),
      keys_(std::move(keys)),
      per_second_(per_second),
      begin_(begin),
      inside_(inside),
      playback_(playback) {
  if (keys_.empty()) throw InputError("a mesh sequence needs at least one mesh");
  for (const std::vector<Vec3>& key : keys_) {
    if (key.size() != keys_.front().size())
      throw InputError("all meshes of a sequence need the same number of vertices");
    if (!std::ranges::all_of(key, [](const Vec3& x) { return x.allFinite(); }))
      throw InputError("a coordinate is not a finite number");
  }
}

MeshSequence::Place MeshSequence::place_at(double time) const {
  const double last = static_cast<double>(keys_.size() - 1);
  if (last == 0) return {0, 0.0, 0.0};
  double key = std::max((time - begin_) * per_second_, 0.0);
  double rate = time < begin_ ? 0.0 : per_second_;
  if (playback_.repeat) {
    key = std::fmod(key, last);
  } else if (key >= last) {
    key = last;
    rate = 0;
  }
  if (playback_.backwards) {
    key = last - key;
    rate = -rate;
  }
  const std::size_t before = std::min(static_cast<std::size_t>(key), keys_.size() - 2);
  return {before, key - static_cast<double>(before), rate};
}

TriangleMesh MeshSequence::mesh(double time) const {
  const auto [before, part, rate] = place_at(time);
  const std::size_t after = std::min(before + 1, keys_.size() - 1);
  TriangleMesh mesh{{}, triangles_};
  mesh.vertices.reserve(keys_[before].size());
  for (std::size_t k = 0; k != keys_[before].size(); ++k)
    mesh.vertices.push_back(
        ((1 - part) * keys_[before][k].cast<double>() + part * keys_[after][k].cast<double>()).cast<float>());
  return mesh;
}

ShapePtr MeshSequence::shape(double time) const {
  const std::scoped_lock lock(mutex_);
  if (!last_ || last_time_ != time) {
    last_ = make_mesh(mesh(time), inside_);
    last_time_ = time;
  }
  return last_;
}

float MeshSequence::fastest() const {
  float furthest = 0;
  for (std::size_t m = 1; m < keys_.size(); ++m)
    for (std::size_t k = 0; k != keys_[m].size(); ++k)
      furthest = std::max(furthest, (keys_[m][k] - keys_[m - 1][k]).norm());
  return furthest * static_cast<float>(per_second_);
}

std::shared_ptr<const MeshSequence> MeshSequence::transformed(const std::function<Vec3(const Vec3&)>& move) const {
  std::vector<std::vector<Vec3>> keys = keys_;
  for (std::vector<Vec3>& key : keys)
    for (Vec3& x : key) x = move(x);
  return std::make_shared<MeshSequence>(triangles_, std::move(keys), per_second_, begin_, inside_, playback_);
}

ShapePtr make_mesh_sequence(std::shared_ptr<const MeshSequence> sequence, const std::string& name) {
  return std::make_shared<SequenceShape>(std::move(sequence), name);
}

ShapePtr make_mesh_sequence(const std::string& files, double per_second, double begin, MeshInside inside,
                            Playback playback) {
  const std::filesystem::path path(files), folder = path.has_parent_path() ? path.parent_path() : ".";
  const Pattern pattern(path.filename().string());
  const std::vector<long> numbers = numbers_of(pattern, folder);
  if (numbers.empty()) throw InputError(fmt::format("{}: no file matches this name", files));
  const auto file = [&](long number) { return (folder / pattern.name(number)).string(); };
  std::vector<std::array<Index, 3>> triangles;
  std::vector<std::vector<Vec3>> keys;
  for (std::size_t k = 0; k != numbers.size(); ++k) {
    const long expected = numbers.front() + static_cast<long>(k);
    if (numbers[k] != expected)
      throw InputError(fmt::format("{}: is missing, although {} and {} exist", file(expected), file(expected - 1),
                                   file(numbers[k])));
    TriangleMesh mesh = read_mesh(file(expected));
    if (k == 0) triangles = mesh.triangles;
    const bool same = mesh.triangles == triangles && (k == 0 || mesh.vertices.size() == keys.front().size());
    if (!same)
      throw InputError(
          fmt::format("{}: has different triangles than {} ({} on {} vertices, not {} on {}); all files of a sequence "
                      "need the same vertices and triangles in the same order",
                      file(expected), file(numbers.front()), mesh.triangles.size(), mesh.vertices.size(),
                      triangles.size(), keys.front().size()));
    keys.push_back(std::move(mesh.vertices));
  }
  return make_mesh_sequence(
      std::make_shared<MeshSequence>(std::move(triangles), std::move(keys), per_second, begin, inside, playback),
      file(numbers.front()));
}

namespace {

/// Adds to the weights of a mesh's vertices what one triangle adds for a point (Ju, Schaefer & Warren 2005, fig. 4).
/// True if the point lies in the triangle: then only its corners count.
bool add_mean_values(const TriangleMesh& mesh, Index t, const Vec3d& x, std::vector<double>& weights) {
  constexpr double tiny = 1e-12, flat = 1e-9;
  Vec3d u[3];
  double d[3], theta[3];
  for (int c = 0; c != 3; ++c) {
    u[c] = mesh.corner(t, c).cast<double>() - x;
    d[c] = u[c].norm();
    if (d[c] < tiny) {
      std::ranges::fill(weights, 0.0);
      weights[mesh.triangles[t][c]] = 1;
      return true;
    }
    u[c] /= d[c];
  }
  for (int c = 0; c != 3; ++c) theta[c] = 2 * std::asin(std::min(1.0, 0.5 * (u[(c + 1) % 3] - u[(c + 2) % 3]).norm()));
  const double half = 0.5 * (theta[0] + theta[1] + theta[2]);
  if (std::numbers::pi - half < flat) {
    std::ranges::fill(weights, 0.0);
    for (int c = 0; c != 3; ++c) weights[mesh.triangles[t][c]] = std::sin(theta[c]) * d[(c + 1) % 3] * d[(c + 2) % 3];
    return true;
  }
  const double side = u[0].dot(u[1].cross(u[2])) < 0 ? -1 : 1;
  double cosine[3], sine[3];
  for (int c = 0; c != 3; ++c) {
    const double s = std::sin(theta[(c + 1) % 3]) * std::sin(theta[(c + 2) % 3]);
    if (s < flat * flat) return false;
    cosine[c] = 2 * std::sin(half) * std::sin(half - theta[c]) / s - 1;
    sine[c] = side * std::sqrt(std::max(0.0, 1 - cosine[c] * cosine[c]));
    // The point lies in the plane of the triangle, beside it.
    if (std::abs(sine[c]) <= flat) return false;
  }
  for (int c = 0; c != 3; ++c) {
    const int next = (c + 1) % 3, last = (c + 2) % 3;
    weights[mesh.triangles[t][c]] += (theta[c] - cosine[next] * theta[last] - cosine[last] * theta[next]) /
                                     (d[c] * std::sin(theta[next]) * sine[last]);
  }
  return false;
}

/// The weights of a mesh's vertices at a point, which add up to 1.
std::vector<double> mean_values(const TriangleMesh& mesh, const Vec3& x) {
  std::vector<double> weights(mesh.vertices.size(), 0.0);
  for (Index t = 0; t != mesh.triangles.size(); ++t)
    if (add_mean_values(mesh, t, x.cast<double>(), weights)) break;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

CarriedPoints::CarriedPoints(const MeshSequence& sequence, std::span<const Vec3> points)
    : sequence_(sequence), keys_(sequence.keys().size(), std::vector<Vec3>(points.size())) {
  const TriangleMesh mesh = sequence.mesh(-infinity);
  parallel_for(points.size(), [&](std::size_t p) {
    const std::vector<double> weights = mean_values(mesh, points[p]);
    for (std::size_t k = 0; k != keys_.size(); ++k) {
      Vec3d x = Vec3d::Zero();
      for (std::size_t vertex = 0; vertex != weights.size(); ++vertex)
        x += weights[vertex] * sequence.keys()[k][vertex].cast<double>();
      keys_[k][p] = x.cast<float>();
    }
  });
}

void CarriedPoints::at(double time, std::vector<Vec3>& positions, std::vector<Vec3>& velocities) const {
  const auto [before, part, rate] = sequence_.place_at(time);
  const std::vector<Vec3>&a = keys_[before], &b = keys_[std::min(before + 1, keys_.size() - 1)];
  const float share = static_cast<float>(part), per_second = static_cast<float>(rate);
  positions.resize(a.size());
  velocities.resize(a.size());
  for (std::size_t p = 0; p != a.size(); ++p) {
    positions[p] = (1 - share) * a[p] + share * b[p];
    velocities[p] = per_second * (b[p] - a[p]);
  }
}

MeshAnchor anchor_at(const TriangleMesh& mesh, Index triangle, const Vec3& x) {
  const Vec3d a = mesh.corner(triangle, 0).cast<double>(), u = mesh.corner(triangle, 1).cast<double>() - a,
              w = mesh.corner(triangle, 2).cast<double>() - a, q = x.cast<double>() - a, n = u.cross(w);
  const double squared = n.squaredNorm();
  if (squared == 0) return {triangle, Vec3(1, 0, 0), 0};
  const double second = q.cross(w).dot(n) / squared, third = u.cross(q).dot(n) / squared;
  return {triangle, Vec3d(1 - second - third, second, third).cast<float>(),
          static_cast<float>(q.dot(n) / std::sqrt(squared))};
}

AnchoredPoint at_anchor(const TriangleMesh& mesh, const MeshAnchor& anchor) {
  const Vec3 &a = mesh.corner(anchor.triangle, 0), &b = mesh.corner(anchor.triangle, 1),
             &c = mesh.corner(anchor.triangle, 2);
  const Vec3 n = (b - a).cross(c - a).normalized();
  return {anchor.weights[0] * a + anchor.weights[1] * b + anchor.weights[2] * c + anchor.height * n, n};
}

}  // namespace fondue
