#include "studio/server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <charconv>
#include <map>
#include <random>

#include "scene/template.h"
#include "studio/files.h"

namespace fondue {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t largest_request = 2 << 20;
constexpr int most_connections = 32;
/// How long a client may wait for something new before it has to ask again.
constexpr auto patience = 10s;

std::string random_token() {
  std::random_device random;
  std::string token;
  for (int k = 0; k != 4; ++k) token += fmt::format("{:08x}", random());
  return token;
}

/// In a time that does not tell where they differ.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k != a.size(); ++k) difference |= static_cast<unsigned char>(a[k] ^ b[k]);
  return difference == 0;
}

bool is_loopback(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const std::string_view name = host.substr(0, colon), port = colon == host.npos ? "" : host.substr(colon + 1);
  const bool digits = std::ranges::all_of(port, [](unsigned char c) { return std::isdigit(c); });
  return digits && (name == "127.0.0.1" || name == "localhost");
}

const char* type_of(const fs::path& file) {
  static const std::map<std::string, const char*, std::less<>> types = {{".html", "text/html; charset=utf-8"},
                                                                        {".js", "text/javascript; charset=utf-8"},
                                                                        {".css", "text/css; charset=utf-8"},
                                                                        {".svg", "image/svg+xml"},
                                                                        {".png", "image/png"},
                                                                        {".mp4", "video/mp4"}};
  const auto found = types.find(file.extension().string());
  return found == types.end() ? nullptr : found->second;
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(nlohmann::json{{"ok", false}, {"error", why}}.dump(), "application/json");
}

/// A number of the query; `otherwise` if it is not there or not a number.
std::uint64_t number_of(const httplib::Request& request, const char* name, std::uint64_t otherwise) {
  const std::string text = request.get_param_value(name);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : otherwise;
}

void send(httplib::Response& response, std::shared_ptr<const std::string> bytes, const char* type) {
  const std::size_t size = bytes->size();
  response.set_content_provider(size, type, [bytes](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
    return sink.write(bytes->data() + offset, length);
  });
}

void send(httplib::Response& response, const Published& published, const char* type) {
  response.set_header("X-Number", std::to_string(published.number));
  if (published.bytes)
    send(response, published.bytes, type);
  else
    response.status = 204;
}

}  // namespace

struct Server::Parts {
  /// So many per second on average, twice as many at once.
  class Rate {
   public:
    explicit Rate(double per_second) : per_second_(per_second), left_(2 * per_second) {}
    bool allows() {
      const std::scoped_lock lock(mutex_);
      const auto now = std::chrono::steady_clock::now();
      left_ = std::min(2 * per_second_, left_ + per_second_ * std::chrono::duration<double>(now - last_).count());
      last_ = now;
      if (left_ < 1) return false;
      left_ -= 1;
      return true;
    }

   private:
    double per_second_, left_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
  };

  Parts(ServerSetup given, SessionSetup session)
      : setup(std::move(given)), rate(setup.most_requests), token(random_token()), engine(std::move(session)) {}

  /// Nothing if the request may go on, else the answer.
  bool refused(const httplib::Request& request, httplib::Response& response) {
    if (!rate.allows()) return refuse(response, 429, "too many requests"), true;
    const std::string host = request.get_header_value("Host"), origin = request.get_header_value("Origin"),
                      site = request.get_header_value("Sec-Fetch-Site");
    if (!is_loopback(host)) return refuse(response, 403, "the host must be 127.0.0.1 or localhost"), true;
    if (request.get_header_value_count("Host") != 1 || (!origin.empty() && origin != "http://" + host))
      return refuse(response, 403, "requests of other pages are refused"), true;
    if (site == "cross-site" || site == "same-site")
      return refuse(response, 403, "requests of other pages are refused"), true;
    const std::string_view path = request.path;
    if (path.size() < token.size() + 2 || path[token.size() + 1] != '/' || !same(path.substr(1, token.size()), token))
      return refuse(response, 403, "the address must begin with the token that 'fondue studio' printed"), true;
    if (request.method != "GET" && request.method != "POST") return refuse(response, 405, "only GET and POST"), true;
    return false;
  }

  void command(const httplib::Request& request, httplib::Response& response) {
    // What takes long would keep everyone else waiting.
    const std::string_view line = request.body;
    for (const std::string_view slow : {"run", "wait"})
      if (line.starts_with(slow) && (line.size() == slow.size() || line[slow.size()] == ' '))
        return refuse(response, 200, fmt::format("'{}' is for scripts; the page plays", slow));
    response.set_content(engine.command(line), "application/json");
  }

