#pragma once

// Which hypervisor and which container this process runs in.

#include <filesystem>
#include <string>

namespace gable::machines {

/// "kvm", "xen", ...; "unknown" where there is one without a name; empty on bare metal. Asks the processor
/// only for "/".
std::string find_hypervisor(const std::filesystem::path& root);

/// "docker", "podman", "kubernetes", ...; empty outside of containers.
std::string find_container(const std::filesystem::path& root);

}  // namespace gable::machines
