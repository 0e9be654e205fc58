#pragma once
// Another program at work for this one, such as ffmpeg or POV-Ray. What it says on its standard error is kept, its
// standard output is dropped.

#include <filesystem>
#include <string>
#include <vector>

namespace fondue {

class ChildProcess {
 public:
  /// Starts the program named by the first word, which is looked for in PATH, with this open file as its standard input
  /// (none if negative) and in this folder (this process's own if empty). It is in a process group of its own: Ctrl-C
  /// in a terminal is for the program that makes the pictures, which then ends the child as it sees fit. Throws
  /// OutputError with the reason if it cannot be started; `package` is the Debian package to install.
  ChildProcess(const std::vector<std::string>& words, const std::string& package, int input = -1,
               const std::filesystem::path& folder = {});
  /// Kills it if it was not waited for.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;

  /// Waits for its end. True if it ended well.
  bool wait();
  /// What it has said so far; its way of ending if it said nothing and failed.
  std::string messages() const;

 private:
  int process_ = -1;
  /// A nameless file with what it says.
  int messages_ = -1;
  int status_ = 0;
  std::string name_;
};

/// Text as one line, for messages: line ends become semicolons, blank lines vanish.
std::string in_one_line(const std::string& text);

}  // namespace fondue
