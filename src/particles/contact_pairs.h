#pragma once
// Pairs of particles that belong to different bodies, or to parts of one body that touch each other: what contact acts
// between. A pair is of the same place of one body, and left out, if it is bonded or has a bonded neighbour in common;
// so a body may be squeezed to half its size before it touches itself. In one body only particles at its surface count.
//
// The list reaches `skin` further than contact and is made anew only when something has moved by half of that, relative
// to the mean motion, or when bonds or particles have changed. Lists are sorted by id and pairs out of reach add
// nothing, so results do not depend on when the list was made.

#include <span>
#include <vector>

#include "particles/particles.h"

namespace fondue {

class ContactPairs {
 public:
  static constexpr Index none = 0xffffffff;

  /// What may take part (particles, ascending), and by particle: how far its contact reaches (zero: not at all), and
  /// whether it lies at a surface.
  struct Given {
    std::span<const Index> candidates;
    std::span<const float> reach;
    std::span<const std::uint8_t> exposed;
    /// How much further the list reaches [m].
    float skin;
  };

  /// All bonds that hold bodies together.
  using BondSets = std::vector<const BondSet*>;
  /// Change with any of them.
  static std::vector<std::uint64_t> revisions_of(const BondSets& bonds);
  /// Brings the list up to date.
  void follow(const Particles& particles, const BondSets& bonds, const Given& given);

  /// The particles that have a pair.
  std::span<const Index> particles() const { return particles_; }
  /// Where a particle is among these, or none.
  Index place(Index particle) const { return places_[particle]; }
  /// Places of the partners of the particle in this place.
  std::span<const Index> partners(Index place) const {
    return std::span(partners_).subspan(begins_[place], begins_[place + 1] - begins_[place]);
  }

 private:
  bool is_current(const Particles& particles, const BondSets& bonds, const Given& given) const;
  void make(const Particles& particles, const BondSets& bonds, const Given& given);

  std::vector<Index> particles_, places_, begins_{0}, partners_;
  /// What the list was made from: what took part, and how far its contact reached and where it was.
  std::vector<Index> which_;
  std::vector<float> reach_;
  std::vector<Vec3> positions_;
  std::vector<std::uint64_t> revisions_;
};

}  // namespace fondue
