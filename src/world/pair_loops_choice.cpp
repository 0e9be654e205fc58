#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "world/pair_loops.h"

namespace fondue {

// Which builds there are is decided in src/CMakeLists.txt; the plain twin is always among them.
namespace one {
extern const PairLoops loops;
}
namespace plain {
extern const PairLoops loops;
}
namespace v3 {
extern const PairLoops loops;
}
namespace v4 {
extern const PairLoops loops;
}

const PairLoops& plain_twin() { return one::loops; }

std::span<const PairLoops* const> available_pair_loops() {
  static const std::vector<const PairLoops*> available = [] {
    std::vector<const PairLoops*> result;
#ifdef FONDUE_LOOPS_v4
    if (__builtin_cpu_supports("x86-64-v4")) result.push_back(&v4::loops);
#endif
#ifdef FONDUE_LOOPS_v3
    if (__builtin_cpu_supports("x86-64-v3")) result.push_back(&v3::loops);
#endif
#ifdef FONDUE_LOOPS_plain
    result.push_back(&plain::loops);
#endif
    result.push_back(&one::loops);
    return result;
  }();
  return available;
}

const PairLoops& chosen_pair_loops() {
  const auto available = available_pair_loops();
  const char* wanted = std::getenv("FONDUE_SIMD");
  if (!wanted || !*wanted) return *available.front();
  const auto found = std::ranges::find_if(available, [&](const PairLoops* l) { return !std::strcmp(l->name, wanted); });
  if (found != available.end()) return **found;
  std::string names;
  for (const PairLoops* loops : available) names += fmt::format("{}{}", names.empty() ? "" : ", ", loops->name);
  throw InputError(fmt::format("FONDUE_SIMD={} is not one of those this processor runs: {}", wanted, names));
}

IndexBuffer::IndexBuffer(IndexBuffer&& other) noexcept { *this = std::move(other); }

IndexBuffer& IndexBuffer::operator=(IndexBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

IndexBuffer::~IndexBuffer() { std::free(data_); }

void IndexBuffer::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  capacity = std::max(capacity, capacity_ + capacity_ / 2);
  void* larger = std::realloc(data_, capacity * sizeof(Index));
  if (!larger) throw std::bad_alloc();
  data_ = static_cast<Index*>(larger);
  capacity_ = capacity;
}

void IndexBuffer::make_room_for(std::size_t count) {
  if (count <= capacity_ && capacity_ <= 2 * count + 64) return;
  std::free(std::exchange(data_, nullptr));
  capacity_ = 0;
  // A little room to grow.
  reserve(count + count / 16);
}

void IndexBuffer::assign(const Index* from, std::size_t count) {
  make_room_for(count);
  if (count != 0) std::memcpy(data_, from, count * sizeof(Index));
}

void Block::reserve_groups(std::size_t count) {
  group_buffer.reserve(count * (sizeof(Group) / sizeof(Index)));
  groups = reinterpret_cast<Group*>(group_buffer.data());
}

}  // namespace fondue
