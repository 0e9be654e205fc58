#include "picture/povray.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "core/error.h"

namespace fondue {
namespace {

namespace fs = std::filesystem;

/// POV-Ray requires a name that ends in .png; a hidden file, so that it is not mistaken for a finished picture.
fs::path unfinished(const fs::path& png) { return fmt::format(".{}.part.png", png.stem().string()); }

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

std::vector<std::string> command(const fs::path& pov, const fs::path& png, int width, int height, int threads) {
  const bool same_folder = folder_of(pov) == folder_of(png);
  return {"povray",
          fmt::format("+I{}", same_folder ? pov.filename().string() : fs::absolute(pov).string()),
          fmt::format("+O{}", unfinished(png).string()),
          "+FN8",
          fmt::format("+W{}", width),
          fmt::format("+H{}", height),
          "+AM2",
          "+A0.2",
          "+R2",
          "-J",
          "+BS8",
          fmt::format("+WT{}", std::clamp(threads, 1, 512)),
          "-D",
          "-V",
          "-GD",
          "-GR",
          "-GS"};
}

/// POV-Ray's messages without its banner.
std::string complaint(const std::string& messages) {
  const std::size_t header = messages.find("[Parsing...]");
  const std::string text = header == std::string::npos ? messages : messages.substr(messages.find('\n', header));
  std::string line = in_one_line(text);
  constexpr std::size_t enough = 800;
  return line.size() > enough ? line.substr(line.size() - enough) : line;
}

}  // namespace

PovrayJob::PovrayJob(const fs::path& pov, const fs::path& png, int width, int height, int threads)
    : pov_(pov), png_(png) {
  if (width < 1 || height < 1)
    throw InputError(
        fmt::format("{}: a picture of {} x {} pixels; each side must be at least 1", png.string(), width, height));
  const fs::path folder = folder_of(png);
  // Checked here, since starting the program would only report that something does not exist.
  if (!fs::is_directory(folder))
    throw OutputError(fmt::format("there is no folder '{}' for pictures", folder.string()));
  try {
    process_ = std::make_unique<ChildProcess>(command(pov, png, width, height, threads), "povray", -1, folder);
  } catch (const OutputError& error) {
    throw OutputError(fmt::format("{}: cannot draw the picture: {}", png.string(), error.what()));
  }
}

PovrayJob::~PovrayJob() {
  process_.reset();
  std::error_code ignored;
  fs::remove(folder_of(png_) / unfinished(png_), ignored);
  fs::remove(folder_of(png_) / unfinished(png_).replace_extension(".pov-state"), ignored);
}

void PovrayJob::finish() {
  if (!process_->wait())
    throw OutputError(fmt::format("{}: POV-Ray failed: {} (its scene is kept in {})", png_.string(),
                                  complaint(process_->messages()), pov_.string()));
  std::error_code error;
  fs::rename(folder_of(png_) / unfinished(png_), png_, error);
  if (error) throw OutputError(fmt::format("{}: cannot write the picture: {}", png_.string(), error.message()));
}

void render_povray(const fs::path& pov, const fs::path& png, int width, int height, int threads) {
  PovrayJob(pov, png, width, height, threads).finish();
}

}  // namespace fondue
