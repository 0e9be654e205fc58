#pragma once
// The server of the page. It listens on the loopback address only, and every address on it begins with a random token,
// so that other users of the machine and other pages cannot use it:
//
//   GET  /TOKEN/                    the page and its files
//   GET  /TOKEN/gallery/NAME.png    pictures of the scenes that come with Fondue
//   GET  /TOKEN/state?after=N       the newest state after the one with this number, waits for it (JSON)
//   GET  /TOKEN/frame?after=N       the newest frame (studio/shown_frame.h); ?take=T&frame=F: a certain one
//   GET  /TOKEN/surface?take=T&frame=F   its surfaces (studio/shown_surface.h)
//   GET  /TOKEN/props?take=T        what stands beside the particles (studio/shown_props.h)
//   GET  /TOKEN/rendered?number=K   a finished picture
//   POST /TOKEN/command             one command (studio/commands.h), answered in JSON
//
// The names of the host in the request must be one of the loopback address (a page elsewhere whose name was pointed
// here is refused), the origin must be this page, requests are limited in size and number per second.

#include <filesystem>
#include <memory>
#include <string>

#include "studio/engine.h"

namespace fondue {

struct ServerSetup {
  /// Files of the page, and pictures of the gallery.
  std::filesystem::path page, pictures;
  /// 0: any that is free.
  int port = 0;
  /// Requests per second of all clients together; more are refused.
  double most_requests = 400;
};

class Server {
 public:
  /// Listens when it returns. OutputError if it cannot.
  Server(ServerSetup setup, SessionSetup session);
  ~Server();

  /// http://127.0.0.1:PORT/TOKEN/
  std::string address() const;
  int port() const;
  const std::string& token() const;
  Engine& engine();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace fondue
