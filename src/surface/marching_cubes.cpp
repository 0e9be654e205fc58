#include "surface/marching_cubes.h"

#include <algorithm>

namespace fondue {

namespace {

constexpr int corner_at(int axis, int along, int u, int v) {
  return along << axis | u << (axis + 1) % 3 | v << (axis + 2) % 3;
}

struct Tables {
  CellEdge edges[12];
  /// The corners of each face, counter-clockwise as seen from outside, and the edge from each to the next.
  std::uint8_t face_corner[6][4], face_edge[6][4];
  /// Bit f is set if the edge lies in face f.
  std::uint8_t faces_of_edge[12];

  constexpr Tables() : edges{}, face_corner{}, face_edge{}, faces_of_edge{} {
    std::uint8_t edge_between[8][8] = {};
    for (int axis = 0; axis != 3; ++axis)
      for (int uv = 0; uv != 4; ++uv) {
        const int from = corner_at(axis, 0, uv & 1, uv >> 1), to = corner_at(axis, 1, uv & 1, uv >> 1);
        const auto edge = static_cast<std::uint8_t>(4 * axis + uv);
        edges[edge] = {static_cast<std::uint8_t>(axis), static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)};
        edge_between[from][to] = edge_between[to][from] = edge;
      }
    for (int face = 0; face != 6; ++face) {
      const int axis = face / 2, side = face % 2;
      for (int k = 0; k != 4; ++k) {
        const int turn = side == 1 ? k : 3 - k;
        face_corner[face][k] = static_cast<std::uint8_t>(corner_at(axis, side, turn == 1 || turn == 2, turn >= 2));
      }
      for (int k = 0; k != 4; ++k) {
        face_edge[face][k] = edge_between[face_corner[face][k]][face_corner[face][(k + 1) % 4]];
        faces_of_edge[face_edge[face][k]] |= static_cast<std::uint8_t>(1 << face);
      }
    }
  }
};
constexpr Tables tables;

bool in_one_face(int a, int b) { return (tables.faces_of_edge[a] & tables.faces_of_edge[b]) != 0; }

}  // namespace

CellEdge cell_edge(int edge) { return tables.edges[edge]; }

CellSurface::CellSurface(const std::array<float, 8>& values, const std::array<Vec3, 12>& crossings)
    : values_(values), crossings_(crossings) {
  trace_loops();
  if (loop_count_ == 2 && tunnel() && fill_with_tube(loops_[0], loops_[1])) return;
  for (int k = 0; k != loop_count_; ++k) fill_with_disc(loops_[k]);
}

void CellSurface::trace_loops() {
  constexpr std::uint8_t none = 255;
  std::array<std::uint8_t, 12> next;
  next.fill(none);
  for (std::uint8_t k = 0; k != 8; ++k) component_[k] = k;
  const auto join = [&](int a, int b) {
    const std::uint8_t kept = component_[a], gone = component_[b];
    for (std::uint8_t& c : component_)
      if (c == gone) c = kept;
  };
  for (int face = 0; face != 6; ++face) {
    const auto& corner = tables.face_corner[face];
    const auto& edge = tables.face_edge[face];
    const auto inside = [&](int k) { return values_[corner[k & 3]] > 0; };
    for (int k = 0; k != 4; ++k)
      if (inside(k) == inside(k + 1)) join(corner[k], corner[(k + 1) & 3]);
    const bool ambiguous = inside(0) != inside(1) && inside(0) == inside(2) && inside(1) == inside(3);
    bool inside_joined = false;
    if (ambiguous) {
      const int first = inside(0) ? 0 : 1;
      inside_joined = values_[corner[first]] * values_[corner[first + 2]] >
                      values_[corner[first + 1]] * values_[corner[(first + 3) & 3]];
      const int joined = inside_joined ? first : first + 1;
      join(corner[joined], corner[(joined + 2) & 3]);
    }
    // Going around a face, a curve runs from the edge where the circuit leaves the inside to the edge where it enters
    // again. On the other face of that edge the circuit enters, so the curves connect head to tail.
    for (int k = 0; k != 4; ++k) {
      if (!inside(k) || inside(k + 1)) continue;
      int entry = k + 1;
      if (ambiguous)
        entry = inside_joined ? k + 1 : k + 3;
      else
        while (inside(entry) || !inside(entry + 1)) ++entry;
      next[edge[k]] = edge[entry & 3];
    }
  }
  std::array<bool, 12> seen{};
  for (std::uint8_t start = 0; start != 12; ++start) {
    if (next[start] == none || seen[start]) continue;
    Loop& loop = loops_[loop_count_++];
    for (std::uint8_t edge = start; !seen[edge]; edge = next[edge]) {
      seen[edge] = true;
      loop.edges[loop.count++] = edge;
    }
  }
}

