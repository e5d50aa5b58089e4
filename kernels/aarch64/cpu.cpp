// What an AArch64 CPU and Linux say of it.

#include <sys/auxv.h>
#include <sys/prctl.h>

#include "kernels/isa.hpp"

#ifndef PR_SVE_GET_VL
#define PR_SVE_GET_VL 51
#endif

namespace gable::kernels {
namespace {

Aarch64Words read_words() {
  Aarch64Words words;
  words.hwcap = getauxval(AT_HWCAP);
  __asm__("mrs %0, ctr_el0" : "=r"(words.ctr));
  __asm__("mrs %0, dczid_el0" : "=r"(words.dczid));
  constexpr int length = 0xffff;  // of what prctl returns; flags are above
  const int vector = prctl(PR_SVE_GET_VL);
  if (vector > 0) words.sve_bytes = static_cast<std::uint32_t>(vector & length);
  return words;
}

}  // namespace

const Cpu& this_cpu() {
  static const Cpu cpu = cpu_of(read_words());
  return cpu;
}

}  // namespace gable::kernels
