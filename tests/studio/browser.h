#pragma once
// The real Chromium without a display, driven over the WebDriver protocol, and programs that run beside a test.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace fondue::testing_support {

using nlohmann::json;

/// A program that runs until this goes; what it prints goes to a file.
class Companion {
 public:
  Companion(const std::vector<std::string>& words, std::filesystem::path log, const std::filesystem::path& in)
      : log_(std::move(log)) {
    process_ = ::fork();
    if (process_ != 0) return;
    if (::chdir(in.c_str()) != 0) ::_exit(126);
    const int file = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, 1);
    ::dup2(file, 2);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ~Companion() {
    ::kill(process_, SIGTERM);
    for (int k = 0; k != 200 && ::waitpid(process_, nullptr, WNOHANG) == 0; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Companion(const Companion&) = delete;
  /// The first line it prints that begins like this.
  std::string line(const std::string& begin) const {
    for (int k = 0; k != 600; ++k) {
      std::ifstream file(log_);
      for (std::string one; std::getline(file, one);)
        if (one.starts_with(begin) && !file.eof()) return one;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return "";
  }

 private:
  std::filesystem::path log_;
  pid_t process_;
};

inline bool installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// One window of Chromium.
class Browser {
 public:
  Browser(const std::filesystem::path& folder, int port, int width, int height, bool dark = false)
      : driver_({"chromedriver", "--port=" + std::to_string(port)}, folder / "chromedriver.log", folder),
        client_("127.0.0.1", port) {
    client_.set_read_timeout(120);
    json arguments = {"--headless=new",
                      "--no-sandbox",
                      "--enable-unsafe-swiftshader",
                      "--hide-scrollbars",
                      "--force-device-scale-factor=1",
                      "--window-size=" + std::to_string(width) + "," + std::to_string(height)};
    const json wanted = {
        {"capabilities",
         {{"alwaysMatch", {{"browserName", "chrome"}, {"goog:chromeOptions", {{"args", arguments}}}}}}}};
    for (int k = 0; k != 100 && session_.empty(); ++k) {
      const auto answer = client_.Post("/session", wanted.dump(), "application/json");
      if (answer && answer->status == 200)
        session_ = "/session/" + json::parse(answer->body)["value"]["sessionId"].get<std::string>();
      if (session_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    EXPECT_FALSE(session_.empty()) << "Chromium does not start";
    // The size of the page, not of the window around it.
    const json inner = script("return [innerWidth, innerHeight]");
    if (inner.is_array())
      post("/window/rect", {{"width", 2 * width - inner[0].get<int>()}, {"height", 2 * height - inner[1].get<int>()}});
    const json scheme = {{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}};
    post("/goog/cdp/execute",
         {{"cmd", "Emulation.setEmulatedMedia"}, {"params", {{"features", json::array({scheme})}}}});
  }
  ~Browser() { client_.Delete(session_); }

  void go(const std::string& address) { post("/url", {{"url", address}}); }
  void reload() { post("/refresh", json::object()); }
  json script(const std::string& code) { return post("/execute/sync", {{"script", code}, {"args", json::array()}}); }
  /// Waits until an expression is true.
  bool wait(const std::string& expression, double seconds = 30) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < end) {
      if (script("return Boolean(" + expression + ")") == json(true)) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  void click(const std::string& selector) {
    const auto [x, y] = middle(selector);
    act({move(x, y), {{"type", "pointerDown"}, {"button", 0}}, {{"type", "pointerUp"}, {"button", 0}}});
  }
  void double_click(const std::string& selector, int dx = 0, int dy = 0) {
    const auto [x, y] = middle(selector);
    const json down = {{"type", "pointerDown"}, {"button", 0}}, up = {{"type", "pointerUp"}, {"button", 0}};
    act({move(x + dx, y + dy), down, up, down, up});
  }
  /// With a key held down, if one is given.
  void drag(const std::string& selector, int dx, int dy, const std::string& key = "") {
    const auto [x, y] = middle(selector);
    const auto hold = [&](const char* what) {
      if (!key.empty())
        post("/actions", {{"actions", json::array({{{"type", "key"},
                                                    {"id", "keyboard"},
                                                    {"actions", json::array({{{"type", what}, {"value", key}}})}}})}});
    };
    hold("keyDown");
    act({move(x, y),
         {{"type", "pointerDown"}, {"button", 0}},
         move(x + dx / 2, y + dy / 2),
         move(x + dx, y + dy),
         {{"type", "pointerUp"}, {"button", 0}}});
    hold("keyUp");
  }
  /// Keys pressed together, as WebDriver names them.
  void press(const std::vector<std::string>& keys) {
    json actions = json::array();
    for (const std::string& key : keys) actions.push_back({{"type", "keyDown"}, {"value", key}});
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) actions.push_back({{"type", "keyUp"}, {"value", *key}});
    post("/actions", {{"actions", json::array({{{"type", "key"}, {"id", "keyboard"}, {"actions", actions}}})}});
  }
  void screenshot(const std::filesystem::path& file) {
    const auto answer = client_.Get(session_ + "/screenshot");
    if (answer) std::ofstream(file, std::ios::binary) << decoded(json::parse(answer->body)["value"].get<std::string>());
  }

 private:
  json post(const std::string& path, const json& body) {
    const auto answer = client_.Post(session_ + path, body.dump(), "application/json");
    if (!answer) return nullptr;
    const json whole = json::parse(answer->body, nullptr, false);
    EXPECT_EQ(answer->status, 200) << path << " " << body.dump().substr(0, 300) << "\n" << answer->body.substr(0, 600);
    return whole.is_object() ? whole.value("value", json()) : json();
  }
  static json move(int x, int y) {
    return {{"type", "pointerMove"}, {"duration", 30}, {"x", x}, {"y", y}, {"origin", "viewport"}};
  }
  void act(const json& actions) {
    post("/actions", {{"actions", json::array({{{"type", "pointer"}, {"id", "mouse"}, {"actions", actions}}})}});
  }
  std::pair<int, int> middle(const std::string& selector) {
    const json box = script("const b = document.querySelector(" + json(selector).dump() +
                            ").getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]");
    if (!box.is_array()) return {0, 0};
    return {static_cast<int>(box[0].get<double>() + 0.5), static_cast<int>(box[1].get<double>() + 0.5)};
  }
  static std::string decoded(const std::string& base64) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (const char c : base64) {
      const std::size_t digit = digits.find(c);
      if (digit == digits.npos) continue;
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
      if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
    }
    return bytes;
  }

  Companion driver_;
  httplib::Client client_;
  std::string session_;
};

}  // namespace fondue::testing_support
