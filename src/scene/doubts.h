#pragma once
// What a scene may say and its author hardly means: notes, not mistakes. A scene with doubts runs.

#include <map>
#include <string>

#include "scene/reading.h"

namespace fondue {

/// Materials that nothing uses, temperatures that nothing reads, a scene that is too large to be in metres, openings
/// narrower than a particle. The places are those of the materials, by name, and of the objects.
struct DoubtfulPlaces {
  std::map<std::string, Place> unused_materials;
  std::vector<Place> objects;
  Place scene;
};
void add_doubts(const WorldSetup& world, const DoubtfulPlaces& places, Reading& reading);

}  // namespace fondue