/// In each slice of the cell the interpolant is bilinear, with corner values A, B, C, D that change linearly along the
/// axis. A and C are joined in a slice where both have the same sign and A C > B D, a quadratic condition along the
/// axis.
bool CellSurface::tunnel() const {
  for (int axis = 0; axis != 3; ++axis) {
    // The four edges parallel to the axis, in cyclic order.
    std::array<int, 4> low, high;
    for (int k = 0; k != 4; ++k) {
      low[k] = corner_at(axis, 0, k == 1 || k == 2, k >= 2);
      high[k] = corner_at(axis, 1, k == 1 || k == 2, k >= 2);
    }
    for (int pair = 0; pair != 2; ++pair) {
      const auto at = [&](int k, double t) {
        const int e = (k + pair) & 3;
        return values_[low[e]] + t * (double{values_[high[e]]} - values_[low[e]]);
      };
      const auto excess = [&](double t) { return at(0, t) * at(2, t) - at(1, t) * at(3, t); };
      const double at_0 = excess(0), at_half = excess(0.5), at_1 = excess(1);
      const double bend = 2 * (at_0 + at_1 - 2 * at_half), slope = at_1 - at_0 - bend;
      if (!(bend < 0)) continue;
      const double top = -0.5 * slope / bend;
      if (!(top > 0 && top < 1) || !(excess(top) > 0)) continue;
      const double a = at(0, top), c = at(2, top);
      if ((a > 0) != (c > 0) || a == 0 || c == 0) continue;
      // The corner of an edge that has the sign of the joined value.
      const auto corner = [&](int k, bool inside) {
        const int e = (k + pair) & 3;
        return (values_[low[e]] > 0) == inside ? low[e] : high[e];
      };
      if (component_[corner(0, a > 0)] != component_[corner(2, a > 0)]) return true;
    }
  }
  return false;
}

/// Advances along one loop forward and along the other backward, always by the shorter step.
bool CellSurface::fill_with_tube(const Loop& a, const Loop& b) {
  const auto distance = [&](int i, int j) {
    const int p = a.edges[i % a.count], q = b.edges[(j + b.count) % b.count];
    return in_one_face(p, q) ? infinity : (crossings_[p] - crossings_[q]).squaredNorm();
  };
  int first_i = 0, first_j = 0;
  for (int i = 0; i != a.count; ++i)
    for (int j = 0; j != b.count; ++j)
      if (distance(i, j) < distance(first_i, first_j)) first_i = i, first_j = j;
  if (distance(first_i, first_j) == infinity) return false;
  std::array<Triangle, most_triangles> made;
  std::array<std::uint16_t, 12> rungs{};
  int count = 0, steps_a = 0, steps_b = 0;
  while (steps_a != a.count || steps_b != b.count) {
    // The same connecting edge twice would be an edge of four triangles.
    std::uint16_t& rungs_here = rungs[a.edges[(first_i + steps_a) % a.count]];
    const int rung = 1 << b.edges[(first_j - steps_b + b.count) % b.count];
    if (rungs_here & rung) return false;
    rungs_here = static_cast<std::uint16_t>(rungs_here | rung);
    const int i = first_i + steps_a, j = first_j - steps_b + b.count;
    const bool last_a = steps_a + 1 == a.count && steps_b == 0, last_b = steps_b + 1 == b.count && steps_a == 0;
    const float along_a = steps_a == a.count || last_a ? infinity : distance(i + 1, j);
    const float along_b = steps_b == b.count || last_b ? infinity : distance(i, j - 1);
    if (along_a == infinity && along_b == infinity) return false;
    const std::uint8_t from_a = a.edges[i % a.count], from_b = b.edges[j % b.count];
    if (along_a <= along_b) {
      made[count++] = {from_a, a.edges[(i + 1) % a.count], from_b};
      ++steps_a;
    } else {
      made[count++] = {b.edges[(j - 1 + b.count) % b.count], from_b, from_a};
      ++steps_b;
    }
  }
  for (int k = 0; k != count; ++k) add(made[k][0], made[k][1], made[k][2]);
  return true;
}

void CellSurface::fill_with_disc(const Loop& loop) {
  // A triangle fan from the corner with the shortest diagonals, if none of them lies in a face.
  int best = -1;
  float shortest = infinity;
  for (int i = 0; i != loop.count; ++i) {
    float length = 0;
    for (int k = 2; k < loop.count - 1; ++k) {
      const int p = loop.edges[i], q = loop.edges[(i + k) % loop.count];
      length += in_one_face(p, q) ? infinity : (crossings_[p] - crossings_[q]).norm();
    }
    if (length < shortest) best = i, shortest = length;
  }
  if (best >= 0) {
    for (int k = 1; k < loop.count - 1; ++k)
      add(loop.edges[best], loop.edges[(best + k) % loop.count], loop.edges[(best + k + 1) % loop.count]);
    return;
  }
  centres_[centre_count_] = {loop.edges, loop.count};
  for (int k = 0; k != loop.count; ++k) add(loop.edges[k], loop.edges[(k + 1) % loop.count], 12 + centre_count_);
  ++centre_count_;
}

void CellSurface::add(int a, int b, int c) {
  // Loops have the inside on their left as seen from the inside; reversing them makes triangles face outward.
  triangles_[triangle_count_++] = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(c),
                                   static_cast<std::uint8_t>(b)};
}

}  // namespace fondue
