#pragma once
// How long each part of a step takes.

#include <array>
#include <atomic>
#include <chrono>

namespace fondue {

/// Seconds spent in each part of a step, from the start: putting particles into slots, listing neighbours, sums before
/// the rates, rates, the solve, motion and correction, everything else.
struct PhaseTimes {
  double sort = 0, lists = 0, density = 0, forces = 0, solve = 0, integration = 0, rest = 0;
};

/// Adds the seconds of a scope to one phase.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), begin_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_;
};

/// Shares the seconds of a parallel loop among two phases by the time its threads spent in each.
class SharedStopwatch {
 public:
  SharedStopwatch(double& first, double& second) : phases_{&first, &second}, begin_(Clock::now()) {}
  ~SharedStopwatch() {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double first = static_cast<double>(spent_[0]), second = static_cast<double>(spent_[1]);
    const double share = first + second > 0 ? first / (first + second) : 1;
    *phases_[0] += share * seconds;
    *phases_[1] += (1 - share) * seconds;
  }
  SharedStopwatch(const SharedStopwatch&) = delete;
  SharedStopwatch& operator=(const SharedStopwatch&) = delete;

  using Clock = std::chrono::steady_clock;
  /// A thread spent this time in the first or second phase.
  void add(int phase, Clock::duration duration) {
    spent_[phase].fetch_add(duration.count(), std::memory_order_relaxed);
  }

 private:
  std::array<double*, 2> phases_;
  std::array<std::atomic<Clock::rep>, 2> spent_ = {};
  Clock::time_point begin_;
};

}  // namespace fondue
