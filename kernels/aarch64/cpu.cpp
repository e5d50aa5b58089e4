// What an AArch64 CPU and Linux say of it.

#include <sys/auxv.h>
#include <sys/prctl.h>

#include <algorithm>

#include "kernels/isa.hpp"
#include "kernels/kernel.hpp"

namespace gable::kernels {

const std::string_view general_isa = "aarch64";
const bool nt_stores_bypass_caches = false;  // they are a hint, and caches may take them

namespace {

Aarch64Words read_words() {
  Aarch64Words words;
  words.hwcap = getauxval(AT_HWCAP);
  __asm__("mrs %0, ctr_el0" : "=r"(words.ctr));
  __asm__("mrs %0, dczid_el0" : "=r"(words.dczid));
  words.sve_bytes = static_cast<std::uint32_t>(std::max(0, prctl(PR_SVE_GET_VL)) & PR_SVE_VL_LEN_MASK);
  return words;
}

}  // namespace

const Cpu& this_cpu() {
  static const Cpu cpu = cpu_of(read_words());
  return cpu;
}

}  // namespace gable::kernels
