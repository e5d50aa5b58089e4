#include "machines/virtualization.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "machines/files.hpp"

namespace gable::machines {

namespace {

namespace fs = std::filesystem;

struct Mark {
  const char* text;
  const char* name;
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
