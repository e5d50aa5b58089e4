#include "base/programs/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "base/programs/passed_signals.hpp"

namespace gable {

namespace {

// What the copy of this process tells: once before it becomes the program, again only if that failed.
struct Told {
  double at = 0;
  // If it cannot tell, no peak is taken as the program's own.
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  int error = 0;
};

struct Ends {
  int read = -1, write = -1;
};

Ends new_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  return {ends[0], ends[1]};
}

void close_end(int& descriptor) {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

bool read_exactly(int descriptor, void* to, std::size_t bytes) {
  ssize_t got = 0;
  while ((got = ::read(descriptor, to, bytes)) < 0 && errno == EINTR) continue;
  return got == static_cast<ssize_t>(bytes);
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> all;
  all.reserve(strings.size() + 1);
  for (const std::string& string : strings) all.push_back(const_cast<char*>(string.c_str()));
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_of(const ProgramCall& call) {
  const auto name_of = [](const std::string& variable) { return variable.substr(0, variable.find('=')); };
  std::vector<std::string> all = call.environment;
  for (char** inherited = environ; *inherited != nullptr; ++inherited) {
    const std::string name = name_of(*inherited);
    const auto replaces = [&](const std::string& variable) { return name_of(variable) == name; };
    const auto excludes = [&](const std::string& begin) { return name.starts_with(begin); };
    if (std::ranges::none_of(call.environment, replaces) && std::ranges::none_of(call.without, excludes))
      all.emplace_back(*inherited);
  }
  return all;
}

// All that the copy of this process needs.
struct Copy {
  const ProgramCall& call;
  std::vector<char*> arguments, environment;
  sigset_t mask;  // of signals
  Ends go, report, out, err;
};

void take_outputs(const Copy& copy) {
  setpgid(0, 0);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(copy.out.write, STDOUT_FILENO);
  dup2(copy.err.write >= 0 ? copy.err.write : copy.out.write, STDERR_FILENO);
}

// Kernels before 6.2 keep the count of a thread's last 64 page faults, of up to 16 pages each, to themselves
// until the thread unmaps something.
std::uint64_t largest_size() {
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) {
    *static_cast<volatile char*>(page) = 1;
    munmap(page, size);
  }
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

// Runs in the copy, which has only the calling thread: nothing here may allocate or lock, except what the
// caller wants prepared.
[[noreturn]] void become(Copy& copy) {
  close_end(copy.go.write);
  if (copy.out.write >= 0) take_outputs(copy);
  reset_signals();
  sigprocmask(SIG_SETMASK, &copy.mask, nullptr);
  char byte = 0;
  if (copy.go.read >= 0 && !read_exactly(copy.go.read, &byte, 1)) _exit(1);  // its parent has ended
  Told told{monotonic_seconds(), largest_size(), ENOMEM};
  const Told before{told.at, told.bytes, 0};
  [[maybe_unused]] const auto written = ::write(copy.report.write, &before, sizeof before);
  try {
    if (copy.call.prepare) copy.call.prepare();
    const bool there = copy.call.folder.empty() || chdir(copy.call.folder.c_str()) == 0;
    if (there && copy.call.file.empty())
      execvpe(copy.arguments.front(), copy.arguments.data(), copy.environment.data());
    else if (there)
      execve(copy.call.file.c_str(), copy.arguments.data(), copy.environment.data());
    told.error = errno;
  } catch (...) {  // out of memory; nothing of this copy needs to be undone
  }
  const bool heard = ::write(copy.report.write, &told, sizeof told) == sizeof told;
  _exit(heard ? 126 : 1);
}

}  // namespace

Usage& Usage::operator+=(const Usage& other) {
  user_seconds += other.user_seconds;
  kernel_seconds += other.kernel_seconds;
  page_faults += other.page_faults;
  return *this;
}

std::string signal_text(int signal) {
  return fmt::format("signal {} ({})", signal, strsignal(signal));
}

std::string in_words(const Ending& ending) {
  if (!ending.signal) return fmt::format("ended with exit status {}", ending.status);
  return "was killed by " + signal_text(ending.signal);
}

// fork(), because posix_spawn() lends the child this process's memory, whose size would then be the least
// that the kernel records of the program. A fork copies no pages of code and is several times smaller.
RunningProgram::RunningProgram(const ProgramCall& call)
    : name_(call.file.empty() ? call.command.at(0) : call.file) {
  const std::vector<std::string> environment = environment_of(call);
  Copy copy{call, pointers(call.command), pointers(environment), {}, {}, {}, {}, {}};
  const bool reads = call.outputs != Outputs::inherited;
  copy.report = new_pipe();
  if (call.waits) copy.go = new_pipe();
  if (reads) copy.out = new_pipe();
  if (call.outputs == Outputs::apart) copy.err = new_pipe();
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &copy.mask);  // this process's handlers must not run in the copy
  if (!reads) passed_ = std::make_unique<PassedSignals>();
  ending_.pid = fork();
  if (ending_.pid == 0) become(copy);
  const int failed = errno;
  if (passed_) passed_->go_to(ending_.pid);
  pthread_sigmask(SIG_SETMASK, &copy.mask, nullptr);
  for (Ends* const pipe : {&copy.report, &copy.out, &copy.err}) close_end(pipe->write);
  report_ = copy.report.read;
  go_ = copy.go.write;
  waits_ = copy.go.read;
  out_ = copy.out.read;
  err_ = copy.err.read;
  if (ending_.pid < 0) {
    close_all();
    fail(name_, failed);
  }
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, ending_.pid, 0));
  if (!call.waits) go();
}

