#pragma once

// Which threads run a workload: one a core, one a hardware thread, and how many of them.

#include <string>
#include <vector>

#include "machines/machine.hpp"

namespace gable::cli {

struct PlaceTeam {
  bool smt = false;
  std::vector<unsigned> cpus;
  std::string skip;  ///< why it cannot run; empty where it can
};

/// What was asked for: `smt` is "no", "yes" or "both" (one a core first); each of `threads`, where 0 is as
/// many as there is room for. A number that only fits one a hardware thread is left out one a core. A cluster
/// whose cores have one hardware thread each has a team with SMT that cannot run. Throws UsageError for a
/// cluster that is not there and for more threads than there is room for.
std::vector<PlaceTeam> place_teams(const machines::Machine& machine, int cluster,
                                   const std::vector<int>& threads, const std::string& smt);

}  // namespace gable::cli
