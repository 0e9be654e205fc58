#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "cache/frame.h"
#include "cache/frame_outline.h"
#include "cache/hdf5_file.h"
#include "cache/output_file.h"
#include "core/error.h"

namespace fondue {

namespace {

/// The columns that belong into a frame, by name.
std::vector<ColumnView> chosen_columns(const Particles& particles, std::span<const std::string> extra) {
  std::vector<ColumnView> all = particles.columns();
  std::ranges::sort(all, {}, &ColumnView::name);
  for (const std::string& name : extra) {
    if (particles.has(name)) continue;
    std::vector<std::string> known;
    for (const ColumnView& column : all) known.push_back(column.name);
    throw InputError(fmt::format("the particles of this scene have no column '{}' to write; they have {}", name,
                                 fmt::join(known, ", ")));
  }
  std::erase_if(all, [&](const ColumnView& column) {
    return !column.state && column.name != columns::velocity.name && std::ranges::count(extra, column.name) == 0;
  });
  return all;
}

void write_header(hid_t file, const FrameHeader& header, Index next_id) {
  using hdf5::write_attribute;
  write_attribute(file, "format", std::string("fondue frame"));
  write_attribute(file, "format_version", std::int32_t{frame_format_version});
  write_attribute(file, "program", std::string("fondue " FONDUE_VERSION));
  write_attribute(file, "scene", header.scene);
  write_attribute(file, "frame", std::int32_t{header.frame});
  write_attribute(file, "time", header.time);
  write_attribute(file, "step", header.step);
  write_attribute(file, "next_id", next_id);
  write_attribute(file, "dimension", std::int32_t{header.dimension});
  write_attribute(file, "spacing", header.spacing);
}

void write_state(hid_t file, const FrameHeader& header) {
  const hdf5::Handle group = hdf5::make_group(file, "state");
  int number = 0;
  for (const auto& [name, values] : header.state) {
    const hdf5::Handle array =
        hdf5::write_array(group, fmt::format("{:04}", number++), values.data(), values.size(), 1);
    hdf5::write_attribute(array, "name", name);
  }
}

void write_column(hid_t group, const ColumnView& column, Index rows) {
  const hdf5::Handle array =
      column.scalar == Scalar::integer
          ? hdf5::write_array(group, column.name, static_cast<const Index*>(column.data), rows, column.components)
          : hdf5::write_array(group, column.name, static_cast<const float*>(column.data), rows, column.components);
  hdf5::write_attribute(array, "unit", column.unit);
  hdf5::write_attribute(array, "help", column.help);
  hdf5::write_attribute(array, "initial", column.initial);
  hdf5::write_attribute(array, "state", std::int32_t{column.state});
}

void write_bonds(hid_t file, const Particles& particles) {
  if (particles.bond_sets().empty()) return;
  const hdf5::Handle group = hdf5::make_group(file, "bonds");
  for (const std::string& name : particles.bond_sets()) {
    const BondSet& bonds = particles.bonds(name);
    const hdf5::Handle set = hdf5::make_group(group, name);
    hdf5::write_array(set, "begins", bonds.begins().data(), bonds.begins().size(), 1);
    hdf5::write_array(set, "neighbours", bonds.neighbours().data(), bonds.size(), 1);
    const hdf5::Handle columns = hdf5::make_group(set, "columns");
    std::vector<ColumnView> all = bonds.columns();
    std::ranges::sort(all, {}, &ColumnView::name);
    for (const ColumnView& column : all) write_column(columns, column, bonds.size());
  }
}

/// The vertices of the particles, 0 to n - 1: without them ParaView's newer XDMF readers see points but draw nothing.
void write_vertices(hid_t file, Index particles) {
  std::vector<Index> vertices(particles);
  std::iota(vertices.begin(), vertices.end(), Index{0});
  hdf5::write_array(file, frame_vertices, vertices.data(), vertices.size(), 1);
}

void write_contents(hid_t file, const FrameHeader& header, const Particles& particles,
                    std::span<const ColumnView> chosen, std::span<const Vec3> solids) {
  write_header(file, header, particles.next_id());
  write_state(file, header);
  const hdf5::Handle particle_group = hdf5::make_group(file, "particles");
  for (const ColumnView& column : chosen) write_column(particle_group, column, particles.size());
  write_vertices(file, particles.size());
  write_bonds(file, particles);
  const hdf5::Handle solid_group = hdf5::make_group(file, "solids");
  const float* first = solids.empty() ? nullptr : solids.front().data();
  const hdf5::Handle positions = hdf5::write_array(solid_group, "position", first, solids.size(), 3);
  hdf5::write_attribute(positions, "unit", std::string(columns::position.unit));
}

}  // namespace

std::vector<std::byte> frame_image(const FrameHeader& header, const Particles& particles,
                                   std::span<const std::string> extra_columns, std::span<const Vec3> solids) {
  const std::vector<ColumnView> chosen = chosen_columns(particles, extra_columns);
  const hdf5::Quiet quiet;
  try {
    hdf5::FileInMemory file;
    write_contents(file, header, particles, chosen, solids);
    return file.finish();
  } catch (const hdf5::Failure& failure) {
    throw OutputError(fmt::format("cannot make a frame: {}", failure.what()));
  }
}

FrameOutline outline_of(const Frame& frame, std::span<const std::string> extra_columns) {
  FrameOutline outline{frame.header, frame.particles.size(), {}};
  outline.header.next_id = frame.particles.next_id();
  for (const ColumnView& column : chosen_columns(frame.particles, extra_columns))
    outline.columns.push_back({column.name, column.unit, column.scalar, column.components});
  // Those every frame has come first.
  auto next = outline.columns.begin();
  for (const char* name : {columns::position.name, columns::velocity.name, columns::id.name}) {
    const auto found = std::ranges::find(outline.columns, name, &FrameOutline::Column::name);
    next = std::rotate(next, found, found + 1);
  }
  return outline;
}

void write_frame(const std::filesystem::path& path, const FrameHeader& header, const Particles& particles,
                 std::span<const std::string> extra_columns, std::span<const Vec3> solids) {
  write_file_atomically(path, frame_image(header, particles, extra_columns, solids));
}

}  // namespace fondue
