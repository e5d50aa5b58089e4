#pragma once

// A workload under every placement of its parts: laid out, looked up, tuned, run, and verified.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "bench/apps/workload.hpp"
#include "bench/tiers/tier.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

struct PlaceOptions {
  int cluster = 0;
  bool smt = false;
  std::string skip;   ///< why nothing can be run with these threads; empty where it can
  int runs = 10;      ///< of every variant and placement
  std::string graph;  ///< its name
};

/// Every way to place `parts` parts in `tiers` tiers, the first part changing slowest: DD, DP, PD, PP.
std::vector<std::vector<std::size_t>> placements(std::size_t tiers, std::size_t parts);

/// Why the parts do not fit, before anything is taken; empty where they do, as far as is known.
std::string too_small(const std::vector<Part>& parts, const std::vector<const Tier*>& tiers);

/// Runs the variant with its parts in `tiers`, one for each. Runs during which others were busy are thrown
/// away and made again, as many as were asked for. A result that is wrong, or memory that is elsewhere, makes
/// the record invalid; memory that cannot be had makes it skipped. `after_run` is called after each run that
/// was verified, while its result is there.
model::Placed place(Workload& workload, const Graph& graph, const std::string& variant,
                    const std::vector<const Tier*>& tiers, const PlaceOptions& options, Crew& crew,
                    const std::function<void()>& after_run, const std::atomic<bool>& stop);

}  // namespace gable::bench
