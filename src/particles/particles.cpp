#include "particles/particles.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "core/error.h"
#include "core/parallel.h"

namespace fondue {

namespace {

constexpr const char* type_names[] = {"number", "vector", "integer"};

template <class T>
T initial_value(float initial) {
  if constexpr (std::is_same_v<T, Vec3>) {
    return Vec3::Constant(initial);
  } else {
    return static_cast<T>(initial);
  }
}

}  // namespace

struct Particles::Storage {
  std::string name, unit, help;
  float initial;
  bool state;
  /// The alternatives are in the order of ColumnView::Type.
  std::variant<std::vector<float>, std::vector<Vec3>, std::vector<Index>> values;
};

Particles::Particles() {
  require(columns::position);
  require(columns::id);
}

Particles::Particles(Particles&&) noexcept = default;
Particles& Particles::operator=(Particles&&) noexcept = default;
Particles::~Particles() = default;

Particles::Storage* Particles::find(std::string_view name) const {
  const auto found = std::ranges::find_if(storage_, [&](const auto& storage) { return storage->name == name; });
  return found == storage_.end() ? nullptr : found->get();
}

template <class T>
std::vector<T>& Particles::values(const Column<T>& column) const {
  Storage* storage = find(column.name);
  if (!storage) {
    throw SimulationError(fmt::format("particles have no column '{}': require() it before it is used", column.name));
  }
  auto* values = std::get_if<std::vector<T>>(&storage->values);
  if (!values) {
    throw SimulationError(fmt::format("column '{}' holds a {} for each particle and was asked for as another type",
                                      column.name, type_names[storage->values.index()]));
  }
  return *values;
}

template <class T>
std::span<T> Particles::operator[](const Column<T>& column) {
  return values(column);
}

template <class T>
std::span<const T> Particles::operator[](const Column<T>& column) const {
  return values(column);
}

template <class T>
std::span<T> Particles::require(const Column<T>& column) {
  if (!find(column.name)) {
    std::vector<T> values(size_, initial_value<T>(column.initial));
    storage_.push_back(std::make_unique<Storage>(
        Storage{column.name, column.unit, column.help, column.initial, column.state, std::move(values)}));
  }
  return (*this)[column];
}

bool Particles::has(std::string_view name) const { return find(name) != nullptr; }

Index Particles::create(Index count) {
  constexpr Index most = std::numeric_limits<Index>::max();
  if (count > most - size_ || count > most - next_id_) {
    throw SimulationError(
        fmt::format("cannot create {} particles: {} exist and {} ids of {} are used", count, size_, next_id_, most));
  }
  const Index first = size_;
  for (auto& storage : storage_) {
    std::visit(
        [&]<class T>(std::vector<T>& values) { values.resize(first + count, initial_value<T>(storage->initial)); },
        storage->values);
  }
  size_ += count;
  for (Index& new_id : (*this)[columns::id].subspan(first)) new_id = next_id_++;
  return first;
}

void Particles::remove(std::span<const std::uint8_t> marked) {
  if (marked.size() != size_) {
    throw SimulationError(fmt::format("{} marks for {} particles: one each is needed", marked.size(), size_));
  }
  const Index kept = static_cast<Index>(std::ranges::count(marked, 0));
  if (kept == size_) return;
  for (auto& storage : storage_) {
    std::visit(
        [&](auto& values) {
          std::size_t to = 0;
          for (std::size_t from = 0; from != size_; ++from) {
            if (!marked[from]) values[to++] = values[from];
          }
          values.resize(kept);
        },
        storage->values);
  }
  size_ = kept;
}

void Particles::reorder(std::span<const Index> order) {
  std::vector<bool> seen(size_);
  bool permutation = order.size() == size_;
  for (std::size_t i = 0; permutation && i != size_; ++i) {
    permutation = order[i] < size_ && !seen[order[i]];
    if (permutation) seen[order[i]] = true;
  }
  if (!permutation) {
    throw SimulationError(fmt::format("the new order of {} particles must name each exactly once", size_));
  }
  for (auto& storage : storage_) {
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          std::vector<T> moved(size_);
          parallel_for(size_, [&](std::size_t i) { moved[i] = values[order[i]]; });
          values = std::move(moved);
        },
        storage->values);
  }
}

std::vector<ColumnView> Particles::columns() const {
  std::vector<ColumnView> views;
  for (const auto& storage : storage_) {
    void* data = std::visit([](auto& values) { return static_cast<void*>(values.data()); }, storage->values);
    views.push_back({storage->name, storage->unit, storage->help, ColumnView::Type(storage->values.index()),
                     storage->initial, storage->state, data});
  }
  return views;
}

std::size_t Particles::bytes_per_particle() const {
  std::size_t bytes = 0;
  for (const ColumnView& view : columns()) bytes += view.components() * sizeof(float);
  return bytes;
}

template std::span<float> Particles::operator[](const Column<float>&);
template std::span<Vec3> Particles::operator[](const Column<Vec3>&);
template std::span<Index> Particles::operator[](const Column<Index>&);
template std::span<const float> Particles::operator[](const Column<float>&) const;
template std::span<const Vec3> Particles::operator[](const Column<Vec3>&) const;
template std::span<const Index> Particles::operator[](const Column<Index>&) const;
template std::span<float> Particles::require(const Column<float>&);
template std::span<Vec3> Particles::require(const Column<Vec3>&);
template std::span<Index> Particles::require(const Column<Index>&);

}  // namespace fondue
