#include "behaviours/cloth.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "behaviours/cloth_bonds.h"
#include "behaviours/inner_pressure.h"
#include "behaviours/registry.h"
#include "behaviours/surface_grip.h"
#include "core/parallel.h"
#include "particles/bonds_of.h"
#include "particles/sheets.h"

namespace fondue {

namespace columns {
constexpr Column<float> rest_curvature{
    "rest_curvature",
    "1/m",
    "curvature of cloth that is free of stress; negative at its edge, which does not bend",
    0,
    true,
    MergeRule::keep};
}

namespace {

constexpr const Parameter* parameters[] = {&Cloth::stretch,  &Cloth::shear,    &Cloth::bending,   &Cloth::damping,
                                           &Cloth::friction, &Cloth::adhesion, &Cloth::compaction};
constexpr std::string_view reads[] = {"position", "velocity", "mass", "volume", "object"};
constexpr std::string_view writes[] = {"velocity", "rest_curvature", "surface_friction", "adhesion"};
/// Woven cloth hardly stretches under what it is made for; knitwear does.
float promised_stretch(const Track& track) {
  constexpr float of_woven = 0.05f, knitted = 1000;
  const Keyable<float> S = track.values.number(Cloth::stretch);
  return *std::ranges::min_element(S.values()) < knitted ? infinity : of_woven;
}
constexpr Statistic statistics[] = {{"cloth energy", "J"},
                                    {"largest stretch of cloth", "1", promised_stretch,
                                     "what hangs on it is too heavy: give a cloth.stretch of 20 times the tension that "
                                     "it has to bear [N/m]"}};

/// In which pores follow the pressure on them [s].
constexpr float time_of_pores = 0.05f;

using cloth_bonds::bond_set, cloth_bonds::rest_length;
constexpr BondColumn<float> share{"share", "1", "area of the sheet that it stands for, over the square of its length"};
constexpr BondColumn<float> bias{"bias", "1", "0 along warp or weft, 1 half way between"};
constexpr BondColumn<float> cotangent{"cotangent", "1", "mean cotangent of the angles opposite to it"};

/// What the bond between two particles stands for.
struct Edge {
  double area = 0, cotangent = 0;
  int triangles = 0;
  /// The third corners of its triangles.
  Index opposite[2] = {0, 0};
};

double shear_modulus(double S, double shear) { return 0.375 * shear * S; }

/// k over 4/3 n g.
double stiffness_of(double S, double shear, double aslant) {
  const double G = shear_modulus(S, shear), warp = 0.5 * (S - 2 * G + std::sqrt(S * S + 4 * G * G));
  return 4.0 / 3 * (warp * (1 - aslant) + 2 * G * aslant);
}

/// Along and across the threads, by object; empty where it differs between particles.
std::vector<std::array<double, 2>> stiffnesses(const Property<float>& S, const Property<float>& shear,
                                               std::size_t objects) {
  std::vector<std::array<double, 2>> result;
  if (S.by_object().empty() || shear.by_object().empty()) return result;
  for (std::size_t o = 0; o != objects; ++o)
    result.push_back({stiffness_of(S.by_object()[o], shear.by_object()[o], 0),
                      stiffness_of(S.by_object()[o], shear.by_object()[o], 1)});
  return result;
}

/// sin^2 of twice the angle between a bond and the warp; half of it where the texture does not follow the sheet.
float bias_of(const std::array<float, 2>& from, const std::array<float, 2>& to, float length) {
  const float u = to[0] - from[0], v = to[1] - from[1], squared = u * u + v * v;
  if (std::abs(std::sqrt(squared) - length) > 0.5f * length) return 0.5f;
  const float sine = 2 * u * v / squared;
  return sine * sine;
}

/// A sum of k e (x) e over directions e: xx, yy, zz, xy, yz, zx.
struct Pull {
  float xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;

