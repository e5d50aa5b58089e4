#include "bench/memory/tier_campaign.hpp"

#include <memory>
#include <optional>

#include "base/numbers.hpp"
#include "bench/plan/plan.hpp"
#include "bench/tiers/tier.hpp"

namespace gable::bench {

namespace {

using model::Status;
using model::TierSample;

// The median visit so far for each of the others; nothing until most visits did not have to prepare memory.
std::optional<double> seconds_for(std::size_t visits, const std::vector<double>& durations,
                                  std::size_t tiers) {
  if (durations.size() <= 4 * tiers) return {};
  return upper_median(durations) * static_cast<double>(visits);
}

// A cell of the tier with the number `tier`.
struct NumberedCell {
  std::size_t tier;
  TierCell cell;
};

using TierVisit = RoundVisit<NumberedCell>;

// The cells of all tiers in one list, in which the tiers alternate.
std::vector<NumberedCell> alternating(const std::vector<std::vector<TierCell>>& cells) {
  std::vector<NumberedCell> all;
  for (std::size_t c = 0; c < cells.front().size(); ++c) {
    for (std::size_t t = 0; t < cells.size(); ++t) all.push_back({t, cells[t][c]});
  }
  return all;
}

// Visits cells of all tiers. The memory of a tier is taken at its first visit and kept.
class TiersBench {
 public:
  TiersBench(const machines::Machine& machine, const machines::Host& host, const machines::Cluster& cluster,
             const std::vector<TierToMeasure>& tiers, const std::vector<std::vector<TierCell>>& cells,
             const std::atomic<bool>& stop)
      : tiers_(tiers),
        cells_(cells),
        cpus_(pus_of(cluster, 0, false)),
        stop_(stop),
        bench_(machine, host, team_, stop),
        memories_(tiers.size()),
        refused_(tiers.size()) {}

  // A disturbed visit is repeated once. A cell that cannot be measured has a Sample in the first round only.
  std::vector<TierSample> visit(const TierVisit& visit) {
    const auto& [t, cell] = *visit.cell;
    TierMemory* const memory = cell.kernel == nullptr ? nullptr : memory_of(t);
    if (memory == nullptr) {
      if (visit.round > 0) return {};
      TierSample sample = begun_on(cell, tiers_[t], 0);
      skip(sample, cell.skip.empty() ? refused_[t] : cell.skip);
      return {sample};
    }
    TierSample sample = bench_.visit(cell, tiers_[t], *memory, visit.round);
    if (sample.status == Status::invalid && !stop_)
      sample = bench_.visit(cell, tiers_[t], *memory, visit.round);
    return {sample};
  }

 private:
  // nullptr if it is not available; the reason is in refused_.
  TierMemory* memory_of(std::size_t t) {
    if (memories_[t] || !refused_[t].empty()) return memories_[t].get();
    refused_[t] = why_not_measured([&] {
      memories_[t] = std::make_unique<TierMemory>(tiers_[t].tier, tier_bytes(cells_[t]), team_, cpus_, stop_);
    });
    return memories_[t].get();
  }

  const std::vector<TierToMeasure>& tiers_;
  const std::vector<std::vector<TierCell>>& cells_;
  const std::vector<unsigned> cpus_;
  const std::atomic<bool>& stop_;
  Team team_;
  TierBench bench_;
  std::vector<std::unique_ptr<TierMemory>> memories_;
  std::vector<model::Note> refused_;
};

}  // namespace

std::string too_small(const std::vector<TierToMeasure>& tiers, std::uint64_t bytes) {
  std::vector<Wanted> wanted;
  for (const TierToMeasure& each : tiers) wanted.emplace_back(&each.tier, bytes);
  return no_room(wanted);
}

void run_tiers(const machines::Machine& machine, const machines::Host& host,
               const std::vector<TierToMeasure>& tiers, const TierOptions& options, const Visited& done,
               const TierHooks& hooks, const std::atomic<bool>& stop) {
  const machines::Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(options.cluster));
  std::vector<std::vector<TierCell>> cells;
  for (const TierToMeasure& each : tiers)
    cells.push_back(tier_cells(each.tier.name, cluster, options, kernels::cpu_features()));
  const std::vector<NumberedCell> all = alternating(cells);
  const auto visits = open_rounds(
      all, done, [&](const NumberedCell& each) { return each.cell.kernel == nullptr ? 1 : options.runs; },
      [](const NumberedCell& each) { return model::key(each.cell.spec); });
  TiersBench bench(machine, host, cluster, tiers, cells, stop);
  std::vector<double> durations;
  const auto left = [&](std::size_t made, double, double took) {
    durations.push_back(took);
    return seconds_for(visits.size() - made, durations, tiers.size());
  };
  visit_rounds(
      visits, 0, hooks, stop, [&](std::size_t at, std::size_t&) { return bench.visit(visits[at]); }, left);
}

}  // namespace gable::bench
