#pragma once

// Which hypervisor and which container this process runs in.

#include <filesystem>
#include <string>

namespace gable::machines {

struct Hypervisor {
  std::string name;       ///< "kvm", "xen", ...; "unknown" if it has no name; empty on bare metal
  bool emulates = false;  ///< it interprets the instructions: programs run correctly, but times mean nothing
};

/// What this processor says of it; it has no name if the processor says nothing.
Hypervisor processor_says();

/// Asks the processor only for "/"; emulation is visible nowhere else.
Hypervisor find_hypervisor(const std::filesystem::path& root);

/// "docker", "podman", "kubernetes", ...; empty outside of containers.
std::string find_container(const std::filesystem::path& root);

}  // namespace gable::machines