  void add(float k, const Vec3& e) {
    const Vec3 ke = k * e;
    xx += ke.x() * e.x();
    yy += ke.y() * e.y();
    zz += ke.z() * e.z();
    xy += ke.x() * e.y();
    yz += ke.y() * e.z();
    zx += ke.z() * e.x();
  }
  Pull squared() const {
    return {xx * xx + xy * xy + zx * zx, xy * xy + yy * yy + yz * yz, zx * zx + yz * yz + zz * zz,
            xx * xy + xy * yy + zx * yz, xy * zx + yy * yz + yz * zz, zx * xx + yz * xy + zz * zx};
  }
  /// Not smaller than its largest eigenvalue, and at most 7 % larger: the eighth root of the Frobenius norm of its
  /// eighth power.
  float largest_eigenvalue() const {
    const float scale = xx + yy + zz;
    if (!(scale > 0)) return 0;
    const float f = 1 / scale;
    const Pull p = Pull{f * xx, f * yy, f * zz, f * xy, f * yz, f * zx}.squared().squared().squared();
    const float squares = p.xx * p.xx + p.yy * p.yy + p.zz * p.zz + 2 * (p.xy * p.xy + p.yz * p.yz + p.zx * p.zx);
    return scale * std::sqrt(std::sqrt(std::sqrt(std::sqrt(squares))));
  }
};

}  // namespace

const BehaviourInfo Cloth::description{.name = "cloth",
                                       .help = "Makes a sheet that folds and drapes and hardly stretches.",
                                       .source = "L09 4.4.2, derived; bending: Pinkall & Polthier 1993, Bergou 2006",
                                       .parameters = parameters,
                                       .reads = reads,
                                       .writes = writes,
                                       .laws = every_law,
                                       .substep_bonds = "cloth",
                                       .of_sheets = true,
                                       .statistics = statistics,
                                       .look = [](const Track&) { return "cloth"; },
                                       .surface_friction =
                                           [](const Track& track, double time) {
                                             const Keyable<float> mu = track.values.number(friction);
                                             return mu.at(mu.over_attribute() ? mu.curve().keys().front() : time);
                                           }};

void Cloth::require(Particles& particles) const {
  sheets::require(particles);
  particles.require(columns::rest_curvature);
  particles.require(columns::surface_friction);
  particles.require(columns::adhesion);
  BondSet& bonds = particles.require_bonds(bond_set);
  for (const BondColumn<float>* column : {&rest_length, &share, &bias, &cotangent}) bonds.require(*column);
}

void Cloth::entered(Particles& particles, const Properties& properties, std::span<const Index> which) {
  const auto x = particles[columns::position];
  const auto object = particles[columns::object];
  const Property<float> weight = properties.weight();
  std::vector<std::uint8_t> is_new(particles.size(), 0);
  for (const Index i : which) is_new[i] = 1;
  std::map<BondSet::Pair, Edge> edges;
  for (const SheetTriangle& t : sheets::triangles(particles)) {
    if (!(weight(t[0]) > 0 && weight(t[1]) > 0 && weight(t[2]) > 0)) continue;
    if (!is_new[t[0]] && !is_new[t[1]] && !is_new[t[2]]) continue;
    for (int k = 0; k != 3; ++k) {
      const Index i = t[k], j = t[(k + 1) % 3], o = t[(k + 2) % 3];
      const Vec3d a = (x[i] - x[o]).cast<double>(), b = (x[j] - x[o]).cast<double>();
      const double doubled = std::max(a.cross(b).norm(), 1e-30);
      Edge& edge = edges[{std::min(i, j), std::max(i, j)}];
      edge.area += 0.5 * doubled;
      edge.cotangent += 0.5 * a.dot(b) / doubled;
      if (edge.triangles < 2) edge.opposite[edge.triangles] = o;
      ++edge.triangles;
    }
  }
  // The other diagonals of squares, so that both resist shear.
  std::map<BondSet::Pair, Edge> diagonals;
  for (const auto& [pair, edge] : edges) {
    if (edge.triangles != 2) continue;
    const auto [k, l] = edge.opposite;
    if ((x[k] - x[l]).norm() < 1.2f * (x[pair[0]] - x[pair[1]]).norm() &&
        !edges.contains({std::min(k, l), std::max(k, l)}))
      diagonals[{std::min(k, l), std::max(k, l)}].area += edge.area;
  }

  const auto curvature = particles[columns::rest_curvature];
  std::vector<Vec3d> l(particles.size(), Vec3d::Zero());
  for (const auto& [pair, edge] : edges) {
    const Vec3d pull = edge.cotangent * (x[pair[1]] - x[pair[0]]).cast<double>();
    l[pair[0]] += pull;
    l[pair[1]] -= pull;
  }
  const auto V = particles[columns::volume], thickness = particles[columns::thickness];
  for (const Index i : which)
    if (thickness[i] > 0) curvature[i] = static_cast<float>(l[i].norm() * static_cast<double>(thickness[i] / V[i]));
  for (const auto& [pair, edge] : edges)
    if (edge.triangles == 1) curvature[pair[0]] = curvature[pair[1]] = -1;

  // n of cloth_force.h, by object: a sheet stretched by e in all directions stores 3/2 S e^2 per unit of area.
  std::vector<double> area(properties.objects(), 0), squares(properties.objects(), 0);
  for (const auto& [pair, edge] : edges) {
    area[object[pair[0]]] += edge.area / 3;
    squares[object[pair[0]]] += edge.area;
  }
  for (const auto& [pair, edge] : diagonals) squares[object[pair[0]]] += edge.area;
  edges.merge(diagonals);

  BondSet& bonds = particles.bonds(bond_set);
  const auto id = particles[columns::id];
  std::vector<BondSet::Pair> pairs;
  for (const auto& [pair, edge] : edges)
    if (sheets::bonded(particles, bonds, pair[0], id[pair[1]]) == ColumnSet::no_row) pairs.push_back(pair);
  const std::vector<Index> made = bonds.add(pairs, id);
  const auto texture = particles[columns::texture];
  for (std::size_t b = 0; b != made.size(); ++b) {
    const auto [i, j] = pairs[b];
    const Edge& edge = edges.at(pairs[b]);
    const float length = (x[i] - x[j]).norm();
    const double n = 3 * area[object[i]] / squares[object[i]];
    for (const Index bond : {made[b], bonds.reverses()[made[b]]}) {
      bonds[rest_length][bond] = length;
      bonds[share][bond] = static_cast<float>(n * edge.area) / (length * length);
      bonds[bias][bond] = bias_of(texture[i], texture[j], length);
      bonds[cotangent][bond] = static_cast<float>(edge.cotangent);
    }
  }
  bonds.values_changed();
}

void Cloth::left(Particles& particles, std::span<const Index> which) {
  if (particles.has_bonds(bond_set)) remove_bonds_of(particles.bonds(bond_set), which);
}

/// Folds that are pressed on each other, as in wrung cloth.
void Cloth::close_pores(const Evaluation& e) const {
  const auto J = optional_column(e.particles, columns::dilation);
  const auto pressing = optional_column(e.particles, columns::contact_pressing);
  if (J.empty() || pressing.empty()) return;
  const auto V = e.particles[columns::volume], t = e.particles[columns::thickness];
  const auto object = e.particles[columns::object];
  const float part = 1 - std::exp(-e.elapsed.step / time_of_pores);
  for (Index o = 0; o != e.properties.objects(); ++o) {
    if (e.properties.tracks(o).empty()) continue;
    const float half = e.properties.tracks(o).front().values.constant(compaction);
    if (!(half > 0)) continue;
    parallel_for(J.size(), [&](std::size_t i) {
      if (object[i] != o || !(t[i] > 0)) return;
      // Folds touch and part in every step, so it is the pressure that is smoothed, in units of `compaction`.
      const float pressure = pressing[i] * t[i] / (V[i] * half), before = 1 / J[i] - 1;
      J[i] = 1 / (1 + before + part * (pressure - before));
    });
  }
}

/// What its surface holds on with follows attributes; along tears it has new edges.
void Cloth::begin(const Evaluation& e) {
  const Property<float> weight = e.properties.weight(), mu = e.properties.number(friction),
                        pull = e.properties.number(adhesion);
  const auto own_friction = e.particles[columns::surface_friction], own_adhesion = e.particles[columns::adhesion];
  parallel_for(e.particles.size(), [&](std::size_t at) {
    const Index i = static_cast<Index>(at);
    const bool is_cloth = weight(i) > 0;
    own_friction[i] = is_cloth ? mu(i) : -1.0f;
    own_adhesion[i] = is_cloth ? pull(i) : 0.0f;
  });
  close_pores(e);
  const std::uint64_t revision = e.particles.bonds(sheets::bond_set).revision();
  if (revision == seen_revision_) return;
  seen_revision_ = revision;
  const std::vector<std::uint8_t> inside = sheets::surrounded(e.particles);
  const BondSet& bonds = e.particles.bonds(bond_set);
  const auto curvature = e.particles[columns::rest_curvature];
  for (Index i = 0; i != e.particles.size(); ++i)
    if (!inside[i] && bonds.begins()[i] != bonds.begins()[i + 1]) curvature[i] = -1;
}

void Cloth::begin_substeps(const SubstepEvaluation& e, fondue::SubstepFormulas& formulas) {
  const BondSet& bonds = e.particles.bonds(bond_set);
  const auto object = e.particles[columns::object];
  const auto m = e.particles[columns::mass], V = e.particles[columns::volume], t = e.particles[columns::thickness];
  const auto curvature = e.particles[columns::rest_curvature];
  const auto x = e.particles[columns::position];
  const auto L = bonds[rest_length], g = bonds[share], along = bonds[bias], c = bonds[cotangent];
  const Property<float> S = e.properties.number(stretch), soft = e.properties.number(shear),
                        B = e.properties.number(bending), zeta = e.properties.number(damping),
                        weight = e.properties.weight();
  for (std::vector<float>& values : by_entry_) values.assign(e.slices.entries(), 0.0f);
  for (std::vector<float>& values : by_place_) values.assign(e.order.places(), 0.0f);
  records_.assign(ClothForce::record * e.order.places(), 0.0f);
  std::vector<float> longest(e.order.places(), infinity);
  // Stiffness along and across the threads, by object; where it differs between particles, by bond.
  const std::vector<std::array<double, 2>> stiffness = stiffnesses(S, soft, e.properties.objects());
  const bool by_object = !stiffness.empty();
  parallel_for(
      e.order.slices(),
      [&](std::size_t slice) {
        for (Index lane = 0; lane != SliceOrder::width; ++lane) {
          const std::size_t p = SliceOrder::width * slice + lane;
          const Index i = e.order.particle[p];
          if (i == SliceOrder::none || bonds.begins()[i] == bonds.begins()[i + 1]) continue;
          float spread = 0;
          Pull pull, drag;
          for (Index row = e.slices.begins[slice]; row != e.slices.begins[slice + 1]; ++row) {
            const std::size_t entry = SliceOrder::width * row + lane;
            const Index b = e.slices.bonds[entry];
            if (b == SliceOrder::none) continue;
            const Index j = bonds.neighbours()[b];
            const float both = std::sqrt(weight(i) * weight(j));
            const auto mean = [&](const Property<float>& of) { return 0.5f * (of(i) + of(j)); };
            const float k = g[b] * (by_object ? static_cast<float>(stiffness[object[i]][0]) * (1 - along[b]) +
                                                    static_cast<float>(stiffness[object[i]][1]) * along[b]
                                              : static_cast<float>(stiffness_of(static_cast<double>(mean(S)),
                                                                                static_cast<double>(mean(soft)),
                                                                                static_cast<double>(along[b]))));
            const float d = 2 * mean(zeta) * std::sqrt(k * (m[i] * m[j] / (m[i] + m[j])));
            by_entry_[0][entry] = L[b];
            by_entry_[1][entry] = both * k;
            by_entry_[2][entry] = both * d;
            by_entry_[3][entry] = c[b];
            const Vec3 away = x[j] - x[i];
            const Vec3 direction = away / std::sqrt(std::max(away.squaredNorm(), 1e-30f));
            pull.add(both * k, direction);
            drag.add(both * d, direction);
            spread += std::abs(c[b]);
          }
          const float A = V[i] / t[i], bend = 4 * spread * spread / A;
          const float w = weight(i) * (curvature[i] < 0 ? 0.0f : 1.0f);
          const float stiff = w * B(i), damp = w * zeta(i) * A * std::sqrt(S(i) * m[i]) / 16;
          by_place_[0][p] = 1 / A;
          by_place_[1][p] = stiff;
          by_place_[2][p] = damp;
          by_place_[3][p] = std::max(curvature[i], 0.0f);
          // Neighbours at an edge are lighter, and feel the bending of inner particles.
          const double squared = static_cast<double>((2 * pull.largest_eigenvalue() + bend * stiff) / m[i]);
          const double rate = static_cast<double>((2 * drag.largest_eigenvalue() + bend * damp) / m[i]);
          if (squared > 0)
            longest[p] = static_cast<float>(0.8 * (std::sqrt(rate * rate + 4 * squared) - rate) / squared);
        }
      },
      32);
  for (Index p = 0; p != e.order.places(); ++p)
    if (const Index i = e.order.particle[p]; i != SliceOrder::none)
      e.longest[object[i]] = std::min(e.longest[object[i]], longest[p]);

  ClothForce force;
  force.active = true;
  force.rows = SliceRows(e.slices);
  force.length = by_entry_[0].data();
  force.stiffness = by_entry_[1].data();
  force.damping = by_entry_[2].data();
  force.cotangent = by_entry_[3].data();
  force.inverse_area = by_place_[0].data();
  force.bending = by_place_[1].data();
  force.bending_damping = by_place_[2].data();
  force.rest_curvature = by_place_[3].data();
  force.records = records_.data();
  formulas.set(force);
}

/// E of cloth_force.h, and the largest strain of a bond along the threads; on the bias cloth gives way by shear, which
/// stretches no thread.
void Cloth::measure(const Measured& measured, std::span<double> values) const {
  const Particles& particles = measured.particles;
  const BondSet& bonds = particles.bonds(bond_set);
  const auto x = particles[columns::position];
  const auto V = particles[columns::volume], t = particles[columns::thickness];
  const auto curvature = particles[columns::rest_curvature];
  const auto L = bonds[rest_length], g = bonds[share], along = bonds[bias], c = bonds[cotangent];
  const Property<float> S = measured.properties.number(stretch), soft = measured.properties.number(shear),
                        B = measured.properties.number(bending), weight = measured.properties.weight();
  const std::vector<std::array<double, 2>> stiffness = stiffnesses(S, soft, measured.properties.objects());
  const auto object = particles[columns::object];
  struct Part {
    double energy = 0, stretch = 0;
  };
  const Part total = parallel_reduce(
      particles.size(), Part{},
      [&](std::size_t at) {
        const Index i = static_cast<Index>(at);
        Part part;
        Vec3d l = Vec3d::Zero();
        for (Index b = bonds.begins()[i]; b != bonds.begins()[i + 1]; ++b) {
          const Index j = bonds.neighbours()[b];
          const Vec3d x_ij = x[j].cast<double>() - x[i].cast<double>();
          const double longer = x_ij.norm() - L[b];
          const auto mean = [&](const Property<float>& of) { return 0.5 * static_cast<double>(of(i) + of(j)); };
          const double of_bond = stiffness.empty() ? stiffness_of(mean(S), mean(soft), along[b])
                                                   : std::lerp(stiffness[object[i]][0], stiffness[object[i]][1],
                                                               static_cast<double>(along[b]));
          const double k = std::sqrt(static_cast<double>(weight(i)) * weight(j)) * g[b] * of_bond;
          part.energy += 0.25 * k * longer * longer;
          if (along[b] <= 0.5f) part.stretch = std::max(part.stretch, longer / L[b]);
          l += c[b] * x_ij;
        }
        if (bonds.begins()[i] == bonds.begins()[i + 1] || curvature[i] < 0) return part;
        const double A = static_cast<double>(V[i]) / t[i], bent = l.norm() / A - static_cast<double>(curvature[i]);
        part.energy += 0.5 * weight(i) * A * static_cast<double>(B(i)) * bent * bent;
        return part;
      },
      [](const Part& a, const Part& b) {
        return Part{a.energy + b.energy, std::max(a.stretch, b.stretch)};
      });
  values[0] = total.energy;
  values[1] = total.stretch;
}

}  // namespace fondue
