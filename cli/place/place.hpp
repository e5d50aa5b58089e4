#pragma once

// gable place DIR: a workload under every placement of its parts over the tiers.

#include <string>
#include <vector>

#include "bench/apps/workload.hpp"
#include "cli/place/campaign.hpp"
#include "cli/place/graph.hpp"

namespace gable::cli {

struct PlaceArguments {
  std::string folder;
  std::string workload;  ///< one of bench::workload_names
  PlaceGraph graph;
  std::vector<std::string> tiers;   ///< as for tiers_of
  int cluster = 0;                  ///< whose threads
  std::vector<int> threads = {0};   ///< as for place_teams
  std::string smt = "no";           ///< as for place_teams
  bool json = false;                ///< print the records instead of the table
  PlaceCampaign::Options campaign;  ///< cluster and graph are set from the fields above
  bench::WorkloadOptions workload_options;
};

/// Adds to DIR/placements.jsonl and DIR/points.json, and prints the measurements. Throws Error::usage,
/// Error::interrupted, Error::format.
void place(PlaceArguments arguments);

}  // namespace gable::cli
