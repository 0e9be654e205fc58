#pragma once
// The plain description a world is built from: what a scene file says, with shapes made and curves read.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bodies/collider_setup.h"
#include "bodies/wall_scales.h"
#include "core/kernel.h"
#include "shapes/shape.h"
#include "timeline/track.h"

namespace fondue {

enum class Filling { lattice, blue_noise };

/// A curve over "x", "y" or "z" at a place, or the constant.
template <class T>
T at_place(const Keyable<T>& keyable, const Vec3& x) {
  return keyable.constant() ? keyable.at(0) : keyable.curve()(x[keyable.over()[0] - 'x']);
}

/// What columns of new particles start with, beyond their declared initial value.
class InitialValues {
 public:
  struct Entry {
    const Column<float>* column;
    Keyable<float> value;
  };
  void set(const Column<float>& column, Keyable<float> value) {
    std::erase_if(entries_, [&](const Entry& entry) { return std::string_view(entry.column->name) == column.name; });
    entries_.push_back({&column, std::move(value)});
  }
  /// The value for a column, or null.
  const Keyable<float>* find(std::string_view column) const {
    for (const Entry& entry : entries_)
      if (column == entry.column->name) return &entry.value;
    return nullptr;
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

/// Matter that is there from the start, or that an emitter makes (then without a shape).
struct ObjectSetup {
  std::string name;
  ShapePtr shape;
  Filling filling = Filling::lattice;
  /// Distance between its particles [m].
  float spacing = 0;
  /// Above 0 it is a sheet of this thickness [m]: one layer of particles over the surface of its shape.
  float thickness = 0;
  bool sheet() const { return thickness > 0; }
  Vec3 velocity = Vec3::Zero();
  /// Spin about the centre of its shape's bounds [rad/s].
  Vec3 angular_velocity = Vec3::Zero();
  /// Mass over volume of its particles [kg/m^d], unless one of its behaviours gives a rest density.
  float density = 1000;
  /// At the start: constants, or curves over the place (see at_place).
  InitialValues initial;
  std::vector<Track> tracks;
};

enum class EmitterKind { box, disc, surface };

struct EmitterSetup {
  std::string name;
  /// Index of the object its particles join.
  Index object = 0;
  EmitterKind kind = EmitterKind::disc;
  /// Disc: centre and radius. Box and surface: the shape.
  Keyable<Vec3> centre = Vec3(Vec3::Zero());
  float radius = 0;
  ShapePtr shape;
  /// Direction of the jet; a surface emits along its normals.
  Keyable<Vec3> direction = Vec3(0, 0, -1);
  /// Index of the collider or rigid body that the opening of a disc, or a surface, is fixed to; centre, direction and
  /// shape are then in its frame.
  std::optional<Index> body = {};
  /// Index of the object whose front side a surface emits from: a sheet.
  std::optional<Index> sheet = {};
  Keyable<float> speed = 1.0f;
  /// Volume per second [m^d/s]; negative: as much as the opening passes at this speed.
  Keyable<float> rate = -1.0f;
  /// The rate is that of a unit of the area it emits through [m/s].
  bool rate_per_area = false;
  /// Of its particles: constants, or curves over time.
  InitialValues initial;
  /// Emits while this is above 0.5.
  Keyable<float> on = 1.0f;
  /// Stops after this many particles.
  Index most = 0xffffffff;
};

/// Deletes what enters it while on.
struct SinkSetup {
  std::string name;
  ShapePtr shape;
  Keyable<float> on = 1.0f;
};

/// A part of space in which a behaviour acts in its own way while it is on (see BehaviourInfo::regions).
struct RegionSetup {
  std::string name;
  std::string behaviour;
  ShapePtr shape;
  Motion motion;
  Keyable<float> on = 1.0f;
  Values values;
};

/// Holds particles while it is on (world/pins.h).
struct PinSetup {
  std::string name;
  /// What it holds: in its own frame, which the motion places. Without a shape it is that of a collider.
  ShapePtr shape;
  Motion motion;
  std::optional<Index> collider;
  /// Holds particles of this object only.
  std::optional<Index> object;
  Keyable<float> on = 1.0f;
};

struct WorldSetup {
  int dimension = 3;
  /// Default distance between particles [m].
  float spacing = 0;
  /// Support radius over spacing.
  float support_ratio = 2;
  KernelShape kernel = KernelShape::cubic_spline;
  unsigned seed = 1;
  /// Fraction of every stable step that is taken.
  float step_factor = 1;
  float largest_step = infinity;
  bool individual_steps = false;
  /// Time between frames [s]; individual steps are power-of-two fractions of it.
  double frame_seconds = 0.02;
  /// Particles that leave it are deleted; none: open in all directions.
  std::optional<Box> domain;
  /// Axes along which the domain repeats itself; what leaves on one side enters on the other.
  std::array<bool, 3> periodic = {false, false, false};
  std::vector<ObjectSetup> objects;
  std::vector<ColliderSetup> colliders;
  std::vector<JointSetup> joints;
  std::vector<EmitterSetup> emitters;
  std::vector<SinkSetup> sinks;
  std::vector<RegionSetup> regions;
  std::vector<PinSetup> pins;

  /// The lattice that boundary particles of colliders are made for: of the finest matter.
  Lattice wall_lattice() const {
    float finest = objects.empty() ? spacing : infinity;
    for (const ObjectSetup& object : objects) finest = std::min(finest, object.spacing);
    return {kernel, dimension, finest, support_ratio};
  }
};

}  // namespace fondue
