#pragma once

// What the system reports about the environment in which virtualization is measured.

#include <map>
#include <string>

#include "machines/host.hpp"
#include "model/domain/hypervisor.hpp"

namespace gable::bench {

/// "hypervisor", "guest pages", "huge pages", "balloon", "steal", "tick", "clock": each in words; a fact that
/// the system does not report is absent. Read below `root` ("/" except in tests).
std::map<std::string, std::string> environment_facts(const machines::Host& host,
                                                     const std::string& root = "/");

model::Hypervisor hypervisor_of(const machines::Host& host);

}  // namespace gable::bench
