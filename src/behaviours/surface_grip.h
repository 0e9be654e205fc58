#pragma once
// How the surface of matter holds on to what it touches, where sheets take part: Coulomb's coefficient mu, and an
// adhesion a, the pull per unit of area up to which it is not torn off a body. With the area A of a particle,
//
//   J_n >= -a A h,   |J_t| <= mu (J_n + a A h)
//
// for its impulse J in a time h (world/contact_impulses.h). A film of water holds wet cloth like that (L09 6.8).

#include "particles/particles.h"
#include "particles/sheets.h"

namespace fondue {

namespace columns {
inline constexpr Column<float> surface_friction{
    "surface_friction", "1", "Coulomb's coefficient of its surface; negative: that of its object", -1, true};
inline constexpr Column<Vec3> contact_force{
    "contact_force", "N", "of sheets and, on a sheet, of bodies: what the next step begins with", 0, true};
inline constexpr Column<float> contact_pressing{"contact_pressing", "N",
                                                "what presses a sheet together at its contacts", 0, true};
inline constexpr Column<float> adhesion{"adhesion", "Pa", "pull up to which it stays on a body that it touches", 0,
                                        true};
}  // namespace columns

class SurfaceGrip {
 public:
  /// `by_object`: the coefficients of objects, for matter that says none by itself.
  SurfaceGrip(const Particles& particles, std::span<const float> by_object)
      : object_(particles[columns::object]),
        volume_(particles[columns::volume]),
        thickness_(optional_column(particles, columns::thickness)),
        friction_(optional_column(particles, columns::surface_friction)),
        adhesion_(optional_column(particles, columns::adhesion)),
        by_object_(by_object) {}

  float friction(Index i) const {
    return friction_.empty() || friction_[i] < 0 ? by_object_[object_[i]] : friction_[i];
  }
  /// The largest pull of a particle of a sheet [N].
  float pull(Index i) const {
    return adhesion_.empty() || !(adhesion_[i] > 0) || !(thickness_[i] > 0) ? 0
                                                                            : adhesion_[i] * volume_[i] / thickness_[i];
  }

 private:
  std::span<const Index> object_;
  std::span<const float> volume_, thickness_, friction_, adhesion_, by_object_;
};

}  // namespace fondue
