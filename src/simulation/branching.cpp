#include "simulation/branching.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/differences.h"
#include "scene/sections.h"

namespace fondue {

namespace {

/// Keys of a section that are used only when a run begins, and why.
struct Fixed {
  std::string_view section;
  std::vector<const char*> keys;
  const char* why;
};

const std::vector<Fixed>& fixed_keys() {
  static const std::vector<Fixed> all = [] {
    namespace o = keys::object;
    constexpr const char* made = "its particles are there already";
    std::vector<Fixed> result = {
        {"scene",
         {keys::scene::dimension.name, keys::scene::spacing.name, keys::scene::support_ratio.name,
          keys::scene::kernel.name},
         "the particles are there already"},
        {"time", {keys::time::frames_per_second.name}, "the frames before it are counted by it"},
        {"objects",
         {o::filling.name, keys::common::spacing.name, keys::motion::velocity.name, o::angular_velocity.name,
          o::density.name, o::thickness.name, keys::common::shape.name},
         made},
        {"emitters", {keys::common::spacing.name}, made},
        {"bodies", {keys::body::velocity.name, keys::body::angular_velocity.name}, "it is moving already"}};
    for (const Parameter* initial : sections::initial_value_keys(&InitialValue::of_objects))
      std::ranges::find(result, "objects", &Fixed::section)->keys.push_back(initial->name);
    return result;
  }();
  return all;
}

/// The sentence about a difference that cannot be; empty if it can.
std::string impossible(const SceneDifference& difference) {
  const std::string& path = difference.path;
  for (const Fixed& fixed : fixed_keys()) {
    if (!path.starts_with(std::string(fixed.section) + '.')) continue;
    const std::string key = path.substr(path.rfind('.') + 1);
    // Keys of the section itself, not of its behaviours.
    const bool list = fixed.section != "scene" && fixed.section != "time";
    const std::string name = path.substr(fixed.section.size() + 1, path.size() - key.size() - fixed.section.size() - 1);
    if (list && (name.empty() || name.find('.') != name.size() - 1)) continue;
    if (std::ranges::find(fixed.keys, key) == fixed.keys.end()) continue;
    return fmt::format("{} cannot change from {} to {}: {}", path,
                       difference.before.empty() ? "its default" : difference.before,
                       difference.after.empty() ? "its default" : difference.after, fixed.why);
  }
  return "";
}

}  // namespace

std::vector<std::string> impossible_changes(const Scene& run, const Scene& branch) {
  std::vector<std::string> sentences;
  const auto& before = run.world.objects;
  const auto& after = branch.world.objects;
  for (const ObjectSetup& object : after)
    if (object.shape && std::ranges::find(before, object.name, &ObjectSetup::name) == before.end())
      sentences.push_back(
          fmt::format("object '{}' cannot be added: objects are filled with particles when a run begins; "
                      "an emitter can add matter later",
                      object.name));
  // Particles know their object by its place in this list.
  for (std::size_t o = 0; o != before.size() && sentences.empty(); ++o)
    if (o >= after.size() || after[o].name != before[o].name)
      sentences.push_back(fmt::format(
          "object '{}' cannot be removed, renamed or moved in the file: there may be particles of it", before[o].name));
  if (!sentences.empty()) return sentences;
  for (const SceneDifference& difference : differences(run.effective, branch.effective))
    if (std::string sentence = impossible(difference); !sentence.empty()) sentences.push_back(std::move(sentence));
  return sentences;
}

}  // namespace fondue
