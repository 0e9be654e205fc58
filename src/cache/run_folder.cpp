#include "cache/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/error.h"

namespace fondue {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view frame_prefix = "frame_", frame_suffix = ".h5";
constexpr std::size_t frame_digits = 6;

/// The number in a frame's name; none for other files.
std::optional<int> frame_number(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(frame_prefix) || !name.ends_with(frame_suffix)) return std::nullopt;
  if (name.size() < frame_prefix.size() + frame_digits + frame_suffix.size()) return std::nullopt;
  const char *begin = name.data() + frame_prefix.size(), *end = name.data() + name.size() - frame_suffix.size();
  int number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc{} || stop != end || number < 0) return std::nullopt;
  return number;
}

/// Everything in a folder; nothing if there is no such folder.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    files.push_back(entry->path());
  }
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
    throw InputError(fmt::format("cannot read folder '{}': {}", folder.string(), error.message()));
  }
  return files;
}

/// The result of read(path), or nothing and a message that states the reason.
template <class Read>
auto attempt(const fs::path& path, Read&& read, std::vector<std::string>& messages) {
  std::optional<decltype(read(path))> result;
  try {
    result = read(path);
  } catch (const InputError& error) {
    messages.push_back(fmt::format("{}; using an earlier state", error.what()));
  }
  return result;
}

bool later(const FrameHeader& a, const FrameHeader& b) { return std::tie(a.time, a.step) > std::tie(b.time, b.step); }

fs::path lock_file(const RunLayout& layout) { return layout.folder / ".lock"; }

/// Creates the folder and the lock file in it, which stays locked.
OutputFile lock(const RunLayout& layout) {
  std::error_code error;
  fs::create_directories(layout.frames(), error);
  if (error) {
    throw OutputError(fmt::format("cannot create folder '{}': {}", layout.frames().string(), error.message()));
  }
  OutputFile file(lock_file(layout), OutputFile::Start::append);
  if (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      throw InputError(fmt::format("another run is writing into '{}': wait for it, stop it, or choose another folder",
                                   layout.folder.string()));
    }
    throw OutputError(fmt::format("cannot lock '{}': {}", file.path().string(), std::strerror(errno)));
  }
  return file;
}

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw OutputError(fmt::format("cannot remove '{}': {}", path.string(), error.message()));
}

}  // namespace

fs::path RunLayout::frame(int number) const {
  return frames() / fmt::format("{}{:0{}}{}", frame_prefix, number, frame_digits, frame_suffix);
}

fs::path RunLayout::preview(int frame) const {
  return folder / fmt::format("{}-{:0{}}.png", scene, frame, frame_digits);
}

std::vector<int> list_frames(const RunLayout& layout) {
  std::vector<int> numbers;
  for (const fs::path& file : files_in(layout.frames())) {
    if (const auto number = frame_number(file)) numbers.push_back(*number);
  }
  std::ranges::sort(numbers);
  return numbers;
}

void copy_past(const RunLayout& from, const RunLayout& to, int last) {
  fs::create_directories(to.frames());
  for (const int frame : list_frames(from)) {
    if (frame > last) break;
    std::error_code cannot_link;
    fs::create_hard_link(from.frame(frame), to.frame(frame), cannot_link);
    if (cannot_link) fs::copy_file(from.frame(frame), to.frame(frame));
  }
  for (const auto& [source, target] :
       {std::pair{from.statistics(), to.statistics()}, std::pair{from.probes(), to.probes()}})
    if (fs::exists(source)) fs::copy_file(source, target);
}

std::optional<ResumePoint> newest_state(const RunLayout& layout, std::vector<std::string>& messages) {
  const auto read_state = [](const fs::path& path) { return ResumePoint{read_frame(path), path}; };
  std::optional<FrameHeader> checkpoint;
  if (fs::exists(layout.checkpoint())) checkpoint = attempt(layout.checkpoint(), read_frame_header, messages);
  const std::vector<int> frames = list_frames(layout);
  for (auto number = frames.rbegin(); number != frames.rend(); ++number) {
    const fs::path path = layout.frame(*number);
    const std::optional<FrameHeader> header = attempt(path, read_frame_header, messages);
    if (!header) continue;
    if (checkpoint && later(*checkpoint, *header)) {
      if (auto state = attempt(layout.checkpoint(), read_state, messages)) return state;
      checkpoint.reset();
    }
    if (auto state = attempt(path, read_state, messages)) return state;
  }
  if (!checkpoint) return std::nullopt;
  return attempt(layout.checkpoint(), read_state, messages);
}

bool run_is_being_written(const RunLayout& layout) {
  const int file = ::open(lock_file(layout).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool locked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return locked;
}

RunFolder::RunFolder(RunLayout layout, OldRun old_run) : layout_(std::move(layout)), lock_(lock(layout_)) {
  const bool occupied = !list_frames(layout_).empty() || fs::exists(layout_.checkpoint());
  if (occupied && old_run == OldRun::refuse) {
    throw InputError(
        fmt::format("'{}' already holds a run: continue it with --resume, replace it with --overwrite, or "
                    "choose another folder with --out",
                    layout_.folder.string()));
  }
  const fs::path trial = layout_.frames() / ".trial";
  write_text_atomically(trial, "can this folder be written into?\n");
  remove_file(trial);
  remove_unfinished();
  if (old_run == OldRun::overwrite) remove_old_run();
}

void RunFolder::remove_frames_after(int number) const {
  for (const int frame : list_frames(layout_)) {
    if (frame > number) remove_file(layout_.frame(frame));
  }
}

void RunFolder::remove_old_run() const {
  // States are removed first, starting with the newest: an interruption leaves a shorter run, not a mixed one.
  remove_file(layout_.checkpoint());
  std::vector<int> frames = list_frames(layout_);
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) remove_file(layout_.frame(*frame));
  for (const fs::path& path : {layout_.failure(), layout_.index(), layout_.statistics(), layout_.probes(),
                               layout_.effective_scene(), layout_.picture(), layout_.video()}) {
    remove_file(path);
  }
}

void RunFolder::remove_unfinished() const {
  for (const fs::path& folder : {layout_.folder, layout_.frames()}) {
    for (const fs::path& file : files_in(folder)) {
      if (is_unfinished(file)) remove_file(file);
    }
  }
}

}  // namespace fondue
