#include "cli/interrupt.hpp"

#include <csignal>

namespace gable::cli {

namespace {

std::atomic<bool> requested{false};

void request(int) {
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

void stop_if_requested() {
  if (requested) throw Interrupted("interrupted: nothing was kept");
}

}  // namespace gable::cli
