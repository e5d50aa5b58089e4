#include "cli/cluster/run/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/system_error.hpp"

namespace gable::cli {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command, int out, int err) {
  setpgid(0, 0);
  const int none = open("/dev/null", O_RDONLY);
  dup2(none, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM}) signal(number, SIG_DFL);
  execvp(words[0], words.data());
  dprintf(STDERR_FILENO, "%s: %s\n", words[0], std::strerror(errno));
  _exit(127);
}

int status_of(int waited) {
  return WIFEXITED(waited) ? WEXITSTATUS(waited) : 128 + WTERMSIG(waited);
}

}  // namespace

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Child::Child(const std::vector<std::string>& command) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) fail("pipe");
  pid_ = fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) become(command, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  output_.descriptor = out[0];
  errors_.descriptor = err[0];
}

Child::~Child() {
  if (!ended()) {
    send(SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (const Pipe* pipe : {&output_, &errors_}) {
    if (pipe->descriptor >= 0) close(pipe->descriptor);
  }
}

void Child::send(int signal, bool group) {
  if (!ended()) kill(group ? -pid_ : pid_, signal);
}

void Child::read(Pipe& pipe, std::vector<std::string>& lines) {
  std::vector<char> buffer(1 << 16);
  const ssize_t count = ::read(pipe.descriptor, buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) {
    close(std::exchange(pipe.descriptor, -1));
    if (!pipe.rest.empty()) lines.push_back(std::exchange(pipe.rest, {}));
    return;
  }
  pipe.rest.append(buffer.data(), static_cast<std::size_t>(count));
  const std::size_t end = pipe.rest.rfind('\n');
  if (end == std::string::npos) return;
  for (std::string& line : lines_in(pipe.rest.substr(0, end))) lines.push_back(std::move(line));
  pipe.rest.erase(0, end + 1);
}

// Reads what comes within so many milliseconds; whether anything came.
bool Child::read_within(int milliseconds) {
  pollfd polled[] = {{output_.descriptor, POLLIN, 0}, {errors_.descriptor, POLLIN, 0}};  // -1 is left out
  if (poll(polled, 2, milliseconds) <= 0) return false;
  if (polled[0].revents != 0) read(output_, out);
  if (polled[1].revents != 0) read(errors_, err);
  return true;
}

bool Child::wait(double seconds) {
  constexpr int without_pipes = 20;
  const bool open = output_.descriptor >= 0 || errors_.descriptor >= 0;
  if (!ended()) read_within(open ? static_cast<int>(seconds * 1000) : without_pipes);
  int waited = 0;
  if (!ended() && waitpid(pid_, &waited, WNOHANG) == pid_) status_ = status_of(waited);
  while (ended() && read_within(0)) {
  }  // others may hold the pipes open
  return !ended();
}

Captured output_of(const std::vector<std::string>& command) {
  Child child(command);
  while (child.wait(1)) {
  }
  Captured captured{child.status(), "", ""};
  for (const std::string& line : child.out) captured.output += line + "\n";
  for (const std::string& line : child.err) captured.errors += line + "\n";
  return captured;
}

}  // namespace gable::cli
