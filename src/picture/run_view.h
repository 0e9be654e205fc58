#pragma once
// Settings shared by all pictures of a run: camera, floor, legend and containers. They are determined once, from the
// scene and a few of the run's frames, so that nothing jumps between pictures.

#include <optional>
#include <string>
#include <vector>

#include "cache/frame.h"
#include "cache/run_folder.h"
#include "picture/camera.h"
#include "picture/legend.h"
#include "picture/preview.h"
#include "scene/scene.h"

namespace fondue {

class RunView {
 public:
  /// Called for a frame that cannot be read.
  enum class Damaged { report, pass_over };
  /// `coloured`: pictures show the scene's picture.colour_by; InputError if that column is in no frame. The range of
  /// colours, if the scene does not give one, is that of the frames.
  RunView(const Scene& scene, const RunLayout& layout, const std::vector<int>& frames, bool coloured,
          Damaged damaged = Damaged::report);

  /// Whether particles are coloured by their object.
  bool by_object() const { return by_object_; }
  /// Columns that pictures need of a frame in addition to those it has anyway.
  std::vector<std::string> columns() const;
  const Legend& legend() const { return legend_; }
  Camera camera(double time) const;
  /// Everything that the camera depends on, as text: pictures with another one are out of date.
  std::string camera_text() const;
  bool flat() const { return dimension_ == 2; }
  /// The lowest point of matter or a container in any frame, or of a visible solid at the start.
  float floor() const { return floor_; }
  /// The run's lowest and highest temperature [K]; min > max if it has none.
  float coldest() const { return coldest_; }
  float hottest() const { return hottest_; }

 private:
  void look_at(const Frame& frame, const std::string& where, bool coloured);

  int dimension_;
  std::string colour_by_;
  bool coloured_, by_object_;
  Legend legend_;
  /// Chosen automatically; used as far as the scene does not say otherwise.
  Camera camera_;
  PictureSetup picture_;
  Box bounds_;
  /// What is around the scene; few particles outside of it are strays that the camera does not follow.
  Box surroundings_;
  float floor_ = 0, low_ = infinity, high_ = -infinity, coldest_ = infinity, hottest_ = -infinity;
};

/// One number per particle: a column, or the magnitude of a vector. InputError with `where` if there is no such column.
std::vector<float> colour_values(const Particles& particles, const std::string& column, const std::string& where);
/// The same in numbers that are there already.
void find_colour_values(const Particles& particles, const std::string& column, const std::string& where,
                        std::vector<float>& values);
/// Radii of spheres that fill a body without visible gaps [m], and what the support is multiplied with to get them.
std::vector<float> sphere_radii(const Scene& scene, const Particles& particles);
float sphere_radius_over_support(const Scene& scene);
/// Colours of objects by index; muted, and distinguishable with colour blindness.
const Vec3& object_colour(Index object);
/// The height of a collider that is level ground without end, look and motion: the floor of pictures stands for it, and
/// it is not drawn itself.
std::optional<float> level_ground(const Scene& scene, std::size_t collider);
/// Visible containers where they are at a time.
std::vector<PlacedBox> containers_at(const Scene& scene, const FrameHeader& frame);
/// Name, time and number of particles.
std::string caption_of(const Scene& scene, const Frame& frame);

}  // namespace fondue
