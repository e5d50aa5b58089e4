#pragma once

// A workload under every placement of its parts: laid out, located, tuned, run, and verified.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/apps/workload.hpp"
#include "bench/tiers/tier.hpp"
#include "model/records/placed.hpp"

namespace gable::bench {

struct PlaceOptions {
  int cluster = 0;
  bool smt = false;
  model::Note skip;               ///< why nothing can run with these threads; empty if it can
  int runs = 10;                  ///< per variant and placement
  std::string graph;              ///< its name
  std::uint64_t cache_bytes = 0;  ///< of the cluster's last-level caches; 0: not known
};

/// Every way to place `parts` parts in `tiers` tiers; the first part changes slowest: DD, DP, PD, PP.
std::vector<std::vector<std::size_t>> placements(std::size_t tiers, std::size_t parts);

/// Why the parts do not fit, checked before any memory is allocated; empty if they do, as far as is known.
std::string too_small(const std::vector<Part>& parts, const std::vector<const Tier*>& tiers);

/// Runs the variant with its parts in `tiers`, one tier per part. Runs during which other processes were busy
/// are dropped and repeated, at most as many as were requested. A wrong result or misplaced memory makes the
/// record invalid; unavailable memory makes it skipped. `after_run` is called after each verified run, while
/// its result exists.
model::Placed place(Workload& workload, const Graph& graph, const std::string& variant,
                    const std::vector<const Tier*>& tiers, const PlaceOptions& options, Crew& crew,
                    const std::function<void()>& after_run, const std::atomic<bool>& stop);

}  // namespace gable::bench
