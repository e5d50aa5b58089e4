#pragma once

// Which hypervisor and which container this process runs in.

#include <filesystem>
#include <string>

namespace gable::machines {

struct Hypervisor {
  std::string name;       ///< "kvm", "xen", ...; "unknown" where it has none; empty on bare metal
  bool emulates = false;  ///< it interprets the instructions: programs run right, and time means nothing
};

/// Asks the processor only for "/"; emulation shows nowhere else.
Hypervisor find_hypervisor(const std::filesystem::path& root);

/// "docker", "podman", "kubernetes", ...; empty outside of containers.
std::string find_container(const std::filesystem::path& root);

}  // namespace gable::machines
