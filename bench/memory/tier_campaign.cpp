#include "bench/memory/tier_campaign.hpp"

#include <memory>
#include <optional>

#include "base/numbers.hpp"
#include "bench/plan/plan.hpp"
#include "bench/tiers/room.hpp"

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

// Of the tier with this number.
struct NumberedCell {
  std::size_t tier;
  TierCell cell;
};

// The tiers alternate.
std::vector<NumberedCell> alternating(const std::vector<std::vector<TierCell>>& cells) {
  std::vector<NumberedCell> all;
  for (std::size_t c = 0; c < cells.front().size(); ++c) {
    for (std::size_t t = 0; t < cells.size(); ++t) all.push_back({t, cells[t][c]});
  }
  return all;
}

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
      [](const NumberedCell& each) { return model::key(each.cell.asked); });
  Team team;
  TierBench bench(machine, host, team, stop);
  std::vector<std::unique_ptr<TierMemory>> memories(tiers.size());  // of each tier, from its first visit on
  std::vector<std::string> refused(tiers.size());
  const auto memory_of = [&](std::size_t t) {
    if (memories[t] || !refused[t].empty()) return memories[t].get();
    refused[t] = why_not_measured([&] {
      memories[t] = std::make_unique<TierMemory>(tiers[t].tier, tier_bytes(cells[t]), team,
                                                 pus_of(cluster, 0, false), stop);
    });
    return memories[t].get();
  };
  const auto visit = [&](std::size_t at, std::size_t&) -> std::vector<TierSample> {
    const auto& [t, cell] = *visits[at].cell;
    const int round = visits[at].round;
    TierMemory* const memory = cell.kernel == nullptr ? nullptr : memory_of(t);
    if (memory == nullptr && round > 0) return {};
    if (memory == nullptr) {
      TierSample sample = begun_on(cell, tiers[t], 0);
      skip(sample, cell.skip.empty() ? refused[t] : cell.skip);
      return {sample};
    }
    TierSample sample = bench.visit(cell, tiers[t], *memory, round);
    if (sample.status == Status::invalid && !stop) sample = bench.visit(cell, tiers[t], *memory, round);
    return {sample};
  };
  std::vector<double> durations;
  const auto left = [&](std::size_t made, double, double took) {
    durations.push_back(took);
    return seconds_for(visits.size() - made, durations, tiers.size());
  };
  visit_rounds(visits, 0, hooks, stop, visit, left);
}

}  // namespace gable::bench
