#pragma once
// A session with a thread of its own that plays it, and what clients see of it. Commands are carried out between two
// steps. Clients never wait for the simulation and it never waits for them: what they see is published after commands
// and, while it plays, some times per second; only the newest is kept. A frame is packed only when somebody has asked
// since the last one, and packing takes a fourteenth of the time.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "studio/session.h"

namespace fondue {

/// Bytes for clients, and their number; larger for newer ones.
struct Published {
  std::uint64_t number = 0;
  std::shared_ptr<const std::string> bytes;
};

class Engine {
 public:
  explicit Engine(SessionSetup setup);
  ~Engine();

  /// Carries out a command (studio/commands.h); the answer is JSON.
  std::string command(std::string_view line);
  /// The newest state (JSON) or frame (studio/shown_frame.h) after this number; waits for one. No bytes if there is
  /// none in time.
  Published state(std::uint64_t after, std::chrono::milliseconds patience);
  Published frame(std::uint64_t after, std::chrono::milliseconds patience);
  /// A saved frame of any take, made for the one who asks; InputError if there is none.
  std::string frame_of(const std::string& take, int frame);
  /// The surfaces of the same (studio/shown_surface.h); empty if it has none. The simulation goes on meanwhile.
  std::string surface_of(const std::string& take, int frame);
  /// What stands in the scene of a take beside its particles (studio/shown_props.h); empty if nothing does.
  std::string props_of(const std::string& take);
  /// The file of a rendering that is done; InputError if there is none.
  std::filesystem::path rendered(std::size_t number);

 private:
  using Clock = std::chrono::steady_clock;
  void work();
  bool frame_is_wanted() const;
  void publish_state();
  void publish_frame();
  Published newest(const Published& published, std::uint64_t after, std::chrono::milliseconds patience);

  Session session_;
  /// Of the session. Whoever has a command says so first: the player lets him pass.
  std::mutex session_mutex_;
  std::atomic<int> commands_waiting_ = 0;
  std::condition_variable work_;
  /// The frame has changed since it was packed.
  bool frame_is_old_ = true, stop_ = false;
  /// When the next frame may be packed while it plays, and when the state was told.
  Clock::time_point frame_due_, told_at_;
  /// How long a frame takes.
  Clock::duration packing_ = {};
  /// The bytes of the last two frames.
  std::shared_ptr<std::string> last_, before_last_;

  std::mutex published_mutex_;
  std::condition_variable published_;
  Published state_, frame_;
  /// Somebody has asked for a frame since the last one.
  std::atomic<bool> asked_ = false;
  std::thread player_;
};

}  // namespace fondue
