#pragma once
// Progress of a long task: a bar that redraws itself in a terminal, otherwise an occasional line.

#include <chrono>
#include <string>

namespace fondue {

class Progress {
 public:
  /// `label` names the task, `unit` the unit of its rate, for example "particle-steps".
  Progress(std::string label, std::string unit);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Fraction of the whole task in [0, 1], units done so far by this process, a short text.
  void update(double fraction, double amount, const std::string& text);
  /// Ends the bar's line.
  void finish();

 private:
  std::string label_, unit_;
  bool terminal_, open_ = false;
  double first_fraction_ = -1, last_percent_ = -1;
  std::chrono::steady_clock::time_point begin_, last_;
};

/// 1.23 M, 45.6 k, 789.
std::string short_number(double value);
/// 1:02:03, 4:05 or 6 s.
std::string short_time(double seconds);

}  // namespace fondue
