#include "kmaf/live/program/program.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <iterator>

#include "base/clocks.hpp"
#include "base/error.hpp"

namespace gable::kmaf::live {

namespace {

std::atomic<pid_t> receiver = 0;

constexpr int passed[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

// Signals from keys at a terminal come from the kernel and reach the program as well. Signals sent by a
// process reach only this one.
void pass_on(int number, siginfo_t* told, void*) {
  if ((number == SIGINT || number == SIGQUIT) && told->si_code > 0) return;
  const int kept = errno;
  if (const pid_t pid = receiver.load(); pid > 0) kill(pid, number);
  errno = kept;
}

}  // namespace

Program::Program(std::vector<std::string> command, const std::function<void()>& prepare) {
  int go[2], failed[2];
  sigset_t passed_on, usual;
  if (pipe2(go, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0) fail("pipe");
  before_.reserve(std::size(passed) + 1);
  // Signals that arrive before the program exists wait until it does.
  sigemptyset(&passed_on);
  for (const int number : passed) sigaddset(&passed_on, number);
  sigprocmask(SIG_BLOCK, &passed_on, &usual);
  const auto handle = [&](int number, const struct sigaction& action) {
    struct sigaction old = {};
    sigaction(number, &action, &old);
    before_.emplace_back(number, old);
  };
  struct sigaction usual_action = {}, passing = {};
  usual_action.sa_handler = SIG_DFL;
  passing.sa_sigaction = pass_on;
  passing.sa_flags = SA_RESTART | SA_SIGINFO;
  handle(SIGCHLD, usual_action);  // if it were ignored, the exit status would be lost
  for (const int number : passed) handle(number, passing);
  pid_ = fork();
  if (pid_ == 0) {
    close(go[1]);
    close(failed[0]);
    restore_signals(usual);
    become(command, prepare, go[0], failed[1]);
  }
  receiver = pid_;
  sigprocmask(SIG_SETMASK, &usual, nullptr);
  if (pid_ < 0) fail("cannot start the program");
  waits_ = go[0];
  close(failed[1]);
  go_ = go[1];
  failed_ = failed[0];
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
}

// In the new process: restores the signal handling that this process inherited.
void Program::restore_signals(const sigset_t& usual) {
  for (const auto& [number, old] : before_) sigaction(number, &old, nullptr);
  sigprocmask(SIG_SETMASK, &usual, nullptr);
}

void Program::become(std::vector<std::string>& command, const std::function<void()>& prepare, int go,
                     int failed) {
  char byte = 0;
  ssize_t got = 0;
  while ((got = read(go, &byte, 1)) < 0 && errno == EINTR) continue;
  if (got != 1) _exit(1);  // the manager ended before the program started
  int error = ENOMEM;
  try {
    if (prepare) prepare();
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    error = errno;
  } catch (...) {  // out of memory; nothing of this copy needs to be undone
  }
  if (write(failed, &error, sizeof error) < 0) _exit(126);
  _exit(126);
}

void Program::go() {
  began_ = monotonic_seconds();
  // This process keeps the other end open too: a signal may have ended the waiting process.
  if (write(go_, "x", 1) != 1) fail("cannot start the program");
  for (int* const end : {&go_, &waits_}) {
    close(*end);
    *end = -1;
  }
  int error = 0;
  ssize_t got = 0;
  while ((got = read(failed_, &error, sizeof error)) < 0 && errno == EINTR) continue;
  if (got == sizeof error) {
    errno = error;
    fail("cannot execute the program");
  }
}

std::optional<Ending> Program::ended() {
  int status = 0;
  rusage usage = {};
  const pid_t got = wait4(pid_, &status, WNOHANG, &usage);
  if (got == 0 || (got < 0 && errno == EINTR)) return {};
  if (got < 0) fail("waiting for the program");
  reaped_ = true;
  receiver = 0;
  Ending ending;
  ending.seconds = monotonic_seconds() - began_;
  ending.cpu_seconds = timeval_seconds(usage.ru_utime) + timeval_seconds(usage.ru_stime);
  ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending.status = ending.signal ? 128 + ending.signal : WEXITSTATUS(status);
  return ending;
}

Program::~Program() {
  receiver = 0;
  for (const int fd : {go_, waits_, failed_, pidfd_}) {
    if (fd >= 0) close(fd);
  }
  if (!reaped_) waitpid(pid_, nullptr, WNOHANG);
  for (const auto& [number, old] : before_) sigaction(number, &old, nullptr);
}

}  // namespace gable::kmaf::live
