#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <utility>

#include "cache/frame.h"
#include "cache/hdf5_file.h"
#include "core/error.h"

namespace fondue {

namespace {

using hdf5::Failure;

void check_format(hid_t file) {
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

ColumnView::Type column_type(const hdf5::Array& array) {
  if (array.holds<float>() && array.components == 1) return ColumnView::Type::number;
  if (array.holds<float>() && array.components == 3) return ColumnView::Type::vector;
  if (array.holds<Index>() && array.components == 1) return ColumnView::Type::integer;
  throw Failure(fmt::format("column '{}' holds neither 32-bit numbers, vectors nor integers", array.name));
}

/// All columns, equally long; those every frame has come first.
std::vector<hdf5::Array> open_columns(hid_t particle_group) {
  const std::pair<const char*, ColumnView::Type> always[] = {{columns::position.name, ColumnView::Type::vector},
                                                             {columns::velocity.name, ColumnView::Type::vector},
                                                             {columns::id.name, ColumnView::Type::integer}};
  std::vector<hdf5::Array> arrays;
  for (const auto& [name, type] : always) {
    arrays.push_back(hdf5::open_array(particle_group, name));
    if (column_type(arrays.back()) != type) throw Failure(fmt::format("column '{}' has the wrong type", name));
  }
  for (const std::string& name : hdf5::names(particle_group)) {
    const bool there = std::ranges::any_of(arrays, [&](const hdf5::Array& array) { return array.name == name; });
    if (!there) arrays.push_back(hdf5::open_array(particle_group, name));
  }
  const std::size_t rows = arrays.front().rows;
  if (rows >= std::numeric_limits<Index>::max()) throw Failure(fmt::format("{} particles are too many", rows));
  for (const hdf5::Array& array : arrays) {
    if (array.rows != rows) {
      throw Failure(fmt::format("column '{}' has {} rows for {} particles", array.name, array.rows, rows));
    }
  }
  return arrays;
}

template <class T, class Number>
void read_column(const hdf5::Array& array, Particles& particles) {
  const std::string unit = hdf5::read_text(array.handle, "unit"), help = hdf5::read_text(array.handle, "help");
  const std::span<T> values = particles.require(Column<T>{array.name.c_str(), unit.c_str(), help.c_str(),
                                                          hdf5::read_number<float>(array.handle, "initial"),
                                                          hdf5::read_number<std::int32_t>(array.handle, "state") != 0});
  array.read(reinterpret_cast<Number*>(values.data()));
}

Particles read_particles(hid_t file, Index next_id) {
  const hdf5::Handle group = hdf5::open_group(file, "particles");
  const std::vector<hdf5::Array> arrays = open_columns(group);
  Particles particles;
  particles.create(static_cast<Index>(arrays.front().rows));
  for (const hdf5::Array& array : arrays) {
    switch (column_type(array)) {
      case ColumnView::Type::number:
        read_column<float, float>(array, particles);
        break;
      case ColumnView::Type::vector:
        read_column<Vec3, float>(array, particles);
        break;
      case ColumnView::Type::integer:
        read_column<Index, Index>(array, particles);
        break;
    }
  }
  for (const Index id : particles[columns::id]) {
    if (id >= next_id) throw Failure(fmt::format("a particle has the id {}, but only {} were given out", id, next_id));
  }
  particles.set_next_id(next_id);
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
    check_format(file);
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
    Particles particles = read_particles(file, header.next_id);
    return Frame{std::move(header), std::move(particles), read_solids(file)};
  });
}

FrameOutline read_frame_outline(const std::filesystem::path& path) {
  return with_frame(path, [](hid_t file) {
    FrameOutline outline{read_header(file), 0, {}};
    const hdf5::Handle group = hdf5::open_group(file, "particles");
    for (const hdf5::Array& array : open_columns(group)) {
      outline.particles = static_cast<Index>(array.rows);
      outline.columns.push_back({array.name, hdf5::read_text(array.handle, "unit"), column_type(array)});
    }
    return outline;
  });
}

FrameHeader read_frame_header(const std::filesystem::path& path) {
  return with_frame(path, [](hid_t file) { return read_header(file); });
}

}  // namespace fondue
