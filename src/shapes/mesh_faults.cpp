#include "shapes/mesh_faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace fondue {
namespace {

bool is_flat(const TriangleMesh& mesh, std::size_t t) {
  const Vec3& a = mesh.corner(t, 0);
  return (mesh.corner(t, 1) - a).cross(mesh.corner(t, 2) - a).isZero(0);
}

/// How many triangles run along an edge from its lower to its higher vertex index, and how many the other way.
struct Runs {
  int up = 0, down = 0;
};

std::string place(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z()); }

}  // namespace

std::vector<Index> merged_vertices(const std::vector<Vec3>& vertices) {
  std::map<std::tuple<float, float, float>, Index> first;
  std::vector<Index> result;
  for (const Vec3& x : vertices)
    result.push_back(first.try_emplace({x.x(), x.y(), x.z()}, static_cast<Index>(result.size())).first->second);
  return result;
}

std::string mesh_faults(const TriangleMesh& mesh, bool sheet) {
  std::vector<std::string> faults;
  std::size_t flat = 0, first_flat = 0;
  double volume = 0;
  std::map<std::pair<Index, Index>, Runs> edges;
  const std::vector<Index> vertex = merged_vertices(mesh.vertices);
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t) {
    if (is_flat(mesh, t)) {
      if (flat++ == 0) first_flat = t + 1;
      continue;
    }
    // Relative to one of its own corners, to avoid cancellation far from the origin.
    const Vec3d origin = mesh.corner(0, 0).cast<double>();
    const auto corner = [&](int which) -> Vec3d { return mesh.corner(t, which).cast<double>() - origin; };
    volume += corner(0).dot(corner(1).cross(corner(2))) / 6;
    for (int side = 0; side != 3; ++side) {
      const Index a = vertex[mesh.triangles[t][side]], b = vertex[mesh.triangles[t][(side + 1) % 3]];
      Runs& runs = edges[std::minmax(a, b)];
      ++(a < b ? runs.up : runs.down);
    }
  }
  if (flat != 0)
    faults.push_back(fmt::format("{} of {} triangles have no area, the first is number {}", flat, mesh.triangles.size(),
                                 first_flat));
  if (!sheet) {
    std::size_t open = 0, turned = 0;
    std::string first_open, first_turned;
    for (const auto& [ends, runs] : edges) {
      if (runs.up == runs.down) continue;
      const bool lone = (runs.up + runs.down) % 2 != 0;
      if ((lone ? open : turned)++ == 0)
        (lone ? first_open : first_turned) =
            fmt::format("{} to {}", place(mesh.vertices[ends.first]), place(mesh.vertices[ends.second]));
    }
    if (open != 0)
      faults.push_back(fmt::format("it is open at {} of {} edges, the first from {}", open, edges.size(), first_open));
    if (turned != 0)
      faults.push_back(fmt::format("at {} edges the two triangles have opposite orientations, the first from {}",
                                   turned, first_turned));
    if (open + turned == 0 && volume < 0) faults.push_back("it is inside out: its triangles face inward");
  }
  return fmt::format("{}", fmt::join(faults, "; "));
}

}  // namespace fondue
