// The only file that uses OpenVDB, and only if FONDUE_OPENVDB is defined.

#include "cache/vdb_file.h"

#include <fmt/format.h>

#include "cache/component_names.h"
#include "cache/output_file.h"
#include "core/error.h"

#if FONDUE_OPENVDB

#include <openvdb/io/Archive.h>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

#include <sstream>

namespace fondue {

namespace {

constexpr const char* unit_key = "unit";

/// A file with offsets to its grids, built in memory; OpenVDB's own stream omits the offsets.
struct FileInMemory : openvdb::io::Archive {
  std::string made_of(const openvdb::GridCPtrVec& grids, const openvdb::MetaMap& about) const {
    std::ostringstream stream(std::ios::binary);
    openvdb::io::Archive::write(stream, grids, true, about);
    return stream.str();
  }
};

template <class Value>
constexpr int components_of = sizeof(Value) / sizeof(float);

/// A field, or one component of it; active where there is matter.
template <class Grid>
openvdb::GridBase::Ptr grid_of(const Fog& fog, const Fog::Field& field, std::size_t component = 0) {
  using Value = typename Grid::ValueType;
  const std::vector<float>& density = fog.fields.front().values;
  const auto grid = Grid::create(openvdb::zeroVal<Value>());
  for (std::size_t b = 0; b != fog.origins.size(); ++b) {
    auto* leaf = grid->tree().touchLeaf(openvdb::Coord(fog.origins[b].data()));
    for (std::size_t at = 0; at != Fog::block; ++at) {
      const std::size_t voxel = b * Fog::block + at;
      if (!(density[voxel] > 0)) continue;
      const float* first = &field.values[voxel * static_cast<std::size_t>(field.components) + component];
      if constexpr (components_of<Value> == 3)
        leaf->setValueOn(static_cast<openvdb::Index>(at), Value(first));
      else
        leaf->setValueOn(static_cast<openvdb::Index>(at), *first);
    }
  }
  if constexpr (components_of<Value> == 3) grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
  return grid;
}

/// A grid of numbers or vectors for each field; tensors, for which OpenVDB has no type, as a grid for each component.
openvdb::GridCPtrVec grids_of(const Fog& fog) {
  openvdb::GridCPtrVec grids;
  const auto add = [&](const openvdb::GridBase::Ptr& grid, const std::string& name, const std::string& unit) {
    grid->setName(name);
    grid->setCreator("Fondue");
    grid->setTransform(openvdb::math::Transform::createLinearTransform(static_cast<double>(fog.voxel)));
    grid->insertMeta(unit_key, openvdb::StringMetadata(unit));
    if (grid->isType<openvdb::FloatGrid>()) grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    grids.push_back(grid);
  };
  for (const Fog::Field& field : fog.fields) {
    if (field.components == 3) {
      add(grid_of<openvdb::Vec3SGrid>(fog, field), field.name, field.unit);
      continue;
    }
    for (std::size_t k = 0; const std::string& component : component_names(field.components))
      add(grid_of<openvdb::FloatGrid>(fog, field, k++), field.name + (component.empty() ? "" : "_") + component,
          field.unit);
  }
  return grids;
}

openvdb::MetaMap about(const FrameHeader& header) {
  openvdb::MetaMap map;
  map.insertMeta("creator", openvdb::StringMetadata("Fondue"));
  map.insertMeta("scene", openvdb::StringMetadata(header.scene));
  map.insertMeta("frame", openvdb::Int32Metadata(header.frame));
  map.insertMeta("time", openvdb::DoubleMetadata(header.time));
  return map;
}

template <class Grid>
VdbGrid summary(const Grid& grid) {
  using Value = typename Grid::ValueType;
  VdbGrid result;
  result.name = grid.getName();
  if (const auto unit = grid.template getMetadata<openvdb::StringMetadata>(unit_key)) result.unit = unit->value();
  result.components = components_of<Value>;
  result.voxel = static_cast<float>(grid.voxelSize().x());
  for (auto voxel = grid.cbeginValueOn(); voxel; ++voxel) {
    const openvdb::Vec3d x = grid.indexToWorld(voxel.getCoord());
    const Value value = *voxel;
    const auto* first = reinterpret_cast<const float*>(&value);
    for (int k = 0; k != result.components; ++k) result.sum[k] += static_cast<double>(first[k]);
    result.bounds.add(Vec3d(x.x(), x.y(), x.z()).cast<float>());
    ++result.active;
  }
  return result;
}

}  // namespace

bool has_openvdb() { return true; }

void require_openvdb() {}

void write_vdb(const std::filesystem::path& path, const Frame& frame, const FogOptions& options) {
  const Fog fog = make_fog(frame, options);
  std::string file;
  try {
    openvdb::initialize();
    file = FileInMemory().made_of(grids_of(fog), about(frame.header));
  } catch (const openvdb::Exception& error) {
    throw OutputError(fmt::format("cannot create '{}': {}", path.string(), error.what()));
  }
  write_text_atomically(path, file);
}

std::vector<VdbGrid> read_vdb(const std::filesystem::path& path) {
  std::vector<VdbGrid> result;
  try {
    openvdb::initialize();
    openvdb::io::File file(path.string());
    file.open();
    const openvdb::GridPtrVecPtr grids = file.getGrids();
    for (const openvdb::GridBase::Ptr& grid : *grids) {
      if (const auto numbers = openvdb::gridPtrCast<openvdb::FloatGrid>(grid)) result.push_back(summary(*numbers));
      if (const auto vectors = openvdb::gridPtrCast<openvdb::Vec3SGrid>(grid)) result.push_back(summary(*vectors));
    }
  } catch (const openvdb::Exception& error) {
    throw InputError(fmt::format("cannot read '{}': {}", path.string(), error.what()));
  }
  return result;
}

}  // namespace fondue

#else

namespace fondue {

bool has_openvdb() { return false; }

void require_openvdb() {
  throw OutputError("this build has no OpenVDB; install libopenvdb-dev and libboost-dev, then rebuild Fondue");
}

void write_vdb(const std::filesystem::path&, const Frame&, const FogOptions&) { require_openvdb(); }

std::vector<VdbGrid> read_vdb(const std::filesystem::path&) {
  require_openvdb();
  return {};
}

}  // namespace fondue

#endif
