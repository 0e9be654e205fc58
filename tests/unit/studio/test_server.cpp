// The server answers its own page and nobody else, survives whatever is sent to it, and never makes the simulation
// wait.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>
#include <random>
#include <set>

#include "studio/server.h"
#include "unit/studio/scenes.h"

namespace fondue::test_server {
namespace {

using namespace testing_support;
using nlohmann::json;

class StudioServer : public StudioTest {
 protected:
  StudioServer() {
    session.reset();
    start(1e6);
  }
  void start(double most_requests) {
    server.reset();
    server = std::make_unique<Server>(
        ServerSetup{FONDUE_SOURCE_DIR "/src/studio/page", FONDUE_SOURCE_DIR "/docs/pictures", 0, most_requests},
        setup());
    client = std::make_unique<httplib::Client>("127.0.0.1", server->port());
    client->set_read_timeout(20);
  }
  std::string path(const std::string& rest) const { return "/" + server->token() + "/" + rest; }
  json post(const std::string& line) {
    const auto answer = client->Post(path("command"), line, "text/plain");
    EXPECT_TRUE(answer) << line;
    return answer ? json::parse(answer->body, nullptr, false) : json();
  }
  int status(const std::string& address, const httplib::Headers& headers = {}) {
    const auto answer = client->Get(address, headers);
    return answer ? answer->status : -1;
  }
  json state() {
    const auto answer = client->Get(path("state"));
    return answer ? json::parse(answer->body, nullptr, false) : json();
  }
  /// Sends bytes as they are and returns what comes back.
  std::string raw(const std::string& bytes) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server->port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{0, 300000};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::string answer;
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      (void)!::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      // Half a request gets no answer while the rest may still come, and a connection may be kept for another one.
      pollfd waiting{socket, POLLIN, 0};
      ::poll(&waiting, 1, 30);
      ::shutdown(socket, SHUT_WR);
      char buffer[4096];
      for (ssize_t n; (n = ::recv(socket, buffer, sizeof buffer, 0)) > 0;)
        answer.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(socket);
    return answer;
  }
  std::unique_ptr<Server> server;
  std::unique_ptr<httplib::Client> client;
};

TEST_F(StudioServer, AnswersOnlyWithItsTokenToItsOwnPageOnThisMachine) {
  EXPECT_EQ(status(path("")), 200);
  EXPECT_EQ(status(path("app.js")), 200);
  EXPECT_EQ(status(path("gallery/candle.png")), 200);
  EXPECT_EQ(status(path("state")), 200);
  EXPECT_EQ(status("/"), 403);
  EXPECT_EQ(status("/index.html"), 403);
  EXPECT_EQ(status("/" + std::string(32, '0') + "/state"), 403);
  EXPECT_EQ(status(path("state"), {{"Host", "evil.example:80"}}), 403);
  EXPECT_EQ(status(path("state"), {{"Host", "localhost.evil.example"}}), 403);
  EXPECT_EQ(status(path("state"), {{"Host", "localhost:8000"}}), 200) << "through a tunnel";
  EXPECT_EQ(status(path("state"), {{"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(status(path("state"), {{"Origin", "null"}}), 403);
  EXPECT_EQ(status(path("state"), {{"Sec-Fetch-Site", "cross-site"}}), 403);
  EXPECT_EQ(client->Put(path("command"), "play", "text/plain")->status, 405);
  EXPECT_EQ(client->Post(path("state"), "play", "text/plain")->status, 404);
}

TEST_F(StudioServer, ServesNoFileOutsideOfItsFolders) {
  for (const char* name :
       {"../server.cpp", "..%2fserver.cpp", "gallery/../../README.md", "gallery/%2e%2e/%2e%2e/README.md", "/etc/passwd",
        "gallery//etc/passwd", "page", "gallery/", "gallery/candle.toml", "%00", ".html"})
    EXPECT_EQ(status(path(name)), 404) << name;
}

TEST_F(StudioServer, CarriesOutCommandsAndTellsTheState) {
  EXPECT_FALSE(state()["open"]);
  EXPECT_TRUE(post("open tank.toml")["ok"]);
  EXPECT_EQ(state()["scene"], "tank");
  EXPECT_TRUE(post("play")["ok"]);
  for (int k = 0; k != 600 && state()["last_frame"] != 10; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(state()["last_frame"], 10);
  const auto frame = client->Get(path("frame"));
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->status, 200);
  EXPECT_GT(std::stoi(frame->get_header_value("X-Number")), 0);
  EXPECT_FALSE(post("set scene.spacing = 0")["ok"]);
  EXPECT_FALSE(post("run 5")["ok"]) << "would keep everyone waiting";
  EXPECT_EQ(status(path("frame?take=main&frame=3")), 200);
  EXPECT_EQ(status(path("frame?take=none&frame=3")), 404);
  EXPECT_EQ(status(path("rendered?number=0")), 404);
  EXPECT_EQ(status(path("props?take=main")), 204) << "nothing but particles";
  EXPECT_EQ(status(path("props?take=none")), 404);
  EXPECT_EQ(status(path("surface?take=main&frame=3")), 404) << "two dimensions";
}

TEST_F(StudioServer, RefusesWhatIsTooLargeOrTooOften) {
  const auto large = client->Post(path("command"), std::string(3 << 20, 'x'), "text/plain");
  EXPECT_TRUE(!large || large->status == 413);
  EXPECT_FALSE(post("set scene.spacing = " + std::string(1 << 20, '1')).value("ok", true));
  start(20);
  int refused = 0;
  for (int k = 0; k != 100; ++k) refused += status(path("app.js")) == 429;
  EXPECT_GT(refused, 20);
}

/// Who asks before there is anything gets the first frame when it is there, and the newest one after every change.
TEST_F(StudioServer, FramesComeToThoseWhoWait) {
  auto asked = std::async(std::launch::async, [&] {
    httplib::Client other("127.0.0.1", server->port());
    other.set_read_timeout(60);
    for (int k = 0; k != 6; ++k)
      if (const auto answer = other.Get(path("frame")); answer && answer->status == 200)
        return std::stoi(answer->get_header_value("X-Number"));
    return 0;
  });
  post("open tank.toml");
  EXPECT_GT(asked.get(), 0);
  // A change while nobody asks is there for the next one who does.
  const auto newest = [&](const std::string& after) { return client->Get(path("frame?after=" + after)); };
  auto first = newest("0");
  ASSERT_TRUE(first && first->status == 200);
  post("set scene.spacing = 0.05");
  for (int k = 0; k != 100; ++k) {
    const auto next = newest(first->get_header_value("X-Number"));
    ASSERT_TRUE(next);
    if (next->status == 200 && next->body.find("\"particles\":128") != std::string::npos) return;
    if (next->status == 200) first->headers = next->headers;
  }
  ADD_FAILURE() << "the changed scene was never sent";
}

/// Clients that connect and read nothing, or wait for frames that do not come, change nothing for the simulation.
TEST_F(StudioServer, ClientsThatDoNotReadDoNotStallIt) {
  post("open tank.toml");
  std::vector<int> sleepers;
  for (int k = 0; k != 8; ++k) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(server->port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const std::string request = "GET " + path("frame") + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    (void)!::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
    sleepers.push_back(socket);
  }
  post("play");
  for (int k = 0; k != 600 && state()["last_frame"] != 10; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(state()["last_frame"], 10);
  for (const int socket : sleepers) ::close(socket);
}

/// What a page, a mistaken script or an attacker may send.
class Sender {
 public:
  Sender(std::uint32_t seed, std::string token) : random_(seed), token_(std::move(token)) {}

  std::string request() {
    switch (below(6)) {
      case 0:
        return bytes(below(300)) + "\r\n\r\n";
      case 1:
        return damaged(whole("GET", address(), ""));
      case 2:
        return damaged(whole("POST", "/" + token_ + "/command", line()));
      case 3:
        return whole(word({"GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "TRACE", "X"}), address(), line());
      default:
        return whole("POST", "/" + token_ + "/command", line());
    }
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  std::string word(std::initializer_list<const char*> words) { return *(words.begin() + below(words.size())); }
  std::string bytes(std::size_t n) {
    std::string result;
    for (std::size_t k = 0; k != n; ++k) result += static_cast<char>(below(256));
    return result;
  }
  std::string damaged(std::string text) {
    for (std::size_t k = below(4) + 1; k != 0 && !text.empty(); --k) {
      const std::size_t at = below(text.size());
      if (below(8) == 0)
        text.resize(at);
      else if (below(2) == 0)
        text.insert(at, bytes(below(20)));
      else
        text[at] = static_cast<char>(below(256));
    }
    return text;
  }
  std::string address() {
    const std::string start = below(5) == 0 ? "/" : "/" + token_ + "/";
    return start + word({"", "state?after=99999999999999999999", "frame?take=main&frame=-1", "frame?take=%00&frame=x",
                         "gallery/../../../etc/passwd", "..", "%2e%2e/%2e%2e/etc/passwd", "rendered?number=-1",
                         "app.js", "frame?take=main&frame=99999999999", "props?take=main", "props?take=%ff",
                         "surface?take=main&frame=0", "gallery/candle.png", "state?after=\xff\xfe", "//", "?", "#"});
  }
  std::string value() {
    return word({"1", "-1", "0", "nan", "inf", "1e400", "[1, 2]", "[1, 2, 3]", "{}", "{ time = [0], value = [1] }",
                 "\"x\"", "{ type = \"mesh\", file = \"/etc/passwd\" }", "[[[[[[", "'", "\"\\", "0.05", "true",
                 "{ time = [1, 0], value = [1] }"});
  }
  std::string where() {
    return word({"scene.spacing", "time.duration", "materials.water.fluid.rest_density", "objects.column.shape",
                 "objects.0", "colliders.tank.shape.max.0", "x", "...", "\"",
                 "materials.water.artificial_viscosity.weight", "scene.name", "objects.column.velocity",
                 "time.frames_per_second", "picture.width", "[a]"});
  }
  std::string line() {
    const std::string command =
        word({"set",   "remove", "add",    "key",          "move_key",   "remove_key",  "undo",   "redo",     "play",
              "pause", "show",   "rewind", "branch",       "take",       "remove_take", "colour", "particle", "save",
              "open",  "new",    "state",  "scene",        "statistics", "help",        "text",   "step",     "render",
              "wait",  "",       "\n",     "declarations", "bogus",      "together"});
    const std::string rest[] = {"",
                                where() + " = " + value(),
                                where() + " 1 = " + value(),
                                where() + " 0 0.3",
                                std::to_string(below(12)),
                                "-1",
                                "../../evil",
                                "/tmp/evil.toml",
                                "tank.toml",
                                "main",
                                "branch-1",
                                bytes(below(60)),
                                "velocity viridis 0 1",
                                "1 2 3",
                                "\"[scene]\"",
                                "\"\\ud800\"",
                                "[\"set " + where() + " = 1\", \"remove " + where() + "\"]",
                                "[1, {}, [[[",
                                where()};
    return command + " " + rest[below(std::size(rest))];
  }
  std::string whole(const std::string& method, const std::string& target, const std::string& body) {
    const std::string host =
        below(12) == 0 ? word({"evil.example", "", "127.0.0.1.evil.example", "[::1]"}) : "127.0.0.1";
    const std::string length = below(25) == 0 ? word({"-5", "99999999999", "x"}) : std::to_string(body.size());
    std::string text = method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n";
    if (below(20) == 0) text += "Transfer-Encoding: chunked\r\n";
    if (below(30) == 0) text += "Range: bytes=5-1,9-,-99999999999\r\n";
    if (below(30) == 0) text += "X-Long: " + std::string(10000, 'a') + "\r\n";
    if (below(30) == 0) text += "Content-Encoding: gzip\r\n";
    if (below(30) == 0) text += "Content-Type: multipart/form-data; boundary=\r\n";
    if (!body.empty() || method == "POST") text += "Content-Length: " + length + "\r\n";
    return text + "\r\n" + body;
  }

  std::mt19937 random_;
  std::string token_;
};

/// Ten thousand where the sanitizers watch; otherwise as many as show that the server still answers.
#ifdef __SANITIZE_ADDRESS__
constexpr int random_requests = 10000;
#else
constexpr int random_requests = 2000;
#endif

TEST_F(StudioServer, SurvivesRandomAndMalformedRequests) {
  std::ofstream(folder / "witness") << "untouched";
  post("open tank.toml");
  Sender sender(7, server->token());
  int answered = 0;
  for (int k = 0; k != random_requests; ++k) answered += !raw(sender.request()).empty();
  EXPECT_GT(answered, random_requests / 2) << "most are answered, if only with an error";
  EXPECT_TRUE(post("open tank.toml")["ok"]);
  EXPECT_TRUE(post("state")["ok"]);
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) there.insert(entry.path().filename());
  EXPECT_EQ(there, (std::set<std::string>{"scenes", "out", "witness"}));
  EXPECT_EQ(text_of_file(folder / "witness"), "untouched");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "scenes"))
    EXPECT_TRUE(entry.is_directory() || entry.path().extension() == ".toml") << entry.path();
  EXPECT_FALSE(std::filesystem::exists("/tmp/evil.toml"));
}

}  // namespace
}  // namespace fondue::test_server
