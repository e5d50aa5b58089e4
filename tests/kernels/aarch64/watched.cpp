#include "tests/kernels/watched.hpp"

#include "tests/kernels/check.hpp"

namespace {

// Written by tests/kernels/aarch64/trampoline.S.
struct Left {
  std::uint64_t general[11];
  std::uint64_t floating[8];
  std::uint64_t stack_shift;
  std::uint64_t fpcr;
};

}  // namespace

extern "C" void guarded_call(void (*code)(gable::kernels::Arguments*), gable::kernels::Arguments*, Left*);

namespace gable::tests {

std::vector<std::string> watched_call(const kernels::Kernel& kernel, kernels::Arguments& arguments) {
  std::uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  Left left = {};
  guarded_call(kernel.code, &arguments, &left);
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
  std::vector<std::string> found;
  constexpr std::uint64_t sentinel = 0x5eed0000;
  for (std::uint64_t i = 0; i < 11; ++i) {
    if (left.general[i] != sentinel + i) found.push_back("x" + std::to_string(19 + i) + " is not preserved");
  }
  for (std::uint64_t i = 0; i < 8; ++i) {
    if (left.floating[i] != sentinel + 0x100 + i)
      found.push_back("d" + std::to_string(8 + i) + " is not preserved");
  }
  if (left.stack_shift != 0) found.push_back("sp is not preserved");
  if (left.fpcr != fpcr) found.push_back("FPCR is not preserved");
  return found;
}

std::vector<Broken> broken_calls() {
  return {{"clobbers", "x21 is not preserved"},
          {"clobbers_vector", "d9 is not preserved"},
          {"flushes_to_zero", "FPCR"}};
}

}  // namespace gable::tests
