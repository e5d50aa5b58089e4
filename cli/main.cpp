#include <csignal>

#include "cli/options/commands.hpp"

namespace {

// A limit on the size of files is an error of what writes, as a full disk is. A handler, for programs that
// are run do not inherit it; one who ignores the signal already is left to it.
void survive_limits() {
  if (std::signal(SIGXFSZ, [](int) {}) == SIG_IGN) std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  survive_limits();
  return gable::cli::run_command(argc, argv);
}
