#pragma once

// The benchmarks of gable-mpi: after figures 1 to 6, 10 and 11 of "Minimal-overhead virtualization of a large
// scale supercomputer" (Lange et al., VEE 2011). The paper's broadcast and all-to-all have 16 bytes, those
// here 1 KiB; the bidirectional test is none of the paper's.

#include <cstddef>
#include <vector>

#include "model/domain/mpi_measure.hpp"
#include "model/records/note.hpp"
#include "mpi/world.hpp"

namespace gable::mpi {

/// A measurement to make, the same on every process.
struct Benchmark {
  model::MpiMeasure what = model::MpiMeasure::ping_pong;
  model::MpiPlaces where = model::MpiPlaces::one_node;
  std::size_t bytes = 0;   ///< of a message; HPCCG: 0
  std::vector<int> ranks;  ///< that take part
  int side = 0;  ///< HPCCG: points along x and y, and along z of a process (weak) or of all (strong)
};

/// One round of one measurement.
struct Round {
  double seconds = 0;  ///< of one message, operation or iteration; 0: all repetitions were disturbed
  double rate = 0;     ///< bytes or flops per second; 0: none
  int repetitions = 0, disturbed = 0;
  model::NoteCode wrong = model::NoteCode::none;  ///< what was computed wrongly
};

/// What there is to measure among the processes: pairs inside a node and between nodes, then 2, 4, ... N
/// ranks.
std::vector<Benchmark> plan_of(const World& world, std::size_t most_bytes, int side);

/// Collective over the processes in `benchmark.ranks`; others return at once.
Round measure(const World& world, const Benchmark& benchmark, double seconds);

}  // namespace gable::mpi
