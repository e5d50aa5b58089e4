#pragma once

// An event-driven simulator of cores that load from and store into two memories. It knows queues, limits and
// service times, and nothing of the hybrid model: a referee for it.

#include <vector>

#include "model/hybrid/hybrid.hpp"

namespace gable::model {

/// One memory: channels that each serve one line of 64 bytes at a time.
struct SimulatedMemory {
  int channels = 4;
  double read_ns = 4;  ///< a channel's time for one line
  double write_ns = 4;
  double turnaround_ns = 0;  ///< a channel's pause between reading and writing
  double latency_ns = 80;    ///< on top of waiting and service
  int batch = 16;            ///< writes that a channel does before it turns back to reads, if it has as many
  bool in_order = false;     ///< a channel serves its requests as they come, reads and writes alike
};

/// Cores that issue the lines of their instructions in order.
struct SimulatedCores {
  int count = 8;
  int loads = 12;         ///< lines that a core may be waiting for
  int stores = 12;        ///< lines that a core may have on their way to memory
  double issue_ns = 0.3;  ///< between two lines
  int ahead = 0;  ///< pages that it works on at once, as prefetchers do: 0 is one page after the other
};

struct SimulatedMachine {
  const char* name;
  SimulatedMemory slow, fast;
  SimulatedCores cores;
};

/// How many pages of each kind a core's buffers have in each memory.
struct SimulatedPages {
  int load_slow = 0, store_slow = 0, load_fast = 0, store_fast = 0;
};

/// The order in which the pages of a buffer lie in the two memories.
struct PageOrder {
  int slow = 0, fast = 0;  ///< weights: so many in one, so many in the other and so on, as Linux interleaves;
                           ///< 0 and 0: in turn while both memories last, the rest in one, as a grid does
};

/// The time until all cores have moved all their pages once, loads and stores interleaved in balance.
/// Deterministic.
double simulated_seconds(const SimulatedMachine& machine, const SimulatedPages& pages, PageOrder order = {});

/// Shares of loads and of fast memory, each 0 to 1, as a grid measures them; `pages` per core in all.
Cell simulated_cell(const SimulatedMachine& machine, double load_share, double fast_share, int pages);

/// The same with pages interleaved `slow` to `fast`, one of which may be 0; about `pages` per core, as many
/// as make whole rounds of the weights in both buffers.
Cell simulated_interleave(const SimulatedMachine& machine, double load_share, int slow, int fast, int pages);

/// The grid of these shares of loads and of `steps` + 1 shares of fast memory.
std::vector<Cell> simulated_grid(const SimulatedMachine& machine, const std::vector<double>& load_shares,
                                 int steps, int pages);

}  // namespace gable::model
