#include "world/contact_impulses.h"

#include <algorithm>

namespace fondue {

namespace {
constexpr Index none = static_cast<Index>(-1);
}

Index ContactImpulses::slot_of(const Places& places, Index place) {
  if (slot_[place] == none) {
    slot_[place] = static_cast<Index>(place_.size());
    place_.push_back(place);
    v_.emplace_back(places.v[0][place], places.v[1][place], places.v[2][place]);
    mobility_.push_back(static_cast<double>(places.mobility[place]));
  }
  return slot_[place];
}

void ContactImpulses::apply(const SheetContact& contact, const Row& row, const Vec3d& impulse) {
  v_[row.at[0]] += mobility_[row.at[0]] * impulse;
  for (int c = 0; c != 3; ++c) {
    const Index corner = row.at[static_cast<std::size_t>(c) + 1];
    v_[corner] -= contact.weights[c] * mobility_[corner] * impulse;
  }
}

void ContactImpulses::sweep(std::span<SheetContact> contacts, double seconds) {
  for (std::size_t k = 0; k != contacts.size(); ++k) {
    SheetContact& contact = contacts[k];
    const Row& row = rows_[k];
    if (!(row.inverse > 0)) continue;
    const Vec3d &n = contact.normal, &w = contact.weights;
    const Vec3d v =
        v_[row.at[0]] - w[0] * v_[row.at[1]] - w[1] * v_[row.at[2]] - w[2] * v_[row.at[3]] - contact.velocity;
    const double wanted = contact.gap > 0 ? -contact.gap / seconds : contact.parting;
    const double before = contact.impulse.dot(n), v_n = v.dot(n);
    const double now = std::max(0.0, before - (v_n - wanted) / row.inverse);
    if (before == 0 && now == 0) continue;
    Vec3d impulse = now * n;
    if (contact.friction > 0) {
      Vec3d along = contact.impulse - before * n - (v - v_n * n) / row.inverse;
      const double size = along.norm(), most = contact.friction * now;
      if (size > most) along *= most / size;
      impulse += along;
    }
    apply(contact, row, impulse - contact.impulse);
    contact.impulse = impulse;
  }
}

void ContactImpulses::exchange(const Places& places, std::span<SheetContact> contacts, double seconds, int sweeps) {
  place_.clear();
  v_.clear();
  mobility_.clear();
  slot_.resize(places.mobility.size(), none);
  rows_.resize(contacts.size());
  for (std::size_t k = 0; k != contacts.size(); ++k) {
    const SheetContact& contact = contacts[k];
    Row& row = rows_[k];
    row.at[0] = slot_of(places, contact.point);
    row.inverse = mobility_[row.at[0]];
    for (int c = 0; c != 3; ++c) {
      const Index at = row.at[static_cast<std::size_t>(c) + 1] =
          contact.on_body() ? row.at[0] : slot_of(places, contact.corner[static_cast<std::size_t>(c)]);
      row.inverse += contact.weights[c] * contact.weights[c] * mobility_[at];
    }
    if (!contact.impulse.isZero(0)) apply(contact, row, contact.impulse);
  }
  for (int k = 0; k != sweeps; ++k) sweep(contacts, seconds);
  for (std::size_t s = 0; s != place_.size(); ++s) {
    slot_[place_[s]] = none;
    for (int c = 0; c != 3; ++c) places.v[c][place_[s]] = static_cast<float>(v_[s][c]);
  }
}

}  // namespace fondue
