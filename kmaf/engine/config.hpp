#pragma once

// What the engine is configured with. The defaults are the evaluated configuration of the kMAF paper (table 2
// and section 3.4).

namespace gable::kmaf {

struct Config {
  unsigned page_bytes = 4096;       ///< a power of two; 2 MiB where the samples come from huge pages
  unsigned sub_block_bytes = 1024;  ///< granularity of sharing; a power of two, at most page_bytes
  int counter_bits = 4;             ///< of each counter of the NUMA vector, 1 to 32; counters saturate
  int sharers = 2;                  ///< thread ids kept for each sub-block, from MRU to LRU; at least 2
  double period_seconds = 0.1;      ///< between two calculations of the thread mapping
  double adopt_below = 0.95;        ///< a new mapping is adopted below this share of the present one's cost
  int patience =
      16;  ///< periods after which a mapping is calculated anew though nothing seems to have changed
  bool map_threads = true;  ///< false: data affinity alone
  bool move_pages = true;   ///< false: thread affinity alone
};

}  // namespace gable::kmaf
