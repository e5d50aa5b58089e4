#include "kmaf/replay/runs.hpp"

#include <atomic>

#include "kmaf/replay/jobs.hpp"

namespace gable::kmaf {

std::vector<ReplayResult::OfPolicy> run_policies(ProgramOrders& orders, const SimulatedMachine& machine,
                                                 const std::vector<const PolicyEntry*>& policies, int runs,
                                                 int jobs, const ReplayOptions& options) {
  struct Task {
    std::size_t policy, run;
  };
  std::vector<Task> tasks;  // run by run, so that few orders are in memory
  std::vector<std::atomic<int>> left(static_cast<std::size_t>(runs));
  std::vector<ReplayResult::OfPolicy> results;
  for (const PolicyEntry* policy : policies) {
    const bool deterministic = policy->deterministic && !orders.differ();
    results.push_back({policy->name, deterministic, std::vector<Outcome>(deterministic ? 1 : left.size())});
  }
  for (std::size_t run = 0; run < left.size(); ++run) {
    for (std::size_t policy = 0; policy < policies.size(); ++policy) {
      if (run >= results[policy].outcomes.size()) continue;
      tasks.push_back({policy, run});
      ++left[run];
    }
  }
  std::atomic<int> ended = 0;
  do_all(tasks.size(), jobs, [&](std::size_t number) {
    const auto [policy, run] = tasks[number];
    const ScaledTrace scaled = orders.of_run(run);
    results[policy].outcomes[run] =
        replay(*scaled.trace, machine, *policies[policy], scaled.scale, run + 1, options);
    if (--left[run] == 0) orders.drop(run);
    if (options.progress) options.progress(++ended, static_cast<int>(tasks.size()));
  });
  return results;
}

}  // namespace gable::kmaf
