#include "cache/hdf5_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace fondue::hdf5 {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 19;
constexpr unsigned deflate_level = 1;
/// More numbers per row than any quantity has: the file is damaged.
constexpr hsize_t most_components = 1000;

/// HDF5's innermost description of the last failure.
std::string reason() {
  std::string text;
  const auto take_first = [](unsigned, const H5E_error2_t* error, void* client) -> herr_t {
    if (error->desc) *static_cast<std::string*>(client) = error->desc;
    return 1;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &text);
  return text.empty() ? "unknown HDF5 error" : text;
}

/// Properties of a new object that shall not remember when it was made.
Handle timeless(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose, "HDF5 properties");
  check(H5Pset_obj_track_times(properties, false), "HDF5 properties");
  return properties;
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, std::max<std::size_t>(size, 1)), "text type");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "text type");
  return type;
}

void write_scalar(hid_t object, const std::string& name, hid_t in_file, hid_t in_memory, const void* data) {
  const std::string what = fmt::format("attribute '{}'", name);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, what);
  const Handle attribute(H5Acreate2(object, name.c_str(), in_file, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  check(H5Awrite(attribute, in_memory, data), what);
}

/// The attribute, if it is there and holds a single value.
Handle open_scalar(hid_t object, const std::string& name) {
  if (!has_attribute(object, name)) throw Failure(fmt::format("attribute '{}' is missing", name));
  const std::string what = fmt::format("attribute '{}'", name);
  Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Failure(what + " is not a single value");
  return attribute;
}

void require_link(hid_t group, const std::string& name, const std::string& what) {
  if (!has(group, name)) throw Failure(what + " is missing");
}

/// How an array of this shape is stored; HDF5 has no chunks of nothing, and a few numbers are stored with their
/// description, whose checksum counts for them.
Handle storage(const std::vector<hsize_t>& shape, std::size_t bytes_per_row) {
  constexpr std::size_t few_bytes = 1024;
  Handle properties = timeless(H5P_DATASET_CREATE);
  if (shape[0] == 0) return properties;
  if (shape[0] * bytes_per_row <= few_bytes) {
    check(H5Pset_layout(properties, H5D_COMPACT), "compact array");
    return properties;
  }
  std::vector<hsize_t> chunk = shape;
  chunk[0] = std::min<hsize_t>(shape[0], chunk_bytes / bytes_per_row);
  check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "chunks");
  // The digits of vectors are mostly noise: to deflate them takes long and saves little.
  if (shape.size() == 1) {
    check(H5Pset_shuffle(properties), "shuffle filter");
    check(H5Pset_deflate(properties, deflate_level), "deflate filter");
  }
  check(H5Pset_fletcher32(properties), "checksum filter");
  return properties;
}

}  // namespace

Quiet::Quiet() {
  // All files are closed by their handles; HDF5's own clean-up at exit complains about damaged ones it could not close.
  H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &print_, &client_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, client_); }

hid_t check(hid_t result, const std::string& what) {
  if (result < 0) throw Failure(fmt::format("{}: {}", what, reason()));
  return result;
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

void Handle::close(const std::string& what) { check(close_(std::exchange(id_, H5I_INVALID_HID)), what); }

template <>
NumberType<float>::NumberType() : in_file(H5T_IEEE_F32LE), in_memory(H5T_NATIVE_FLOAT) {}
template <>
NumberType<double>::NumberType() : in_file(H5T_IEEE_F64LE), in_memory(H5T_NATIVE_DOUBLE) {}
template <>
NumberType<std::int32_t>::NumberType() : in_file(H5T_STD_I32LE), in_memory(H5T_NATIVE_INT32) {}
template <>
NumberType<std::uint32_t>::NumberType() : in_file(H5T_STD_U32LE), in_memory(H5T_NATIVE_UINT32) {}
template <>
NumberType<std::uint64_t>::NumberType() : in_file(H5T_STD_U64LE), in_memory(H5T_NATIVE_UINT64) {}

FileInMemory::FileInMemory() {
  // The memory is ours and stays when HDF5 closes the file: H5Fget_file_image() would give a file that is still marked
  // as being written, with a wrong checksum.
  H5FD_file_image_callbacks_t memory = {};
  memory.image_realloc = [](void*, std::size_t size, H5FD_file_image_op_t, void* bytes) -> void* {
    try {
      static_cast<std::vector<std::byte>*>(bytes)->resize(size);
      return static_cast<std::vector<std::byte>*>(bytes)->data();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  };
  memory.image_free = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; };
  memory.udata_copy = [](void* bytes) { return bytes; };
  memory.udata_free = [](void*) -> herr_t { return 0; };
  memory.udata = &bytes_;
  constexpr std::size_t growth = std::size_t{1} << 20;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 properties");
  check(H5Pset_fapl_core(access, growth, false), "file in memory");
  check(H5Pset_file_image_callbacks(access, &memory), "file in memory");
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110), "file layout");
  // No space set aside that closing would give back: the size before closing is the size.
  check(H5Pset_meta_block_size(access, 0), "file layout");
  check(H5Pset_small_data_block_size(access, 0), "file layout");
  const Handle creation = timeless(H5P_FILE_CREATE);
  // HDF5 takes open files in memory for the same one if they have the same name.
  const std::string name = fmt::format("frame {}", fmt::ptr(this));
  file_.emplace(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access), H5Fclose, "file in memory");
}

