#include "shapes/moments.h"

#include <Eigen/Geometry>

#include "shapes/cell_integral.h"

namespace fondue {

namespace {

/// Moments about the origin, before they are taken about the centre.
struct Raw {
  double volume = 0;
  Vec3d first = Vec3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  Raw& operator+=(const Raw& other) {
    volume += other.volume;
    first += other.first;
    second += other.second;
    return *this;
  }
};

Moments about_centre(const Raw& raw) {
  if (!(raw.volume > 0)) return {};
  const Vec3d centre = raw.first / raw.volume;
  return {raw.volume, centre, raw.second - raw.volume * centre * centre.transpose()};
}

Moments of_box(const FlatSides& sides, int dimension) {
  Vec3d size = sides.local.size().cast<double>();
  const Eigen::Matrix3d R = sides.rotation.cast<double>();
  Vec3d middle = 0.5 * (sides.local.min.cast<double>() + sides.local.max.cast<double>());
  for (int a = 0; a != 3; ++a)
    if (dimension == 2 && !std::isfinite(size[a])) size[a] = middle[a] = 0;
  double volume = 1;
  for (int a = 0; a != 3; ++a)
    if (size[a] > 0) volume *= size[a];
  Moments result{volume, R * middle + sides.translation.cast<double>(), {}};
  result.second = R * Eigen::Matrix3d((volume / 12 * size.cwiseAbs2()).asDiagonal()) * R.transpose();
  return result;
}

Moments of_mesh(const TriangleMesh& mesh) {
  Raw sum;
  for (std::size_t t = 0; t != mesh.triangles.size(); ++t) {
    const Vec3d a = mesh.corner(t, 0).cast<double>(), b = mesh.corner(t, 1).cast<double>(),
                c = mesh.corner(t, 2).cast<double>(), s = a + b + c;
    const double v = a.dot(b.cross(c)) / 6;
    sum += {v, v / 4 * s, v / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose())};
  }
  return about_centre(sum);
}

/// A box all of whose sides along which it is filled are finite.
bool finite_box(const FlatSides& sides, int dimension) {
  if (sides.inverted) return false;
  int finite = 0;
  for (int a = 0; a != 3; ++a) {
    if (std::isfinite(sides.local.size()[a])) ++finite;
    // In two dimensions the side without end is the one along z.
    else if (dimension == 3 || std::abs(sides.rotation(2, a)) < 0.999f)
      return false;
  }
  return finite == dimension;
}

}  // namespace

Moments moments(const Shape& shape, int dimension) {
  if (const auto sides = shape.flat_sides(); sides && finite_box(*sides, dimension)) return of_box(*sides, dimension);
  if (dimension == 3 && !shape.sequence() && shape.faults().empty())
    if (const auto mesh = shape.triangles()) return of_mesh(*mesh);
  const Raw sum = cell_integral(shape, dimension, 0, 4'000'000, Raw{}, [&](const Vec3& x, float size, double fraction) {
    const double v = std::pow(double(size), dimension) * fraction;
    const Vec3d centre = x.cast<double>();
    Vec3d own = Vec3d::Constant(v * double(size) * size / 12);
    if (dimension == 2) own.z() = 0;
    Raw part{v, v * centre, v * centre * centre.transpose()};
    part.second.diagonal() += own;
    return part;
  });
  return about_centre(sum);
}

}  // namespace fondue
