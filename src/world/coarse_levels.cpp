#include "world/coarse_levels.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace fondue {

namespace {

/// Width of the finest cells, in supports.
constexpr float finest_width = 1.5f;
/// The coarsest level has at most this many cells along an axis.
constexpr int coarsest_cells = 2;
/// What a level corrects the levels beside it correct as well. With both stiffnesses below doubled a block of wax and
/// the wall of wall-impact took the fewest iterations (half: twice as many; double: as many).
constexpr float overlap = 2;
/// dt nu over R^2 and what pairs add to the diagonal: a tenth of their mean square distance under the weight of their
/// friction, which is 0.28 R^2.
constexpr float nu_of_diagonal = overlap * 0.028f;
/// The diagonal of trilinear functions: 8/3 by |grad|^2 and 5/3 of that because components meet.
constexpr float grid_diagonal = overlap * 40 / 9;

constexpr std::size_t cells_per_chunk = 32;

float wall_friction(const CoarseLevels::Matter& p, Index k) {
  return p.dt * (p.walls[0][k] + p.walls[1][k] + p.walls[2][k]) / 3;
}

/// dt nu
float stiffness(const CoarseLevels::Matter& p, Index k) {
  const float of_pairs = 1 / p.inverse_diagonal[k] - 1 - wall_friction(p, k);
  return nu_of_diagonal * p.support * p.support * std::max(of_pairs, 0.0f);
}

}  // namespace

void CoarseLevels::lay_grid(const Matter& p) {
  const Box box = parallel_reduce(
      p.records.size(), Box{},
      [&](std::size_t k) {
        Box one;
        if (p.mass[k] > 0) one.add(Vec3(p.records[k].x, p.records[k].y, p.records[k].z));
        return one;
      },
      [](Box all, const Box& one) {
        all.add(one);
        return all;
      });
  levels_.clear();
  if (box.empty()) return;
  // No more cells than particles, however far these are spread.
  float width = finest_width * p.support;
  const auto count = [&](int axis) { return std::floor(1 + 1.0001 * (box.max[axis] - box.min[axis]) / width); };
  while (count(0) * count(1) * count(2) > static_cast<double>(p.records.size()) + 8) width *= 1.26f;
  for (int axis = 0; axis != 3; ++axis) cells_[axis] = static_cast<int>(count(axis));
  origin_ = box.min;
  int cells[3] = {cells_[0], cells_[1], cells_[2]};
  for (;;) {
    Level level;
    for (int axis = 0; axis != 3; ++axis) level.nodes[axis] = cells[axis] + 1;
    level.width = width;
    level.values.resize(static_cast<std::size_t>(level.nodes[0]) * level.nodes[1] * level.nodes[2]);
    level.inverse_diagonal.resize(level.values.size());
    levels_.push_back(std::move(level));
    if (std::max({cells[0], cells[1], cells[2]}) <= coarsest_cells) return;
    for (int& n : cells) n = (n + 1) / 2;
    width *= 2;
  }
}

void CoarseLevels::sort_into_cells(const Matter& p) {
  const float inverse = 1 / levels_[0].width;
  const std::size_t cells = static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2];
  cell_of_slot_.resize(p.records.size());
  parallel_for(
      p.records.size(),
      [&](std::size_t k) {
        const Record& record = p.records[k];
        const auto along = [&](float x, int axis) {
          return std::clamp(static_cast<int>((x - origin_[axis]) * inverse), 0, cells_[axis] - 1);
        };
        cell_of_slot_[k] = p.mass[k] > 0
                               ? static_cast<Index>((along(record.z, 2) * cells_[1] + along(record.y, 1)) * cells_[0] +
                                                    along(record.x, 0))
                               : static_cast<Index>(cells);
      },
      4096);
  std::vector<Index> begin(cells + 2, 0);
  for (const Index cell : cell_of_slot_) ++begin[cell + 1];
  for (std::size_t c = 0; c != cells + 1; ++c) begin[c + 1] += begin[c];
  occupied_.clear();
  for (std::size_t c = 0; c != cells; ++c)
    if (begin[c] != begin[c + 1]) occupied_.push_back({static_cast<Index>(c), begin[c], begin[c + 1]});
  slots_.resize(cell_of_slot_.size());
  for (std::size_t k = 0; k != cell_of_slot_.size(); ++k) slots_[begin[cell_of_slot_[k]]++] = static_cast<Index>(k);
  corners_.resize(occupied_.size());
  weights_.resize(slots_.size());
  parallel_blocks(occupied_.size(), cells_per_chunk, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c != last; ++c)
      for (Index n = occupied_[c].begin; n != occupied_[c].end; ++n)
        weights_[n] = weights(p.records[slots_[n]], occupied_[c].cell);
  });
}

