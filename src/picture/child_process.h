#pragma once
// A child process such as ffmpeg or POV-Ray. Its standard error is captured, its standard output is discarded.

#include <filesystem>
#include <string>
#include <vector>

namespace fondue {

class ChildProcess {
 public:
  /// Starts the program named by the first word, searched in PATH, with this open file as its standard input (none if
  /// negative) and in this working folder (that of this process if empty). It gets its own process group, so that
  /// Ctrl-C in a terminal reaches only this program, which then ends the child. Throws OutputError with the reason if
  /// it cannot be started; `package` is the Debian package to install.
  ChildProcess(const std::vector<std::string>& words, const std::string& package, int input = -1,
               const std::filesystem::path& folder = {});
  /// Kills it if it was not waited for.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;

  /// Waits until it exits. True on success.
  bool wait();
  /// Whether it has exited; does not wait.
  bool ended();
  /// Asks it to end soon.
  void interrupt();
  /// Its messages so far; its exit status if it failed without a message.
  std::string messages() const;

 private:
  int process_ = -1;
  /// Temporary file with its messages.
  int messages_ = -1;
  int status_ = 0;
  std::string name_;
};

/// Text as one line, for messages: line breaks become semicolons, blank lines are removed.
std::string in_one_line(const std::string& text);

}  // namespace fondue
