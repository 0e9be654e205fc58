#pragma once
// An object of several materials, each with a weight over time, as clips on a timeline:
//
//   materials = [ { material = "sand" },
//                 { material = "water", from = 2, fade = 0.5 },
//                 { material = "honey", from = 4, fade = 1 } ]
//
// Each lasts until the next has faded in. Where they do not follow one another in time, each has a weight:
//
//   materials = [ { material = "wax",  weight = { over = "temperature", at = [320, 340], value = [1, 0] } },
//                 { material = "melt", weight = { over = "temperature", at = [320, 340], value = [0, 1] } } ]
//
// Weights are shares of the whole: they add up to 1 everywhere. The list is made into ordinary tracks of behaviours. A
// behaviour that all materials have in the same way acts with its own weight throughout. One that some of them have, or
// that they have with different parameters, gets a track per material with that material's weight: weights of tracks
// add up, parameters are averaged with them (timeline/track.h). So nothing acts twice.

#include "scene/scene.h"
#include "scene/tracks.h"

namespace fondue {

namespace keys::listed_material {
inline constexpr Parameter material{
    .name = "material", .kind = Parameter::Kind::text, .required = true, .help = "name of a [materials.NAME]"};
inline constexpr Parameter from{.name = "from",
                                .unit = "s",
                                .initial = no_default,
                                .least = 0,
                                .help =
                                    "when it begins to take over from the one before it; the first is there from "
                                    "the start"};
inline constexpr Parameter fade{.name = "fade",
                                .unit = "s",
                                .initial = no_default,
                                .least = 0,
                                .help = "how long that takes; 0 if absent: at once"};
inline constexpr Parameter weight{
    .name = "weight",
    .initial = no_default,
    .least = 0,
    .most = 1,
    .keys = Parameter::Keys::attribute,
    .help = "its share, in place of 'from' and 'fade'; the weights of a list add up to 1 everywhere"};
inline constexpr const Parameter* all[] = {&material, &from, &fade, &weight};
}  // namespace keys::listed_material

/// An element of a list of materials.
struct ListedMaterial {
  Place place;
  /// As given.
  Values values;
  MaterialShare share;
};

/// Reads a list; empty if its weights cannot be told because of a mistake.
std::vector<ListedMaterial> read_material_list(const Node& list, const std::string& where, Reading& reading);
/// As it is written after `materials = `.
std::string toml_list(std::span<const ListedMaterial> list);

/// What the object does. The sets are the behaviours of its materials, complete, one per element of the list.
TrackSet combined(std::span<const ListedMaterial> list, std::span<const TrackSet> sets, const std::string& where,
                  Reading& reading);
/// How it looks, by the looks of its materials, in each of which `look` is given. What the object gives itself is left
/// out.
Values combined_look(std::span<const ListedMaterial> list, std::span<const Values> looks, const Values& own,
                     const std::string& where, Reading& reading);

}  // namespace fondue
