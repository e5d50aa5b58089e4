#include "kmaf/replay/oracle.hpp"

#include <algorithm>
#include <string_view>

#include "base/numbers.hpp"
#include "kmaf/engine/places.hpp"

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
    if (std::find(different.begin(), different.end(), mapping) == different.end())
      different.push_back(std::move(mapping));
  }
  return different;
}

}  // namespace

const PolicyEntry& oracle_policy() {
  return *std::ranges::find(policies(), std::string_view("oracle"), &PolicyEntry::name);
}

OracleChoice best_for(const PreparedTrace& trace, const PreparedTrace& known, const SimulatedMachine& machine,
                      double scale, std::uint64_t seed, const ReplayOptions& options) {
  OracleChoice best;
  ReplayOptions with = options;
  const auto take = [&](const Mapping& mapping, OraclePages pages) {
    with.mapping = mapping;
    with.pages = pages;
    const Outcome outcome = replay(trace, machine, oracle_policy(), scale, seed, with);
    if (best.mapping.empty() || outcome.seconds < best.outcome.seconds) best = {mapping, pages, outcome};
  };
  for (const Mapping& mapping : candidates(known, machine.hierarchy))
    take(mapping, OraclePages::most_accesses);
  const Mapping mapping = best.mapping;
  for (const OraclePages pages : {OraclePages::first_touch, OraclePages::interleaved}) take(mapping, pages);
  return best;
}

}  // namespace gable::kmaf
