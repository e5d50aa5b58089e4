#pragma once

// The programs of the virtualization set, on one core: GUPS, STREAM triad, DGEMM, and conjugate gradients.

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/domain/virt_pages.hpp"

namespace gable::bench {

struct ProgramRun {
  std::vector<double> seconds;  ///< of each repetition
  std::vector<double> work;     ///< updates (gups), bytes as STREAM counts them (triad), flops (dgemm, cg)
  std::map<std::string, std::string> facts;  ///< "words", "rows", "iterations", "kernel"
  std::string verified;                      ///< how the result was checked
  std::string wrong;                         ///< why the result is wrong; empty if it is right
};

/// Runs one of model::programs on this thread's CPU with arrays of about `bytes` in all; a size
/// that the program cannot have becomes the next smaller one. `pages`: transparent or small ones, of GUPS and
/// triad. Throws Error::unavailable. An interrupted run has no repetitions.
ProgramRun run_program(std::string_view what, model::VirtPages pages, std::uint64_t bytes,
                       const std::atomic<bool>& stop);

}  // namespace gable::bench
