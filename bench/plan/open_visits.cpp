#include "bench/plan/open_visits.hpp"

#include <algorithm>

namespace gable::bench {

bool is_open(const model::Case& asked, int round, const Done& done) {
  return !done.contains({model::key(asked), round});
}

std::vector<OpenVisit> open_visits(const Plan& plan, const Done& done) {
  std::vector<OpenVisit> visits;
  for (int round = 0; round < plan.rounds; ++round) {
    for (const Run& run : plan.runs) {
      if (round >= (run.skip.empty() ? run.rounds : 1)) continue;
      const bool open = std::ranges::any_of(
          run.cases, [&](const model::Case& asked) { return is_open(asked, round, done); });
      if (open) visits.push_back({&run, round});
    }
  }
  return visits;
}

std::size_t within_budget(const std::vector<OpenVisit>& visits, double budget_seconds) {
  if (budget_seconds <= 0) return visits.size();
  double seconds = 0;
  const auto beyond = std::ranges::find_if(visits, [&](const OpenVisit& visit) {
    seconds += visit.run->seconds;
    return seconds > budget_seconds;
  });
  return static_cast<std::size_t>(beyond - visits.begin());
}

}  // namespace gable::bench