  void frame(const httplib::Request& request, httplib::Response& response, bool surface) {
    if (!surface && !request.has_param("take"))
      return send(response, engine.frame(number_of(request, "after", 0), patience), "application/octet-stream");
    try {
      const auto number = static_cast<int>(std::min<std::uint64_t>(number_of(request, "frame", 0), 1 << 30));
      const std::string take = request.get_param_value("take");
      std::unique_lock one_at_a_time(surface_mutex, std::defer_lock);
      if (surface) one_at_a_time.lock();
      auto bytes = std::make_shared<const std::string>(surface ? engine.surface_of(take, number)
                                                               : engine.frame_of(take, number));
      if (bytes->empty())
        return refuse(response, 404, surface ? "this frame has no surfaces" : "there is no frame yet");
      send(response, std::move(bytes), "application/octet-stream");
    } catch (const Error& error) {
      refuse(response, 404, error.what());
    }
  }

  void props(const httplib::Request& request, httplib::Response& response) {
    try {
      const std::scoped_lock one_at_a_time(surface_mutex);
      auto bytes = std::make_shared<const std::string>(engine.props_of(request.get_param_value("take")));
      if (bytes->empty())
        response.status = 204;
      else
        send(response, std::move(bytes), "application/octet-stream");
    } catch (const Error& error) {
      refuse(response, 404, error.what());
    }
  }

  void file(const fs::path& folder, const std::string& name, httplib::Response& response) {
    try {
      const fs::path path = file_below(folder, name, fs::path(name).extension().string());
      const char* type = type_of(path);
      if (!type) return refuse(response, 404, "there is no such file");
      send(response, std::make_shared<const std::string>(text_of_file(path)), type);
    } catch (const Error&) {
      refuse(response, 404, "there is no such file");
    }
  }

  void get(const httplib::Request& request, httplib::Response& response) {
    const std::string name = request.path.substr(token.size() + 2);
    constexpr std::string_view gallery = "gallery/";
    if (name == "state")
      return send(response, engine.state(number_of(request, "after", 0), patience), "application/json");
    if (name == "frame" || name == "surface") return frame(request, response, name == "surface");
    if (name == "props") return props(request, response);
    if (name.starts_with(gallery)) return file(setup.pictures, name.substr(gallery.size()), response);
    if (name == "rendered") {
      try {
        const fs::path path = engine.rendered(number_of(request, "number", 1 << 20));
        return send(response, std::make_shared<const std::string>(text_of_file(path)), type_of(path));
      } catch (const Error& error) {
        return refuse(response, 404, error.what());
      }
    }
    file(setup.page, name.empty() ? "index.html" : name, response);
  }

  void listen() {
    http.new_task_queue = [] { return new httplib::ThreadPool(most_connections); };
    http.set_payload_max_length(largest_request);
    http.set_read_timeout(5s);
    http.set_write_timeout(5s);
    http.set_keep_alive_timeout(15);
    http.set_keep_alive_max_count(100000);
    http.set_tcp_nodelay(true);
    http.set_default_headers(
        {{"Content-Security-Policy",
          "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; "
          "form-action 'none'; base-uri 'none'"},
         {"X-Content-Type-Options", "nosniff"},
         {"Referrer-Policy", "no-referrer"},
         {"Cross-Origin-Resource-Policy", "same-origin"},
         {"Cross-Origin-Opener-Policy", "same-origin"},
         {"Cache-Control", "no-store"}});
    // Everything but a command that has passed all checks is answered before its body is read.
    const std::string command_path = "/" + token + "/command";
    http.set_pre_routing_handler([this, command_path](const httplib::Request& request, httplib::Response& response) {
      using Answer = httplib::Server::HandlerResponse;
      if (refused(request, response)) return Answer::Handled;
      if (request.method == "GET") return get(request, response), Answer::Handled;
      if (request.path == command_path) return Answer::Unhandled;
      return refuse(response, 404, "commands are posted to 'command'"), Answer::Handled;
    });
    http.Post(command_path,
              [this](const httplib::Request& request, httplib::Response& response) { command(request, response); });
    http.set_exception_handler([](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
      refuse(response, 500, "internal error");
    });
    port = setup.port == 0 ? http.bind_to_any_port("127.0.0.1")
                           : (http.bind_to_port("127.0.0.1", setup.port) ? setup.port : -1);
    if (port <= 0) throw OutputError(fmt::format("cannot listen on port {} of 127.0.0.1", setup.port));
    thread = std::thread([this] { http.listen_after_bind(); });
    while (!http.is_running()) std::this_thread::sleep_for(1ms);
  }

  ServerSetup setup;
  Rate rate;
  std::string token;
  Engine engine;
  std::mutex surface_mutex;
  httplib::Server http;
  int port = 0;
  std::thread thread;
};

Server::Server(ServerSetup setup, SessionSetup session)
    : parts_(std::make_unique<Parts>(std::move(setup), std::move(session))) {
  parts_->listen();
}

Server::~Server() {
  parts_->http.stop();
  if (parts_->thread.joinable()) parts_->thread.join();
}

std::string Server::address() const { return fmt::format("http://127.0.0.1:{}/{}/", parts_->port, parts_->token); }
int Server::port() const { return parts_->port; }
const std::string& Server::token() const { return parts_->token; }
Engine& Server::engine() { return parts_->engine; }

}  // namespace fondue
