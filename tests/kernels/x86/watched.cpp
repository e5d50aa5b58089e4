#include "tests/kernels/watched.hpp"

#include "tests/kernels/check.hpp"

#include <cstddef>

namespace {

// Written by tests/kernels/x86/trampoline.S.
struct Left {
  std::uint64_t saved[6];
  std::uint64_t stack_shift;
  std::uint64_t flags;
  std::uint32_t mxcsr;
  std::uint16_t x87_control;
  std::uint64_t unused[3];
  std::uint64_t upper_halves[16][2];
};
static_assert(offsetof(Left, upper_halves) == 96);

}  // namespace

extern "C" void guarded_call(void (*code)(gable::kernels::Arguments*), gable::kernels::Arguments*, Left*,
                             bool has_avx);

namespace gable::tests {
namespace {

using Faults = std::vector<std::string>;

std::uint32_t mxcsr() {
  std::uint32_t value;
  __asm__ volatile("stmxcsr %0" : "=m"(value));
  return value;
}

std::uint16_t x87_control() {
  std::uint16_t value;
  __asm__ volatile("fnstcw %0" : "=m"(value));
  return value;
}

// `before` holds the control words from before the call.
void check_registers(const Left& before, const Left& left, Faults& found) {
  static constexpr const char* names[] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};
  for (std::uint64_t i = 0; i < 6; ++i) {
    if (left.saved[i] != 0x5eed00000000 + i) found.push_back(std::string(names[i]) + " is not preserved");
  }
  constexpr std::uint64_t direction = 1u << 10;
  constexpr std::uint32_t mxcsr_control = 0xffc0;
  if (left.stack_shift != 0) found.push_back("rsp is not preserved");
  if (left.flags & direction) found.push_back("the direction flag is set");
  if ((left.mxcsr ^ before.mxcsr) & mxcsr_control)
    found.push_back("the control bits of MXCSR are not preserved");
  if (left.x87_control != before.x87_control) found.push_back("the x87 control word is not preserved");
  for (const auto& half : left.upper_halves) {
    if (half[0] != 0 || half[1] != 0)
      return found.push_back("upper halves of vector registers are in use: no vzeroupper");
  }
}

}  // namespace

Faults watched_call(const kernels::Kernel& kernel, kernels::Arguments& arguments) {
  Left before = {}, left = {};
  before.mxcsr = mxcsr();
  before.x87_control = x87_control();
  guarded_call(kernel.code, &arguments, &left, kernels::cpu_features() & kernels::avx2);
  __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(before.mxcsr), "m"(before.x87_control));
  Faults found;
  check_registers(before, left, found);
  return found;
}

std::vector<Broken> broken_calls() {
  return {{"clobbers", "r13 is not preserved"},
          {"sets_direction", "direction flag"},
          {"flushes_to_zero", "MXCSR"},
          {"keeps_upper", "no vzeroupper"}};
}

}  // namespace gable::tests
