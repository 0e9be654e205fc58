#include "bodies/bodies.h"

#include <algorithm>

namespace fondue {

Bodies::Bodies(const std::vector<ColliderSetup>& setups, const Lattice& lattice, const Box& region)
    : bodies_(setups.begin(), setups.end()),
      boundary_(bodies_, lattice, region),
      guard_(bodies_, lattice.dimension, lattice.spacing) {}

float Bodies::distance(const Vec3& x, double time) const {
  float nearest = infinity;
  for (const Body& body : bodies_) nearest = std::min(nearest, body.distance(x, time));
  return nearest;
}

}  // namespace fondue
