#pragma once
// Pictures by the program POV-Ray.
//
// Debian's POV-Ray may read and write only below /tmp and in the folder it is started in, so it is started in the
// picture's folder.

#include <filesystem>
#include <memory>

#include "picture/child_process.h"

namespace fondue {

/// One picture on its way.
class PovrayJob {
 public:
  /// Starts POV-Ray; the scene file is best in the picture's folder. OutputError if there is no POV-Ray or no folder.
  PovrayJob(const std::filesystem::path& pov, const std::filesystem::path& png, int width, int height, int threads);
  /// Stops it if it was not waited for, leaving no half picture.
  ~PovrayJob();
  PovrayJob(const PovrayJob&) = delete;

  /// Waits for the picture and gives it its name. OutputError with POV-Ray's own words if it failed.
  void finish();
  const std::filesystem::path& picture() const { return png_; }

 private:
  std::filesystem::path pov_, png_;
  std::unique_ptr<ChildProcess> process_;
};

/// Draws a scene file: the picture has its name when it is whole.
void render_povray(const std::filesystem::path& pov, const std::filesystem::path& png, int width, int height,
                   int threads);

}  // namespace fondue
