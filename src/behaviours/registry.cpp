#include <fmt/format.h>

#include <algorithm>

#include "behaviours/artificial_viscosity.h"
#include "behaviours/attractor.h"
#include "behaviours/behaviour.h"
#include "behaviours/drag.h"
#include "behaviours/fluid.h"
#include "behaviours/gravity.h"
#include "behaviours/heat.h"
#include "behaviours/surface_tension.h"
#include "behaviours/viscosity.h"
#include "behaviours/wind.h"
#include "behaviours/xsph.h"

namespace fondue {

namespace {
template <class B>
RegisteredBehaviour entry() {
  return {&B::description, []() -> std::unique_ptr<Behaviour> { return std::make_unique<B>(); }};
}
}  // namespace

std::span<const RegisteredBehaviour> behaviour_registry() {
  static const RegisteredBehaviour all[] = {
      entry<Gravity>(),        entry<Fluid>(),     entry<Viscosity>(), entry<ArtificialViscosity>(),
      entry<SurfaceTension>(), entry<Xsph>(),      entry<Heat>(),      entry<Wind>(),
      entry<Drag>(),           entry<Attractor>(),
  };
  return all;
}

std::string unmet_need(std::span<const Track> tracks) {
  constexpr std::string_view given[] = {"position", "velocity", "volume", "support", "object", "id", "temperature"};
  const auto writes = [](const BehaviourInfo& info, std::string_view column) {
    return std::ranges::find(info.writes, column) != info.writes.end();
  };
  const auto present = [&](const BehaviourInfo& info) {
    return std::ranges::any_of(tracks, [&](const Track& track) { return track.behaviour == info.name; });
  };
  for (const RegisteredBehaviour& reader : behaviour_registry()) {
    if (!present(*reader.info)) continue;
    for (const std::string_view column : reader.info->reads) {
      if (std::ranges::find(given, column) != std::end(given)) continue;
      std::string writers;
      bool met = false;
      for (const RegisteredBehaviour& writer : behaviour_registry())
        if (writes(*writer.info, column)) {
          met |= present(*writer.info);
          writers += fmt::format("{}'{}'", writers.empty() ? "" : " or ", writer.info->name);
        }
      if (!met)
        return fmt::format("'{}' needs the {} that {} gives; add {}", reader.info->name, column, writers, writers);
    }
  }
  return {};
}

}  // namespace fondue