CoarseLevels::Weights CoarseLevels::weights(const Record& record, std::size_t cell) const {
  const float inverse = 1 / levels_[0].width;
  const auto fraction = [&](float x, int axis, std::size_t index) {
    return std::clamp((x - origin_[axis]) * inverse - static_cast<float>(index), 0.0f, 1.0f);
  };
  const std::size_t nx = static_cast<std::size_t>(cells_[0]), ny = static_cast<std::size_t>(cells_[1]);
  const float x = fraction(record.x, 0, cell % nx), y = fraction(record.y, 1, cell / nx % ny),
              z = fraction(record.z, 2, cell / (nx * ny));
  const float of_x[2] = {1 - x, x}, of_yz[4] = {(1 - y) * (1 - z), y * (1 - z), (1 - y) * z, y * z};
  Weights w;
  for (int k = 0; k != 8; ++k) w.of_corner[k] = of_x[k & 1] * of_yz[k >> 1];
  return w;
}

/// Sums of value(slot) at the nodes of the finest level.
template <class Value>
void CoarseLevels::gather(Value&& value) {
  parallel_blocks(occupied_.size(), cells_per_chunk, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c != last; ++c) {
      Corners sum{};
      for (Index n = occupied_[c].begin; n != occupied_[c].end; ++n) {
        const Index slot = slots_[n];
        const Weights& w = weights_[n];
        const Vec3 v = value(slot);
        for (int k = 0; k != 8; ++k) {
          sum.x[k] += w.of_corner[k] * v.x();
          sum.y[k] += w.of_corner[k] * v.y();
          sum.z[k] += w.of_corner[k] * v.z();
        }
      }
      corners_[c] = sum;
    }
  });
  Level& finest = levels_[0];
  std::fill(finest.values.begin(), finest.values.end(), Vec3(Vec3::Zero()));
  for (std::size_t c = 0; c != occupied_.size(); ++c) {
    const int cell = static_cast<int>(occupied_[c].cell);
    const int i = cell % cells_[0], j = cell / cells_[0] % cells_[1], k = cell / (cells_[0] * cells_[1]);
    const Corners& sum = corners_[c];
    for (int n = 0; n != 8; ++n)
      finest.values[finest.node(i + (n & 1), j + (n >> 1 & 1), k + (n >> 2))] += Vec3(sum.x[n], sum.y[n], sum.z[n]);
  }
}

/// Node i of a level lies at node i/2 of the next, between two of them if i is odd.
void CoarseLevels::restrict_to(std::size_t coarser) {
  const Level& from = levels_[coarser - 1];
  Level& to = levels_[coarser];
  std::fill(to.values.begin(), to.values.end(), Vec3(Vec3::Zero()));
  for (int k = 0; k != from.nodes[2]; ++k)
    for (int j = 0; j != from.nodes[1]; ++j)
      for (int i = 0; i != from.nodes[0]; ++i) {
        const Vec3& value = from.values[from.node(i, j, k)];
        const float share = 1.0f / static_cast<float>((1 + (i & 1)) * (1 + (j & 1)) * (1 + (k & 1)));
        for (int c = k / 2; c <= (k + 1) / 2; ++c)
          for (int b = j / 2; b <= (j + 1) / 2; ++b)
            for (int a = i / 2; a <= (i + 1) / 2; ++a) to.values[to.node(a, b, c)] += share * value;
      }
}

