#pragma once

// How much is measured: one row per preset.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/domain/pages.hpp"

namespace gable::bench {

struct Preset {
  std::string_view name;
  std::string_view summary;
  int rounds;            ///< visits to every cell, spread over the run
  double visit_seconds;  ///< the duration of the measurement in one visit; twice that for a disturbed visit
  double tight;       ///< a visit ends early when the relative half-width of its 95 % interval is below this
  int ladder_rounds;  ///< visits to every step of the ladder
  double ladder_seconds;  ///< the maximum for one step of the ladder
  int steps_per_octave;   ///< of the ladder: 1 or 2
  int load_steps;         ///< points of the loaded-latency curve between 0 and 100 %
  int grid_level;         ///< of the hybrid grid: 2^level + 1 shares of pages, see bench/plan/grid_cells.hpp
  int all_grid_level;     ///< of the grid of all clusters at once; 0: none
  int grid_pairs;         ///< pairs of memories of each cluster, at most
  int grid_rounds;        ///< visits to every cell of the grid and of the validation
  bool validation;        ///< points of every arithmetic intensity, applications over all placements
  bool every_isa;         ///< whether peaks are measured with every ISA of the CPU, not only the fastest
  bool all_operations;    ///< every streaming kernel, not only load, store, store_nt and mix2_1
  bool all_pages;         ///< every page size also for remote, contended and congested
};

std::span<const Preset> presets();

/// The preset of that name; nullptr if there is none.
const Preset* find_preset(std::string_view name);

/// The options that the user gave.
struct Options {
  const Preset* preset = nullptr;
  std::string isa;                  ///< empty: the widest that runs
  std::vector<model::Pages> pages;  ///< empty: huge and small ones
  /// The process was seen to get pages of huge_pages(). Then it does not matter whether sysfs lists them:
  /// containers may hide /sys/kernel/mm.
  bool gets_huge_pages = false;
  bool smt = false;                    ///< one thread per hardware thread
  std::uint64_t memory_set_bytes = 0;  ///< working set of a cluster in memory; 0: derived from its caches
  int threads = 0;                     ///< per cluster; 0: all
  std::vector<std::string> only;       ///< filters, see bench/plan/filter.hpp; empty: everything
  double budget_seconds = 0;           ///< 0: none
  bool exhaustive = false;  ///< every cell of every cluster, by itself, in every round (bench/schedule)
};

}  // namespace gable::bench
