#pragma once
// How far a long preparation is, told to whoever waits for it: a program shows progress and lets its user stop. The
// callback is called by the thread that prepares, several times per second, and may throw to give up.

#include <algorithm>
#include <functional>
#include <string>

#include "core/parallel.h"

namespace fondue {

class ProgressReport {
 public:
  /// What is being done and how much of that is done, in [0, 1].
  using Callback = std::function<void(const std::string& task, double fraction)>;

  /// Tells nobody.
  ProgressReport() = default;
  ProgressReport(Callback callback) : callback_(std::move(callback)) {}

  void operator()(double fraction) const {
    if (callback_) callback_(task_, begin_ + fraction * (end_ - begin_));
  }
  /// Reports another task.
  ProgressReport task(const std::string& name) const {
    ProgressReport result = *this;
    result.task_ = name;
    return result;
  }
  /// Reports a part of the task, which begins and ends at these fractions of the whole.
  ProgressReport part(double begin, double end) const {
    ProgressReport result = *this;
    result.begin_ = begin_ + begin * (end_ - begin_);
    result.end_ = begin_ + end * (end_ - begin_);
    return result;
  }

 private:
  Callback callback_;
  std::string task_;
  double begin_ = 0, end_ = 1;
};

/// Calls body(i) for every i in [0, count), and reports how far that is.
template <class Body>
void parallel_for(const ProgressReport& report, std::size_t count, Body&& body, std::size_t grain = 64) {
  constexpr std::size_t at_once = 16384;
  for (std::size_t begin = 0; begin < count; begin += at_once) {
    report(static_cast<double>(begin) / static_cast<double>(count));
    parallel_for(
        std::min(at_once, count - begin), [&](std::size_t i) { body(begin + i); }, grain);
  }
}

}  // namespace fondue