/// Adds what the coarser level says to what this one makes of its own residual.
void CoarseLevels::prolong_from(std::size_t coarser) {
  const Level& from = levels_[coarser];
  Level& to = levels_[coarser - 1];
  for (int k = 0; k != to.nodes[2]; ++k)
    for (int j = 0; j != to.nodes[1]; ++j)
      for (int i = 0; i != to.nodes[0]; ++i) {
        const float share = 1.0f / static_cast<float>((1 + (i & 1)) * (1 + (j & 1)) * (1 + (k & 1)));
        Vec3 sum = Vec3::Zero();
        for (int c = k / 2; c <= (k + 1) / 2; ++c)
          for (int b = j / 2; b <= (j + 1) / 2; ++b)
            for (int a = i / 2; a <= (i + 1) / 2; ++a) sum += from.values[from.node(a, b, c)];
        const std::size_t n = to.node(i, j, k);
        to.values[n] = to.inverse_diagonal[n] * to.values[n] + share * sum;
      }
}

void CoarseLevels::prepare(const Matter& p) {
  lay_grid(p);
  if (levels_.empty()) return;
  sort_into_cells(p);
  gather([&](Index k) -> Vec3 { return p.mass[k] * Vec3(1, stiffness(p, k), wall_friction(p, k)); });
  for (std::size_t l = 0; l != levels_.size(); ++l) {
    Level& level = levels_[l];
    if (l > 0) restrict_to(l);
    for (std::size_t n = 0; n != level.values.size(); ++n) {
      const Vec3& sums = level.values[n];
      const float friction = grid_diagonal * sums.y() / (level.width * level.width) + sums.z();
      const float all = sums.x() + friction;
      level.inverse_diagonal[n] = all > 0 ? friction / (all * all) : 0.0f;
    }
  }
  prepare_coarsest(p);
}

/// The matrix of a continuum, summed over the cells of the finest level, each as one particle at its centre of mass
/// (over all particles where cells are few, which would not see all combinations of nodes): m w_a w_b + dt m (nu ((grad
/// w_a.grad w_b) 1 + grad w_b grad w_a^T + grad w_a grad w_b^T) + friction with walls).
void CoarseLevels::prepare_coarsest(const Matter& p) {
  const Level& level = levels_.back();
  const Eigen::Index size = 3 * static_cast<Eigen::Index>(level.values.size());
  /// Sums over some particles; moment is mass times place.
  struct Lump {
    Vec3d moment = Vec3d::Zero();
    double mass = 0, viscous = 0;
    Eigen::Matrix3d walls = Eigen::Matrix3d::Zero();
  };
  const auto add_particle = [&](Lump& lump, Index k) {
    const double m = p.mass[k];
    lump.moment += m * Vec3d(p.records[k].x, p.records[k].y, p.records[k].z);
    lump.mass += m;
    lump.viscous += m * stiffness(p, k);
    double f[6];
    for (int t = 0; t != 6; ++t) f[t] = m * p.dt * p.walls[t][k];
    Eigen::Matrix3d one;
    one << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
    lump.walls += one;
  };
  const auto add_lump = [&](Eigen::MatrixXd& sum, const Lump& lump) {
    const Vec3d at = (lump.moment / lump.mass - origin_.cast<double>()) / level.width;
    int cell[3];
    double w[3][2];
    for (int axis = 0; axis != 3; ++axis) {
      cell[axis] = std::clamp(static_cast<int>(at[axis]), 0, level.nodes[axis] - 2);
      w[axis][1] = at[axis] - cell[axis];
      w[axis][0] = 1 - w[axis][1];
    }
    double value[8];
    Vec3d gradient[8];
    Eigen::Index row[8];
    for (int n = 0; n != 8; ++n) {
      const int i = n & 1, j = n >> 1 & 1, k = n >> 2;
      value[n] = w[0][i] * w[1][j] * w[2][k];
      gradient[n] =
          Vec3d((i ? 1 : -1) * w[1][j] * w[2][k], (j ? 1 : -1) * w[0][i] * w[2][k], (k ? 1 : -1) * w[0][i] * w[1][j]) /
          level.width;
      row[n] = 3 * static_cast<Eigen::Index>(level.node(cell[0] + i, cell[1] + j, cell[2] + k));
    }
    for (int a = 0; a != 8; ++a)
      for (int b = 0; b != 8; ++b) {
        Eigen::Matrix3d block = value[a] * value[b] * (lump.mass * Eigen::Matrix3d::Identity() + lump.walls);
        block += lump.viscous * (gradient[a].dot(gradient[b]) * Eigen::Matrix3d::Identity() +
                                 gradient[b] * gradient[a].transpose() + gradient[a] * gradient[b].transpose());
        sum.block<3, 3>(row[a], row[b]) += block;
      }
  };
  const bool by_particle = occupied_.size() < 64;
  // A fixed number of parts, added in order.
  constexpr std::size_t parts = 8;
  std::vector<Eigen::MatrixXd> part(parts);
  parallel_chunks(parts, [&](std::size_t which) {
    Eigen::MatrixXd& sum = part[which];
    sum.setZero(size, size);
    for (std::size_t c = which * occupied_.size() / parts; c != (which + 1) * occupied_.size() / parts; ++c) {
      Lump lump;
      for (Index n = occupied_[c].begin; n != occupied_[c].end; ++n) {
        if (by_particle) lump = {};
        add_particle(lump, slots_[n]);
        if (by_particle) add_lump(sum, lump);
      }
      if (!by_particle) add_lump(sum, lump);
    }
  });
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(size, size);
  for (const Eigen::MatrixXd& one : part) all += one;
  // Nodes without matter, and combinations that no cell's centre sees.
  const double least = 1e-6 * all.trace() / static_cast<double>(size);
  all.diagonal().array() += least;
  coarsest_.compute(all);
}

