#pragma once

// The configuration of the engine. As in the kMAF paper are the sizes of pages and sub-blocks and the sharers
// (table 2), and the period (section 3.4). The counters are not: the paper has 1 byte each in table 2, and 2
// in section 3.5.1. The paper has no `adopt_below`, no `patience` and no trials.

namespace gable::kmaf {

struct Config {
  unsigned page_bytes = 4096;       ///< a power of two; 2 MiB if the samples come from huge pages
  unsigned sub_block_bytes = 1024;  ///< granularity of sharing; a power of two, at most page_bytes
  int counter_bits = 4;             ///< of each counter of the NUMA vector, 1 to 32; counters saturate
  int sharers = 2;                  ///< thread ids kept for each sub-block, from MRU to LRU; at least 2
  double period_seconds = 0.1;      ///< between two calculations of the thread mapping
  double adopt_below = 0.95;        ///< largest cost of a new mapping relative to the present one
  int patience = 16;        ///< periods after which a mapping is recalculated even without an apparent change
  bool trials = true;       ///< try other places of the threads where the program's progress is reported
  int trial_reports = 20;   ///< of progress, by which a place is judged
  bool map_threads = true;  ///< false: only data affinity
  bool move_pages = true;   ///< false: only thread affinity
};

}  // namespace gable::kmaf
