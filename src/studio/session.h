#pragma once
// A session of the studio: the takes of one scene, which of them is worked on, whether it plays, and what of it is
// shown. Without any page: the page, scripts and tests use it through the same commands (studio/commands.h). Used by
// one thread at a time.

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "studio/shown_frame.h"
#include "studio/take.h"

namespace fondue {

struct SessionSetup {
  /// Scene files are read and written in this folder and below it, and nowhere else.
  std::filesystem::path folder;
  /// The scenes that come with Fondue, which are only read.
  std::filesystem::path gallery;
  /// Runs go here: <out>/<scene>/<take>.
  std::filesystem::path out;
  /// This program, for pictures in the background; none if empty.
  std::string program;
};

class Session {
 public:
  explicit Session(SessionSetup setup);
  ~Session();

  const SessionSetup& setup() const { return setup_; }
  /// A scene file in the folder (with .toml) or a scene of the gallery (without). At preview size its spacing is made
  /// so large that it plays at once, as an edit that can be undone.
  void open(const std::string& name, bool preview = false);
  /// A new scene in the folder, from a template of the gallery; it is not written until it is saved.
  void begin(const std::string& name, const std::string& like);

  bool has_scene() const { return !takes_.empty(); }
  /// The one that is worked on; InputError if no scene is open.
  Take& take();
  Take& take(const std::string& name);
  const std::vector<std::unique_ptr<Take>>& takes() const { return takes_; }
  void choose(const std::string& name);
  /// A take that goes on from a frame of the present one with another text, and becomes the present one.
  void branch(int frame, std::string text);
  void remove_take(const std::string& name);

  /// Edits of the present take (Take::edit): the last frame that is left, -1: none.
  int edit(std::string text);
  int undo();
  int redo();
  /// Drops the frames after this one; the simulation goes on from it.
  void rewind(int frame);

  /// Writes the scene into the folder, under its own name if none is given; returns the file.
  std::filesystem::path save(const std::string& name = {});

  void play();
  void pause() { playing_ = false; }
  bool playing() const { return playing_; }
  /// Whether advance() has something to do.
  bool busy() const;
  /// Makes what is missing, or one step if it plays. What goes wrong is in message() and stops it.
  void advance();
  /// What went wrong while it was playing; empty after the next command that plays.
  const std::string& message() const { return message_; }

  /// Shows a frame of the present take; none: the newest, also while it is made.
  void show(std::optional<int> frame);
  std::optional<int> shown() const { return shown_; }
  void colour(Shown shown) { packer_.show(std::move(shown)); }
  /// The shown state of a take, packed for the page; empty if there is none yet. The memory of `bytes` is used again.
  std::string packed(Take& take, std::optional<int> frame, std::string bytes = {});
  std::string packed(std::string bytes = {}) { return packed(take(), shown_, std::move(bytes)); }

  /// A finished picture (or a video of all frames) is drawn in the background.
  void render(std::optional<int> frame);
  struct Rendering {
    std::string take, what;
    std::filesystem::path file;
    /// Empty while it is being drawn; "done", or what went wrong.
    std::string outcome;
  };
  std::vector<Rendering> renderings() const;
  void wait_for_renderings();

 private:
  struct Job;
  void put(std::unique_ptr<Take> take);
  int edited(int left);
  std::filesystem::path take_folder(const std::string& scene, const std::string& take) const;

  SessionSetup setup_;
  std::vector<std::unique_ptr<Take>> takes_;
  std::size_t present_ = 0;
  bool playing_ = false;
  std::string message_;
  std::optional<int> shown_;
  FramePacker packer_;
  std::deque<std::unique_ptr<Job>> jobs_;
};

}  // namespace fondue
