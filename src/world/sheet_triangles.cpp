#include "world/sheet_triangles.h"

#include "core/parallel.h"
#include "shapes/moving_triangle.h"
#include "shapes/triangle_cells.h"

namespace fondue {

bool SheetTriangles::follow(const Particles& particles) {
  if (!particles.has_bonds(sheets::bond_set)) return false;
  const BondSet& bonds = particles.bonds(sheets::bond_set);
  if (bonds.revision() != revision_ || particles_ != particles.size()) {
    triangles_ = sheets::triangles(particles);
    revision_ = bonds.revision();
    particles_ = particles.size();
  }
  return !triangles_.empty();
}

std::vector<float> SheetTriangles::gaps(const Particles& particles, float support_ratio) const {
  const auto x = particles[columns::position];
  const auto R = particles[columns::support], thickness = particles[columns::thickness];
  std::vector<Box> boxes(triangles_.size());
  for (std::size_t t = 0; t != boxes.size(); ++t)
    for (const Index corner : triangles_[t]) boxes[t].add(x[corner]);
  const TriangleCells cells(std::move(boxes));
  std::vector<float> result(x.size(), infinity);
  parallel_for(x.size(), [&](std::size_t i) {
    if (thickness[i] > 0) return;
    const float farthest = known * R[i] / support_ratio;
    const Vec3d at = x[i].cast<double>();
    double least = farthest;
    cells.each(Box{x[i], x[i]}.grown(farthest), [&](Index t) {
      const std::array<Vec3d, 3> corners = {x[triangles_[t][0]].cast<double>(), x[triangles_[t][1]].cast<double>(),
                                            x[triangles_[t][2]].cast<double>()};
      least = std::min(least, (at - blended(nearest_weights(at, corners), corners)).norm());
    });
    if (least < static_cast<double>(farthest)) result[i] = static_cast<float>(least);
  });
  return result;
}

}  // namespace fondue
