#pragma once
// Rendering with the program POV-Ray.
//
// Debian's POV-Ray may read and write only below /tmp and in the folder it is started in, so it is started in the
// picture's folder.

#include <filesystem>
#include <memory>

#include "picture/child_process.h"

namespace fondue {

/// One picture being rendered.
class PovrayJob {
 public:
  /// Starts POV-Ray; the scene file should be in the picture's folder. OutputError if POV-Ray is not installed or the
  /// folder does not exist.
  PovrayJob(const std::filesystem::path& pov, const std::filesystem::path& png, int width, int height, int threads);
  /// Stops it if it has not finished, leaving no incomplete picture.
  ~PovrayJob();
  PovrayJob(const PovrayJob&) = delete;

  /// Waits for the picture and gives it its final name. OutputError with POV-Ray's message if it failed.
  void finish();
  const std::filesystem::path& picture() const { return png_; }

 private:
  std::filesystem::path pov_, png_;
  std::unique_ptr<ChildProcess> process_;
};

/// Renders a scene file; the picture gets its final name when it is complete.
void render_povray(const std::filesystem::path& pov, const std::filesystem::path& png, int width, int height,
                   int threads);

}  // namespace fondue
