#pragma once

// The state of one visit, shared by the code that runs it (visit.cpp) and the code that judges it
// (verdict.cpp).

#include <set>
#include <string>
#include <vector>

#include "bench/visit/kept_repetitions.hpp"
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
    std::string strayed;  ///< pages that were seen on other nodes between bursts
  };
  std::vector<Part> parts;
  std::vector<Work> work;
  std::vector<std::set<unsigned>> cpus_seen;  ///< by work
  std::vector<double> clocks;                 ///< GHz, of every thread and burst
  std::string clock_note;                     ///< threads whose clock changed
  Disturbance disturbance;
  std::vector<std::string> moved;  ///< threads that were seen on other CPUs
};

}  // namespace gable::bench
