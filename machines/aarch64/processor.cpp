#include <sys/auxv.h>

#include "machines/virtualization.hpp"

namespace gable::machines {

// MIDR_EL1's implementer 0 is for software (Arm ARM, DDI 0487): QEMU's own CPU. Linux lets programs read the
// register if it says so (Documentation/arm64/cpu-feature-registers.rst).
Hypervisor processor_says() {
  constexpr unsigned long hwcap_cpuid = 1ul << 11;
  if (!(getauxval(AT_HWCAP) & hwcap_cpuid)) return {};
  unsigned long midr = 0;
  asm("mrs %0, midr_el1" : "=r"(midr));
  if ((midr >> 24 & 0xff) == 0) return {"qemu", true};
  return {};
}

}  // namespace gable::machines
