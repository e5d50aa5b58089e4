#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "cli/options/commands.hpp"
#include "cli/stack.hpp"

namespace {

// A limit on the size of files is an error of what writes, as a full disk is. A handler, for programs that
// are run do not inherit it; one who ignores the signal already is left to it.
void survive_limits() {
  if (std::signal(SIGXFSZ, [](int) {}) == SIG_IGN) std::signal(SIGXFSZ, SIG_IGN);
}

// Ends the process outside of any command, while a message is made, or where a library may not throw. The
// next process or the guardian of kmaf cleans up what is left behind.
[[noreturn]] void end_without_memory() {
  std::fputs("gable: not enough memory\n", stderr);
  std::_Exit(1);
}

void on_terminate() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    end_without_memory();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gable: %s\n", error.what());
  }
  std::abort();
}

int run(int argc, char** argv) try {
  return gable::cli::run_command(argc, argv);
} catch (const std::bad_alloc&) {
  end_without_memory();
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(on_terminate);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // a parent that ignores it would leave no status of the programs run here
  survive_limits();
  return gable::cli::with_enough_stack(run, argc, argv);
}
