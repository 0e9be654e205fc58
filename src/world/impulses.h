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
 public:
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
  /// How many there are so far, and forgetting those after: for steps that are taken again.
  std::size_t count() const { return entries_.size(); }
  void forget_after(std::size_t count) { entries_.resize(count); }
  /// All that a body got in a step, its moment about the origin, and the mass of the particles it stopped in substeps.
  struct Sum {
    Vec3d impulse = Vec3d::Zero(), moment = Vec3d::Zero();
    double mass_in_substeps = 0;
  };
  /// A step of this length is over: gives all of it to the rigid bodies, and keeps the sums until the next.
  void give_to(RigidBodies& bodies, double step) {
    std::ranges::sort(entries_, {}, [](const Entry& e) { return std::tuple(e.body, e.id, e.order, e.part); });
    sums_.clear();
    const Entry* before = nullptr;
    for (const Entry& entry : entries_) {
      if (entry.body >= sums_.size()) sums_.resize(entry.body + 1);
      sums_[entry.body].impulse += entry.impulse;
      sums_[entry.body].moment += entry.at.cross(entry.impulse);
      const bool same = before && before->body == entry.body && before->id == entry.id;
      if (entry.order > 0 && !same) sums_[entry.body].mass_in_substeps += static_cast<double>(entry.mass);
      before = &entry;
    }
    entries_.clear();
    for (const Index body : bodies.indices()) bodies.push(body, last(body).impulse, last(body).moment, step);
  }
  Sum last(Index body) const { return body < sums_.size() ? sums_[body] : Sum{}; }

 private:
  struct Entry {
    Index body, id, order, part;
    float mass;
    Vec3d impulse, at;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
  std::vector<Sum> sums_;
};

}  // namespace fondue
