#include "cli/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include "base/error.hpp"

namespace gable::cli {

namespace {

std::atomic<bool> requested{false};
std::atomic<int> first_signal{0};

void request(int number) {
  int none = 0;
  first_signal.compare_exchange_strong(none, number);
  requested = true;
}

}  // namespace

const std::atomic<bool>& stop_requested() {
  struct sigaction action {};
  action.sa_handler = request;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return requested;
}

void end_by_signal() {
  const int number = first_signal == 0 ? SIGINT : first_signal.load();
  signal(number, SIG_DFL);
  kill(getpid(), number);
  constexpr int by_signal = 128;
  _exit(by_signal + number);  // where it is blocked
}

void stop_if_requested() {
  if (requested) throw Error::interrupted("interrupted: nothing was kept");
}

}  // namespace gable::cli
