#include "cli/stack.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include <cstddef>

namespace gable::cli {

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

}  // namespace

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

}  // namespace gable::cli
