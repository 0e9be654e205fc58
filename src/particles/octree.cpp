// An octree for supports that differ widely. A node is split at the centre of the box that its own particles fill, into
// eight octants in the order of z, y, x, until a leaf holds at most ten (P06 4b). Because the box is that of the
// particles, one of them flung far away is cut off by the first split and the others are divided as if it were not
// there; coincident particles stay in one leaf. A node keeps the largest support below it, so that a search finds
// particles whose own support is what reaches the seeker. The order is that of octants and then of ids: positions and
// ids alone decide it.
//
// Nodes are stored depth first, each with the number of nodes of its subtree, which a search steps over when the node
// is out of reach. Rounding is monotonic, so the gap between two boxes in floats is never more than the distance
// between two of their particles in floats: no neighbour that the comparison of pairs accepts is stepped over.

#include <algorithm>
#include <array>

#include "particles/neighbours.h"
#include "particles/pair_search.h"

namespace fondue {

namespace {

/// Only positions that no sensible scene has need more: each level halves the box of what is left.
constexpr int deepest = 64;
/// Nodes with more particles than this build their children in parallel.
constexpr std::size_t worth_a_task = 8192;
/// The largest nodes with at most this many particles look for their neighbours together.
constexpr Index group_size = 32;

struct Point {
  Vec3 x;
  float R;
  Index id, index;
};

struct Node {
  Box box;
  float largest_R2 = 0;
  Index begin = 0, end = 0;
  /// Number of nodes in its subtree, itself included; 1 for a leaf.
  Index nodes = 1;
};

Node node_of(std::span<const Point> points, Index begin, Index end) {
  Node node;
  node.begin = begin;
  node.end = end;
  for (const Point& point : points.subspan(begin, end - begin)) {
    for (int axis = 0; axis != 3; ++axis) {
      node.box.min[axis] = std::min(node.box.min[axis], point.x[axis]);
      node.box.max[axis] = std::max(node.box.max[axis], point.x[axis]);
    }
    node.largest_R2 = std::max(node.largest_R2, point.R * point.R);
  }
  return node;
}

/// Sorts the points of a node by octant; octant o is from result[o] to result[o + 1].
std::array<Index, 9> split(std::span<Point> points, const Node& node) {
  // In double precision the centre lies strictly between two different floats, so both sides get something.
  const Vec3d centre = 0.5 * (node.box.min.cast<double>() + node.box.max.cast<double>());
  std::array<Index, 9> bounds;
  bounds.front() = node.begin;
  bounds.back() = node.end;
  for (int axis = 2, width = 8; axis >= 0; --axis, width /= 2) {
    for (int o = 0; o != 8; o += width) {
      const auto low = [&](const Point& point) { return point.x[axis] < centre[axis]; };
      const auto middle = std::partition(points.begin() + bounds[o], points.begin() + bounds[o + width], low);
      bounds[o + width / 2] = Index(middle - points.begin());
    }
  }
  return bounds;
}

/// Appends the subtree of the points from begin to end.
void build(std::span<Point> points, Index begin, Index end, int depth, std::vector<Node>& nodes) {
  const std::size_t root = nodes.size();
  const Node node = node_of(points, begin, end);
  nodes.push_back(node);
  if (end - begin <= octree_leaf_size || depth == deepest || node.box.min == node.box.max) {
    std::ranges::sort(points.subspan(begin, end - begin), {}, &Point::id);
    return;
  }
  const std::array<Index, 9> octants = split(points, node);
  if (end - begin > worth_a_task) {
    std::array<std::vector<Node>, 8> children;
    const auto build_child = [&](std::size_t o) {
      if (octants[o] != octants[o + 1]) build(points, octants[o], octants[o + 1], depth + 1, children[o]);
    };
    parallel_for(8, build_child, 1);
    for (const auto& child : children) nodes.insert(nodes.end(), child.begin(), child.end());
  } else {
    for (int o = 0; o != 8; ++o) {
      if (octants[o] != octants[o + 1]) build(points, octants[o], octants[o + 1], depth + 1, nodes);
    }
  }
  nodes[root].nodes = Index(nodes.size() - root);
}

bool may_reach(const Node& a, const Node& b) {
  float gap[3];
  for (int axis = 0; axis != 3; ++axis) {
    gap[axis] = std::max({0.0f, a.box.min[axis] - b.box.max[axis], b.box.min[axis] - a.box.max[axis]});
  }
  return in_reach(gap[0], gap[1], gap[2], a.largest_R2, b.largest_R2);
}

class Octree {
 public:
  explicit Octree(const PointSet& points) {
    std::vector<Point> order(points.positions.size());
    parallel_for(order.size(), [&](std::size_t i) {
      order[i] = {points.positions[i], points.supports[i], points.ids[i], Index(i)};
    });
    if (!order.empty()) build(order, 0, Index(order.size()), 0, nodes_);
    sorted_.resize(order.size());
    parallel_for(order.size(), [&](std::size_t a) { sorted_.set(a, order[a].x, order[a].R, order[a].index); });
    for (std::size_t n = 0; n < nodes_.size();) {
      const Node& node = nodes_[n];
      const bool seeks_together = node.nodes == 1 || node.end - node.begin <= group_size;
      for (Index a = node.begin; seeks_together && a < node.end; a += group_size) {
        group_begin_.push_back(a);
        group_node_.push_back(Index(n));
      }
      n += seeks_together ? node.nodes : 1;
    }
    group_begin_.push_back(Index(order.size()));
  }

  const SortedPoints& sorted() const { return sorted_; }
  std::span<const Index> group_begin() const { return group_begin_; }

  /// The particles of all leaves that may hold neighbours of this group.
  void gather(std::size_t group, SortedPoints& candidates) const {
    const Node& seekers = nodes_[group_node_[group]];
    Index begin = 0, end = 0;
    for (std::size_t n = 0; n < nodes_.size();) {
      const Node& node = nodes_[n];
      const bool near = may_reach(seekers, node);
      if (near && node.nodes == 1) {
        if (node.begin != end) {
          candidates.append(sorted_, begin, end);
          begin = node.begin;
        }
        end = node.end;
      }
      n += near ? 1 : node.nodes;
    }
    candidates.append(sorted_, begin, end);
  }

 private:
  std::vector<Node> nodes_;
  SortedPoints sorted_;
  std::vector<Index> group_begin_, group_node_;
};

}  // namespace

void find_neighbours_octree(const PointSet& points, NeighbourList& list) {
  const Octree tree(points);
  const auto make_gather = [&] {
    return [&tree](std::size_t group, SortedPoints& candidates) { tree.gather(group, candidates); };
  };
  make_lists(
      tree.sorted(), tree.group_begin(), true, [&](Index i) { return points.seeks(i); }, make_gather, list);
}

}  // namespace fondue
