#pragma once

// Properties of the host that matter for figures and are not in the topology, from Linux.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gable::machines {

/// Fields that the system does not show are empty (or 0).
struct Host {
  std::string name;
  std::string cpu_model;
  std::string kernel;      ///< uname release
  std::string hypervisor;  ///< "kvm", "xen", "vmware", "microsoft", "qemu", ...; empty on bare metal
  bool emulated = false;   ///< the hypervisor interprets every instruction: see emulated_note
  std::string container;   ///< "docker", "podman", "lxc", ... if it can be detected
  std::string governor;    ///< CPU frequency governor
  std::string thp;         ///< transparent huge pages: "always", "madvise", "never"
  std::string microcode;
  std::string os;                         ///< PRETTY_NAME
  std::vector<std::uint64_t> page_bytes;  ///< base page first, then every huge page size the kernel knows
  int cpus_online = 0;                    ///< of the system, whether or not this process may use them
  std::uint64_t memory_bytes = 0;         ///< MemTotal
  std::uint64_t memory_limit_bytes = 0;  ///< the tightest cgroup limit (v1 or v2) below memory_bytes; 0: none
  /// MemAvailable, or the rest of the limit if that is less; nothing if unknown.
  std::optional<std::uint64_t> memory_available_bytes;
};

/// The note for every figure of an emulated machine.
inline constexpr std::string_view emulated_note = "emulated machine: locations are valid, speeds are not";

/// Reads the host below `root` ("/" except in tests). The processor itself is asked only for "/".
Host this_host(const std::string& root = "/");

}  // namespace gable::machines
