#include "world/pins.h"

#include <fmt/format.h>

#include "core/error.h"

namespace fondue {

namespace {
const std::string prefix = "pin.";
}

Pins::Pins(const WorldSetup& setup) : setup_(setup), on_(setup.pins.size(), 0) {}

void Pins::require(Particles& particles) const {
  if (empty()) return;
  particles.require(columns::pin);
  particles.require(columns::pin_place);
}

const Motion& Pins::motion(const PinSetup& pin) const {
  return pin.collider ? setup_.colliders[*pin.collider].motion : pin.motion;
}

bool Pins::reaches(const PinSetup& pin, const Vec3& local, float spacing) const {
  if (pin.collider) return setup_.colliders[*pin.collider].shape->distance(local) < spacing;
  return pin.shape->contains(local);
}

std::vector<Pose> Pins::poses(double time) const {
  std::vector<Pose> result;
  for (const PinSetup& pin : setup_.pins) result.push_back(pose_at(motion(pin), time));
  return result;
}

void Pins::update(Particles& particles, double time) {
  for (std::size_t p = 0; p != setup_.pins.size(); ++p) {
    const PinSetup& pin = setup_.pins[p];
    const bool on = pin.on.at(time) > 0.5f;
    if (on == (on_[p] != 0)) continue;
    on_[p] = on;
    const Index mark = static_cast<Index>(p) + 1;
    const auto held = particles[columns::pin];
    const auto x = particles[columns::position], place = particles[columns::pin_place];
    const auto object = particles[columns::object];
    const auto R = particles[columns::support];
    if (!on) {
      for (Index& by : held)
        if (by == mark) by = 0;
      continue;
    }
    const Pose pose = pose_at(motion(pin), time);
    Index count = 0;
    for (Index i = 0; i != particles.size(); ++i) {
      if (held[i] != 0 || (pin.object && object[i] != *pin.object)) continue;
      const Vec3 local = pose.to_local(x[i]);
      if (!reaches(pin, local, R[i] / setup_.support_ratio)) continue;
      held[i] = mark;
      place[i] = local;
      ++count;
    }
    if (count == 0)
      throw InputError(fmt::format("pin '{}' holds nothing: at {} s no free particle{} is {}", pin.name, time,
                                   pin.object ? " of object '" + setup_.objects[*pin.object].name + "'" : "",
                                   pin.collider
                                       ? "within one spacing of collider '" + setup_.colliders[*pin.collider].name + "'"
                                       : "inside its shape"));
  }
}

void Pins::save(NamedNumbers& numbers) const {
  for (std::size_t p = 0; p != on_.size(); ++p) numbers[prefix + setup_.pins[p].name] = {static_cast<double>(on_[p])};
}

void Pins::restore(const NamedNumbers& numbers) {
  for (std::size_t p = 0; p != on_.size(); ++p)
    if (const auto found = numbers.find(prefix + setup_.pins[p].name); found != numbers.end() && !found->second.empty())
      on_[p] = found->second[0] != 0;
}

}  // namespace fondue