void CoarseLevels::solve_coarsest() {
  Level& level = levels_.back();
  Eigen::VectorXd right(3 * static_cast<Eigen::Index>(level.values.size()));
  for (std::size_t n = 0; n != level.values.size(); ++n)
    right.segment<3>(3 * static_cast<Eigen::Index>(n)) = level.values[n].cast<double>();
  const Eigen::VectorXd found = coarsest_.solve(right);
  for (std::size_t n = 0; n != level.values.size(); ++n)
    level.values[n] = found.segment<3>(3 * static_cast<Eigen::Index>(n)).cast<float>();
}

void CoarseLevels::add(const Matter& p, const float* const* residual, float* const* direction) {
  if (levels_.empty()) return;
  gather([&](Index k) -> Vec3 { return p.mass[k] * Vec3(residual[0][k], residual[1][k], residual[2][k]); });
  for (std::size_t l = 1; l != levels_.size(); ++l) restrict_to(l);
  solve_coarsest();
  for (std::size_t l = levels_.size() - 1; l != 0; --l) prolong_from(l);
  const Level& finest = levels_[0];
  parallel_blocks(occupied_.size(), cells_per_chunk, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c != last; ++c) {
      const int cell = static_cast<int>(occupied_[c].cell);
      const int i = cell % cells_[0], j = cell / cells_[0] % cells_[1], k = cell / (cells_[0] * cells_[1]);
      Corners at;
      for (int n = 0; n != 8; ++n) {
        const Vec3& value = finest.values[finest.node(i + (n & 1), j + (n >> 1 & 1), k + (n >> 2))];
        at.x[n] = value.x();
        at.y[n] = value.y();
        at.z[n] = value.z();
      }
      for (Index m = occupied_[c].begin; m != occupied_[c].end; ++m) {
        const Index slot = slots_[m];
        const Weights& w = weights_[m];
        float x = 0, y = 0, z = 0;
        for (int n = 0; n != 8; ++n) {
          x += w.of_corner[n] * at.x[n];
          y += w.of_corner[n] * at.y[n];
          z += w.of_corner[n] * at.z[n];
        }
        direction[0][slot] += x;
        direction[1][slot] += y;
        direction[2][slot] += z;
      }
    }
  });
}

}  // namespace fondue
