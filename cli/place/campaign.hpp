#pragma once

// All variants of a workload in all placements, each recorded as soon as it is measured.

#include <string>
#include <vector>

#include "bench/apps/place.hpp"
#include "cli/place/quick_stop.hpp"
#include "cli/place/teams.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

class PlaceCampaign {
 public:
  struct Options {
    int cluster = 0;
    int runs = 10;       ///< of every variant and placement
    std::string graph;   ///< its name
    std::string dump;    ///< file for the first run's result; empty: none
    bool quiet = false;  ///< no progress
  };

  /// All of these must outlive this. Throws like reading the graph's name.
  PlaceCampaign(const Options& options, const bench::Graph& graph, bench::Workload& workload,
                std::vector<bench::Tier> tiers, QuickStop& quick_stop)
      : options_(options),
        graph_(graph),
        workload_(workload),
        tiers_(std::move(tiers)),
        quick_stop_(quick_stop) {}

  /// Runs everything with this team of threads and appends it to the file; stops early if interrupted.
  void run(const PlaceTeam& team, bench::Team& threads, const std::string& path);

  const std::vector<model::Placed>& placed() const { return placed_; }

 private:
  model::Placed one(const std::string& variant, const std::vector<const bench::Tier*>& where,
                    const PlaceTeam& team, bench::Crew& crew);
  void show(const std::string& variant, const std::vector<const bench::Tier*>& where, int made) const;

  const Options& options_;
  const bench::Graph& graph_;
  bench::Workload& workload_;
  std::vector<bench::Tier> tiers_;
  QuickStop& quick_stop_;
  std::vector<model::Placed> placed_;
  bool dumped_ = false;
};

}  // namespace gable::cli
