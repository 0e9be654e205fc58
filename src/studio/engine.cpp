#include "studio/engine.h"

#include <fmt/format.h>

#include "studio/answers.h"
#include "studio/commands.h"
#include "studio/shown_props.h"
#include "studio/shown_surface.h"

namespace fondue {

using namespace std::chrono_literals;

namespace {

/// While it plays, frames and states are published this often at most.
constexpr auto frame_interval = 50ms, state_interval = 100ms;
/// Frames that take long to pack are made less often: packing takes one part in so many of the time.
constexpr int packing_share = 18;

}  // namespace

Engine::Engine(SessionSetup setup) : session_(std::move(setup)) {
  publish_state();
  player_ = std::thread([this] { work(); });
}

Engine::~Engine() {
  {
    const std::scoped_lock lock(session_mutex_);
    stop_ = true;
  }
  work_.notify_all();
  player_.join();
}

bool Engine::frame_is_wanted() const { return frame_is_old_ && asked_; }

void Engine::work() {
  std::unique_lock lock(session_mutex_);
  while (!stop_) {
    // Renderings end by themselves: look at them now and then.
    work_.wait_for(lock, 500ms,
                   [&] { return stop_ || (commands_waiting_ == 0 && (session_.busy() || frame_is_wanted())); });
    if (stop_) return;
    if (commands_waiting_ > 0) continue;
    const bool busy = session_.busy();
    if (busy) {
      session_.advance();
      frame_is_old_ = true;
    }
    const auto now = Clock::now();
    const bool still = !session_.busy();
    if (frame_is_wanted() && (still || now >= frame_due_)) {
      publish_frame();
      // Frames can be packed between steps only. What that makes one late the next one gains, by an interval at most.
      const Clock::duration interval = std::max<Clock::duration>(frame_interval, packing_share * packing_);
      frame_due_ = std::max(frame_due_ + interval, now);
    }
    if (still || now - told_at_ > state_interval) publish_state();
  }
}

void Engine::publish_state() {
  told_at_ = Clock::now();
  auto text = std::make_shared<const std::string>(
      state_of(session_).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  const std::scoped_lock lock(published_mutex_);
  if (state_.bytes && *state_.bytes == *text) return;
  state_ = {state_.number + 1, std::move(text)};
  published_.notify_all();
}

void Engine::publish_frame() {
  // The memory of the frame before the last one, if every client has got it.
  auto bytes = before_last_.use_count() == 1 ? std::move(before_last_) : std::make_shared<std::string>();
  std::atomic_thread_fence(std::memory_order_acquire);
  const auto begin = Clock::now();
  asked_ = false;
  try {
    *bytes = session_.has_scene() ? session_.packed(std::move(*bytes)) : "";
  } catch (const Error&) {
    // A frame that cannot be read is not shown.
    bytes->clear();
  }
  // On a busy machine a frame may take long for no fault of its own: the estimate rises slowly.
  const Clock::duration took = Clock::now() - begin;
  packing_ = packing_ == Clock::duration::zero() ? took : std::min(took, packing_ * 5 / 4);
  frame_is_old_ = false;
  if (bytes->empty()) {
    // Whoever has asked still waits.
    asked_ = true;
    return;
  }
  before_last_ = std::exchange(last_, bytes);
  const std::scoped_lock lock(published_mutex_);
  frame_ = {frame_.number + 1, std::move(bytes)};
  published_.notify_all();
}

std::string Engine::command(std::string_view line) {
  ++commands_waiting_;
  std::string answer;
  {
    const std::scoped_lock lock(session_mutex_);
    --commands_waiting_;
    answer = execute(session_, line).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    frame_is_old_ = true;
    publish_state();
  }
  work_.notify_all();
  return answer;
}

Published Engine::newest(const Published& published, std::uint64_t after, std::chrono::milliseconds patience) {
  std::unique_lock lock(published_mutex_);
  const bool there = published_.wait_for(lock, patience, [&] { return published.bytes && published.number > after; });
  return there ? published : Published{};
}

Published Engine::state(std::uint64_t after, std::chrono::milliseconds patience) {
  return newest(state_, after, patience);
}

Published Engine::frame(std::uint64_t after, std::chrono::milliseconds patience) {
  asked_ = true;
  work_.notify_all();
  return newest(frame_, after, patience);
}

std::string Engine::frame_of(const std::string& take, int frame) {
  ++commands_waiting_;
  const std::scoped_lock lock(session_mutex_);
  --commands_waiting_;
  work_.notify_all();
  Take& one = session_.take(take);
  return session_.packed(one, std::min(frame, one.last_frame()));
}

std::string Engine::surface_of(const std::string& take, int frame) {
  ++commands_waiting_;
  std::unique_lock lock(session_mutex_);
  --commands_waiting_;
  work_.notify_all();
  const Take& one = session_.take(take);
  one.frame(frame);  // is on the disk
  const Scene scene = one.scene();
  const RunLayout layout = one.layout();
  lock.unlock();
  return packed_surface(scene, layout, frame);
}

std::string Engine::props_of(const std::string& take) {
  ++commands_waiting_;
  std::unique_lock lock(session_mutex_);
  --commands_waiting_;
  work_.notify_all();
  const Scene scene = session_.take(take).scene();
  lock.unlock();
  return packed_props(scene);
}

std::filesystem::path Engine::rendered(std::size_t number) {
  ++commands_waiting_;
  const std::scoped_lock lock(session_mutex_);
  --commands_waiting_;
  work_.notify_all();
  const auto all = session_.renderings();
  if (number >= all.size() || all[number].outcome != "done") throw InputError("there is no such picture");
  return all[number].file;
}

}  // namespace fondue
