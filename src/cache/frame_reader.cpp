#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <utility>

#include "behaviours/fluid.h"
#include "cache/frame.h"
#include "cache/hdf5_file.h"
#include "core/error.h"

namespace fondue {

namespace {

using hdf5::Failure;

int read_version(hid_t file) {
  if (!hdf5::has_attribute(file, "format") || hdf5::read_text(file, "format") != "fondue frame") {
    throw Failure("it is an HDF5 file, but not a frame of Fondue");
  }
  const int version = hdf5::read_number<std::int32_t>(file, "format_version");
  if (version < 1 || version > frame_format_version) {
    throw Failure(
        fmt::format("it has format version {}, and this program reads versions up to {}: use the Fondue that "
                    "wrote it, or a newer one",
                    version, frame_format_version));
  }
  return version;
}

std::map<std::string, std::vector<double>> read_state(hid_t file) {
  const hdf5::Handle group = hdf5::open_group(file, "state");
  std::map<std::string, std::vector<double>> state;
  for (const std::string& number : hdf5::names(group)) {
    const hdf5::Array array = hdf5::open_array(group, number);
    if (!array.holds<double>() || array.components != 1) {
      throw Failure(fmt::format("state '{}' is not a list of numbers", number));
    }
    std::vector<double> values(array.rows);
    array.read(values.data());
    state[hdf5::read_text(array.handle, "name")] = std::move(values);
  }
  return state;
}

FrameHeader read_header(hid_t file) {
  FrameHeader header;
  header.version = read_version(file);
  header.scene = hdf5::read_text(file, "scene");
  header.frame = hdf5::read_number<std::int32_t>(file, "frame");
  header.time = hdf5::read_number<double>(file, "time");
  header.step = hdf5::read_number<std::uint64_t>(file, "step");
  header.next_id = hdf5::read_number<Index>(file, "next_id");
  header.dimension = hdf5::read_number<std::int32_t>(file, "dimension");
  header.spacing = hdf5::read_number<double>(file, "spacing");
  header.state = read_state(file);
  if (!std::isfinite(header.time)) throw Failure(fmt::format("its time is {}, not a number of seconds", header.time));
  if (header.dimension != 2 && header.dimension != 3) {
    throw Failure(fmt::format("its dimension is {}, not 2 or 3", header.dimension));
  }
  return header;
}

Scalar scalar_of(const hdf5::Array& array) {
  if (array.holds<float>()) return Scalar::real;
  if (array.holds<Index>()) return Scalar::integer;
  throw Failure(fmt::format("column '{}' holds neither 32-bit numbers nor integers", array.name));
}

ColumnInfo column_info(const hdf5::Array& array, const std::string& name) {
  const Scalar scalar = scalar_of(array);
  return {name,
          hdf5::read_text(array.handle, "unit"),
          hdf5::read_text(array.handle, "help"),
          scalar,
          array.components,
          hdf5::read_number<float>(array.handle, "initial"),
          hdf5::read_number<std::int32_t>(array.handle, "state") != 0,
          usual_rule(scalar)};
}

void read_values(const hdf5::Array& array, void* values) {
  if (scalar_of(array) == Scalar::integer)
    array.read(static_cast<Index*>(values));
  else
    array.read(static_cast<float*>(values));
}

void check_rows(const hdf5::Array& array, std::size_t rows, const char* what) {
  if (array.rows != rows)
    throw Failure(fmt::format("column '{}' has {} rows for {} {}", array.name, array.rows, rows, what));
}

/// The name that a column has now.
std::string present_name(const std::string& stored, int version) {
  if (version < 3 && stored == "compression") return columns::density_ratio.name;
  if (version < 3 && stored == "compression_rate") return columns::density_ratio_rate.name;
  return stored;
}

/// All columns, equally long; those every frame has come first.
std::vector<hdf5::Array> open_columns(hid_t particle_group) {
  const ColumnInfo always[] = {info_of(columns::position), info_of(columns::velocity), info_of(columns::id)};
  std::vector<hdf5::Array> arrays;
  for (const ColumnInfo& column : always) {
    arrays.push_back(hdf5::open_array(particle_group, column.name));
    if (scalar_of(arrays.back()) != column.scalar || arrays.back().components != column.components)
      throw Failure(fmt::format("column '{}' has the wrong type", column.name));
  }
  for (const std::string& name : hdf5::names(particle_group)) {
    const bool there = std::ranges::any_of(arrays, [&](const hdf5::Array& array) { return array.name == name; });
    if (!there) arrays.push_back(hdf5::open_array(particle_group, name));
  }
  const std::size_t rows = arrays.front().rows;
  if (rows >= std::numeric_limits<Index>::max()) throw Failure(fmt::format("{} particles are too many", rows));
  for (const hdf5::Array& array : arrays) check_rows(array, rows, "particles");
  return arrays;
}

std::vector<Index> read_indices(hid_t group, const std::string& name) {
  const hdf5::Array array = hdf5::open_array(group, name);
  if (!array.holds<Index>() || array.components != 1)
    throw Failure(fmt::format("'{}' of bonds are not integers", name));
  std::vector<Index> values(array.rows);
  array.read(values.data());
  return values;
}

void read_bonds(hid_t file, Particles& particles) {
  if (!hdf5::has(file, "bonds")) return;
  const hdf5::Handle group = hdf5::open_group(file, "bonds");
  for (const std::string& name : hdf5::names(group)) {
    const hdf5::Handle set = hdf5::open_group(group, name);
    BondSet& bonds = particles.require_bonds(name);
    try {
      bonds.restore(read_indices(set, "begins"), read_indices(set, "neighbours"), particles[columns::id]);
    } catch (const SimulationError& error) {
      throw Failure(fmt::format("the set of bonds '{}' is damaged: {}", name, error.what()));
    }
    const hdf5::Handle columns = hdf5::open_group(set, "columns");
    for (const std::string& column : hdf5::names(columns)) {
      const hdf5::Array array = hdf5::open_array(columns, column);
      check_rows(array, bonds.size(), "bonds");
      ColumnInfo info = column_info(array, array.name);
      info.rule = MergeRule::keep;
      read_values(array, bonds.require(info));
    }
  }
}

Particles read_particles(hid_t file, const FrameHeader& header) {
  const hdf5::Handle group = hdf5::open_group(file, "particles");
  const std::vector<hdf5::Array> arrays = open_columns(group);
  Particles particles;
  particles.create(static_cast<Index>(arrays.front().rows));
  for (const hdf5::Array& array : arrays)
    read_values(array, particles.require(column_info(array, present_name(array.name, header.version))));
  for (const Index id : particles[columns::id]) {
    if (id >= header.next_id)
      throw Failure(fmt::format("a particle has the id {}, but only {} were given out", id, header.next_id));
  }
  particles.set_next_id(header.next_id);
  read_bonds(file, particles);
  return particles;
}

std::vector<Vec3> read_solids(hid_t file) {
  const hdf5::Handle group = hdf5::open_group(file, "solids");
  const hdf5::Array array = hdf5::open_array(group, "position");
  if (!array.holds<float>() || array.components != 3) throw Failure("the positions of solids are not vectors");
  std::vector<Vec3> positions(array.rows);
  array.read(reinterpret_cast<float*>(positions.data()));
  return positions;
}

/// Opens a frame and calls use(file); whatever is wrong comes back with the path.
template <class Use>
auto with_frame(const std::filesystem::path& path, Use&& use) {
  const auto wrong = [&](const char* what) {
    return InputError(fmt::format("cannot read frame '{}': {}", path.string(), what));
  };
  errno = 0;
  if (!std::ifstream(path)) throw wrong(std::strerror(errno));
  const hdf5::Quiet quiet;
  try {
    const hdf5::Handle file = hdf5::open_file(path);
    return use(file);
  } catch (const Failure& failure) {
    throw wrong(failure.what());
  } catch (const std::bad_alloc&) {
    throw wrong("it does not fit into the memory of this machine");
  }
}

}  // namespace

Frame read_frame(const std::filesystem::path& path) {
  return with_frame(path, [](hid_t file) {
    FrameHeader header = read_header(file);
    Particles particles = read_particles(file, header);
    return Frame{std::move(header), std::move(particles), read_solids(file)};
  });
}

FrameOutline read_frame_outline(const std::filesystem::path& path) {
  return with_frame(path, [](hid_t file) {
    FrameOutline outline{read_header(file), 0, {}};
    const hdf5::Handle group = hdf5::open_group(file, "particles");
    for (const hdf5::Array& array : open_columns(group)) {
      outline.particles = static_cast<Index>(array.rows);
      outline.columns.push_back({present_name(array.name, outline.header.version),
                                 hdf5::read_text(array.handle, "unit"), scalar_of(array), array.components,
                                 array.name});
    }
    return outline;
  });
}

FrameHeader read_frame_header(const std::filesystem::path& path) {
  return with_frame(path, [](hid_t file) { return read_header(file); });
}

}  // namespace fondue
