#include "picture/gltf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <cstring>
#include <numbers>

#include "bodies/body.h"
#include "picture/gltf_material.h"
#include "picture/look.h"

namespace fondue {
namespace {

/// Numbers of the glTF standard.
constexpr int float_type = 5126, index_type = 5125, vertex_buffer = 34962, index_buffer = 34963;

std::string list(const std::vector<std::string>& entries) { return fmt::format("[{}]", fmt::join(entries, ",")); }
std::string numbers(const auto& values) { return fmt::format("[{}]", fmt::join(values, ",")); }

/// The binary part and what says how to read it.
class Buffers {
 public:
  /// Adds numbers; returns the index of their accessor. Limits are required of positions and times.
  int add(const std::vector<float>& values, int components, bool limits, int target = 0) {
    const char* const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const auto n = static_cast<std::size_t>(components);
    std::string range;
    if (limits && !values.empty()) {
      std::vector<float> least(values.begin(), values.begin() + components), most = least;
      for (std::size_t i = 0; i != values.size(); ++i) {
        least[i % n] = std::min(least[i % n], values[i]);
        most[i % n] = std::max(most[i % n], values[i]);
      }
      range = fmt::format(",\"min\":{},\"max\":{}", numbers(least), numbers(most));
    }
    return accessor(values.data(), values.size(), values.size() / n, float_type, types[components], range, target);
  }
  int add(const std::vector<Index>& indices) {
    return accessor(indices.data(), indices.size(), indices.size(), index_type, "SCALAR", "", index_buffer);
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::string views() const { return list(views_); }
  std::string accessors() const { return list(accessors_); }

 private:
  int accessor(const void* data, std::size_t numbers, std::size_t count, int type, const char* form,
               const std::string& range, int target) {
    const std::size_t offset = bytes_.size(), size = 4 * numbers;
    bytes_.resize(offset + size);
    if (size != 0) std::memcpy(bytes_.data() + offset, data, size);
    const std::string kind = target ? fmt::format(",\"target\":{}", target) : "";
    views_.push_back(fmt::format("{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}{}}}", offset, size, kind));
    accessors_.push_back(fmt::format("{{\"bufferView\":{},\"componentType\":{},\"count\":{},\"type\":\"{}\"{}}}",
                                     views_.size() - 1, type, count, form, range));
    return static_cast<int>(accessors_.size()) - 1;
  }

  std::vector<std::byte> bytes_;
  std::vector<std::string> views_, accessors_;
};

std::vector<float> flat(const std::vector<Vec3>& vectors) {
  std::vector<float> values;
  for (const Vec3& v : vectors) values.insert(values.end(), {v.x(), v.y(), v.z()});
  return values;
}

/// A node's place at every frame.
struct Path {
  std::vector<float> translations, rotations;
  void add(const Vec3& position, Eigen::Quaternionf q) {
    // The shorter way from the last one, which q and -q differ in.
    if (const std::size_t n = rotations.size();
        n != 0 &&
        q.x() * rotations[n - 4] + q.y() * rotations[n - 3] + q.z() * rotations[n - 2] + q.w() * rotations[n - 1] < 0)
      q.coeffs() *= -1;
    translations.insert(translations.end(), {position.x(), position.y(), position.z()});
    rotations.insert(rotations.end(), {q.x(), q.y(), q.z(), q.w()});
  }
  bool still() const {
    const auto same = [](const std::vector<float>& values, std::size_t n) {
      for (std::size_t i = n; i < values.size(); ++i)
        if (values[i] != values[i % n]) return false;
      return true;
    };
    return same(translations, 3) && same(rotations, 4);
  }
};

class GltfWriter {
 public:
  GltfWriter(const Scene& scene, const std::vector<FrameHeader>& frames) : scene_(scene), frames_(frames) {}

