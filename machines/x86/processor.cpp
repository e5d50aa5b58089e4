#include <cpuid.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "machines/virtualization.hpp"

namespace gable::machines {

namespace {

struct Signature {
  const char* text;
  const char* name;
  bool emulates = false;
};

// CPUID leaf 0x40000000. KVM may show Hyper-V's signature first and its own 0x100 further on, so KVM is
// checked first.
constexpr Signature signatures[] = {
    {"KVMKVMKVM", "kvm"},          {"Linux KVM Hv", "kvm"},    {"TCGTCGTCGTCG", "qemu", true},
    {"XenVMMXenVMM", "xen"},       {"VMwareVMware", "vmware"}, {"VBoxVBoxVBox", "virtualbox"},
    {"bhyve bhyve ", "bhyve"},     {"ACRNACRNACRN", "acrn"},   {"Microsoft Hv", "microsoft"},
    {" lrpepyh  vr", "parallels"},
};

}  // namespace

Hypervisor processor_says() {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 31)) return {};
  const Signature* best = std::end(signatures);
  for (unsigned leaf = 0x40000000; leaf <= 0x40000400; leaf += 0x100) {
    char text[13] = {};
    __cpuid(leaf, a, b, c, d);
    std::memcpy(text, &b, 4);
    std::memcpy(text + 4, &c, 4);
    std::memcpy(text + 8, &d, 4);
    best = std::min(best, std::ranges::find_if(signatures, [&](const Signature& signature) {
                      return std::strcmp(text, signature.text) == 0;
                    }));
  }
  if (best == std::end(signatures)) return {"unknown"};
  return {best->name, best->emulates};
}

}  // namespace gable::machines
