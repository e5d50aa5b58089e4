#pragma once

// The state of one visit, shared by the code that runs it (visit.cpp) and the code that judges it
// (verdict.cpp).

#include <vector>

#include "bench/visit/kept_repetitions.hpp"
#include "bench/visit/seen.hpp"
#include "bench/visit/visit.hpp"

namespace gable::bench {

struct Bench::Visit {
  /// One Case's share in it.
  struct Part {
    std::vector<std::size_t> threads;  ///< indices into work: those whose work is the Case's
    std::vector<std::size_t> loaders;  ///< loaded_latency: those that generate the load
    KeptRepetitions kept;
    model::Sample sample;
    std::uint64_t used_bytes = 0;
    model::Note strayed;  ///< pages that were seen on other nodes between bursts
  };
  std::vector<Part> parts;
  std::vector<Work> work;
  Seen seen;
};

}  // namespace gable::bench
