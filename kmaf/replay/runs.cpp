#include "kmaf/replay/runs.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace gable::kmaf {

namespace {

PreparedTrace some_accesses(PreparedTrace trace) {
  if (trace.accesses() == 0) throw Error::usage("contains no access");
  return trace;
}

}  // namespace

ProgramOrders::ProgramOrders(ParallelOrder order, int iterations, const SimulatedMachine& machine,
                             const ReplayOptions& options)
    : order_(std::move(order)),
      iterations_(iterations),
      watch_(options.watch),
      first_(some_accesses({order_, iterations, 0, watch_})),
      scale_(scale_of(first_, machine, options)) {}

ScaledTrace ProgramOrders::of_run(std::uint64_t run) {
  if (run == 0 || !differ()) return {&first_, scale_};
  const std::lock_guard lock(guard_);
  auto found = others_.find(run);
  if (found == others_.end())
    found = others_.emplace(run, PreparedTrace(order_, iterations_, run, watch_)).first;
  const PreparedTrace& trace = found->second;
  const auto accesses = [](const PreparedTrace& prepared) {
    return static_cast<double>(prepared.steady_accesses());
  };
  return {&trace, scale_ * accesses(first_) / accesses(trace)};
}

void ProgramOrders::drop(std::uint64_t run) {
  const std::lock_guard lock(guard_);
  others_.erase(run);
}

void do_all(std::size_t tasks, int jobs, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < tasks; i = next++) task(i);
    } catch (...) {
      const std::lock_guard lock(guard);
      failed = std::current_exception();
      next = tasks;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < jobs; ++i) threads.emplace_back(work);
    work();
  }
  if (failed) std::rethrow_exception(failed);
}

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
