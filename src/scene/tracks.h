#pragma once
// The behaviours of a material or an object, as tracks. A key is the name of a behaviour; its value is a table of
// parameters and a weight, or a list of such tables, whose tracks cross-fade by their weights.

#include <string>
#include <string_view>
#include <vector>

#include "behaviours/behaviour.h"
#include "scene/table_reader.h"

namespace fondue {

namespace keys {
inline constexpr Parameter weight{.name = "weight",
                                  .initial = 1,
                                  .least = 0,
                                  .most = 1,
                                  .keys = Parameter::Keys::attribute,
                                  .help = "how much of it acts; every behaviour has one"};
}

/// The tracks of one behaviour; only what was given is in their values.
struct BehaviourTracks {
  const BehaviourInfo* info;
  Place place;
  std::vector<Values> tracks;
  /// By track: the tables that it was read from; a value is that of the first that has it.
  std::vector<std::vector<const Node*>> written;
  /// A parameter's declaration, and that of the weight.
  std::vector<const Parameter*> parameters() const;
};

/// At most one entry a behaviour, in the order of the registry.
using TrackSet = std::vector<BehaviourTracks>;

/// Reads every key of a table that names a behaviour.
TrackSet read_tracks(TableReader& table, bool plane, Reading& reading);
/// What an object changes of its material: single tracks parameter by parameter, lists of tracks as a whole.
TrackSet merged(const TrackSet& material, const TrackSet& own);
/// Writes in every default; a mistake where a required parameter is missing.
void complete(TrackSet& set, const std::string& where, bool plane, Reading& reading);
std::vector<Track> tracks_of(const TrackSet& set);
/// As tables below a key: [materials.water.fluid], [objects.fluid].
std::string toml_tables(const TrackSet& set, std::string_view below);

}  // namespace fondue
