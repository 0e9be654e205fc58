#include "core/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace fondue {

namespace {

using Clock = std::chrono::steady_clock;
double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

std::string short_number(double value) {
  for (const auto& [scale, letter] : {std::pair{1e9, " G"}, std::pair{1e6, " M"}, std::pair{1e3, " k"}})
    if (value >= scale) return fmt::format("{:.3g}{}", value / scale, letter);
  return fmt::format("{:.3g}", value);
}

std::string short_time(double seconds) {
  const auto total = static_cast<long>(std::clamp(seconds, 0.0, 1e9) + 0.5);
  if (total >= 3600) return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
  if (total >= 60) return fmt::format("{}:{:02}", total / 60, total % 60);
  return fmt::format("{} s", total);
}

Progress::Progress(std::string label, std::string unit)
    : label_(std::move(label)), unit_(std::move(unit)), terminal_(isatty(STDERR_FILENO) == 1), begin_(Clock::now()) {}

Progress::~Progress() { finish(); }

void Progress::update(double fraction, double amount, const std::string& text) {
  if (first_fraction_ < 0) first_fraction_ = fraction;
  const Clock::time_point now = Clock::now();
  const double elapsed = seconds(now - begin_);
  const double percent = 100 * fraction;
  // A terminal is redrawn five times per second; a log gets a line every 10 % or every 30 s.
  const bool due =
      terminal_ ? seconds(now - last_) > 0.2 : (percent - last_percent_ >= 10 || seconds(now - last_) > 30);
  if (!due && fraction < 1 && last_percent_ >= 0) return;
  last_ = now;
  last_percent_ = percent;
  const double done = fraction - first_fraction_;
  const std::string left = done > 0 ? short_time(elapsed * (1 - fraction) / done) + " left" : "";
  const std::string rate =
      elapsed > 0 && amount > 0 ? fmt::format("{} {}/s", short_number(amount / elapsed), unit_) : "";
  const std::string line = fmt::format("{:3.0f} %  {}  {}  {}", percent, text, rate, left);
  if (terminal_) {
    constexpr int width = 24;
    const int full = static_cast<int>(fraction * width);
    fmt::print(stderr, "\r\033[K{} [{:=<{}}{: <{}}] {}", label_, "", full, "", width - full, line);
    open_ = true;
  } else {
    fmt::print(stderr, "{} {}\n", label_, line);
  }
  std::fflush(stderr);
}

void Progress::finish() {
  if (open_) fmt::print(stderr, "\n");
  open_ = false;
}

}  // namespace fondue
