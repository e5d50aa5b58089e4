#pragma once

// gable place DIR --bench memory: the performance of every tier's memory.

#include <string>
#include <vector>

#include "bench/memory/tier_cells.hpp"
#include "model/tiers/tiers.hpp"

namespace gable::cli {

/// Reads the memory benchmarks of DIR/tiers.jsonl, or of a published machine's roofs.json, with vendors'
/// claims. Throws Error::usage, Error::format.
std::vector<model::TierFigure> recorded_figures(const std::string& folder);

struct PlaceMemory {
  std::string folder;
  std::vector<std::string> tiers;    ///< as for tiers_of
  std::vector<std::string> vendors;  ///< vendors' claims, such as "NVM:read=40.8,write=11.1"
  bool list = false;                 ///< measure nothing, print what is recorded
  bool json = false;
  bool quiet = false;  ///< no progress
  bench::TierOptions options;
};

/// Measures what DIR/tiers.jsonl does not have yet, and prints all of it.
void place_memory(const PlaceMemory& arguments);

/// A table by working set: the benchmarks of all tiers with their ratios (PMEM graph thesis, tables 2.2 and
/// 2.3), by number of threads, writes in blocks; the tiers' ratios to the first one and to their vendors'
/// claims; missing figures with reasons.
std::string memory_table(const std::vector<model::TierFigure>& figures);

/// "0.38 (0.37 to 0.39)": the ratio of two ok figures, with the 95 % interval if they have intervals.
std::string ratio_text(const model::TierFigure& of, const model::TierFigure& to);

/// The tiers, in the order in which they appear.
std::vector<std::string> tiers_in(const std::vector<model::TierFigure>& figures);

/// The most threads among the figures' requests; 0 if there are no figures.
int most_threads(const std::vector<model::TierFigure>& figures, bool smt);

/// Sentences: the tiers' ratios to the first one, of the worst to the best way to write, and to their
/// vendors' claims; how each tier was allocated; missing figures with reasons.
std::string memory_remarks(const std::vector<model::TierFigure>& figures);

}  // namespace gable::cli
