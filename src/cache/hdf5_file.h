#pragma once
// The little of HDF5 that frames need: handles that close themselves, failures as exceptions with HDF5's own innermost
// reason, attributes, and arrays of numbers with one row per particle.
//
// Arrays are chunked, shuffled, compressed (deflate 1) and checksummed (Fletcher 32); files have the 1.10 layout, whose
// metadata is checksummed too. So a damaged file is an error and never wrong numbers. Times of creation are not kept:
// the same contents give the same bytes.

#include <hdf5.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace fondue::hdf5 {

/// What went wrong; whoever knows the path and the direction turns it into an InputError or OutputError.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// While one of these lives, HDF5 prints nothing by itself; nor does it at exit, once one has lived.
class Quiet {
 public:
  Quiet();
  Quiet(const Quiet&) = delete;
  ~Quiet();

 private:
  H5E_auto2_t print_ = nullptr;
  void* client_ = nullptr;
};

/// Throws "what: HDF5's reason" if the result of a call is negative, else returns it.
hid_t check(hid_t result, const std::string& what);

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Takes the result of a call that opens or makes something; throws if that failed.
  Handle(hid_t id, Close how, const std::string& what) : id_(check(id, what)), close_(how) {}
  Handle(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  ~Handle();
  operator hid_t() const { return id_; }
  /// Closes now and throws if that fails.
  void close(const std::string& what);

 private:
  hid_t id_;
  Close close_;
};

/// What a number is in a file and in memory: float, double and 32- or 64-bit integers.
template <class T>
struct NumberType {
  hid_t in_file, in_memory;
  NumberType();
};

/// A file that is built in memory, so that HDF5 never meets a failing disk.
class FileInMemory {
 public:
  FileInMemory();
  FileInMemory(const FileInMemory&) = delete;
  operator hid_t() const { return *file_; }
  /// Closes the file and returns what belongs on the disk.
  std::vector<std::byte> finish();

 private:
  std::vector<std::byte> bytes_;
  std::optional<Handle> file_;
};

Handle open_file(const std::filesystem::path& path);

Handle make_group(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
bool has(hid_t group, const std::string& name);
/// Names of everything in a group, sorted.
std::vector<std::string> names(hid_t group);

template <class T>
void write_attribute(hid_t object, const std::string& name, T number);
void write_attribute(hid_t object, const std::string& name, const std::string& text);
template <class T>
T read_number(hid_t object, const std::string& name);
std::string read_text(hid_t object, const std::string& name);
bool has_attribute(hid_t object, const std::string& name);

/// Rows of `components` numbers each; one component makes a one-dimensional array.
template <class T>
Handle write_array(hid_t group, const std::string& name, const T* data, std::size_t rows, int components);

/// An array that is there to be read, its shape and type known and its numbers not yet.
struct Array {
  Handle handle;
  std::string name;
  std::size_t rows;
  int components;
  template <class T>
  bool holds() const;
  /// Reads rows times components numbers.
  template <class T>
  void read(T* data) const;
};
Array open_array(hid_t group, const std::string& name);

}  // namespace fondue::hdf5
