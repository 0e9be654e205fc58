#pragma once
// What the guard against passing through bodies (bodies/guard.h) does to them: the reaction to every change of a
// particle's velocity. It is given to rigid bodies after the matter has moved, and summed for every body, in an order
// that does not depend on threads.

#include <algorithm>
#include <mutex>
#include <tuple>
#include <vector>

#include "bodies/bodies.h"

namespace fondue {

class Impulses {
  struct Entry {
    Index body, id, order, part;
    float mass;
    Vec3d impulse, at;
    /// Beyond that of the impulse, about `at`.
    Vec3d moment = Vec3d::Zero();
    auto key() const { return std::tuple(body, id, order, part); }
  };

 public:
  /// All that a body got in a step, its moment about the origin, and the mass of the particles it stopped in substeps.
  struct Sum {
    Vec3d impulse = Vec3d::Zero(), moment = Vec3d::Zero();
    double mass_in_substeps = 0;
    void add(const Entry& entry) {
      impulse += entry.impulse;
      moment += entry.at.cross(entry.impulse) + entry.moment;
    }
  };
  /// What stopping the particle with this id did; `order` is the number of the substep, from one on, or zero. From any
  /// thread.
  void add(Impacts& impacts, Index id, float mass, Index order = 0) {
    if (impacts.empty()) return;
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k != impacts.size(); ++k)
      entries_.push_back({impacts[k].body, id, order, static_cast<Index>(k), mass,
                          -static_cast<double>(mass) * impacts[k].change.cast<double>(), impacts[k].at.cast<double>()});
    impacts.clear();
  }
  /// What matter that moves as one, of which this is the first particle, did to a body. From any thread.
  void add(Index body, Index id, const Vec3d& impulse, const Vec3d& at, const Vec3d& moment) {
    const std::lock_guard lock(mutex_);
    entries_.push_back({body, id, 0, 0, 0, impulse, at, moment});
  }
  /// How many there are so far, and forgetting those after: for steps that are taken again.
  std::size_t count() const { return entries_.size(); }
  void forget_after(std::size_t count) { entries_.resize(count); }
  /// By body: what bodies got after the first `count`.
  std::vector<Sum> since(std::size_t count, std::size_t bodies) {
    std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(count), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.key() < b.key(); });
    std::vector<Sum> sums(bodies);
    for (std::size_t k = count; k != entries_.size(); ++k) sums[entries_[k].body].add(entries_[k]);
    return sums;
  }
  /// A step of this length is over: gives all of it to the rigid bodies, and keeps the sums until the next.
  void give_to(RigidBodies& bodies, double step) {
    std::ranges::sort(entries_, {}, &Entry::key);
    given_.swap(entries_);
    sums_.clear();
    const Entry* before = nullptr;
    for (const Entry& entry : given_) {
      if (entry.body >= sums_.size()) sums_.resize(entry.body + 1);
      sums_[entry.body].add(entry);
      const bool same = before && before->body == entry.body && before->id == entry.id;
      if (entry.order > 0 && !same) sums_[entry.body].mass_in_substeps += static_cast<double>(entry.mass);
      before = &entry;
    }
    entries_.clear();
    for (const Index body : bodies.indices()) {
      const Sum sum = last(body);
      bodies.push(body, sum.impulse, sum.moment, sum.mass_in_substeps, step);
    }
  }
  Sum last(Index body) const { return body < sums_.size() ? sums_[body] : Sum{}; }
  /// Calls visit(impulse, place) for all that a body got in the last step.
  template <class Visit>
  void each_last(Index body, Visit&& visit) const {
    for (const Entry& entry : given_)
      if (entry.body == body) visit(entry.impulse, entry.at);
  }

 private:
  std::mutex mutex_;
  /// Since the last step, and of it.
  std::vector<Entry> entries_, given_;
  std::vector<Sum> sums_;
};

}  // namespace fondue
