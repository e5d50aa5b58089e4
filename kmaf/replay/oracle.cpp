#include "kmaf/replay/oracle.hpp"

#include <algorithm>
#include <atomic>
#include <string_view>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "kmaf/engine/places.hpp"
#include "kmaf/replay/runs.hpp"

namespace gable::kmaf {

namespace {

std::vector<Mapping> candidates(const PreparedTrace& trace, const Hierarchy& hierarchy) {
  const int leaves = static_cast<int>(hierarchy.leaves.size()), threads = trace.threads();
  std::vector<Mapping> mappings = {best_mapping(trace.sharing(), threads, hierarchy),
                                   best_mapping(trace.transfers(), threads, hierarchy)};
  Mapping packed, spread;
  for (int thread = 0; thread < threads; ++thread) {
    packed.push_back(thread % leaves);
    spread.push_back(threads < leaves ? thread * leaves / threads : thread % leaves);
  }
  // Running threads on their own cores, on many or few nodes, and on the hardware threads of few nodes.
  const Activity activity = activity_of(trace.work());
  const auto few = leaves_of_few_nodes(hierarchy, threads, false);
  for (const AffinityMatrix* matrix : {&trace.sharing(), &trace.transfers()}) {
    for (const bool fits : {true, false}) {
      if (auto mapping = places_of(*matrix, activity, spread, fits, hierarchy)) mappings.push_back(*mapping);
    }
    if (auto mapping = map_threads_to(few, *matrix, threads, hierarchy)) mappings.push_back(*mapping);
  }
  mappings.push_back(std::move(packed));
  mappings.push_back(std::move(spread));
  mappings.push_back(dealt_in_turn(threads, hierarchy));
  std::vector<Mapping> different;
  for (Mapping& mapping : mappings) {
    if (!is_among(different, mapping)) different.push_back(std::move(mapping));
  }
  return different;
}

std::vector<OraclePages> placements(const SimulatedMachine& machine) {
  std::vector<OraclePages> all = {OraclePages::most_accesses, OraclePages::first_touch,
                                  OraclePages::interleaved};
  if (std::ranges::any_of(machine.memories, [&](const Memory& memory) { return machine.is_fast(memory); }))
    all.insert(all.end(), {OraclePages::fast_by_accesses, OraclePages::fast_interleaved});
  return all;
}

std::size_t quarter(std::size_t count) {
  return (count + 3) / 4;
}

}  // namespace

const PolicyEntry& oracle_policy() {
  return *std::ranges::find(policies(), std::string_view("oracle"), &PolicyEntry::name);
}

// One run judges all; a quarter of them, those with the least time so far, go on to the next run.
OracleChoice best_for(const std::vector<ScaledTrace>& runs, const PreparedTrace& known,
                      const SimulatedMachine& machine, const ReplayOptions& options, int jobs) {
  struct Tried {
    OracleChoice choice;
    double seconds = 0;
  };
  std::vector<Tried> left;
  for (const Mapping& mapping : candidates(known, machine.hierarchy)) {
    for (const OraclePages pages : placements(machine)) left.push_back({{mapping, pages}});
  }
  int all = 0;
  for (std::size_t run = 0, tried = left.size(); run < runs.size(); ++run, tried = quarter(tried))
    all += static_cast<int>(tried);
  std::atomic<int> ended = 0;
  for (const ScaledTrace& run : runs) {
    do_all(left.size(), jobs, [&](std::size_t task) {
      ReplayOptions with = options;
      with.mapping = left[task].choice.mapping;
      with.pages = left[task].choice.pages;
      left[task].seconds += replay(*run.trace, machine, oracle_policy(), run.scale, 1, with).seconds;
      if (options.progress) options.progress(++ended, all);
    });
    sort_by(left, &Tried::seconds);
    left.resize(quarter(left.size()));
  }
  return left.front().choice;
}

OracleChoice best_for(ProgramOrders& orders, int runs, const SimulatedMachine& machine,
                      const ReplayOptions& options, int jobs) {
  constexpr int most_judged = 3;
  std::vector<ScaledTrace> judged;
  for (int run = 0; run < (orders.differ() ? std::min(runs, most_judged) : 1); ++run)
    judged.push_back(orders.of_run(static_cast<std::uint64_t>(run)));
  const ScaledTrace known = orders.of_run(ProgramOrders::earlier_run);
  const OracleChoice best = best_for(judged, *known.trace, machine, options, jobs);
  orders.drop(ProgramOrders::earlier_run);
  return best;
}

}  // namespace gable::kmaf
