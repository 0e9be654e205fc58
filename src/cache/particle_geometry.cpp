#include "cache/particle_geometry.h"

#include <algorithm>

#include "cache/column_choice.h"

namespace fondue {

namespace {

Geometry::Attribute attribute_of(const ColumnView& column, Index particles, int dimension) {
  Geometry::Attribute attribute{column.name, unit_in(column.unit, dimension), column.components, {}};
  const std::size_t count = std::size_t{particles} * static_cast<std::size_t>(column.components);
  if (column.scalar == Scalar::integer) {
    const auto* first = static_cast<const Index*>(column.data);
    attribute.values.assign(first, first + count);
  } else {
    const auto* first = static_cast<const float*>(column.data);
    attribute.values.assign(first, first + count);
  }
  return attribute;
}

/// What is not an attribute: it has a place of its own in a geometry.
bool has_own_place(const std::string& name) { return name == columns::position.name || name == columns::id.name; }

}  // namespace

Geometry particle_geometry(const Frame& frame, std::span<const std::string> columns) {
  const Particles& particles = frame.particles;
  const std::vector<ColumnView> views = particles.columns();
  std::vector<std::string> known, order = {columns::velocity.name};
  for (const ColumnView& view : views) known.push_back(view.name);
  check_columns(columns, known);
  const std::span<const std::string> wanted = columns.empty() ? std::span<const std::string>(known) : columns;
  for (const std::string& name : wanted)
    if (!has_own_place(name) && std::ranges::find(order, name) == order.end()) order.push_back(name);

  Geometry geometry;
  const auto positions = particles[columns::position];
  const auto ids = particles[columns::id];
  geometry.mesh.vertices.assign(positions.begin(), positions.end());
  geometry.ids.assign(ids.begin(), ids.end());
  for (const std::string& name : order) {
    const auto view = std::ranges::find(views, name, &ColumnView::name);
    if (view != views.end())
      geometry.attributes.push_back(attribute_of(*view, particles.size(), frame.header.dimension));
  }
  return geometry;
}

}  // namespace fondue
