#include "picture/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/error.h"

extern char** environ;

namespace fondue {
namespace {

/// The id of the new process, or -1 and errno.
int start(const std::vector<std::string>& words, int input, int messages, const std::filesystem::path& folder) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (input >= 0)
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  else
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&files, folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int error = posix_spawnp(&process, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  errno = error;
  return error ? -1 : process;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words, const std::string& package, int input,
                           const std::filesystem::path& folder)
    : messages_(memfd_create("messages", MFD_CLOEXEC)), name_(words[0]) {
  if (messages_ >= 0) process_ = start(words, input, messages_, folder);
  if (process_ > 0) return;
  const int error = errno;
  if (messages_ >= 0) close(messages_);
  if (error == ENOENT)
    throw OutputError(fmt::format("the program {} is not installed (Debian: apt install {})", name_, package));
  throw OutputError(fmt::format("the program {} cannot be started: {}", name_, std::strerror(error)));
}

ChildProcess::~ChildProcess() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    wait();
  }
  close(messages_);
}

bool ChildProcess::wait() {
  if (process_ > 0)
    while (waitpid(process_, &status_, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
  return status_ == 0;
}

bool ChildProcess::ended() {
  if (process_ > 0 && waitpid(process_, &status_, WNOHANG) == process_) process_ = -1;
  return process_ <= 0;
}

void ChildProcess::interrupt() {
  if (process_ > 0) kill(process_, SIGTERM);
}

std::string ChildProcess::messages() const {
  std::string text;
  std::array<char, 4096> piece;
  for (ssize_t length; (length = pread(messages_, piece.data(), piece.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(length));
  if (text.empty() && status_ != 0) text = fmt::format("{} ended with status {:#x}", name_, status_);
  return text;
}

std::string in_one_line(const std::string& text) {
  std::string line;
  bool ended = false;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      ended = !line.empty();
      continue;
    }
    if (ended) line.append("; ");
    ended = false;
    line.push_back(c);
  }
  return line;
}

}  // namespace fondue
