#include "machines/virtualization.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/entries.hpp"
#include "machines/files.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace gable::machines {

namespace {

namespace fs = std::filesystem;

struct Mark {
  const char* text;
  const char* name;
  bool emulates = false;
};

// CPUID leaf 0x40000000. KVM may show Hyper-V's signature first and its own 0x100 further on, so KVM is
// checked first.
constexpr Mark signatures[] = {
    {"KVMKVMKVM", "kvm"},          {"Linux KVM Hv", "kvm"},    {"TCGTCGTCGTCG", "qemu", true},
    {"XenVMMXenVMM", "xen"},       {"VMwareVMware", "vmware"}, {"VBoxVBoxVBox", "virtualbox"},
    {"bhyve bhyve ", "bhyve"},     {"ACRNACRNACRN", "acrn"},   {"Microsoft Hv", "microsoft"},
    {" lrpepyh  vr", "parallels"},
};

// DMI vendor or product, for processors that give no signature.
constexpr Mark vendors[] = {
    {"QEMU", "qemu"},
    {"KVM", "kvm"},
    {"VMware", "vmware"},
    {"innotek", "virtualbox"},
    {"VirtualBox", "virtualbox"},
    {"Xen", "xen"},
    {"Amazon EC2", "kvm"},
    {"Google Compute", "kvm"},
    {"Virtual Machine", "microsoft"},
    {"BHYVE", "bhyve"},
    {"Parallels", "parallels"},
};

// Recognizes the container system by the name of a control group.
constexpr Mark groups[] = {
    {"kubepods", "kubernetes"},   {"libpod", "podman"}, {"docker", "docker"}, {"lxc", "lxc"},
    {"containerd", "containerd"},
};

Hypervisor processor_says() {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 31)) return {};
  const Mark* best = std::end(signatures);
  for (unsigned leaf = 0x40000000; leaf <= 0x40000400; leaf += 0x100) {
    char text[13] = {};
    __cpuid(leaf, a, b, c, d);
    std::memcpy(text, &b, 4);
    std::memcpy(text + 4, &c, 4);
    std::memcpy(text + 8, &d, 4);
    for (const Mark* mark = signatures; mark < best; ++mark) {
      if (std::strcmp(text, mark->text) == 0) {
        best = mark;
      }
    }
  }
  if (best == std::end(signatures)) return {"unknown"};
  return {best->name, best->emulates};
#elif defined(__aarch64__)
  // MIDR_EL1's implementer 0 is for software (Arm ARM, DDI 0487): QEMU's own CPU. Linux lets programs read
  // the register if it says so (Documentation/arm64/cpu-feature-registers.rst).
  constexpr unsigned long hwcap_cpuid = 1ul << 11;
  if (!(getauxval(AT_HWCAP) & hwcap_cpuid)) return {};
  unsigned long midr = 0;
  asm("mrs %0, midr_el1" : "=r"(midr));
  if ((midr >> 24 & 0xff) == 0) return {"qemu", true};
  return {};
#else
  return {};
#endif
}

// Machines without DMI describe themselves by a device tree.
std::string device_tree_says(const fs::path& root) {
  const fs::path tree = root / "sys/firmware/devicetree/base";
  const std::string compatible = read_text(tree / "hypervisor/compatible");
  for (const char* name : {"kvm", "xen", "vmware"}) {
    if (compatible.find(name) != std::string::npos) return name;
  }
  const std::vector<std::string> names = names_in(tree);
  const bool qemu =
      std::ranges::any_of(names, [](const std::string& name) { return name.starts_with("fw-cfg@"); });
  return qemu ? "qemu" : "";
}

std::string firmware_says(const fs::path& root) {
  for (const char* file : {"product_name", "sys_vendor", "bios_vendor"}) {
    const std::string text = read_text(root / "sys/class/dmi/id" / file);
    for (const Mark& mark : vendors) {
      // Cloud vendors also sell bare-metal machines under their name.
      if (text.find(mark.text) != std::string::npos && text.find("metal") == std::string::npos)
        return mark.name;
    }
  }
  return device_tree_says(root);
}

}  // namespace

Hypervisor find_hypervisor(const fs::path& root) {
  const Hypervisor processor = root == "/" ? processor_says() : Hypervisor();
  if (!processor.name.empty() && processor.name != "unknown") return processor;
  if (const std::string type = read_text(root / "sys/hypervisor/type"); !type.empty()) return {type};
  const std::string flags = " " + read_field(root / "proc/cpuinfo", "flags", ':') + " ";
  const bool is_guest = !processor.name.empty() || flags.find(" hypervisor ") != std::string::npos;
  // x86 guests have the flag; on other processors only the firmware shows it.
  if (flags.size() > 2 && !is_guest) return {};
  const std::string firmware = firmware_says(root);
  return {firmware.empty() && is_guest ? "unknown" : firmware};
}

std::string find_container(const fs::path& root) {
  std::error_code error;
  if (const std::string told = read_text(root / "run/systemd/container"); !told.empty()) return told;
  if (fs::exists(root / "var/run/secrets/kubernetes.io", error)) return "kubernetes";
  if (fs::exists(root / "run/.containerenv", error)) return "podman";
  if (fs::exists(root / ".dockerenv", error)) return "docker";
  if (fs::exists(root / "singularity", error) || fs::exists(root / ".singularity.d", error))
    return "apptainer";
  const std::string own = read_text(root / "proc/self/cgroup");
  for (const Mark& mark : groups) {
    if (own.find(mark.text) != std::string::npos) return mark.name;
  }
  return {};
}

}  // namespace gable::machines
