#pragma once

// The machine as JSON: what `gable machine --json` prints and what machine.json of a recorded folder holds.

#include <map>
#include <string>
#include <vector>

#include "machines/host.hpp"
#include "machines/machine.hpp"

namespace gable::machines {

/// One line per field, cluster, node and cache. Without a `host` (the topology of another machine) "isas",
/// "page_bytes" and "hypervisor" are null and the other fields of the host are absent; "hypervisor" is "none"
/// on bare metal. `more` is added at the end: version and compiler of a recording, for example.
std::string machine_json(const Machine& machine, const Host* host, const std::vector<std::string>& isas,
                         const std::map<std::string, std::string>& more = {});

}  // namespace gable::machines
