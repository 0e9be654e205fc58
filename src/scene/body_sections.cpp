// Rigid bodies and joints.

#include <fmt/format.h>

#include <algorithm>

#include "scene/geometry_checks.h"
#include "scene/key_doubts.h"
#include "scene/scene_reader.h"
#include "scene/suggest.h"

namespace fondue {

void SceneReader::read_body(const Node& node, const std::string& where) {
  namespace k = keys::body;
  ShapedTable table = read_shaped(node, where, sections::bodies);
  auto& [reader, values, read] = table;
  ColliderSetup body = solid_of(table);
  RigidSetup& rigid = body.rigid.emplace();
  if (values.given(k::density)) rigid.density = values.constant(k::density);
  if (values.given(k::mass)) rigid.mass = values.constant(k::mass);
  rigid.gravity = values.vector(k::gravity);
  rigid.velocity = values.vector(k::velocity).at(0);
  rigid.angular_velocity = values.vector(k::angular_velocity).at(0);
  rigid.dynamic = values.number(k::dynamic);
  // Its keyframes move it while it is held.
  std::vector<float> held;
  for (const float dynamic : rigid.dynamic.values()) held.push_back(1 - dynamic);
  const Keyable<float> while_held = rigid.dynamic.constant()
                                        ? Keyable<float>(held.front())
                                        : Keyable<float>(rigid.dynamic.curve().with(held), rigid.dynamic.over());
  const Parameter* const motion[] = {&keys::motion::position, &keys::motion::rotation};
  doubt_keys_while_off(node, where, motion, values, while_held, "its motion is solved for", reading_, true);

  if (rigid.density && rigid.mass)
    reader.wrong(k::mass.name, "is given beside 'density'; give one of them");
  else if (!node.find(k::density.name) && !node.find(k::mass.name))
    reader.missing("density' or 'mass");
  const std::vector<std::string> names = collider_names();
  if (std::ranges::find(names, body.name) != names.end())
    reader.wrong(keys::common::name.name, fmt::format("must differ from that of collider '{}'", body.name));
  if (scene_.world.individual_steps)
    reading_.mistakes.add(node.place, fmt::format("{} needs one time step for all particles; set 'individual_steps' in "
                                                  "[time] to false",
                                                  where));
  if (read)
    if (const std::string unfit = unfit_for_a_body(body, scene_.world); !unfit.empty())
      reader.wrong(keys::common::shape.name, unfit);
  scene_.world.colliders.push_back(std::move(body));
}

void SceneReader::read_joint(const Node& node, const std::string& where) {
  namespace k = keys::joint;
  TableReader reader(node, where, plane(), reading_);
  const Values values = reader.values(k::all);
  reader.finish();
  write(sections::joints, values);

  JointSetup joint;
  joint.name = values.text(keys::common::name);
  joint.anchor = values.vector(k::anchor).at(0);
  joint.axis = values.vector(k::axis).at(0);
  joint.on = values.number(keys::common::on);
  if (values.given(k::speed)) joint.speed = values.number(k::speed);
  if (values.given(k::strength)) joint.strength = values.constant(k::strength);
  const std::vector<std::string> solids = solid_names();
  const auto index_of = [&](const Parameter& key) -> std::optional<Index> {
    const std::string name = values.text(key);
    const auto found = std::ranges::find(solids, name);
    if (found != solids.end()) return static_cast<Index>(found - solids.begin());
    reader.wrong(key.name, fmt::format("names an unknown body '{}'{}", name, suggestion(name, solids)));
    return std::nullopt;
  };
  bool known = values.given(k::kind) && values.given(k::body);
  if (values.given(k::body)) {
    const auto body = index_of(k::body);
    known &= body.has_value();
    joint.body = body.value_or(0);
    if (body && !scene_.world.colliders[*body].rigid)
      reader.wrong(k::body.name, fmt::format("names the collider '{}', which moves by itself; give the rigid body here "
                                             "and the collider as 'to'",
                                             solids[*body]));
  }
  if (const std::string to = values.text(k::to); !to.empty()) {
    joint.to = index_of(k::to);
    known &= joint.to.has_value();
    if (joint.to && values.given(k::body) && to == values.text(k::body)) reader.wrong(k::to.name, "is the body itself");
  }
  if (values.given(k::kind)) {
    joint.kind = static_cast<JointKind>(values.choice(k::kind));
    const bool hinge = joint.kind == JointKind::hinge, slider = joint.kind == JointKind::slider;
    if (joint.axis.isZero(0)) reader.wrong(k::axis.name, "must not be 0");
    if (hinge && plane()) {
      if (node.find(k::axis.name))
        reader.wrong(k::axis.name, "is for three dimensions; here a hinge turns in the plane");
      joint.axis = Vec3::UnitZ();
    }
    if (!hinge && !slider && joint.speed) reader.wrong(k::speed.name, "is for hinges and sliders");
  }
  if (values.given(k::strength) && !joint.speed)
    reader.wrong(k::strength.name, "is that of a motor, which needs 'speed'");
  if (known) scene_.world.joints.push_back(std::move(joint));
}

}  // namespace fondue