  void solid(std::size_t c, const Geometry& shape) {
    const ColliderSetup& collider = scene_.world.colliders[c];
    Path path;
    for (const FrameHeader& frame : frames_) {
      const Pose pose = saved_pose(frame.state, collider, frame.time);
      path.add(pose.position.cast<float>(), pose.rotation.cast<float>());
    }
    const std::optional<LookSetup> look = c < scene_.solid_looks.size() ? scene_.solid_looks[c] : std::nullopt;
    add_material(collider.name, look);
    std::vector<Index> indices;
    for (const auto& t : shape.mesh.triangles) indices.insert(indices.end(), t.begin(), t.end());
    meshes_.push_back(fmt::format(
        "{{\"name\":{},\"primitives\":[{{\"attributes\":{{\"POSITION\":{},\"NORMAL\":{}}},\"indices\":{},\"material\":{"
        "}}}]}}",
        json_text(collider.name), buffers_.add(flat(shape.mesh.vertices), 3, true, vertex_buffer),
        buffers_.add(flat(shape.normals), 3, false, vertex_buffer), buffers_.add(indices), materials_.size() - 1));
    node(collider.name, fmt::format("\"mesh\":{}", meshes_.size() - 1), path);
  }

  /// What the matter of an object is made of; its surfaces are files of their own.
  void matter(std::size_t o) {
    add_material(scene_.world.objects[o].name, scene_.looks[o]);
    matter_.push_back(fmt::format("{{\"object\":{},\"material\":{}}}", o, materials_.size() - 1));
  }

  void camera(const RunView& view) {
    Path path;
    for (const FrameHeader& frame : frames_) {
      const Camera camera = view.camera(frame.time);
      const CameraAxes axes(camera);
      const Mat3 rotation = (Mat3() << axes.right, axes.up, axes.back).finished();
      path.add(camera.eye, Eigen::Quaternionf(rotation).normalized());
    }
    const Camera first = view.camera(frames_.front().time);
    const float aspect = static_cast<float>(scene_.picture.width) / static_cast<float>(scene_.picture.height);
    const float distance = (first.eye - first.target).norm();
    if (first.field_of_view > 0)
      cameras_.push_back(
          fmt::format("{{\"name\":\"camera\",\"type\":\"perspective\",\"perspective\":{{\"yfov\":{},\"aspectRatio\":{},"
                      "\"znear\":{},\"zfar\":{}}}}}",
                      first.field_of_view * std::numbers::pi_v<float> / 180, aspect, 0.01f * distance, 100 * distance));
    else
      cameras_.push_back(
          fmt::format("{{\"name\":\"camera\",\"type\":\"orthographic\",\"orthographic\":{{\"xmag\":{},\"ymag\":{},"
                      "\"znear\":{},\"zfar\":{}}}}}",
                      0.5f * first.height * aspect, 0.5f * first.height, 0.01f * distance, 100 * distance));
    node("camera", "\"camera\":0", path);
  }

  std::string json(const std::string& scene) const {
    std::vector<int> children(nodes_.size());
    for (std::size_t k = 0; k != children.size(); ++k) children[k] = static_cast<int>(k) + 1;
    // Turns z up to y up.
    std::vector<std::string> nodes = {fmt::format(
        "{{\"name\":{},\"rotation\":[-0.70710678,0,0,0.70710678],\"children\":{},\"extras\":{{\"matter\":{}}}}}",
        json_text(scene), numbers(children), list(matter_))};
    nodes.insert(nodes.end(), nodes_.begin(), nodes_.end());
    std::string text = fmt::format(
        "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"Fondue\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],"
        "\"nodes\":{},"
        "\"cameras\":{}",
        list(nodes), list(cameras_));
    if (clear_) text += fmt::format(",\"extensionsUsed\":[{}]", gltf_clear_extensions);
    if (!materials_.empty()) text += fmt::format(",\"materials\":{}", list(materials_));
    if (!meshes_.empty()) text += fmt::format(",\"meshes\":{}", list(meshes_));
    if (!samplers_.empty())
      text += fmt::format(",\"animations\":[{{\"name\":\"run\",\"samplers\":{},\"channels\":{}}}]", list(samplers_),
                          list(channels_));
    if (!buffers_.bytes().empty())
      text += fmt::format(",\"buffers\":[{{\"byteLength\":{}}}],\"bufferViews\":{},\"accessors\":{}",
                          buffers_.bytes().size(), buffers_.views(), buffers_.accessors());
    return text + '}';
  }
  const std::vector<std::byte>& bytes() const { return buffers_.bytes(); }

