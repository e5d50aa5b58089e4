#include "base/programs/passed_signals.hpp"

#include <atomic>
#include <cerrno>

namespace gable {

namespace {

constexpr std::array<int, 6> passed = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

std::atomic<pid_t> receiver_of_signals = 0;
std::atomic<int> early_signal = 0;  // received before the receiver was known

// Signals from keys at a terminal come from the kernel and reach the program as well.
void pass_on(int number, siginfo_t* told, void*) {
  if ((number == SIGINT || number == SIGQUIT) && told->si_code > 0) return;
  const int kept = errno;
  if (const pid_t pid = receiver_of_signals; pid > 0) {
    kill(pid, number);
  } else {
    early_signal = number;
  }
  errno = kept;
}

// Whether the caller ignores SIGPIPE: it is read before main changes it.
const bool ignores_pipes = [] {
  struct sigaction now = {};
  return sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}();

}  // namespace

PassedSignals::PassedSignals() {
  struct sigaction passing = {}, usual = {};
  passing.sa_sigaction = pass_on;
  passing.sa_flags = SA_RESTART | SA_SIGINFO;
  usual.sa_handler = SIG_DFL;
  early_signal = 0;
  for (std::size_t i = 0; i < before_.size(); ++i) {
    auto& [number, was] = before_[i];
    number = i < passed.size() ? passed[i] : SIGCHLD;
    sigaction(number, number == SIGCHLD ? &usual : &passing, &was);
    if (number != SIGCHLD && was.sa_handler == SIG_IGN) sigaction(number, &was, nullptr);  // nohup
  }
}

PassedSignals::~PassedSignals() {
  receiver_of_signals = 0;
  for (const auto& [number, was] : before_) sigaction(number, &was, nullptr);
}

void PassedSignals::go_to(pid_t receiver) {
  receiver_of_signals = receiver;
  if (const int number = early_signal.exchange(0); number != 0 && receiver > 0) kill(receiver, number);
}

void reset_signals() {
  struct sigaction was = {}, usual = {};
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) {
    if (sigaction(number, nullptr, &was) == 0 && was.sa_handler != SIG_IGN && was.sa_handler != SIG_DFL)
      sigaction(number, &usual, nullptr);
  }
  signal(SIGPIPE, ignores_pipes ? SIG_IGN : SIG_DFL);
}

}  // namespace gable
