#include "scene/tracks.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/toml_text.h"

namespace fondue {

namespace {

const BehaviourTracks* find(const TrackSet& set, const BehaviourInfo* info) {
  const auto found = std::find_if(set.begin(), set.end(), [&](const BehaviourTracks& b) { return b.info == info; });
  return found == set.end() ? nullptr : &*found;
}

}  // namespace

std::vector<const Parameter*> BehaviourTracks::parameters() const {
  std::vector<const Parameter*> all = {&keys::weight};
  all.insert(all.end(), info->parameters.begin(), info->parameters.end());
  return all;
}

TrackSet read_tracks(TableReader& table, bool plane, Reading& reading) {
  TrackSet set;
  for (const RegisteredBehaviour& registered : behaviour_registry()) {
    const char* name = registered.info->name;
    const Node* node = table.key(name);
    if (!node) continue;
    BehaviourTracks tracks{registered.info, node->place, {}, {}};
    const auto add = [&](const Node& one, const std::string& where) {
      TableReader reader(one, where, plane, reading);
      tracks.tracks.push_back(reader.given(tracks.parameters()));
      tracks.written.push_back({&one});
      reader.finish();
    };
    const std::string where = fmt::format("{} > {}", table.where(), name);
    if (node->table()) {
      add(*node, where);
    } else if (node->list() && !node->list()->empty()) {
      for (const Node& one : *node->list()) add(one, fmt::format("{} {}", where, tracks.tracks.size() + 1));
    } else {
      table.wrong(name, fmt::format("needs a table of its parameters, such as {{ weight = 1 }}, got {}", node->kind()));
      continue;
    }
    set.push_back(std::move(tracks));
  }
  return set;
}

TrackSet merged(const TrackSet& material, const TrackSet& own) {
  TrackSet set;
  for (const RegisteredBehaviour& registered : behaviour_registry()) {
    const BehaviourTracks* general = find(material, registered.info);
    const BehaviourTracks* special = find(own, registered.info);
    if (!general && !special) continue;
    BehaviourTracks tracks = special ? *special : *general;
    if (general && special && general->tracks.size() == 1 && special->tracks.size() == 1) {
      tracks.tracks[0] = merged(tracks.parameters(), general->tracks[0], special->tracks[0]);
      tracks.written[0].push_back(general->written[0].front());
    }
    set.push_back(std::move(tracks));
  }
  return set;
}

void complete(TrackSet& set, const std::string& where, bool plane, Reading& reading) {
  for (BehaviourTracks& behaviour : set) {
    for (Values& values : behaviour.tracks) {
      for (const Parameter* p : behaviour.info->parameters)
        if (p->required && !values.given(*p))
          reading.mistakes.add(behaviour.place,
                               fmt::format("{} > {} needs '{}'", where, behaviour.info->name, p->name));
      values = with_defaults(behaviour.parameters(), std::move(values), plane);
    }
    // Numbers blend, words do not.
    for (const Parameter* p : behaviour.info->parameters)
      if (p->kind == Parameter::Kind::choice && !behaviour.info->tracks_add)
        for (const Values& values : behaviour.tracks)
          if (values.choice(*p) != behaviour.tracks.front().choice(*p)) {
            reading.mistakes.add(
                behaviour.place,
                fmt::format("{} > {} fades between tracks with different '{}', which cannot blend; give "
                            "all of them the same",
                            where, behaviour.info->name, p->name));
            break;
          }
  }
}

std::vector<Track> tracks_of(const TrackSet& set) {
  std::vector<Track> tracks;
  for (const BehaviourTracks& behaviour : set)
    for (const Values& values : behaviour.tracks)
      tracks.push_back({behaviour.info->name, values.number(keys::weight), values});
  return tracks;
}

std::string toml_tables(const TrackSet& set, std::string_view below) {
  std::string text;
  for (const BehaviourTracks& behaviour : set) {
    const bool several = behaviour.tracks.size() > 1;
    for (const Values& values : behaviour.tracks) {
      text += fmt::format("\n{}{}.{}{}\n", several ? "[[" : "[", below, behaviour.info->name, several ? "]]" : "]");
      for (const std::string& entry : toml_entries(behaviour.parameters(), values)) text += entry + '\n';
    }
  }
  return text;
}

}  // namespace fondue
