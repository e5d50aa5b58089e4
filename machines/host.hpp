#pragma once

// The host as Linux describes it: what a figure's reader has to know, and what no topology carries.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gable::machines {

/// A field that the system does not show is empty (or 0).
struct Host {
  std::string name;
  std::string cpu_model;
  std::string kernel;      ///< uname release
  std::string hypervisor;  ///< "kvm", "xen", "vmware", "microsoft", "qemu", ...; empty on bare metal
  bool emulated = false;   ///< the hypervisor interprets every instruction: see emulated_note
  std::string container;   ///< "docker", "podman", "lxc", ... where it shows
  std::string governor;    ///< CPU frequency governor
  std::string thp;         ///< transparent huge pages: "always", "madvise", "never"
  std::string microcode;
  std::string os;                         ///< PRETTY_NAME
  std::vector<std::uint64_t> page_bytes;  ///< base page first, then every huge page size the kernel knows
  int cpus_online = 0;                    ///< of the system, usable for this process or not
  std::uint64_t memory_bytes = 0;         ///< MemTotal
  std::uint64_t memory_limit_bytes = 0;  ///< the tightest cgroup limit (v1 or v2) below memory_bytes; 0: none
  /// MemAvailable, or what is left of the limit if that is less; nothing where the system does not say.
  std::optional<std::uint64_t> memory_available_bytes;
};

/// What goes with every figure of an emulated machine.
inline constexpr std::string_view emulated_note = "emulated machine: shows places and paths, never speed";

/// Reads the host below `root` ("/" but for tests). What only the processor tells is asked for "/" alone.
Host this_host(const std::string& root = "/");

}  // namespace gable::machines