 private:
  void add_material(const std::string& name, const std::optional<LookSetup>& look) {
    if (look && is_clear(look->look)) clear_ = true;
    materials_.push_back(gltf_material(name, look));
  }

  /// At its first place; with keys for all of them if it moves.
  void node(const std::string& name, const std::string& what, const Path& path) {
    const std::span<const float> x(path.translations.data(), 3), q(path.rotations.data(), 4);
    nodes_.push_back(fmt::format("{{\"name\":{},{},\"translation\":{},\"rotation\":{}}}", json_text(name), what,
                                 numbers(x), numbers(q)));
    if (path.still()) return;
    if (times_ < 0) {
      std::vector<float> times;
      for (const FrameHeader& frame : frames_) times.push_back(static_cast<float>(frame.time));
      times_ = buffers_.add(times, 1, true);
    }
    for (const auto& [property, values, components] :
         {std::tuple{"translation", &path.translations, 3}, std::tuple{"rotation", &path.rotations, 4}}) {
      samplers_.push_back(fmt::format("{{\"input\":{},\"output\":{},\"interpolation\":\"LINEAR\"}}", times_,
                                      buffers_.add(*values, components, false)));
      channels_.push_back(fmt::format("{{\"sampler\":{},\"target\":{{\"node\":{},\"path\":\"{}\"}}}}",
                                      samplers_.size() - 1, nodes_.size(), property));
    }
  }

  const Scene& scene_;
  const std::vector<FrameHeader>& frames_;
  Buffers buffers_;
  std::vector<std::string> nodes_, meshes_, materials_, cameras_, samplers_, channels_, matter_;
  int times_ = -1;
  bool clear_ = false;
};

void add_number(std::vector<std::byte>& bytes, std::uint32_t number) {
  for (int k = 0; k != 4; ++k) bytes.push_back(static_cast<std::byte>(number >> 8 * k & 0xff));
}

void add_chunk(std::vector<std::byte>& file, std::uint32_t type, std::vector<std::byte> content, char filling) {
  while (content.size() % 4 != 0) content.push_back(static_cast<std::byte>(filling));
  add_number(file, static_cast<std::uint32_t>(content.size()));
  add_number(file, type);
  file.insert(file.end(), content.begin(), content.end());
}

}  // namespace

std::vector<std::byte> gltf_image(const Scene& scene, const RunSurfaces& surfaces, const RunView& view,
                                  const std::vector<FrameHeader>& frames) {
  GltfWriter writer(scene, frames);
  for (std::size_t c = 0; c != surfaces.shapes().size(); ++c)
    if (!surfaces.shapes()[c].mesh.triangles.empty()) writer.solid(c, surfaces.shapes()[c]);
  for (std::size_t o = 0; o != scene.looks.size(); ++o) writer.matter(o);
  writer.camera(view);
  const std::string json = writer.json(scene.name);
  const auto* text = reinterpret_cast<const std::byte*>(json.data());

  constexpr std::uint32_t magic = 0x46546c67, json_chunk = 0x4e4f534a, binary_chunk = 0x004e4942;
  std::vector<std::byte> chunks, file;
  add_chunk(chunks, json_chunk, {text, text + json.size()}, ' ');
  if (!writer.bytes().empty()) add_chunk(chunks, binary_chunk, writer.bytes(), 0);
  add_number(file, magic);
  add_number(file, 2);
  add_number(file, static_cast<std::uint32_t>(12 + chunks.size()));
  file.insert(file.end(), chunks.begin(), chunks.end());
  return file;
}

}  // namespace fondue
