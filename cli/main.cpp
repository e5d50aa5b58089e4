#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "cli/options/commands.hpp"

namespace {

constexpr std::size_t least_stack = std::size_t{1} << 20, usual_stack = std::size_t{8} << 20;

struct Call {  // makecontext(3) passes only ints
  int (*function)(int, char**) = nullptr;
  int argc = 0;
  char** argv = nullptr;
  int result = 0;
};
Call call;

void make_call() {
  call.result = call.function(call.argc, call.argv);
}

void set_stack_of_threads() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, usual_stack);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

// Calls `function` with the usual 8 MiB of stack where `ulimit -s` allows less than 1 MiB: libraries such as
// Scotch need more than small limits allow. Threads that start later get as much; programs that Gable runs
// keep the limit. `function` must not throw.
int with_enough_stack(int (*function)(int, char**), int argc, char** argv) {
  rlimit limit = {};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least_stack) return function(argc, argv);
  void* const stack =
      mmap(nullptr, usual_stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return function(argc, argv);
  set_stack_of_threads();
  call = {function, argc, argv, 0};
  // The thread stays the same, unlike with a new thread: the process's ids and bindings mean what they
  // usually mean.
  ucontext_t here = {}, there = {};
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = usual_stack;
  there.uc_link = &here;
  makecontext(&there, make_call, 0);
  swapcontext(&here, &there);
  return call.result;
}

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
  return with_enough_stack(run, argc, argv);
}
