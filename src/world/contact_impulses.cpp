#include "world/contact_impulses.h"

#include <algorithm>

namespace fondue {

namespace {

constexpr Index no_slot = static_cast<Index>(-1);
/// The part of what is missing by which contacts part in a substep that are too near.
constexpr float parted = 0.1f;

Eigen::Vector4f four(const Vec3& v, float last) { return {v.x(), v.y(), v.z(), last}; }

}  // namespace

Index ContactImpulses::slot_of(Index place) {
  if (slot_[place] == no_slot) {
    slot_[place] = static_cast<Index>(place_.size());
    place_.push_back(place);
  }
  return slot_[place];
}

void ContactImpulses::set(const Places& places, std::span<const SheetContact> contacts) {
  for (const Index place : place_)
    if (place != no_slot) slot_[place] = no_slot;
  place_.clear();
  slot_.resize(places.mobility.size(), no_slot);
  rows_.resize(contacts_ = contacts.size());
  const bool any_film = std::ranges::any_of(contacts, [](const SheetContact& c) { return c.film > 0; });
  films_.assign(any_film ? contacts_ : 0, Film{});
  of_held_.clear();
  for (std::size_t k = 0; k != contacts_; ++k) {
    const SheetContact& contact = contacts[k];
    Row& row = rows_[k];
    row.at[0] = slot_of(contact.point);
    for (std::size_t c = 0; c != 3; ++c) row.at[c + 1] = slot_of(contact.corner[c]);
    row.normal = four(contact.normal, contact.friction);
    row.impulse = four(contact.impulse, contact.gap);
    row.second = contact.weights[1];
    row.third = contact.weights[2];
    row.parting = contact.parting;
  }
  moving_.resize(place_.size());
  load(places);
  for (std::size_t k = 0; k != contacts_; ++k) {
    finish(rows_[k]);
    if (contacts[k].film > 0) films_[k] = film(rows_[k], contacts[k]);
    if (std::ranges::any_of(rows_[k].at, [&](Index s) { return !(moving_[s][3] > 0); }))
      of_held_.push_back(static_cast<Index>(k));
  }
}

void ContactImpulses::load(const Places& places) {
  for (std::size_t s = 0; s != place_.size(); ++s)
    if (const Index p = place_[s]; p != no_slot)
      moving_[s] = Four(places.v[0][p], places.v[1][p], places.v[2][p], places.mobility[p]);
}

/// The inverse of the mass that the contact feels.
void ContactImpulses::finish(Row& row) const {
  row.inverse = moving_[row.at[0]][3];
  for (int c = 1; c != 4; ++c) row.inverse += row.weight(c) * row.weight(c) * moving_[row.at[c]][3];
}

/// 1/m of the softest direction, so that sweeps never overshoot.
ContactImpulses::Film ContactImpulses::film(const Row& row, const SheetContact& contact) const {
  Film film;
  film.tilt[1] = four(contact.tilt[0], 0);
  film.tilt[2] = four(contact.tilt[1], 0);
  film.tilt[0] = -film.tilt[1] - film.tilt[2];
  film.strength = contact.film;
  film.inverse = row.inverse;
  for (int c = 0; c != 3; ++c) film.inverse += film.tilt[c].squaredNorm() * moving_[row.at[c + 1]][3];
  return film;
}

inline void ContactImpulses::apply(const Row& row, const Four& impulse) {
  const float first = 1 - row.second - row.third;
  const auto push = [&](Index slot, float share) { moving_[slot] += (share * moving_[slot][3]) * impulse; };
  push(row.at[0], 1);
  push(row.at[1], -first);
  push(row.at[2], -row.second);
  push(row.at[3], -row.third);
}

/// How the point moves against the triangle.
inline ContactImpulses::Four ContactImpulses::approach(const Row& row) const {
  const float first = 1 - row.second - row.third;
  Four v = moving_[row.at[0]] - first * moving_[row.at[1]] - row.second * moving_[row.at[2]] -
           row.third * moving_[row.at[3]];
  v[3] = 0;
  return v;
}

void ContactImpulses::apply_along(const Row& row, const Film& film, const Four& impulse) {
  apply(row, impulse);
  Four n = row.normal;
  n[3] = 0;
  for (int c = 0; c != 3; ++c) {
    Four& corner = moving_[row.at[c + 1]];
    corner += (film.tilt[c].dot(impulse) * corner[3]) * n;
  }
}

/// u of the header.
ContactImpulses::Four ContactImpulses::slip(const Row& row, const Film& film) const {
  Four n = row.normal, u = approach(row);
  n[3] = 0;
  u -= u.dot(n) * n;
  for (int c = 0; c != 3; ++c) u += moving_[row.at[c + 1]].dot(n) * film.tilt[c];
  return u;
}

/// Solves J = -strength h u for this film alone.
void ContactImpulses::drag(Row& row, const Film& film, float seconds) {
  Four n = row.normal, before = row.impulse;
  n[3] = before[3] = 0;
  before -= before.dot(n) * n;
  const float strength = seconds * film.strength;
  const Four change = -(strength * slip(row, film) + before) / (1 + strength * film.inverse);
  apply_along(row, film, change);
  row.impulse.head<3>() += change.head<3>();
}

ContactImpulses::Four ContactImpulses::impulse_on(Index k, int which) const {
  const Row& row = rows_[k];
  Four impulse = row.impulse, n = row.normal;
  impulse[3] = n[3] = 0;
  if (which == 0) return impulse;
  const Film* film = film_of(k);
  const float tilting = film ? film->tilt[which - 1].dot(impulse) : 0.0f;
  return tilting * n - row.weight(which) * impulse;
}

void ContactImpulses::sweep(float seconds) {
  for (std::size_t k = 0; k != rows_.size(); ++k) {
    Row& row = rows_[k];
    if (!(row.inverse > 0)) continue;
    if (const Film* film = film_of(k)) drag(row, *film, seconds);
    Four n = row.normal, before = row.impulse;
    const float friction = n[3], gap = before[3], m = 1 / row.inverse;
    n[3] = before[3] = 0;
    const Four v = approach(row);
    const float held_back = std::max(-row.parting, 0.0f);
    const float wanted = gap > 0 ? -gap / seconds : std::min(-parted * gap / seconds, std::max(row.parting, 0.0f));
    const float pressing = before.dot(n), v_n = v.dot(n);
    const float now = std::max(-held_back, pressing - (v_n - wanted) * m);
    if (pressing == 0 && now == 0 && held_back == 0) continue;
    Four impulse = now * n;
    if (film_of(k)) {
      impulse += before - pressing * n;
    } else if (friction > 0) {
      Four along = before - pressing * n - m * (v - v_n * n);
      const float size = along.norm(), most = friction * (now + held_back);
      if (size > most) along *= most / size;
      impulse += along;
    }
    apply(row, impulse - before);
    row.impulse.head<3>() = impulse.head<3>();
  }
}

/// A body is a triangle of one corner that is held.
void ContactImpulses::exchange(const Places& places, std::span<BodyTouch> touches, double seconds, double drift,
                               int sweeps) {
  const std::size_t lasting = place_.size();
  rows_.resize(contacts_);
  for (const BodyTouch& touch : touches) {
    Row& row = rows_.emplace_back();
    row.at[0] = slot_of(touch.point);
    row.at[1] = row.at[2] = row.at[3] = static_cast<Index>(place_.size());
    place_.push_back(no_slot);
    row.normal = four(touch.normal, touch.friction);
    row.impulse = four(touch.impulse, 0);
    row.second = row.third = 0;
    row.parting = -static_cast<float>(seconds) * touch.pull;
  }
  moving_.resize(place_.size());
  load(places);
  for (std::size_t k = 0; k != touches.size(); ++k) {
    Row& row = rows_[contacts_ + k];
    moving_[row.at[1]] = four(touches[k].velocity, 0);
    finish(row);
  }
  const auto without_gap = [](const Row& row) {
    Four impulse = row.impulse;
    impulse[3] = 0;
    return impulse;
  };
  for (std::size_t k = 0; k != rows_.size(); ++k) {
    const Row& row = rows_[k];
    if (!(row.inverse > 0)) continue;
    if (const Film* film = film_of(k))
      apply_along(row, *film, without_gap(row));
    else
      apply(row, without_gap(row));
  }
  for (int k = 0; k != sweeps; ++k) sweep(static_cast<float>(seconds));
  for (std::size_t s = 0; s != place_.size(); ++s)
    if (const Index p = place_[s]; p != no_slot)
      for (int c = 0; c != 3; ++c) places.v[c][p] = moving_[s][c];
  for (std::size_t k = 0; k != contacts_; ++k) {
    Row& row = rows_[k];
    Four n = row.normal;
    n[3] = 0;
    row.impulse[3] += static_cast<float>(drift) * approach(row).dot(n);
  }
  for (std::size_t k = 0; k != touches.size(); ++k) touches[k].impulse = rows_[contacts_ + k].impulse.head<3>();
  // Those of this substep only.
  for (std::size_t s = lasting; s != place_.size(); ++s)
    if (place_[s] != no_slot) slot_[place_[s]] = no_slot;
  place_.resize(lasting);
}

}  // namespace fondue
