#pragma once
// Arrays with an entry for each slot, of which a pass over the slots reads and writes many side by side.
//
// Memory for a large array comes in whole pages. A cache keeps only a few lines that lie at the same place of their
// pages (8, on most processors), so a pass over 40 arrays that all began with their pages would lose each line before
// its next entry is wanted. Each of these begins one line later in its page than the one before.

#include <cstdint>
#include <deque>
#include <vector>

namespace fondue {

class SlotArrays {
 public:
  /// A group of slots is read whole, also beyond the last one.
  static constexpr std::size_t group_width = 8;

  /// Takes back all arrays; those to come are for this many slots. They keep their place, and so mostly their values.
  void begin(std::size_t slots) {
    slots_ = slots;
    used_ = 0;
  }
  float* next() {
    constexpr std::size_t line = 64 / sizeof(float), page = 4096 / sizeof(float);
    if (used_ == arrays_.size()) arrays_.emplace_back();
    std::vector<float>& array = arrays_[used_];
    array.resize(slots_ + group_width + page + line);
    const std::size_t to_line = (line - reinterpret_cast<std::uintptr_t>(array.data()) / sizeof(float) % line) % line;
    return array.data() + to_line + line * used_++ % page;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const std::vector<float>& array : arrays_) sum += array.capacity() * sizeof(float);
    return sum;
  }

 private:
  std::size_t slots_ = 0, used_ = 0;
  std::deque<std::vector<float>> arrays_;
};

}  // namespace fondue
