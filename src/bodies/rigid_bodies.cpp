#include "bodies/rigid_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/error.h"

namespace fondue {

namespace {

/// Substeps are no longer than this, and than it takes to move a part of the distance between contact points.
constexpr double longest_substep = 2e-3, part_of_spacing = 0.25;
constexpr Index most_substeps = 64;
/// Bodies rest on each other if they meet no faster than gravity makes them within this many substeps.
constexpr double resting_substeps = 4;

const std::string load_prefix = "load.", touched_prefix = "touched.", joint_prefix = "joint.";

std::vector<double> numbers_of(const Pose& pose) {
  const Vec3d& x = pose.position;
  const Eigen::Quaterniond& q = pose.rotation;
  return {x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z()};
}

Pose pose_of(std::span<const double> n) {
  return {Eigen::Quaterniond(n[3], n[4], n[5], n[6]), Vec3d(n[0], n[1], n[2])};
}

/// Mean velocities of a motion between two poses.
BodyState between(const Pose& from, const Pose& to, double seconds) {
  const Eigen::AngleAxisd turn((to.rotation * from.rotation.conjugate()).normalized());
  // The shorter way round.
  const double angle = turn.angle() > EIGEN_PI ? turn.angle() - 2 * EIGEN_PI : turn.angle();
  return {from, (to.position - from.position) / seconds, angle / seconds * turn.axis()};
}

Index root(std::vector<Index>& parent, Index k) {
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

}  // namespace

RigidBodies::RigidBodies(std::vector<Body>& bodies, std::vector<JointSetup> joints, int dimension)
    : bodies_(bodies),
      dimension_(dimension),
      properties_(bodies.size()),
      loads_(bodies.size()),
      pushes_(bodies.size()),
      touched_(bodies.size(), 0),
      search_(bodies, dimension) {
  for (Index b = 0; b != bodies_.size(); ++b) {
    if (!bodies_[b].rigid()) continue;
    indices_.push_back(b);
    const RigidSetup& rigid = *bodies_[b].setup().rigid;
    properties_[b] = mass_properties(*bodies_[b].setup().shape, rigid, dimension_);
    if (!bodies_[b].dynamic()) continue;
    RigidState state(bodies_[b].state(), properties_[b]);
    state.velocity = rigid.velocity.cast<double>();
    state.angular_velocity = rigid.angular_velocity.cast<double>();
    bodies_[b].set_state(state.body_state(properties_[b]), 0);
  }
  for (JointSetup& joint : joints) joints_.push_back({std::move(joint), false, {}, {}});
  update_joints(0);
}

Vec3d RigidBodies::centre(Index body) const {
  const Pose& pose = bodies_[body].state().pose;
  return pose.position + pose.rotation * properties_[body].centre;
}

void RigidBodies::release_and_catch(double time) {
  for (const Index b : indices_) {
    Body& body = bodies_[b];
    const bool dynamic = body.setup().rigid->dynamic.at(time) > 0.5f;
    if (dynamic == body.dynamic()) continue;
    if (dynamic) {
      // With the velocity that its keyframes give it.
      body.follow_keyframes(time);
      body.release();
    } else {
      body.hold(time);
    }
  }
}

void RigidBodies::update_joints(double time) {
  for (Joint& joint : joints_) {
    const bool on = joint.setup.on.at(time) > 0.5f;
    if (on && !joint.on) {
      joint.body = bodies_[joint.setup.body].pose_at(time);
      joint.to = joint.setup.to ? bodies_[*joint.setup.to].pose_at(time) : Pose{};
    }
    joint.on = on;
  }
}

std::vector<std::pair<Index, Index>> RigidBodies::joined() const {
  std::vector<std::pair<Index, Index>> pairs;
  for (const Joint& joint : joints_)
    if (joint.on && joint.setup.to) pairs.push_back(std::minmax(joint.setup.body, *joint.setup.to));
  return pairs;
}

Index RigidBodies::substeps(double from, double to) const {
  const double seconds = to - from;
  double parts = seconds / longest_substep;
  for (const Index b : indices_) {
    if (!bodies_[b].dynamic()) continue;
    const BodyState& state = bodies_[b].state();
    const RigidState centre(state, properties_[b]);
    const double v = centre.velocity.norm() + seconds * load(b, from).force.norm() / properties_[b].mass;
    parts = std::max(parts, seconds * v / (part_of_spacing * static_cast<double>(search_.spacing(b))));
  }
  return static_cast<Index>(std::clamp(std::ceil(parts - 1e-6), 1.0, static_cast<double>(most_substeps)));
}

void RigidBodies::advance(double from, double to) {
  if (indices_.empty()) return;
  for (const Index b : indices_) bodies_[b].begin_step(from);
  // What was pushed in a short step is not pushed all through a long one.
  const double part = std::min(1.0, pushed_for_ / (to - from));
  for (Load& push : pushes_) push = {part * push.force, part * push.torque};
  release_and_catch(from);
  update_joints(from);
  const Index n = substeps(from, to);
  const auto time = [&](Index k) { return k == n ? to : from + (to - from) * k / n; };
  for (Index k = 0; k != n; ++k) substep(time(k), time(k + 1));
}

/// Dynamic bodies with the velocity that their load gives them in the step, the others as they move through it.
std::vector<ContactSearch::Moving> RigidBodies::moving(double from, double to, std::vector<ShapePtr>& shapes) const {
  std::vector<ContactSearch::Moving> all;
  shapes.clear();
  for (Index b = 0; b != bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    shapes.push_back(body.sequence() ? body.sequence()->shape(from) : body.setup().shape);
    if (!body.dynamic()) {
      all.push_back({between(body.pose_at(from), body.pose_at(to), to - from), false, shapes.back().get()});
      continue;
    }
    RigidState state(body.state(), properties_[b]);
    const Load load = this->load(b, from);
    state.push(properties_[b], (to - from) * load.force, (to - from) * load.torque);
    all.push_back({state.body_state(properties_[b]), true, shapes.back().get()});
  }
  return all;
}

void RigidBodies::substep(double from, double to) {
  std::vector<ShapePtr> shapes;
  const std::vector<ContactSearch::Moving> all = moving(from, to, shapes);
  const std::vector<BodyContact> contacts = search_.find(all, joined(), to - from);

  // Islands: dynamic bodies that are connected by contacts and joints.
  std::vector<Index> parent(bodies_.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  std::vector<std::uint8_t> held(bodies_.size(), 0);
  const auto connect = [&](Index a, Index b) {
    if (bodies_[a].dynamic() && bodies_[b].dynamic()) parent[root(parent, a)] = root(parent, b);
  };
  for (const BodyContact& contact : contacts) {
    held[contact.first] = held[contact.second] = 1;
    connect(contact.first, contact.second);
  }
  for (const Joint& joint : joints_) {
    if (!joint.on) continue;
    held[joint.setup.body] = 1;
    if (!joint.setup.to) continue;
    held[*joint.setup.to] = 1;
    connect(joint.setup.body, *joint.setup.to);
  }
  std::map<Index, std::vector<Index>> islands;
  for (const Index b : indices_) {
    if (!bodies_[b].dynamic()) continue;
    if (held[b]) {
      islands[root(parent, b)].push_back(b);
      continue;
    }
    RigidState state(bodies_[b].state(), properties_[b]);
    move_freely(state, properties_[b], load(b, from), to - from);
    bodies_[b].set_state(state.body_state(properties_[b]), to);
  }
  for (const auto& [any, members] : islands) advance_island(members, contacts, all, from, to);
}

SolverContact RigidBodies::solver_contact(const BodyContact& contact, double from, double seconds) const {
  const ColliderSetup &a = bodies_[contact.first].setup(), &b = bodies_[contact.second].setup();
  double gravity = 0;
  for (const ColliderSetup* setup : {&a, &b})
    if (setup->rigid) gravity = std::max(gravity, static_cast<double>(setup->rigid->gravity.at(from).norm()));
  SolverContact result{contact.first,
                       contact.second,
                       contact.point,
                       contact.normal,
                       contact.gap,
                       std::sqrt(static_cast<double>(a.friction) * static_cast<double>(b.friction)),
                       static_cast<double>(std::max(a.bounce, b.bounce)),
                       resting_substeps * gravity * seconds};
  for (const double sign : {-1.0, 1.0}) {
    const Body& body = bodies_[sign < 0 ? contact.first : contact.second];
    if (body.has_surface_velocity())
      result.surface_velocity += sign * body.surface_velocity(body.pose_at(from), contact.normal, from);
  }
  return result;
}

void RigidBodies::advance_island(std::span<const Index> members, std::span<const BodyContact> contacts,
                                 std::span<const ContactSearch::Moving> all, double from, double to) {
  const double seconds = to - from;
  std::vector<SolverBody> solved;
  std::vector<int> place(bodies_.size(), -1);
  const auto member = [&](Index b) {
    if (place[b] >= 0) return place[b];
    place[b] = static_cast<int>(solved.size());
    SolverBody body;
    body.dynamic = bodies_[b].dynamic();
    if (body.dynamic) {
      body.properties = properties_[b];
      body.state = RigidState(bodies_[b].state(), properties_[b]);
      body.load = load(b, from);
    } else {
      body.state = RigidState(all[b].state, {});
    }
    solved.push_back(body);
    return place[b];
  };
  for (const Index b : members) member(b);
  const auto belongs = [&](Index b) { return bodies_[b].dynamic() && place[b] >= 0; };

  std::vector<SolverContact> touching;
  for (const BodyContact& contact : contacts) {
    if (!belongs(contact.first) && !belongs(contact.second)) continue;
    SolverContact one = solver_contact(contact, from, seconds);
    one.first = static_cast<Index>(member(contact.first));
    one.second = static_cast<Index>(member(contact.second));
    touching.push_back(one);
  }
  std::vector<SolverJoint> joints;
  for (const Joint& joint : joints_) {
    const JointSetup& setup = joint.setup;
    if (!joint.on || (!belongs(setup.body) && !(setup.to && belongs(*setup.to)))) continue;
    const auto then = [&](Index b, const Pose& pose) { return RigidState(BodyState{pose, {}, {}}, properties_[b]); };
    // The scene says where the joint is with the body where it is at the start.
    const Pose start = fondue::pose_at(bodies_[setup.body].setup().motion, 0);
    const Vec3d anchor = start.rotation.conjugate() * (setup.anchor.cast<double>() - start.position);
    const Vec3d axis = start.rotation.conjugate() * setup.axis.cast<double>();
    joints.push_back({setup.kind, member(setup.body), setup.to ? member(*setup.to) : -1, then(setup.body, joint.body),
                      setup.to ? then(*setup.to, joint.to) : RigidState{},
                      joint.body.rotation * anchor + joint.body.position, joint.body.rotation * axis,
                      setup.speed ? std::optional(static_cast<double>(setup.speed->at(from))) : std::nullopt,
                      static_cast<double>(setup.strength)});
  }
  solve_bodies(solved, touching, joints, seconds, dimension_);
  for (const Index b : members) {
    RigidState& state = solved[static_cast<std::size_t>(place[b])].state;
    if (dimension_ == 2) {
      state.centre.z() = state.velocity.z() = 0;
      state.angular_velocity.x() = state.angular_velocity.y() = 0;
      state.rotation.x() = state.rotation.y() = 0;
      state.rotation.normalize();
    }
    bodies_[b].set_state(state.body_state(properties_[b]), to);
  }
}

std::vector<std::string> RigidBodies::relax() {
  // Less than this part of the distance between contact points is no overlap.
  constexpr double tolerated = 0.01;
  constexpr int most_rounds = 400;
  constexpr double seconds = 0.01;
  std::map<std::pair<Index, Index>, double> overlaps;
  std::vector<ShapePtr> shapes;
  for (int round = 0; round != most_rounds; ++round) {
    std::vector<ContactSearch::Moving> all = moving(0, seconds, shapes);
    for (ContactSearch::Moving& one : all) one.state.velocity = one.state.angular_velocity = Vec3d::Zero();
    std::vector<BodyContact> contacts = search_.find(all, joined(), seconds);
    bool overlapping = false;
    for (const BodyContact& contact : contacts) {
      float spacing = search_.spacing(contact.first);
      if (!(spacing > 0)) spacing = search_.spacing(contact.second);
      if (contact.gap > -tolerated * static_cast<double>(spacing)) continue;
      overlapping = true;
      double& deepest = overlaps[{contact.first, contact.second}];
      if (round == 0) deepest = std::max(deepest, -contact.gap);
    }
    if (!overlapping) break;
    std::vector<SolverBody> solved(bodies_.size());
    for (Index b = 0; b != bodies_.size(); ++b) {
      solved[b].dynamic = bodies_[b].dynamic();
      solved[b].properties = properties_[b];
      solved[b].state = RigidState(BodyState{all[b].state.pose, {}, {}}, properties_[b]);
    }
    std::vector<SolverContact> touching;
    for (const BodyContact& c : contacts) touching.push_back({c.first, c.second, c.point, c.normal, c.gap, 0, 0, 0});
    solve_bodies(solved, touching, {}, seconds, dimension_);
    for (const Index b : indices_) {
      if (!bodies_[b].dynamic()) continue;
      // Moved, but as fast as before.
      RigidState state(bodies_[b].state(), properties_[b]);
      state.centre = solved[b].state.centre;
      state.rotation = solved[b].state.rotation;
      bodies_[b].set_state(state.body_state(properties_[b]), 0);
    }
  }
  std::vector<std::string> notes;
  for (const auto& [pair, deepest] : overlaps)
    if (deepest > 0)
      notes.push_back(fmt::format("body '{}' and '{}' overlap by {:.2g} m at the start and were moved apart",
                                  bodies_[pair.first].setup().name, bodies_[pair.second].setup().name, deepest));
  for (Joint& joint : joints_) joint.on = false;
  update_joints(0);
  return notes;
}

void RigidBodies::save(NamedNumbers& numbers) const {
  for (const Index b : indices_) {
    std::vector<double>& saved = numbers[load_prefix + bodies_[b].setup().name];
    for (const Load* load : {&loads_[b], &pushes_[b]})
      for (const Vec3d* vector : {&load->force, &load->torque})
        saved.insert(saved.end(), vector->begin(), vector->end());
    saved.push_back(pushed_for_);
    numbers[touched_prefix + bodies_[b].setup().name] = {touched_[b]};
  }
  for (const Joint& joint : joints_) {
    std::vector<double>& saved = numbers[joint_prefix + joint.setup.name];
    saved = {joint.on ? 1.0 : 0.0};
    for (const Pose* pose : {&joint.body, &joint.to})
      for (const double number : numbers_of(*pose)) saved.push_back(number);
  }
}

void RigidBodies::restore(const NamedNumbers& numbers) {
  const auto saved = [&](const std::string& name, std::size_t count) -> const std::vector<double>* {
    const auto found = numbers.find(name);
    if (found == numbers.end()) return nullptr;
    if (found->second.size() != count)
      throw InputError(
          fmt::format("the saved state '{}' has {} numbers instead of {}", name, found->second.size(), count));
    return &found->second;
  };
  for (const Index b : indices_)
    if (const auto* n = saved(load_prefix + bodies_[b].setup().name, 13)) {
      const auto vector = [&](std::size_t k) { return Vec3d((*n)[k], (*n)[k + 1], (*n)[k + 2]); };
      loads_[b] = {vector(0), vector(3)};
      pushes_[b] = {vector(6), vector(9)};
      pushed_for_ = n->back();
    }
  for (const Index b : indices_)
    if (const auto* n = saved(touched_prefix + bodies_[b].setup().name, 1)) touched_[b] = n->front();
  for (Joint& joint : joints_)
    if (const auto* n = saved(joint_prefix + joint.setup.name, 15)) {
      joint.on = (*n)[0] != 0;
      joint.body = pose_of(std::span(*n).subspan(1, 7));
      joint.to = pose_of(std::span(*n).subspan(8, 7));
    }
}

}  // namespace fondue