void RunningProgram::close_all() {
  for (int* const end : {&pidfd_, &go_, &waits_, &report_, &out_, &err_}) close_end(*end);
}

RunningProgram::~RunningProgram() {
  if (!has_ended_ && !passed_) {
    send(SIGKILL);
    waitpid(ending_.pid, nullptr, 0);
  }
  close_all();  // one that still waits ends then
  if (!has_ended_ && passed_) waitpid(ending_.pid, nullptr, WNOHANG);
}

void RunningProgram::go() {
  Told told{monotonic_seconds()}, more;  // if it is killed before it tells
  // This process keeps the other end open too: a signal may have ended the waiting process.
  if (go_ >= 0 && write(go_, "x", 1) != 1)
    throw Error::failed(fmt::format("{} cannot be told to start: {}", name_, std::strerror(errno)));
  close_end(go_);
  close_end(waits_);
  if (read_exactly(report_, &told, sizeof told) && read_exactly(report_, &more, sizeof more)) told = more;
  close_end(report_);
  began_ = told.at;
  ending_.peak.copy_bytes = told.bytes;
  if (told.error == 0) return;
  waitpid(ending_.pid, nullptr, 0);
  has_ended_ = true;
  close_all();
  fail(name_, told.error);
}

bool RunningProgram::reap(int options) {
  if (has_ended_) return true;
  int status = 0;
  rusage used = {};
  const pid_t got = wait4(ending_.pid, &status, options, &used);
  if (got < 0 && errno != EINTR) fail("waiting for " + name_);
  if (got <= 0) return false;
  has_ended_ = true;
  if (passed_) passed_->go_to(0);
  ending_.seconds = monotonic_seconds() - began_;
  ending_.usage = {timeval_seconds(used.ru_utime), timeval_seconds(used.ru_stime),
                   static_cast<double>(used.ru_minflt + used.ru_majflt)};
  ending_.peak.bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  ending_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending_.status = ending_.signal ? 128 + ending_.signal : WEXITSTATUS(status);
  return true;
}

std::optional<Ending> RunningProgram::ended() {
  return reap(WNOHANG) ? std::optional(ending_) : std::nullopt;
}

Ending RunningProgram::finish() {
  while (!reap(0)) {
  }
  return ending_;
}

// Whether anything came.
bool RunningProgram::read_within(int milliseconds) {
  pollfd polled[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}, {has_ended_ ? -1 : pidfd_, POLLIN, 0}};
  if (poll(polled, 3, milliseconds) <= 0) return false;
  std::vector<char> buffer(1 << 16);  // not on a stack that may be small
  bool any = false;
  for (const auto& [descriptor, text, events] :
       {std::tuple(&out_, &out, polled[0].revents), std::tuple(&err_, &err, polled[1].revents)}) {
    if (events == 0) continue;
    any = true;
    const ssize_t count = ::read(*descriptor, buffer.data(), buffer.size());
    if (count > 0) text->append(buffer.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) close_end(*descriptor);
  }
  return any;
}

bool RunningProgram::wait(double seconds) {
  constexpr int without_descriptors = 20;
  const bool open = out_ >= 0 || err_ >= 0 || pidfd_ >= 0;
  if (!has_ended_) read_within(open ? static_cast<int>(seconds * 1000) : without_descriptors);
  reap(WNOHANG);
  while (has_ended_ && read_within(0)) {
  }  // others may hold the pipes open
  return !has_ended_;
}

void RunningProgram::send(int signal, bool group) {
  if (!has_ended_) kill(group ? -ending_.pid : ending_.pid, signal);
}

Captured output_of(const std::vector<std::string>& command, Outputs outputs) {
  return output_of({.command = command, .outputs = outputs});
}

Captured output_of(const ProgramCall& call) {
  try {
    RunningProgram program(call);
    while (program.wait(1)) {
    }
    return {program.finish().status, 0, std::move(program.out), std::move(program.err)};
  } catch (const std::system_error& error) {
    return {127, error.code().value(), "", std::string(error.what()) + "\n"};
  }
}

std::vector<std::string> take_lines(std::string& text, bool all) {
  if (all && !text.empty() && text.back() != '\n') text += '\n';
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
  }
  text.erase(0, begin);
  return lines;
}

}  // namespace gable
