#include "bodies/bodies.h"

#include <fmt/format.h>

#include <algorithm>

namespace fondue {

namespace {

std::vector<Body> made(const std::vector<ColliderSetup>& setups, float finest_spacing) {
  std::vector<Body> bodies;
  for (const ColliderSetup& setup : setups) bodies.emplace_back(setup, finest_spacing);
  return bodies;
}

}  // namespace

Bodies::Bodies(const std::vector<ColliderSetup>& setups, const Lattice& lattice, const Box& region,
               const ProgressReport& report, const std::vector<JointSetup>& joints)
    : finest_spacing_(lattice.spacing),
      bodies_(made(setups, lattice.spacing)),
      rigid_(bodies_, joints, lattice.dimension),
      boundary_(bodies_, lattice, region, report),
      guard_(bodies_, lattice.dimension) {}

std::vector<std::string> Bodies::notes() const {
  std::vector<std::string> notes = relaxed_;
  for (const Body& body : bodies_)
    if (body.spacing() > 1.01f * finest_spacing_)
      notes.push_back(
          fmt::format("collider '{}' has a spacing of {} m: matter that is finer, down to {} m, finds gaps in it",
                      body.setup().name, body.spacing(), finest_spacing_));
  return notes;
}

void Bodies::relax() {
  if (rigid_.indices().empty()) return;
  relaxed_ = rigid_.relax();
  boundary_.follow_bodies(time_);
}

bool Bodies::move_to(double time) {
  time_ = time;
  for (Body& body : bodies_) body.follow_keyframes(time);
  return boundary_.follow_bodies(time);
}

NamedNumbers Bodies::state() const {
  NamedNumbers numbers;
  for (const Body& body : bodies_) body.save(numbers);
  rigid_.save(numbers);
  return numbers;
}

void Bodies::restore(const NamedNumbers& numbers) {
  for (Body& body : bodies_) body.restore(numbers);
  rigid_.restore(numbers);
  if (!rigid_.indices().empty()) boundary_.follow_bodies(time_);
}

float Bodies::distance(const Vec3& x, double time) const {
  float nearest = infinity;
  for (const Body& body : bodies_) nearest = std::min(nearest, body.distance(x, time));
  return nearest;
}

}  // namespace fondue
