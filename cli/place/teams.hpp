#pragma once

// The threads of a workload: one per core or per hardware thread, and their number.

#include <string>
#include <vector>

#include "machines/machine.hpp"
#include "model/records/note.hpp"

namespace gable::cli {

struct PlaceTeam {
  bool smt = false;
  std::vector<unsigned> cpus;
  model::Note skip;  ///< why it cannot run; empty if it can
};

/// The requested teams: `smt` is "no", "yes" or "both" (one per core first); each of `threads`, where 0 is
/// the maximum. A number that needs SMT is left out for one thread per core. On a cluster whose cores have
/// one hardware thread, the team with SMT cannot run. Throws Error::usage for an unknown cluster and for too
/// many threads.
std::vector<PlaceTeam> place_teams(const machines::Machine& machine, int cluster,
                                   const std::vector<int>& threads, const std::string& smt);

}  // namespace gable::cli
