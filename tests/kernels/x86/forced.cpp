// Forcing an ISA runs only its code: single-stepping records every instruction of a call.

#include <gtest/gtest.h>
#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <set>

#include "kernels/kernel.hpp"

namespace gable {
namespace {

constexpr int most_steps = 4096;
std::uintptr_t steps[most_steps];
volatile int step_count = 0;

void on_step(int, siginfo_t*, void* context) {
  if (step_count < most_steps)
    steps[step_count] = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  step_count = step_count + 1;
}

void set_trap_flag() {
  __asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
}
void clear_trap_flag() {
  __asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
}

// Addresses of the executed instructions, including those around the kernel.
std::set<std::uintptr_t> executed(const kernels::Kernel& kernel, kernels::Arguments& arguments) {
  struct sigaction action = {}, before = {};
  action.sa_sigaction = on_step;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, &before);
  step_count = 0;
  set_trap_flag();
  kernel.code(&arguments);
  clear_trap_flag();
  sigaction(SIGTRAP, &before, nullptr);
  const int count = step_count;
  return {steps, steps + std::min(count, most_steps)};
}

bool inside(const kernels::Kernel& kernel, std::uintptr_t address) {
  return address >= reinterpret_cast<std::uintptr_t>(kernel.code) &&
         address < reinterpret_cast<std::uintptr_t>(kernel.code_end);
}

TEST(Forced, TheKernelAskedForIsTheOneThatRuns) {
  alignas(64) static double source[512], target[512];
  for (const std::string& isa : kernels::isas()) {
    const kernels::Kernel* kernel = kernels::find("copy", isa);
    ASSERT_NE(kernel, nullptr);
    kernels::Arguments arguments;
    arguments.load[0] = source;
    arguments.store = target;
    arguments.iterations = arguments.iterations_per_pass = 2;
    int own = 0;
    for (const std::uintptr_t address : executed(*kernel, arguments)) {
      own += inside(*kernel, address);
      for (const kernels::Kernel& other : kernels::all()) {
        EXPECT_FALSE(&other != kernel && inside(other, address)) << isa << " ran " << other.name;
      }
    }
    EXPECT_GT(own, 32) << isa;
  }
}

}  // namespace
}  // namespace gable
