#include "bench/schedule/open_visits.hpp"

#include <algorithm>
#include <optional>

#include "bench/schedule/costs.hpp"
#include "bench/schedule/race.hpp"

namespace gable::bench {

double visit_rate(const model::Sample& sample) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < sample.work.size(); ++i) rates.push_back(sample.work[i] / sample.seconds[i]);
  if (rates.empty()) return 0;
  const bool latency = is_latency(sample.spec.kind);
  const std::size_t at = latency ? rates.size() / 2 : rates.size() * 9 / 10;
  const auto chosen = rates.begin() + static_cast<std::ptrdiff_t>(at);
  std::ranges::nth_element(rates, chosen);
  return *chosen;
}

bool is_open(const model::Case& spec, int round, const Done& done) {
  return !done.contains({model::key(spec), round});
}

std::vector<OpenVisit> open_visits(const Plan& plan, const Done& done) {
  std::optional<Race> race;  // without visits there is nothing to judge
  if (!done.empty()) race.emplace(plan);
  std::vector<bool> dropped;
  for (const Run& run : plan.runs) dropped.push_back(race && run.skip.empty() && race->is_lost(run, done));
  std::vector<OpenVisit> visits;
  for (int round = 0; round < plan.rounds; ++round) {
    for (std::size_t i = 0; i < plan.runs.size(); ++i) {
      const Run& run = plan.runs[i];
      const int rounds = run.skip.empty() ? run.rounds : 1;
      if (round >= rounds || (dropped[i] && round >= racing_rounds)) continue;
      if (run.reserve && !(race && race->is_needed(run, done))) continue;
      // Memory whose pages are split is not kept: after the first round, two rounds in a row use the same.
      const bool split = run.shares.front().node_percent >= 0 && run.skip.empty();
      if (split && round > 0 && round % 2 == 0) continue;
      const bool in_pairs = split && round > 0;
      for (int each = round; each < std::min(rounds, round + (in_pairs ? 2 : 1)); ++each) {
        if (!race || std::ranges::any_of(run.cases,
                                         [&](const model::Case& spec) { return is_open(spec, each, done); }))
          visits.push_back({&run, each});
      }
    }
  }
  return visits;
}

std::size_t within_budget(const std::vector<OpenVisit>& visits, double budget_seconds) {
  if (budget_seconds <= 0) return visits.size();
  double seconds = 0;
  Costs costs;
  const auto beyond = std::ranges::find_if(visits, [&](const OpenVisit& visit) {
    if (visit.run->skip.empty()) seconds += costs.next(*visit.run).total();
    return seconds > budget_seconds;
  });
  return static_cast<std::size_t>(beyond - visits.begin());
}

}  // namespace gable::bench