std::vector<std::byte> FileInMemory::finish() {
  check(H5Fflush(*file_, H5F_SCOPE_GLOBAL), "file in memory");
  const auto size = static_cast<std::size_t>(check(H5Fget_file_image(*file_, nullptr, 0), "file in memory"));
  file_->close("file in memory");
  bytes_.resize(size);
  return std::move(bytes_);
}

Handle open_file(const std::filesystem::path& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 properties");
  // Files never change under their name, so they need no locks, which some network file systems refuse.
  check(H5Pset_file_locking(access, false, true), "file locking");
  if (H5Fis_hdf5(path.c_str()) <= 0) throw Failure("it is not an HDF5 file");
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "the file is damaged"};
}

Handle make_group(hid_t parent, const std::string& name) {
  const Handle creation = timeless(H5P_GROUP_CREATE);
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, name};
}

Handle open_group(hid_t parent, const std::string& name) {
  const std::string what = fmt::format("group '{}'", name);
  require_link(parent, name, what);
  return {H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, what};
}

bool has(hid_t group, const std::string& name) {
  return check(H5Lexists(group, name.c_str(), H5P_DEFAULT), fmt::format("'{}'", name)) > 0;
}

std::vector<std::string> names(hid_t group) {
  H5G_info_t info;
  check(H5Gget_info(group, &info), "contents of a group");
  std::vector<std::string> result;
  for (hsize_t i = 0; i != info.nlinks; ++i) {
    const auto name = [&](char* text, std::size_t size) {
      return check(H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, text, size, H5P_DEFAULT),
                   "contents of a group");
    };
    std::string text(static_cast<std::size_t>(name(nullptr, 0)), '\0');
    name(text.data(), text.size() + 1);
    result.push_back(std::move(text));
  }
  return result;
}

template <class T>
void write_attribute(hid_t object, const std::string& name, T number) {
  const NumberType<T> type;
  write_scalar(object, name, type.in_file, type.in_memory, &number);
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type(text.size());
  write_scalar(object, name, type, type, text.c_str());
}

bool has_attribute(hid_t object, const std::string& name) {
  return check(H5Aexists(object, name.c_str()), "the attributes are damaged") > 0;
}

template <class T>
T read_number(hid_t object, const std::string& name) {
  const Handle attribute = open_scalar(object, name);
  T number{};
  check(H5Aread(attribute, NumberType<T>().in_memory, &number), fmt::format("attribute '{}'", name));
  return number;
}

std::string read_text(hid_t object, const std::string& name) {
  const Handle attribute = open_scalar(object, name);
  const std::string what = fmt::format("attribute '{}'", name);
  const Handle type(H5Aget_type(attribute), H5Tclose, what);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) {
    throw Failure(what + " is not text of fixed length");
  }
  std::string text(H5Tget_size(type), '\0');
  check(H5Aread(attribute, text_type(text.size()), text.data()), what);
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

template <class T>
Handle write_array(hid_t group, const std::string& name, const T* data, std::size_t rows, int components) {
  const std::string what = fmt::format("array '{}'", name);
  std::vector<hsize_t> shape = {rows};
  if (components > 1) shape.push_back(static_cast<hsize_t>(components));
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, what);
  const Handle creation = storage(shape, sizeof(T) * static_cast<std::size_t>(components));
  const NumberType<T> type;
  Handle array(H5Dcreate2(group, name.c_str(), type.in_file, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
               what);
  if (rows > 0) check(H5Dwrite(array, type.in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), what);
  return array;
}

Array open_array(hid_t group, const std::string& name) {
  const std::string what = fmt::format("array '{}'", name);
  require_link(group, name, what);
  Handle handle(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, what);
  const Handle space(H5Dget_space(handle), H5Sclose, what);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank != 1 && rank != 2) throw Failure(what + " is not a list of numbers or of vectors");
  hsize_t shape[2] = {0, 1};
  check(H5Sget_simple_extent_dims(space, shape, nullptr), what);
  if (shape[1] == 0 || shape[1] > most_components)
    throw Failure(fmt::format("{} has {} numbers per row", what, shape[1]));
  return {std::move(handle), name, static_cast<std::size_t>(shape[0]), static_cast<int>(shape[1])};
}

template <class T>
bool Array::holds() const {
  const Handle type(H5Dget_type(handle), H5Tclose, name);
  return H5Tequal(type, NumberType<T>().in_file) > 0;
}

template <class T>
void Array::read(T* data) const {
  if (rows == 0) return;
  check(H5Dread(handle, NumberType<T>().in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
        fmt::format("array '{}'", name));
}

template void write_attribute(hid_t, const std::string&, double);
template void write_attribute(hid_t, const std::string&, float);
template void write_attribute(hid_t, const std::string&, std::int32_t);
template void write_attribute(hid_t, const std::string&, std::uint32_t);
template void write_attribute(hid_t, const std::string&, std::uint64_t);
template double read_number(hid_t, const std::string&);
template float read_number(hid_t, const std::string&);
template std::int32_t read_number(hid_t, const std::string&);
template std::uint32_t read_number(hid_t, const std::string&);
template std::uint64_t read_number(hid_t, const std::string&);
template Handle write_array(hid_t, const std::string&, const float*, std::size_t, int);
template Handle write_array(hid_t, const std::string&, const double*, std::size_t, int);
template Handle write_array(hid_t, const std::string&, const std::uint32_t*, std::size_t, int);
template bool Array::holds<float>() const;
template bool Array::holds<double>() const;
template bool Array::holds<std::uint32_t>() const;
template void Array::read(float*) const;
template void Array::read(double*) const;
template void Array::read(std::uint32_t*) const;

}  // namespace fondue::hdf5
