#pragma once

// Exports measured figures to hwloc: the topology with bandwidth and latency as memory attributes, for every
// measured (cluster, node) and not only for the best initiator.

#include <string>
#include <vector>

#include "machines/machine.hpp"

namespace gable::machines {

/// The topology of `xml_path` with `measured` as hwloc's Bandwidth (MiB/s) and Latency (ns) attributes, which
/// replace existing ones; returned as hwloc XML. Throws Error::format.
std::string with_measured_attributes(const std::string& xml_path, const std::vector<Attribute>& measured);

}  // namespace gable::machines
