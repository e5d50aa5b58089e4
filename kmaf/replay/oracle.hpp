#pragma once

// What an oracle knows: the places of threads and pages with which a trace is fastest.

#include "kmaf/replay/replay.hpp"

namespace gable::kmaf {

/// The one of policies().
const PolicyEntry& oracle_policy();

struct OracleChoice {
  Mapping mapping;  ///< of the threads
  OraclePages pages = OraclePages::most_accesses;
  Outcome outcome;  ///< of the trace there
};

/// The best of up to eleven mappings: by what threads share and by what they hand over to each other, on all
/// nodes and on few, with a core for each running thread and without; packed in order, spread in order, and
/// dealt to the nodes in turn. The best one is also tried with pages where they are touched first and
/// round-robin, which is better if one node's memory cannot serve all threads.
/// What threads share is taken from `known`, a trace of the same program.
OracleChoice best_for(const PreparedTrace& trace, const PreparedTrace& known, const SimulatedMachine& machine,
                      double scale, std::uint64_t seed, const ReplayOptions& options);

}  // namespace gable::kmaf
