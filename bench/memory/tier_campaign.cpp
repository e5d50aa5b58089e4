#include "bench/memory/tier_campaign.hpp"

#include <chrono>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "bench/plan/plan.hpp"
#include "bench/tiers/room.hpp"

namespace gable::bench {

namespace {

using model::Status;
using model::TierSample;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

TierSample skipped(const TierCell& cell, const TierToMeasure& tier, const std::string& reason) {
  TierSample sample = begun(cell, tier, 0);
  sample.status = Status::skipped;
  sample.reason = reason;
  return sample;
}

// The median visit so far for each of the others; nothing until most visits did not have to prepare memory.
std::optional<double> seconds_for(std::size_t visits, const std::vector<double>& durations,
                                  std::size_t tiers) {
  if (durations.size() <= 4 * tiers) return {};
  return upper_median(durations) * static_cast<double>(visits);
}

struct Visit {
  std::size_t tier, cell;
  int round;
};

// Rounds, then cells, then tiers: the tiers alternate.
std::vector<Visit> open_tier_visits(const std::vector<std::vector<TierCell>>& cells,
                                    const TierOptions& options, const TierDone& done,
                                    const TierHooks& hooks) {
  std::vector<Visit> visits;
  for (int round = 0; round < options.runs; ++round) {
    for (std::size_t c = 0; c < cells.front().size(); ++c) {
      for (std::size_t t = 0; t < cells.size(); ++t) {
        if (cells[t][c].kernel == nullptr && round > 0) continue;
        if (!done.contains({hooks.key(cells[t][c].asked), round})) visits.push_back({t, c, round});
      }
    }
  }
  return visits;
}

// The memory of each tier, allocated at first use.
class Memories {
 public:
  Memories(const machines::Cluster& cluster, const std::vector<TierToMeasure>& tiers,
           const std::vector<std::vector<TierCell>>& cells, Team& team, const std::atomic<bool>& stop)
      : cluster_(cluster),
        tiers_(tiers),
        cells_(cells),
        team_(team),
        stop_(stop),
        held_(tiers.size()),
        refused_(tiers.size()) {}

  /// nullptr if it is not available; the reason is in `refused`.
  TierMemory* of(std::size_t t) {
    if (held_[t] || !refused_[t].empty()) return held_[t].get();
    try {
      held_[t] = std::make_unique<TierMemory>(tiers_[t].tier, tier_bytes(cells_[t]), team_,
                                              pus_of(cluster_, 0, false), stop_);
    } catch (const Error& error) {
      if (error.kind != Error::Kind::unavailable) throw;
      refused_[t] = error.what();
    }
    return held_[t].get();
  }
  const std::string& refused(std::size_t t) const { return refused_[t]; }

 private:
  const machines::Cluster& cluster_;
  const std::vector<TierToMeasure>& tiers_;
  const std::vector<std::vector<TierCell>>& cells_;
  Team& team_;
  const std::atomic<bool>& stop_;
  std::vector<std::unique_ptr<TierMemory>> held_;
  std::vector<std::string> refused_;
};

}  // namespace

std::string too_small(const std::vector<TierToMeasure>& tiers, std::uint64_t bytes) {
  std::vector<Wanted> wanted;
  for (const TierToMeasure& each : tiers) wanted.emplace_back(&each.tier, bytes);
  return no_room(wanted);
}

void run_tiers(const machines::Machine& machine, const machines::Host& host,
               const std::vector<TierToMeasure>& tiers, const TierOptions& options, const TierDone& done,
               const TierHooks& hooks, const std::atomic<bool>& stop) {
  const machines::Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(options.cluster));
  std::vector<std::vector<TierCell>> cells;
  for (const TierToMeasure& each : tiers)
    cells.push_back(tier_cells(each.tier.name, cluster, options, kernels::cpu_features()));
  const std::vector<Visit> visits = open_tier_visits(cells, options, done, hooks);
  Team team;
  TierBench bench(machine, host, team, stop);
  Memories memories(cluster, tiers, cells, team, stop);
  std::vector<double> durations;
  for (std::size_t v = 0; v < visits.size() && !stop; ++v) {
    const Clock::time_point begin = Clock::now();
    const Visit& visit = visits[v];
    const TierToMeasure& tier = tiers[visit.tier];
    const TierCell& cell = cells[visit.tier][visit.cell];
    TierMemory* memory = cell.kernel == nullptr ? nullptr : memories.of(visit.tier);
    TierSample sample;
    if (memory == nullptr) {
      if (visit.round > 0) continue;
      sample = skipped(cell, tier, cell.skip.empty() ? memories.refused(visit.tier) : cell.skip);
    } else {
      sample = bench.visit(cell, tier, *memory, visit.round);
      if (sample.status == Status::invalid && !stop) sample = bench.visit(cell, tier, *memory, visit.round);
    }
    if (stop) break;
    hooks.record(sample);
    durations.push_back(seconds_since(begin));
    hooks.progress({static_cast<int>(v + 1), static_cast<int>(visits.size()),
                    seconds_for(visits.size() - v - 1, durations, tiers.size()), &sample});
  }
}

}  // namespace gable::bench
