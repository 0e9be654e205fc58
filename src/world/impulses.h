#pragma once
// What the guard against passing through bodies (bodies/guard.h) does to rigid bodies: the reaction to every change of
// a particle's velocity, given to the bodies after the matter has moved, in an order that does not depend on threads.

#include <algorithm>
#include <mutex>
#include <tuple>
#include <vector>

#include "bodies/bodies.h"

namespace fondue {

class Impulses {
 public:
  /// What stopping the particle with this id did; `order` increases when it is stopped again. From any thread.
  void add(Impacts& impacts, Index id, float mass, Index order = 0) {
    if (impacts.empty()) return;
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k != impacts.size(); ++k)
      entries_.push_back({impacts[k].body, id, order, static_cast<Index>(k),
                          -static_cast<double>(mass) * impacts[k].change.cast<double>(), impacts[k].at.cast<double>()});
    impacts.clear();
  }
  /// Gives all of them to the bodies.
  void give_to(RigidBodies& bodies) {
    std::ranges::sort(entries_, {}, [](const Entry& e) { return std::tuple(e.body, e.id, e.order, e.part); });
    for (const Entry& entry : entries_) bodies.push(entry.body, entry.impulse, entry.at);
    entries_.clear();
  }

 private:
  struct Entry {
    Index body, id, order, part;
    Vec3d impulse, at;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace fondue
