#pragma once

// Where each hardware thread is: its core, caches, memory node and package.

#include <optional>
#include <string>
#include <vector>

#include "machines/machine.hpp"

namespace gable::machines {

/// Numbers count through the whole machine; -1: there is none.
struct Place {
  unsigned pu = 0;  ///< os index
  int core = -1, l2 = -1, l3 = -1;
  int node = -1;  ///< os index of its cluster's first local memory node
  int package = -1;
  int cluster = 0;
  std::string kind;  ///< of its core, as in Cluster::kind
};

/// The places of all hardware threads of the machine's clusters, in the order of clusters, cores and hardware
/// threads. Throws Error::format if the machine's topology cannot be read.
std::vector<Place> places_of(const Machine& machine);

/// The firmware's distance between two memory nodes by their os indices; nothing if it gives none.
std::optional<double> distance_between(const Machine& machine, unsigned from, unsigned to);

}  // namespace gable::machines
