// What matter does to bodies: the reaction to the forces of their boundary particles, from the last evaluation.

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "world/world.h"

namespace fondue {

/// For each of these colliders the load about its point; with its single pushes if they are wanted.
std::vector<World::BodyLoad> World::loads_on(std::span<const Index> colliders, std::span<const Vec3d> about,
                                             bool with_pushes) {
  const auto m = particles_[columns::mass];
  const auto x = particles_[columns::position];
  const auto R = particles_[columns::support];
  const std::span<const Block> blocks = neighbourhood_.blocks();
  const std::span<const WallRecord> walls = neighbourhood_.walls();
  const bool solved = formulas_.any<Pass::solve>();
  const PairSpace at_solution = solved ? solve_.space_at_solution(neighbourhood_) : PairSpace{};
  constexpr Index none = 0xffffffff;
  std::vector<Index> place(setup_.colliders.size(), none);
  for (Index k = 0; k != colliders.size(); ++k) place[colliders[k]] = k;

  const bool steady = std::ranges::any_of(colliders, [&](Index c) { return (*bodies_)[c].steady(); });
  const Index first_wall = steady ? 0 : neighbourhood_.first_changing_wall();

  std::vector<std::vector<BodyLoad>> parts(blocks.size());
  parallel_for(
      blocks.size(),
      [&](std::size_t b) {
        const Block& block = blocks[b];
        struct Near {
          Index at;
          const Group* group;
        };
        std::vector<Near> near;
        for (const Group& group : std::span(block.groups, block.group_count)) {
          const std::size_t before = near.size();
          for (Index k = group.walls_begin; k != group.walls_end; ++k) {
            const Index wall = block.walls.data()[k];
            if (wall < first_wall) continue;
            const Index at = place[walls[wall].collider];
            if (at != none && std::ranges::find(near.begin() + before, near.end(), at, &Near::at) == near.end())
              near.push_back({at, &group});
          }
        }
        if (near.empty()) return;
        std::ranges::stable_sort(near, {}, &Near::at);
        parts[b].resize(colliders.size());
        const AccelerationBuffer rates(block);
        Block own;
        own.begin = block.begin;
        own.end = block.end;
        own.reserve_groups(near.size());
        for (std::size_t next = 0; next != near.size();) {
          const Index at = near[next].at;
          BodyLoad& sum = parts[b][at];
          // Those groups that are near, with no neighbours but the collider's boundary particles.
          own.group_count = 0;
          Index count = 0;
          for (; next != near.size() && near[next].at == at; ++next) {
            const Group* const group = near[next].group;
            const Index first = count;
            own.walls.reserve(count + group->walls_end - group->walls_begin);
            for (Index k = group->walls_begin; k != group->walls_end; ++k)
              if (const Index wall = block.walls.data()[k]; wall >= first_wall && walls[wall].collider == colliders[at])
                own.walls.data()[count++] = wall;
            own.groups[own.group_count++] = {group->first,   group->count,   0, 0, first, count,
                                             group->uniform, group->formulas};
          }
          const auto add = [&] {
            for (const Group& group : std::span(own.groups, own.group_count))
              for (Index slot = group.first; slot != group.first + group.count; ++slot) {
                const Index k = slot - block.begin;
                const Vec3d a(rates.arrays.x[k], rates.arrays.y[k], rates.arrays.z[k]);
                rates.arrays.x[k] = rates.arrays.y[k] = rates.arrays.z[k] = 0;
                if (a.isZero(0)) continue;
                const Index i = neighbourhood_.slots().particle(slot);
                const Vec3d reaction = -static_cast<double>(m[i]) * a;
                sum.load.force += reaction;
                sum.load.torque += (x[i].cast<double>() - about[at]).cross(reaction);
                if (with_pushes) sum.pushes.push_back({reaction, x[i].cast<double>()});
              }
          };
          for (const Group& group : std::span(own.groups, own.group_count))
            for (Index slot = group.first; slot != group.first + group.count; ++slot) {
              const Index i = neighbourhood_.slots().particle(slot);
              const std::span<const Index> list(own.walls.data() + group.walls_begin,
                                                own.walls.data() + group.walls_end);
              const bool touches = std::ranges::any_of(list, [&](Index wall) {
                const Vec3 from(x[i].x() - walls[wall].x, x[i].y() - walls[wall].y, x[i].z() - walls[wall].z);
                return neighbourhood_.periodicity().shortest(from).squaredNorm() < R[i] * R[i];
              });
              if (touches) sum.touching += static_cast<double>(m[i]);
            }
          neighbourhood_.loops().rates(neighbourhood_.pair_space(), formulas_, own, rates.arrays);
          add();
          if (!solved) continue;
          neighbourhood_.loops().apply(at_solution, formulas_, own, rates.arrays);
          add();
        }
      },
      1);
  std::vector<BodyLoad> total(colliders.size());
  for (const std::vector<BodyLoad>& part : parts)
    for (std::size_t at = 0; at != part.size(); ++at) {
      total[at].load.force += part[at].load.force;
      total[at].load.torque += part[at].load.torque;
      total[at].touching += part[at].touching;
      total[at].pushes.insert(total[at].pushes.end(), part[at].pushes.begin(), part[at].pushes.end());
    }
  return total;
}

Wrench World::load_on(Index collider, const Vec3& about) {
  const Vec3d point = about.cast<double>();
  Load load = loads_on({&collider, 1}, {&point, 1})[0].load;
  if (last_step_ > 0) {
    const Impulses::Sum stopped = impulses_.last(collider);
    load.force += stopped.impulse / last_step_;
    load.torque += (stopped.moment - point.cross(stopped.impulse)) / last_step_;
  }
  return {load.force.cast<float>(), load.torque.cast<float>()};
}

std::vector<Push> World::pushes_on(Index collider) {
  const Vec3d anywhere = Vec3d::Zero();
  std::vector<Push> pushes = loads_on({&collider, 1}, {&anywhere, 1}, true)[0].pushes;
  if (last_step_ > 0)
    impulses_.each_last(collider, [&](const Vec3d& impulse, const Vec3d& at) {
      pushes.push_back({impulse / last_step_, at});
    });
  return pushes;
}

/// Gives rigid bodies their load, and shortens the next step where a light one could be thrown about: it hangs between
/// the springs that are stable for the particles it touches, whose frequency rises with their mass over its own.
void World::load_bodies(double step) {
  RigidBodies& rigid = bodies_->rigid();
  if (rigid.indices().empty()) return;
  std::vector<Vec3d> centres;
  for (const Index b : rigid.indices()) centres.push_back(rigid.centre(b));
  const std::vector<BodyLoad> gathered = loads_on(rigid.indices(), centres);
  std::vector<Load> loads;
  double most = 0;
  for (std::size_t k = 0; k != gathered.size(); ++k) {
    loads.push_back(gathered[k].load);
    const Index b = rigid.indices()[k];
    if ((*bodies_)[b].dynamic()) most = std::max(most, gathered[k].touching / rigid.properties(b).mass);
  }
  rigid.set_loads(loads, step);
  limit_by_contact();
  constexpr double tolerated = 2;
  if (most > tolerated) {
    limit_.seconds = static_cast<float>(static_cast<double>(limit_.seconds) * std::sqrt(tolerated / most));
    limit_.cause = "light body";
  }
}

/// A rigid body goes a quarter of a spacing in a step at most where there is matter in substeps: it leaves the path
/// that was solved for by what that pushes.
void World::limit_by_contact() {
  if (!(substeps_.limit().seconds < infinity)) return;
  const RigidBodies& rigid = bodies_->rigid();
  for (const Index b : rigid.indices()) {
    const Body& body = (*bodies_)[b];
    if (!body.dynamic()) continue;
    const RigidState state(body.state(), rigid.properties(b));
    Vec3 size = body.setup().shape->bounds().size();
    if (setup_.dimension == 2) size.z() = 0;
    const double radius = 0.5 * static_cast<double>(size.norm());
    const double speed = state.velocity.norm() + state.angular_velocity.norm() * radius;
    const double longest = 0.25 * static_cast<double>(body.spacing()) / std::max(speed, 1e-30);
    if (longest < static_cast<double>(limit_.seconds)) {
      limit_.seconds = static_cast<float>(longest);
      limit_.cause = "light body";
    }
  }
}

}  // namespace fondue
