#pragma once

// Records of workloads whose parts were placed on tiers. `gable place` writes them to placements.jsonl.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/domain/status.hpp"
#include "model/domain/tier.hpp"
#include "model/records/note.hpp"

namespace gable::model {

/// A part of a workload that was placed as a whole, and its location.
struct PlacedPart {
  std::string name;  ///< "graph", "temporary"
  std::string tier;  ///< as requested: "DRAM", "node:2", "/mnt/pmem"
  Tier kind = plain_tier;
  std::string how;  ///< "bound to node 0", "pmem_map_file on DAX", ...
  std::uint64_t bytes = 0;
  std::map<int, std::uint64_t> node_bytes;  ///< where the pages were seen to be; a file's on DAX are on none

  bool operator==(const PlacedPart&) const = default;
};

/// The result of a workload's variant under one placement of its parts (PMEM graph thesis, table 3.2).
struct Placed {
  std::string workload;  ///< "pagerank", "bfs"
  std::string variant;   ///< "16 ranks", "top-down", ...
  int ranks = 0;         ///< that PageRank computes at once; 0: another workload
  std::string graph;     ///< file or description
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  int cluster = 0;
  int threads = 0;
  bool smt = false;
  std::vector<PlacedPart> parts;
  std::string how;                         ///< the selected way, which was the fastest there
  std::map<std::string, double> ways;      ///< traversed edges per second of every way, from short trials
  std::vector<double> seconds;             ///< of each run
  std::vector<double> traversed;           ///< edges, of each run
  double flops = 0;                        ///< of the algorithm in each run; 0: none, or not known
  double load_bytes = 0, store_bytes = 0;  ///< of the algorithm in each run; 0: not known
  std::string verified;                    ///< the algorithm that verified each result
  int disturbed = 0;                       ///< runs dropped because other processes were busy
  Status status = Status::ok;
  Note reason;
  Notes notes;
  std::string started;        ///< UTC, ISO 8601
  std::string source;         ///< of a published figure: the work and its table; empty: measured
  double published_teps = 0;  ///< of a published figure, which has no `seconds` and no `traversed`
  int published_runs = 0;     ///< the runs behind a published figure; 0: not published

  bool operator==(const Placed&) const = default;
};

/// The question that the record answers; a record replaces an earlier one with the same key. It contains the
/// names of the parts' tiers in order.
std::string key(const Placed& placed);

/// Whether all parts are in the same tier.
inline bool in_one_tier(const Placed& placed) {
  return std::ranges::all_of(placed.parts,
                             [&](const auto& part) { return part.tier == placed.parts.front().tier; });
}

}  // namespace gable::model
