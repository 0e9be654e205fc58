#include "particles/copy.h"

#include <cstring>

namespace fondue {

Particles copy_of(const Particles& particles) {
  Particles copy;
  copy.create(particles.size());
  for (const ColumnView& column : particles.columns()) {
    void* const to = copy.require(column);
    const std::size_t numbers = std::size_t{particles.size()} * static_cast<std::size_t>(column.components);
    if (numbers != 0) std::memcpy(to, column.data, numbers * sizeof(float));
  }
  for (const std::string& name : particles.bond_sets()) copy.require_bonds(name) = particles.bonds(name);
  copy.set_next_id(particles.next_id());
  return copy;
}

}  // namespace fondue
