#include "kmaf/engine/places.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/numbers.hpp"

namespace gable::kmaf {

namespace {

constexpr double idle_below = 0.25;  // of the CPU time of the second busiest thread

int count_of(const std::vector<bool>& flags) {
  return static_cast<int>(std::count(flags.begin(), flags.end(), true));
}

// One leaf of each core.
std::vector<int> cores_of(const Hierarchy& hierarchy) {
  return leaves_of_few_nodes(hierarchy, std::numeric_limits<int>::max(), true);
}

// The running threads on cores of their own.
std::optional<Mapping> on_own_cores(const AffinityMatrix& matrix, bool fits, const Hierarchy& hierarchy) {
  const int threads = matrix.threads();
  auto spread = map_threads_to(cores_of(hierarchy), matrix, threads, hierarchy);
  if (!spread || !fits) return spread;
  auto packed = map_threads_to(leaves_of_few_nodes(hierarchy, threads, true), matrix, threads, hierarchy);
  const auto cost = [&](const Mapping& mapping) { return mapping_cost(matrix, hierarchy, mapping); };
  return packed && cost(*packed) < cost(*spread) ? packed : spread;
}

// Puts the idle threads onto leaves that have room: where they are, or the nearest.
void place_idle(Mapping& mapping, const std::vector<bool>& runs, const Mapping& now,
                const Hierarchy& hierarchy) {
  const int leaves = static_cast<int>(hierarchy.leaves.size());
  const int share = (static_cast<int>(runs.size()) + leaves - 1) / leaves;
  std::vector<int> load(index(leaves));
  for (std::size_t thread = 0; thread < runs.size(); ++thread)
    load[index(mapping[thread])] += runs[thread] ? 1 : 0;
  for (std::size_t thread = 0; thread < runs.size(); ++thread) {
    if (runs[thread]) continue;
    mapping[thread] = nearest_with_room(hierarchy, load, now[thread], share);
    ++load[index(mapping[thread])];
  }
}

std::vector<int> running_ones(const std::vector<bool>& runs) {
  std::vector<int> numbers;
  for (int thread = 0; thread < static_cast<int>(runs.size()); ++thread) {
    if (runs[index(thread)]) numbers.push_back(thread);
  }
  return numbers;
}

// All threads, with the running ones at `places`.
Mapping with_idle(const Mapping& places, const std::vector<bool>& runs, const Mapping& now,
                  const Hierarchy& hierarchy) {
  Mapping mapping = now;
  const std::vector<int> numbers = running_ones(runs);
  for (std::size_t i = 0; i < numbers.size(); ++i) mapping[index(numbers[i])] = places[i];
  place_idle(mapping, runs, now, hierarchy);
  return mapping;
}

}  // namespace

std::vector<bool> running(const std::vector<double>& seconds) {
  std::vector<double> busiest(std::min<std::size_t>(2, seconds.size()));
  std::ranges::partial_sort_copy(seconds, busiest, std::greater());
  std::vector<bool> runs;
  for (const double own : seconds) runs.push_back(own < 0 || own >= idle_below * busiest.back());
  return runs;
}

bool is_crowded(const Mapping& mapping, const std::vector<bool>& runs, const Hierarchy& hierarchy) {
  std::vector<bool> used(hierarchy.leaves.size());  // by core, of which there are at most as many
  bool shared = false;
  for (std::size_t thread = 0; thread < mapping.size(); ++thread) {
    if (!runs[thread]) continue;
    const std::size_t core = index(hierarchy.leaves[index(mapping[thread])].core);
    shared = shared || used[core];
    used[core] = true;
  }
  return shared && count_of(runs) <= static_cast<int>(cores_of(hierarchy).size());
}

int nodes_used(const Mapping& mapping, const std::vector<bool>& runs, const Hierarchy& hierarchy) {
  std::vector<bool> used(hierarchy.nodes.size());
  for (std::size_t thread = 0; thread < mapping.size(); ++thread) {
    if (runs[thread]) used[index(hierarchy.leaves[index(mapping[thread])].node)] = true;
  }
  return count_of(used);
}

std::optional<Mapping> places_of(const AffinityMatrix& matrix, const std::vector<bool>& runs,
                                 const Mapping& now, bool fits, const Hierarchy& hierarchy) {
  if (count_of(runs) > static_cast<int>(cores_of(hierarchy).size()))
    return map_threads(matrix, matrix.threads(), hierarchy);
  const auto own = on_own_cores(matrix.of(running_ones(runs)), fits, hierarchy);
  if (!own) return own;
  return with_idle(*own, runs, now, hierarchy);
}

std::optional<Mapping> place_to_try(int number, const AffinityMatrix& matrix, const std::vector<bool>& runs,
                                    const Mapping& now, const Hierarchy& hierarchy) {
  const bool all_fit = runs.size() <= hierarchy.leaves.size();
  const std::vector<bool> chosen = all_fit ? std::vector<bool>(runs.size(), true) : runs;
  const std::vector<int> numbers = running_ones(chosen);
  const int count = static_cast<int>(numbers.size());
  std::optional<Mapping> places;
  if (number == 0) {
    const std::vector<int> few = leaves_of_few_nodes(hierarchy, count, false);
    if (few.size() == hierarchy.leaves.size()) return {};
    places = map_threads_to(few, matrix.of(numbers), count, hierarchy);
  } else {
    places.emplace();
    for (const int thread : numbers) places->push_back(now[index(thread)]);
    std::sort(places->begin(), places->end());
  }
  if (!places) return {};
  Mapping mapping = with_idle(*places, chosen, now, hierarchy);
  return mapping == now ? std::nullopt : std::optional(std::move(mapping));
}

}  // namespace gable::kmaf
